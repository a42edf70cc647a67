// SPDX-License-Identifier: Apache-2.0
// The idle profile of a large graph's schedule: in which parts of its time processors lose work,
// and what of its list a round anneals for that.
//
// Method:    weights of the types say what work is worth on the type where it is cheapest. What the
//            processors could have done, less what they did, is lost: they are idle, or run tasks
//            that others run well. Most large schedules lose little in the middle. A change near
//            the end of a list is read in a small part of the time that one anywhere takes, and
//            lists of both directions mend both ends of a schedule. So a round anneals twice the
//            shortest end that has most of what its half of the schedule loses: nearly all of the
//            list where all parts lose. A round runs in the direction of the half with the largest
//            lost time per unit of work spent on it.
// Cost:      O(tasks) a round.
// Reference: ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_IDLE_PROFILE_H
#define DUET_HEURISTICS_GRAPH_SEARCH_IDLE_PROFILE_H

#include "core/solution/solution.h"
#include "heuristics/graph_search/model.h"

// The half of a schedule that the lists of a direction end with.
typedef struct duet_graph_search_half {
    // The share of the schedule's time that a round in this direction anneals; 1: all of it.
    double part;
    // The weighted work lost in the half. If more than a quarter of all loss is beyond the median,
    // only that part counts.
    double lost;
    // The number of tasks to be placed in all rounds whose first search has this direction. A round
    // that gained next to nothing counts four times.
    int64_t work;
} duet_graph_search_half;

// It is all zero before the first round.
typedef struct duet_graph_search_idle_profile {
    // half[0] is the second half, for the forward direction, and half[1] the first half, for the
    // mirrored one.
    duet_graph_search_half half[2];
} duet_graph_search_idle_profile;

// Looks at the best schedule before a round.
void duet_graph_search_idle_profile_find(duet_graph_search_idle_profile *profile,
                                         const duet_graph_search_model *model,
                                         const duet_placement *placement, int64_t makespan);
// Whether a round of that work is mirrored.
bool duet_graph_search_idle_profile_is_mirrored(const duet_graph_search_idle_profile *profile,
                                                int64_t work);
// Adds `work`, the tasks that a round was to place, to the half of its first search's direction.
void duet_graph_search_idle_profile_note(duet_graph_search_idle_profile *profile, bool mirrored,
                                         int64_t work);

#endif
