// SPDX-License-Identifier: Apache-2.0
// How late duet_solve() is where it has little time.
#ifndef DUET_BENCH_SPEED_LIMIT_H
#define DUET_BENCH_SPEED_LIMIT_H

#include <stdbool.h>

#include <duet/error.h>

// Solves instances of 1,000 to 100,000 tasks of two and of three types within five milliseconds on
// one thread, and prints by how much it took longer. *kept becomes false where that is more than is
// promised (include/duet/solve.h) for up to 10,000 tasks. Errors: those of making and solving them.
duet_code duet_bench_time_limits(int rounds, bool *kept, duet_error *error);

#endif
