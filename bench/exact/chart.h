// SPDX-License-Identifier: Apache-2.0
// The cactus plot of `duet bench exact`.
#ifndef DUET_BENCH_EXACT_CHART_H
#define DUET_BENCH_EXACT_CHART_H

#include "bench/exact/exact.h"

// Draws PREFIX-cactus.ENDING: for each algorithm, how many instances it proves within a time. No
// file where nothing was proven. Errors as duet_chart_write().
duet_code duet_exact_chart(const duet_exact_plan *plan, const char *prefix, const char *ending,
                           duet_error *error);

#endif
