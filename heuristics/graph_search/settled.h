// SPDX-License-Identifier: Apache-2.0
// Where the change of an activity list has no more effect: processors are again free as before, and
// no task behind waits for one that ends at another time or place.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_SETTLED_H
#define DUET_HEURISTICS_GRAPH_SEARCH_SETTLED_H

#include "heuristics/graph_search/activity_list.h"

// How far a reading has looked for tasks that the change affects, where the last of them is, and
// behind which position it is worth looking again.
typedef struct duet_settling {
    int32_t looked;
    int32_t last;
    int32_t next;
} duet_settling;

// Whether the rest of the list is as before, from the checkpoint at `position` on, which is
// behind `next` and has just been reached. Notes what is reached there before and after the change.
bool duet_activity_list_has_settled(duet_activity_list *list, int32_t position, duet_settling *s);

// What is reached at a position behind, where `old` was.
duet_activity_reached duet_activity_list_carry_on(const duet_activity_list *list,
                                                  duet_activity_reached old);

#endif
