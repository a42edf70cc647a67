// SPDX-License-Identifier: Apache-2.0
// dualhp, dual-2 and dual-4-3 on task graphs, and dualhp on a reality.
#ifndef DUET_SOLVERS_DUAL_DUALHP_GRAPH_H
#define DUET_SOLVERS_DUAL_DUALHP_GRAPH_H

#include "core/algorithm.h"

// Which of the tasks of a type comes first.
typedef enum duet_dualhp_rank {
    DUET_DUALHP_MIN, // highest bottom level of shortest times
    DUET_DUALHP_AVG, // highest bottom level of mean times
    DUET_DUALHP_FIFO // ready first
} duet_dualhp_rank;

// Two types, no communication. `divide`: what divides the ready tasks; NULL: dualhp.
duet_code duet_dualhp_graph(const duet_instance *instance, const duet_context *context,
                            duet_dualhp_rank rank, duet_run_function *divide,
                            duet_solution *solution, duet_error *error);

// The option of these, for their tables.
#define DUET_OPTION_READY_RANK(usual)                                                              \
    {                                                                                              \
        .name = "rank", .type = DUET_OPTION_CHOICE, .fallback = (usual),                           \
        .choices = "min|avg|fifo", .unit = "",                                                     \
        .text = "on task graphs: rank by bottom levels of shortest or of mean times, or by "       \
                "readiness"                                                                        \
    }

#endif
