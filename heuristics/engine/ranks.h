// SPDX-License-Identifier: Apache-2.0
// Ranks of the tasks of a graph: how long the way from a task to the end is, where tasks and edges
// weigh what they take on average.
//
// Method:    a weight is an exact fraction, rounded down to 2^-20 ticks. Ranks are sums of weights,
//            in 128 bits, and are compared as integers.
// Cost:      O(tasks + edges).
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
//            heterogeneous computing", IEEE TPDS 13(3), 2002, for upward and downward ranks;
//            McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for
//            accelerated architectures", ICCS 2020, for the weighted mean.
#ifndef DUET_HEURISTICS_ENGINE_RANKS_H
#define DUET_HEURISTICS_ENGINE_RANKS_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"

// In 2^-20 ticks. The longest way takes less than 2^62 ticks twice, so that sums stay far below
// 2^128.
typedef duet_uint128 duet_rank;
enum { DUET_RANK_BITS = 20 };

// What a task or an edge takes "on average".
typedef enum duet_mean {
    // Of all processors alike; a task's time over the types where it may run.
    DUET_MEAN_PROCESSORS,
    // A processor of a type counts the more, the faster the task is there: as 1 / p to 1 / q. Two
    // types.
    DUET_MEAN_ACCELERATION
} duet_mean;

// How much a type counts in a mean, of processors that a task runs on: `on` for the first task of
// an edge, `other` for the second one on the same type but on another processor.
typedef struct duet_share {
    uint64_t on;
    uint64_t other;
} duet_share;

// Means of times and of costs.
typedef struct duet_means {
    const duet_instance *instance;
    const int32_t *kind; // of each task; borrowed
    duet_mean which;
    int bits;          // shares of a task stay below 2^bits in sum
    duet_share *share; // kinds x types; a single row where all kinds have the same
    duet_rank *table;  // the mean of each table of costs where all kinds have the same; else NULL
} duet_means;

// `kind`: of each task, kept by the caller as long as the means are used.
duet_code duet_means_create(const duet_instance *instance, const int32_t *kind, duet_mean which,
                            duet_means *means, duet_error *error);
void duet_means_free(duet_means *means); // also after an error

// The mean of one value per type, over the types where the kind may run.
duet_rank duet_mean_of(const duet_means *means, size_t kind, const int64_t *value);

// rank[j], the weight of task j at first, becomes its upward rank: the heaviest way from it to a
// last task. `order` is topological. Edges weigh their mean cost; `means` NULL: nothing.
void duet_ranks_upward(const duet_graph *graph, const duet_means *means, const int32_t *order,
                       duet_rank *rank);
// rank[j], the weight of task j at first, becomes the heaviest way from a first task to it,
// including its own weight.
void duet_ranks_downward(const duet_graph *graph, const duet_means *means, const int32_t *order,
                         duet_rank *rank);

// Brings the tasks of a topological order into the order of falling rank; equal ranks stay as they
// are. O(tasks).
duet_code duet_ranks_sort(const duet_rank *rank, int64_t tasks, int32_t *order, duet_error *error);

// floor(num / den) in 2^-20 ticks, for den < 2^107.
duet_rank duet_rank_of(duet_uint128 num, duet_uint128 den);

#endif
