// SPDX-License-Identifier: Apache-2.0
// What the files about figures 7, 8 and 9 of Beaumont et al. 2017 share.
#ifndef DUET_BENCH_PAPERS_BEAUMONT2017_GRAPHS_H
#define DUET_BENCH_PAPERS_BEAUMONT2017_GRAPHS_H

#include "bench/papers/bag.h"

// The graphs: Cholesky with the times of RR-9150, with the acceleration factors that the paper
// prints, and with measured ones; LU and QR.
enum {
    DUET_HP_CHOLESKY,
    DUET_HP_FACTORS,
    DUET_HP_SIROCCO,
    DUET_HP_LU,
    DUET_HP_QR,
    DUET_HP_WORST, // the three tasks of the family worst-heteroprio-graph
    DUET_HP_SETS
};
enum { DUET_HP_FIGURE_SETS = DUET_HP_WORST, DUET_HP_MOST_TILES = 64 };
extern const char *const duet_hp_set_name[DUET_HP_SETS];

// The runs, in the order of the figures.
typedef enum duet_hp_run {
    DUET_HP_HETEROPRIO_MIN,
    DUET_HP_HETEROPRIO_AVG,
    DUET_HP_DUALHP_MIN,
    DUET_HP_DUALHP_AVG,
    DUET_HP_DUALHP_FIFO,
    DUET_HP_HEFT_AVG,
    DUET_HP_HEFT_MIN,
    DUET_HP_RUNS
} duet_hp_run;

// The case of a set with that many tiles; the number of cases: none.
size_t duet_hp_find(const duet_paper_study *study, size_t set, int64_t tiles);
// The acceleration factor of all tasks of a type together; 0: it has none, or they take no time.
double duet_hp_acceleration(const duet_paper_study *study, size_t c, size_t run, size_t type);
// The idle time on a type, aborted runs too, over what it offers in the time of the bound; -1:
// unknown.
double duet_hp_idle(const duet_paper_study *study, size_t c, size_t run, size_t type);

// graph_claims.c
enum { DUET_HP_CLAIMS = 2 };
void duet_hp_claims(const duet_paper_study *study, duet_claims claims[DUET_HP_CLAIMS]);

#endif
