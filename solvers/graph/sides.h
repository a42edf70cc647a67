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
    int64_t ns;     // The time that it took in this call.
    duet_code code; // What its work came back with.
    duet_error why; // The error, if that is one.
} duet_graph_side;

typedef struct duet_graph_sides {
    const duet_instance *instance;
    const duet_context *context; // Its threads are those of all sides.

    // The search. If its rounds have a fixed number of searches (plan.fixed) all sides do as much
    // work whatever the threads: it takes slices until each of its searches has done as much as the
    // bound, which may go on for long. If not, and they go on beside each other, the bound goes on
    // as long as the turn of the learning search, and then the search as long as the bound.
    duet_graph_search *search;
    duet_graph_search_plan plan;
    int64_t most_slices;      // If its rounds are fixed it takes at most this many slices.
    int64_t slices;           // The number of slices that it has taken so far.
    int64_t sliced;           // The sum of these slices.
    duet_graph_side searched; // What became of the search in this call.

    // The bound.
    duet_subproblems *subproblems; // What raises the bound; NULL: there is no such side.
    duet_context *bounding;        // The context of the bound, whose deadline is set here.
    int64_t bound_end_ns;          // The deadline of the bound if the sides take turns.
    int64_t upper;                 // The makespan of the best schedule.
    int64_t work;                  // The bound takes this many operations; 0: it has no turn.
    int64_t spent;                 // The operations of the bound before the call.
    duet_graph_side bounded;       // What became of the bound in this call.

    // The learning search, which has taken over the best schedule.
    duet_learning *learning;
    int64_t turn; // The turn takes this many operations; 0: there is none.

    // The call under way.
    duet_context searching; // The context of the search, with the threads that the others leave it.
    duet_source source;     // The allocator of the calling thread, which the other threads use.
    bool waits;             // A side goes on until those that it waits for are done.
    bool learns_beside;     // The search does not wait for the learning search.
    atomic_bool learned;    // The turn of the learning search is done.
    atomic_bool done;       // The work on the bound is done.
} duet_graph_sides;

// Returns the operations of the bound that take as long as one of a fixed number of searches takes
// for its part of a slice.
int64_t duet_graph_sides_kept(int64_t slice);

// Runs all sides. Returns whether they went on at the same time.
bool duet_graph_sides_run(duet_graph_sides *now);

#endif
