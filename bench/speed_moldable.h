// SPDX-License-Identifier: Apache-2.0
// Time of algorithms on moldable tasks: a dual approximation on many independent ones, and the
// allocation of CPA on a wide and on a deep task graph.
#ifndef DUET_BENCH_SPEED_MOLDABLE_H
#define DUET_BENCH_SPEED_MOLDABLE_H

#include <stdint.h>

#include <duet/error.h>

typedef struct duet_speed_moldable {
    const char *name;
    int64_t tasks;
    int64_t processors;
    double limit;   // times qsort
    double seconds; // median
    double sort;    // median of qsort on as many records as there are tasks
} duet_speed_moldable;

enum { DUET_SPEED_MOLDABLE = 3 };
// Times each in `rounds` rounds. `tasks`: of the wide graph and of the independent ones; the deep
// graph has a tenth of that. DUET_E_MEMORY.
duet_code duet_bench_time_moldable(int64_t tasks, int rounds,
                                   duet_speed_moldable rows[DUET_SPEED_MOLDABLE],
                                   duet_error *error);

#endif
