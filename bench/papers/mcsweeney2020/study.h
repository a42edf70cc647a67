// SPDX-License-Identifier: Apache-2.0
// What the files about McSweeney et al. 2020 share.
#ifndef DUET_BENCH_PAPERS_MCSWEENEY2020_STUDY_H
#define DUET_BENCH_PAPERS_MCSWEENEY2020_STUDY_H

#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>

#include "bench/papers/papers.h"

// claims.c
void duet_hoft_claims(const duet_paper_study *study, duet_claims *claims);

// published.c
enum { DUET_HOFT_ALGORITHMS = 4, DUET_HOFT_ROWS = 40 };
extern const char *const duet_hoft_algorithm[DUET_HOFT_ALGORITHMS];

typedef struct duet_hoft_row {
    int64_t cpus, gpus;
    int64_t tile;                           // side of a tile: 128 or 1024
    int64_t tiles;                          // in a row of the matrix
    int64_t makespan[DUET_HOFT_ALGORITHMS]; // as stored, in 10^-6 us
} duet_hoft_row;
extern const duet_hoft_row duet_hoft_published[DUET_HOFT_ROWS];

// The instance of a row, in ticks of 10^-6 us. Owned by the caller.
duet_code duet_hoft_instance(const duet_hoft_row *row, duet_instance **out, duet_error *error);

// How a makespan compares with a published one.
typedef enum duet_hoft_match {
    DUET_HOFT_SAME,
    DUET_HOFT_ROUNDED, // but for one tick, by which their sums of doubles are off
    DUET_HOFT_OTHER
} duet_hoft_match;
duet_hoft_match duet_hoft_compare(int64_t makespan, int64_t published);

// study.c
// The sets: Cholesky graphs, and random ones by acceleration and by the ratio of computation to
// communication (CCR).
enum {
    DUET_HOFT_ACCELERATIONS = 2,
    DUET_HOFT_CCRS = 3,
    DUET_HOFT_CHOLESKY = 0,
    DUET_HOFT_RANDOM = 1,
    DUET_HOFT_SETS = 1 + DUET_HOFT_ACCELERATIONS * DUET_HOFT_CCRS
};

// The runs, as duet_hoft_algorithm.
typedef enum duet_hoft_run {
    DUET_HOFT_RUN_HEFT,
    DUET_HOFT_RUN_HEFT_WM,
    DUET_HOFT_RUN_HOFT,
    DUET_HOFT_RUN_HOFT_WM
} duet_hoft_run;

// The platforms of the paper.
enum { DUET_HOFT_SINGLE, DUET_HOFT_MULTIPLE, DUET_HOFT_PLATFORMS };
extern const int64_t duet_hoft_platforms[DUET_HOFT_PLATFORMS][2]; // CPUs and GPUs
// By how many percent a run's schedule is shorter than that of heft.
double duet_hoft_reduction(const duet_paper_study *study, size_t c, size_t run);
// Whether a case is on a platform and a Cholesky graph of that tile size.
bool duet_hoft_is_cholesky(const duet_paper_case *c, size_t platform, int64_t tile);

// random.c: a graph of the Standard Task Graph Set with the times and costs of section 3.2.
duet_code duet_hoft_random(const duet_paper_case *c, duet_instance **out, duet_error *error);

// The published row of a case; NULL: none.
const duet_hoft_row *duet_hoft_row_of(const duet_paper_case *c);
// The minimal serial time over the makespan.
double duet_hoft_speedup(const duet_paper_study *study, size_t c, size_t run);

// Table 1: over the graphs of an acceleration on a platform.
typedef struct duet_hoft_table1 {
    size_t graphs;
    double reduction; // mean, in percent
    double better;    // percentage of graphs where it is shorter than heft
    size_t failures;  // graphs where the speedup is below 1
} duet_hoft_table1;
duet_hoft_table1 duet_hoft_table1_of(const duet_paper_study *study, size_t platform,
                                     size_t acceleration, size_t run);

#endif
