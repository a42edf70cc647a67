// SPDX-License-Identifier: Apache-2.0
// McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for accelerated
// architectures", ICCS 2020: the makespans of tiled Cholesky factorisations that the authors
// stored beside their program (github.com/mcsweeney90/heterogeneous_optimistic_finish_time), and
// the instances that they are of.
//
// Their topological order takes the task found last, and CPUs come first in their list of
// processors: options topo=stack and ties=cpu.
#ifndef DUET_BENCH_PAPERS_MCSWEENEY2020_PUBLISHED_H
#define DUET_BENCH_PAPERS_MCSWEENEY2020_PUBLISHED_H

#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>

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

#endif
