// SPDX-License-Identifier: Apache-2.0
// A step of `exact` on a graph: a slice of the search for a shorter schedule, work on the bound up
// to the best one, and a turn of the learning search from there. With several threads they go on at
// the same time.
#ifndef DUET_SOLVERS_GRAPH_SIDES_H
#define DUET_SOLVERS_GRAPH_SIDES_H

#include <stdatomic.h>

#include "core/system/allocator.h"
#include "heuristics/graph_search/search.h"
#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/learning.h"

// What became of one side.
typedef struct duet_graph_side {
    int64_t ns; // The time that it took.
    duet_code code;
    duet_error why;
} duet_graph_side;

typedef struct duet_graph_sides {
    const duet_instance *instance;
    const duet_context *context; // Its threads are those of all sides.

    // The search. If its rounds have a fixed number of searches (plan.fixed) all sides do as much
    // work whatever the threads. If not, and they go on beside each other, the bound goes on as
    // long as the turn of the learning search, and then the search as long as the bound.
    duet_graph_search *search;
    duet_graph_search_plan plan;
    int64_t slices; // Slices that it has taken.
    duet_graph_side searched;

    // The bound.
    duet_subproblems *subproblems; // NULL: there is none.
    duet_context *bounding;        // Its context, whose deadline is set here.
    int64_t bound_end_ns;          // The deadline where the sides take turns.
    int64_t upper;                 // The best makespan.
    int64_t work;                  // Operations on it; 0: none.
    duet_graph_side bounded;

    // The learning search, which has taken over the best schedule.
    duet_learning *learning;
    int64_t turn; // Operations of its turn; 0: none.

    // Of a call.
    duet_context searching; // The threads that the others leave.
    duet_source source;     // The allocator of the calling thread.
    bool waits;             // The sides go on until the others are done.
    atomic_bool learned;    // The turn of the learning search is.
    atomic_bool done;       // The bound's work is.
} duet_graph_sides;

// Runs all sides. Returns whether they went on at the same time.
bool duet_graph_sides_run(duet_graph_sides *now);

#endif
