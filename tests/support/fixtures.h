// SPDX-License-Identifier: Apache-2.0
// What many tests begin with: an instance from its numbers, a schedule that the checker accepts,
// a setting from the environment. They fail the test where it cannot be had.
#ifndef DUET_TESTS_SUPPORT_FIXTURES_H
#define DUET_TESTS_SUPPORT_FIXTURES_H

#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>
#include <duet/solve.h>

#include "core/number/random.h"
#include "core/solution/certificate.h"
#include "core/system/watch.h"

// An instance of at most three types, "cpu", "gpu" and "gpu2", with so many processors each.
// `counts`: NULL, one task of every kind; `times`: one per type and kind. Owned by the caller.
duet_instance *duet_test_instance(size_t types, const int64_t *processors, size_t kinds,
                                  const int64_t *counts, const int64_t *times);
// The same for CPUs and GPUs.
duet_instance *duet_test_pair(int64_t cpus, int64_t gpus, size_t kinds, const int64_t *counts,
                              const int64_t *times);

// duet_generate() for CPUs and GPUs, -1 of both being the family's own.
duet_code duet_test_generate(const char *family, int64_t size, int64_t cpus, int64_t gpus,
                             uint64_t seed, const duet_options *options, duet_instance **out,
                             duet_error *error);
// duet_compute_bound() into a value, to be released whatever comes back.
duet_code duet_test_bound(const duet_instance *instance, const char *name,
                          const duet_params *params, duet_bound *out, duet_error *error);

// A random task graph on up to three processors of each type, whose edges cost where the seed is
// odd. Leaves `random` seeded and used. Owned by the caller.
duet_instance *duet_test_graph(duet_random *random, uint64_t seed, int least, int most,
                               size_t types);

// A solution that the checker accepts. `option`: "key=value", several with spaces between them, or
// NULL; `params`: NULL for the defaults, its options are not used. Owned by the caller.
duet_solution *duet_test_solve(const duet_instance *instance, const char *algorithm,
                               const char *option, const duet_params *params);
// The same without a bound beside the schedule, which may take longer than the algorithm.
duet_solution *duet_test_schedule(const duet_instance *instance, const char *algorithm,
                                  const char *option);
// Its makespan.
int64_t duet_test_makespan(const duet_instance *instance, const char *algorithm);

// An environment variable as a number, or `fallback`. DUET_TEST_INSTANCES says how many random
// instances a test takes; where it is not set, a test takes no more than DUET_TEST_AT_MOST.
int64_t duet_test_number(const char *name, int64_t fallback);

// The first seed of random instances: DUET_TEST_SEED, or 1.
uint64_t duet_test_seed(void);

// The share of `all` that the number of instances is of 5000: not above all, and at least four.
uint64_t duet_test_share(uint64_t all);

// Skips a test with one thread where only others are asked for: DUET_TEST_THREADS=1.
void duet_test_has_one_thread(void);

// A watch that stops nothing, over a context without limits but for 1 GiB of memory.
duet_watch *duet_test_watch(void);

// Whether a proof by lines is accepted for the bound `lambda`.
bool duet_test_proves(const duet_instance *instance, const char *text, size_t length,
                      int64_t lambda);

// Writes the instance to NAME-SEED.json and fails the test with seed, file and reason.
void duet_fail_instance(const duet_instance *instance, const char *name, uint64_t seed,
                        const char *why);

#endif
