// SPDX-License-Identifier: Apache-2.0
// Ratios that were published with a proof that does not hold: exceeding one refutes the paper and
// is no fault of the program.
#ifndef DUET_BENCH_RUN_PUBLISHED_H
#define DUET_BENCH_RUN_PUBLISHED_H

#include <stdbool.h>

#include <duet/instance.h>

#include "core/number/fraction.h"

// "3/2", or NULL where nothing but what is proven was published of the algorithm.
const char *duet_bench_published(const char *algorithm);
// Whether makespan / optimum is above it.
bool duet_bench_refutes(const char *algorithm, duet_fraction ratio);
// Published for accelerated tasks alone: no task is slower on the GPU.
bool duet_bench_all_accelerated(const duet_instance *instance);

#endif
