// SPDX-License-Identifier: Apache-2.0
// What `duet bench small-ratios` found, between the part that runs and the part that prints.
#ifndef DUET_BENCH_RATIOS_SMALL_H
#define DUET_BENCH_RATIOS_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

enum { DUET_BENCH_MAX_SUBJECTS = 96 };

// What is run: an algorithm with at most one option away from its default, or a bound.
typedef struct duet_bench_algorithm {
    const duet_entry *entry;
    bool is_bound;
    char option[64]; // "key=value", or "" for the defaults
    duet_options *options;
    bool sparse;           // runs on every tenth instance only: it is slow
    bool only_accelerated; // counts only instances whose every task is faster on the GPU
} duet_bench_algorithm;

// What was seen of a subject. Merging is commutative and associative, ties going to the smaller
// seed, so that the result does not depend on who ran which instance.
typedef struct duet_bench_seen {
    int64_t runs;
    int64_t makespan; // the largest ratio, makespan / optimum; for a bound optimum / value
    int64_t optimum;
    uint64_t seed;    // of the instance with that ratio; 0: none yet
    int64_t exceeded; // runs above the proven ratio; for a bound, values above the optimum
    int64_t faults;   // failed calls, schedules that the checker refuses, bounds above the optimum
    uint64_t fault_seed;
    char fault[512]; // of the smallest seed
} duet_bench_seen;

typedef struct duet_bench_ratios {
    int64_t instances;
    uint64_t first_seed;
    int threads;
    size_t count;
    duet_bench_algorithm subject[DUET_BENCH_MAX_SUBJECTS];
    duet_bench_seen seen[DUET_BENCH_MAX_SUBJECTS];
} duet_bench_ratios;

// Lists the subjects: every algorithm, every other choice of its options, every bound.
duet_code duet_bench_ratios_algorithms(duet_bench_ratios *ratios, duet_error *error);
void duet_bench_ratios_free(duet_bench_ratios *ratios);
// Runs all subjects on all instances. DUET_E_MEMORY.
duet_code duet_bench_ratios_run(duet_bench_ratios *ratios, duet_error *error);
// The instance of a seed; NULL when out of memory. Owned by the caller.
duet_instance *duet_bench_ratios_instance(uint64_t seed);

#endif
