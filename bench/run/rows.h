// SPDX-License-Identifier: Apache-2.0
// The rows that studies run: the library's, and those of plug-ins (console/plugin.h).
#ifndef DUET_BENCH_RUN_ROWS_H
#define DUET_BENCH_RUN_ROWS_H

#include "core/algorithm.h"

// The algorithm of that name; NULL: no algorithm has it. What is there once all plug-ins are loaded
// stays where it is. The first call comes before there are threads.
const duet_algorithm *duet_bench_find_algorithm(const char *name);

#endif
