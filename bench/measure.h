// SPDX-License-Identifier: Apache-2.0
// What the measurements have in common: medians, instances, peak memory, lists on the command line.
#ifndef DUET_BENCH_MEASURE_H
#define DUET_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>

#include "cli/common.h"

enum { DUET_BENCH_MAX_ROUNDS = 101, DUET_BENCH_MAX_LIST = 16 };

// Seconds since duet_clock_ns() gave `start`.
double duet_bench_since(int64_t start);

// The median; sorts `values`. The mean of the middle two where the number is even, so that one slow
// round of two does not count whole.
double duet_bench_median(double *values, int count);

// Seconds that qsort() takes on `count` random 16-byte records; negative when out of memory.
double duet_bench_time_qsort(size_t count, uint64_t seed);

// The names of the families to measure on: all but the worst cases, in the order of
// duet_family_entry(), of which they are the first. Returns how many, at most `room`.
size_t duet_bench_families(const char **names, size_t room);

// An instance of `family` with `tasks` tasks, or, where the family counts tiles, of the fewest
// tiles with at least that many tasks.
duet_code duet_bench_instance(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                              uint64_t seed, duet_instance **out, duet_error *error);

// Peak memory in bytes of a child process that runs `work`; negative where it failed.
double duet_bench_peak_memory(bool (*work)(void *state), void *state);

// Refuses, before what takes its time, places that cannot be written: DUET_E_OUTPUT. A folder,
// which is made where there is none; files whose names begin with `prefix` and a hyphen.
duet_code duet_bench_make_folder(const char *path, duet_error *error);
duet_code duet_bench_check_prefix(const char *prefix, duet_error *error);

// Processors this process may use.
int duet_bench_processors(void);

// Lists on the command line, such as "50,100,200", of at most DUET_BENCH_MAX_LIST items. False: a
// usage error naming `option` is recorded.
bool duet_bench_take_numbers(duet_cli_args *args, const char *option, const char *text,
                             uint64_t minimum, uint64_t maximum, int64_t *list, size_t *count);
// Words; each must be one of `known` (`known_count` of them); the list receives their indices.
bool duet_bench_take_words(duet_cli_args *args, const char *option, const char *text,
                           const char *const *known, size_t known_count, size_t *list,
                           size_t *count);

// Platforms "M:K,M:K,..." of at least one CPU, into `m` and `k`.
bool duet_bench_take_platforms(duet_cli_args *args, const char *option, const char *text,
                               int64_t *m, int64_t *k, size_t *count);

// 1536 as "1.5 KiB", into `buffer` of at least 32 bytes; returns it.
char *duet_bench_format_bytes(double bytes, char *buffer);
// 0.00153 as "1.53 ms", likewise.
char *duet_bench_format_seconds(double seconds, char *buffer);

#endif
