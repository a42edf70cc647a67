// SPDX-License-Identifier: Apache-2.0
// `duet bench speed`: what its parts share.
#ifndef DUET_BENCH_SPEED_H
#define DUET_BENCH_SPEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/solution.h>

// Something that was timed.
typedef struct duet_speed_row {
    const char *name;
    int64_t tasks;
    int64_t processors; // of moldable tasks
    double limit;       // times qsort
    double seconds;     // median
    double sort;        // median of qsort on as many records as there are tasks
    char growth[16];    // the exponent of the time over the tasks; "-": none was fitted
    double bytes;       // per task
} duet_speed_row;

// Does what is timed as number `index`.
typedef duet_code duet_speed_turn(const void *state, size_t index, duet_error *error);
// Sorts and gives `count` contenders a turn in each round, so that a slow minute of the machine
// slows all; fills tasks, seconds and sort of their rows. DUET_E_MEMORY, and errors of the turns.
enum { DUET_SPEED_CONTENDERS = 9 }; // at most
duet_code duet_speed_rounds(int64_t tasks, int rounds, duet_speed_turn *turn, const void *state,
                            size_t count, duet_speed_row *rows, duet_error *error);
// speed_graphs.c: the fast algorithms on the task graph of a Cholesky factorisation, and reading
// it; 181 tiles of a side are 1,004,731 tasks. DUET_E_OUTPUT where there is no room for the graph
// as a file.
enum { DUET_SPEED_GRAPHS = 5, DUET_SPEED_MOST_TILES = 300 };
duet_code duet_speed_time_graphs(int64_t tiles, int rounds, duet_speed_row rows[DUET_SPEED_GRAPHS],
                                 duet_error *error);

// speed_moldable.c: algorithms on moldable tasks, a dual approximation on many independent ones and
// the allocation of CPA on a wide and on a deep task graph. `tasks`: of the wide graph and of the
// independent ones; the deep graph has a tenth of that.
enum { DUET_SPEED_MOLDABLE = 3 };
duet_code duet_speed_time_moldable(int64_t tasks, int rounds,
                                   duet_speed_row rows[DUET_SPEED_MOLDABLE], duet_error *error);

// speed_threads.c: prints the gaps of `graph-search` over time with 1, 2, 4 and so on up to `most`
// threads, and its work and span.
duet_code duet_speed_time_threads(int64_t tiles, int most, duet_error *error);
// Returns a counter of a solution; 0: it has none of that name.
int64_t duet_speed_counter(const duet_solution *solution, const char *name);

// speed_span.c: prints work by span of `exact` on twenty task graphs, in two counted rounds and
// with sixteen threads under a time limit.
duet_code duet_speed_time_span(duet_error *error);

// speed_limit.c: solves instances of 1,000 to 100,000 tasks of two and of three types within five
// milliseconds on one thread, and prints by how much it took longer. *kept becomes false where that
// is more than is promised (include/duet/solve.h) for up to 10,000 tasks.
duet_code duet_speed_time_limits(int rounds, bool *kept, duet_error *error);

#endif
