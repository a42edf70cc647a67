// SPDX-License-Identifier: Apache-2.0
// dualhp on task graphs, and on a reality.
#ifndef DUET_SOLVERS_DUAL_DUALHP_GRAPH_H
#define DUET_SOLVERS_DUAL_DUALHP_GRAPH_H

#include "core/algorithm.h"

// Which of the tasks of a type comes first.
typedef enum duet_dualhp_rank {
    DUET_DUALHP_MIN, // highest bottom level of shortest times
    DUET_DUALHP_AVG, // highest bottom level of mean times
    DUET_DUALHP_FIFO // ready first
} duet_dualhp_rank;

// Two types, no communication.
duet_code duet_dualhp_graph(const duet_instance *instance, const duet_context *context,
                            duet_dualhp_rank rank, duet_solution *solution, duet_error *error);

#endif
