// SPDX-License-Identifier: Apache-2.0
// What the files about McSweeney et al. 2020 share.
#ifndef DUET_BENCH_PAPERS_MCSWEENEY2020_STUDY_H
#define DUET_BENCH_PAPERS_MCSWEENEY2020_STUDY_H

#include "bench/papers/mcsweeney2020/published.h"
#include "bench/papers/papers.h"

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

// claims.c
void duet_hoft_claims(const duet_paper_study *study, duet_claims *claims);

#endif
