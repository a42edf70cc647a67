// SPDX-License-Identifier: Apache-2.0
#include "heuristics/graph_search/ends.h"

// Ends of so many lengths take turns.
enum { PARTS = 3 };

// Whether they gain so much more for their work than ends that these are not worth it.
static bool whole_lists_gain_more(const duet_graph_ends *ends)
{
    enum { more = 4 };
    const duet_graph_gain *whole = &ends->gain[0];
    const duet_graph_gain *end = &ends->gain[1];
    return (__int128)whole->ticks * end->work > (__int128)end->ticks * more * whole->work;
}

// Rounds of a cycle: each in both directions.
static int64_t cycle_of(const duet_graph_ends *ends)
{
    static const int64_t directions = 2;
    return ends->end ? directions * PARTS : directions;
}

void duet_graph_ends_begin(duet_graph_ends *ends)
{
    if (ends->rounds[ends->end] % cycle_of(ends) != 0) {
        return;
    }
    bool tried = ends->rounds[0] > 0;
    bool worth = ends->rounds[1] == 0 || (tried && !whole_lists_gain_more(ends));
    ends->end = worth && !ends->forgone;
    ends->gain[ends->end] = (duet_graph_gain){0, 0};
}

// The very first round comes down from a dispatch, which says nothing of later ones.
void duet_graph_ends_note(duet_graph_ends *ends, int64_t ticks, int64_t work)
{
    duet_graph_gain *gain = &ends->gain[ends->end];
    bool first = ends->rounds[0] + ends->rounds[1] == 0;
    gain->ticks += first ? 0 : ticks;
    gain->work += first ? 0 : work;
    ends->rounds[ends->end]++;
}

double duet_graph_ends_part(const duet_graph_ends *ends)
{
    static const double parts[PARTS] = {0.1, 0.2, 0.05};
    return ends->end ? parts[ends->rounds[1] / 2 % PARTS] : 1.0;
}

int64_t duet_graph_ends_doublings(const duet_graph_ends *ends)
{
    return ends->rounds[ends->end] / cycle_of(ends);
}
