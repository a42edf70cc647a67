// SPDX-License-Identifier: Apache-2.0
// A plain scheduler's state, and the ranks of its tasks.
#ifndef DUET_TESTS_SUPPORT_PLAIN_RANKS_H
#define DUET_TESTS_SUPPORT_PLAIN_RANKS_H

#include <duet/graph.h>

#include "core/number/fraction.h"
#include "tests/support/plain_lists.h"

enum { TASKS = DUET_PLAIN_TASKS, TYPES = DUET_PLAIN_TYPES };

typedef struct place {
    int64_t start, end;
    size_t type;
    int64_t processor;
    bool placed;
} place;

typedef struct plain {
    const duet_instance *instance;
    int64_t n;
    size_t types;
    int64_t edges;
    bool gpu_first; // at ties
    int64_t time[TASKS][TYPES];
    int (*edge)[TASKS]; // from a task to another; -1: none
    int order[TASKS];   // topological
    int position[TASKS];
    duet_int128 rank[TASKS];
    place at[TASKS];
} plain;

// -1: the task may not run there.
static inline int64_t time_of(const plain *s, int64_t task, size_t type)
{
    return s->time[task][type];
}

static inline int64_t processors(const plain *s, size_t type)
{
    return duet_instance_type_count(s->instance, type);
}

static inline int64_t cost(const plain *s, int64_t edge, size_t from, size_t to)
{
    return duet_instance_transfer(s->instance, edge, from, to);
}

// Mean of a value per type over the processors on which the task may run, in 2^-20.
duet_int128 duet_plain_mean(const plain *s, int64_t task, const int64_t *value);
// floor(num / den) in 2^-20.
duet_int128 duet_plain_floor(duet_int128 num, duet_int128 den);

// Weights of a task or an edge.
typedef duet_int128 duet_plain_weight(const plain *s, int64_t which);
duet_int128 duet_plain_nothing(const plain *s, int64_t which);
duet_int128 duet_plain_mean_time(const plain *s, int64_t task);
duet_int128 duet_plain_mean_cost(const plain *s, int64_t edge);
duet_int128 duet_plain_weighted_time(const plain *s, int64_t task);
duet_int128 duet_plain_weighted_cost(const plain *s, int64_t edge);
duet_int128 duet_plain_least_time(const plain *s, int64_t task);

// The heaviest way from a task to the end, or from the beginning to it, by the ranks of its
// successors, or predecessors.
duet_int128 duet_plain_way(const plain *s, duet_plain_weight *task_weight,
                           duet_plain_weight *edge_weight, int64_t task, bool up);
void duet_plain_rank_upward(plain *s, duet_plain_weight *task_weight,
                            duet_plain_weight *edge_weight);

#endif
