// SPDX-License-Identifier: Apache-2.0
// What the studies have in common: clocks, instances, peak memory, figures as text.
#ifndef DUET_BENCH_RUN_MEASURE_H
#define DUET_BENCH_RUN_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "bench/run/statistics.h"

enum { DUET_BENCH_MAX_ROUNDS = 101 };

// Seconds since duet_clock_ns() gave `start`.
double duet_bench_since(int64_t start);

// Seconds that qsort() takes on `count` random 16-byte records; negative when out of memory.
double duet_bench_time_qsort(size_t count, uint64_t seed);

// The names of the families to measure on: those of independent tasks but the worst cases, in the
// order of duet_family_entry(). Returns how many, at most `room`.
size_t duet_bench_families(const char **names, size_t room);

// How many tasks a factorisation of `n` tiles a side has; 0 where the family counts tasks.
int64_t duet_bench_kernels(const char *family, int64_t n);

// $TMPDIR, else /tmp.
const char *duet_bench_temporary_folder(void);

// An instance of `family` with `tasks` tasks, or, where the family counts tiles, of the fewest
// tiles with at least that many tasks.
duet_code duet_bench_instance(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                              uint64_t seed, duet_instance **out, duet_error *error);

// Adds "key=value key=value", separated by blanks; options of such a text, owned by the caller
// (free them after an error, too).
duet_code duet_bench_add_options(const char *text, duet_options *options, duet_error *error);
duet_code duet_bench_options(const char *text, duet_options **out, duet_error *error);
// duet_generate() and duet_read_instance() with such options.
duet_code duet_bench_generate(const char *family, int64_t n, int64_t m, int64_t k, uint64_t seed,
                              const char *options, duet_instance **out, duet_error *error);
duet_code duet_bench_read(const char *path, const char *options, duet_instance **out,
                          duet_error *error);

// Runs an algorithm with one thread, without a bound, for at most `limit` seconds (0: any time).
// *seconds: how long it took. The solution is the caller's; NULL: it is not wanted.
duet_code duet_bench_run(const duet_instance *instance, const char *algorithm, double limit,
                         double *seconds, duet_solution **solution, duet_error *error);
// The same with a seed of everything random.
duet_code duet_bench_run_drawn(const duet_instance *instance, const char *algorithm, double limit,
                               uint64_t seed, double *seconds, duet_solution **solution,
                               duet_error *error);

// Peak memory in bytes of a child process that runs `work`; negative where it failed.
double duet_bench_peak_memory(bool (*work)(void *state), void *state);

// Processors this process may use.
int duet_bench_processors(void);

// Appends to a text in a buffer of `size` bytes, as far as there is room.
void duet_bench_append(char *text, size_t size, const char *format, ...) DUET_PRINTF(3, 4);

// 1536 as "1.5 KiB", into `buffer` of at least 32 bytes; returns it.
char *duet_bench_format_bytes(double bytes, char *buffer);
// 0.00153 as "1.53 ms", likewise.
char *duet_bench_format_seconds(double seconds, char *buffer);

// Tasks that all differ, with random times from 1 to 10^9, on 20 CPUs and 4 GPUs.
duet_code duet_bench_distinct_tasks(size_t tasks, uint64_t seed, duet_instance **out,
                                    duet_error *error);

#endif
