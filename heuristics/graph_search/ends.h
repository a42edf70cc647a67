// SPDX-License-Identifier: Apache-2.0
// Where the schedule of a large graph loses time, and what of its list a round anneals for that.
//
// Method:    weights of the types say what work is worth on the type where it is cheapest. What the
//            processors could have done, less what they did, is lost: they are idle, or run tasks
//            that others run well. In the middle of most large schedules little is. A change near
//            the end of a list is read in a small part of the time that one anywhere takes, and
//            lists of both directions mend both ends of a schedule. So a round anneals twice the
//            shortest end that has most of what its half of the schedule loses: nearly all of the
//            list where that is lost everywhere. Its direction is that of the half that loses most
//            for the effort so far and that of the round.
// Cost:      O(tasks) a round.
// Reference: ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ENDS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ENDS_H

#include "core/solution/solution.h"
#include "heuristics/graph_search/model.h"

// The half of a schedule that a direction ends with.
typedef struct duet_graph_search_end {
    double part;  // of the schedule's time that a round anneals; 1: all
    double lost;  // in the half, beyond what most parts of the schedule lose, if that is much
    int64_t work; // tasks that rounds were to place, by the direction of their first search
} duet_graph_search_end;

// All zero: no round has begun.
typedef struct duet_graph_search_ends {
    duet_graph_search_end end[2]; // forward: the second half; mirrored: the first
} duet_graph_search_ends;

// Looks at the best schedule before a round.
void duet_graph_search_ends_find(duet_graph_search_ends *ends, const duet_graph_search_model *model,
                                 const duet_placement *placement, int64_t makespan);
// Whether a round of so much work is mirrored.
bool duet_graph_search_ends_are_mirrored(const duet_graph_search_ends *ends, int64_t work);
// A round whose first search had that direction was to place so many tasks.
void duet_graph_search_ends_note(duet_graph_search_ends *ends, bool mirrored, int64_t work);

#endif
