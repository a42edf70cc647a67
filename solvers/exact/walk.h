// SPDX-License-Identifier: Apache-2.0
// The walk through the allocations of the tasks to the types (solvers/exact/allocations.h), or
// through a part of them.
#ifndef DUET_SOLVERS_EXACT_WALK_H
#define DUET_SOLVERS_EXACT_WALK_H

#include "dp/knapsack/knapsack.h"
#include "solvers/exact/allocations.h"
#include "solvers/exact/exchange.h"
#include "solvers/exact/parts.h"

// Steps of a walk that a schedule for an allocation counts as.
enum { DUET_WALK_SCHEDULE = 64 };

// A node of the tree of allocations. The walk keeps them on the heap: it goes down one for every
// class and every task that may leave its type, and the stack of the caller's thread may be small.
typedef struct duet_walk_frame {
    size_t index;    // free classes still to allocate
    int64_t work[2]; // per type: work of the classes allocated before
    bool in_class;   // at least `least` tasks of free class index-1 leave their type
    int64_t least;
    int64_t own[2]; // per type: work once exactly `least` tasks have left
    size_t child;   // to begin next
    size_t taker;   // the part that the second child is; 0: none
    int64_t low, high;
    duet_verdict verdict; // of the children so far
} duet_walk_frame;

// What a part of the walk has of its own, and the first one from its caller.
typedef struct duet_walk_means {
    duet_random random;
    duet_loads loads;
    duet_search_stats counted;
    duet_log log;
} duet_walk_means;

typedef struct duet_walk {
    duet_part part;

    // Inputs.
    duet_search search; // a copy of the caller's, on the residual problem of the walk
    const duet_classes *classes;
    int64_t weight[2];
    int64_t most;            // allocations
    duet_knapsack *knapsack; // of the first part
    duet_prices area;        // the knapsack's weights
    duet_prices time[2];     // time alone
    duet_exchange exchange;  // where the search has exchanges
    duet_walk_means own;

    // Counters.
    duet_allocation_stats stats;
    int64_t steps; // of the walk: exchanges make dead ends, of which there may be any number
    bool exceeded; // a limit came first
    bool counting; // only how many allocations fit

    // The way down.
    duet_verdict last; // of the child that was left last
    duet_residual state;
    duet_walk_frame *frame;
    size_t frames;
} duet_walk;

// The leaf of a part that holds no allocation that fits.
void duet_walk_refute(duet_walk *s);
// An allocation: the tasks of both types must pack.
duet_code duet_walk_schedule(duet_walk *s, duet_verdict *verdict, duet_error *error);

// Begins with the allocations of all free classes.
duet_code duet_walk_begin(duet_walk *s, duet_error *error);
// Room for a frame more; its fields are the caller's to set.
duet_code duet_walk_push(duet_walk *s, duet_walk_frame **top, duet_error *error);
// Begins a child of a branch over the tasks of a class that leave their type.
duet_code duet_walk_begin_child(duet_walk *s, const duet_knapsack_free *f, duet_verdict *verdict,
                                duet_error *error);
// One step; s->last is the verdict of what was left.
duet_code duet_walk_step(duet_walk *s, duet_error *error);

// As duet_part_kind says.
duet_code duet_walk_on(duet_part *part, int64_t most, duet_error *error);
int64_t duet_walk_spent(const duet_part *part);
// What is enough to see all allocations, as many as there may be.
int64_t duet_walk_most_steps(const duet_walk *s);

#endif
