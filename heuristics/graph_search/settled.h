// SPDX-License-Identifier: Apache-2.0
// Where the change of an activity list has no more effect: processors are again free as before, and
// no task behind waits for one that ends at another time or place.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_SETTLED_H
#define DUET_HEURISTICS_GRAPH_SEARCH_SETTLED_H

#include "heuristics/graph_search/activity_list.h"

// How far the effect of a change has been followed.
typedef struct duet_settling {
    int32_t looked; // The tasks before this position were checked for successors they affect.
    int32_t last;   // The last position of a task that is changed or known to be affected.
    int32_t next;   // No check is made up to this position.
} duet_settling;

// Whether the rest of the list is as before, from the checkpoint at `position` on, which is
// behind `next` and has just been reached. Notes what is reached there before and after the change.
bool duet_activity_list_has_settled(duet_activity_list *list, int32_t position, duet_settling *s);

// Returns the cost and makespan reached at a later position after the change, given those reached
// there before it.
duet_activity_reached duet_activity_list_carry_on(const duet_activity_list *list,
                                                  duet_activity_reached old);

#endif
