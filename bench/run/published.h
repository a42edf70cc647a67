// SPDX-License-Identifier: Apache-2.0
// Ratios that were published with a proof that does not hold: exceeding one refutes the paper and
// is no fault of the program.
#ifndef DUET_BENCH_RUN_PUBLISHED_H
#define DUET_BENCH_RUN_PUBLISHED_H

#include <stdbool.h>

#include <duet/instance.h>
#include <duet/options.h>

#include "core/number/fraction.h"

// "3/2", or NULL where nothing but what is proven was published of the algorithm.
const char *duet_bench_published(const char *algorithm);
// Whether makespan / optimum is above it.
bool duet_bench_refutes(const char *algorithm, duet_fraction ratio);
// What the authors of an algorithm conjecture of its ratio, or NULL; and whether makespan / optimum
// on m CPUs and k GPUs is above it. `options` may be NULL.
const char *duet_bench_conjecture(const char *algorithm);
bool duet_bench_refutes_conjecture(const char *algorithm, const int64_t processors[2],
                                   const duet_options *options, int64_t makespan, int64_t optimum);
// Published for accelerated tasks alone: no task is slower on the GPU.
bool duet_bench_all_accelerated(const duet_instance *instance);

#endif
