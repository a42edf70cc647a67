// SPDX-License-Identifier: Apache-2.0
// Which part of a large graph's list a round anneals: all of it, or its end alone.
//
// Method:    in the middle of a large schedule the processors are busy, and what makes it too long
//            is lost near its ends. A change near the end of the list is read in a small part of
//            the time that one anywhere takes, and lists of both directions mend both ends. Rounds
//            of either kind go in cycles: on whole lists a round in each direction, on ends one in
//            each direction for each of some lengths. After a cycle of each kind ends go on, unless
//            whole lists gained several times as much for their work in the last cycle of either.
// Reference: ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ENDS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ENDS_H

#include <stdbool.h>
#include <stdint.h>

// What a cycle has gained, in ticks of the makespan, for how many tasks placed.
typedef struct duet_graph_gain {
    int64_t ticks;
    int64_t work;
} duet_graph_gain;

// All zero: no round has begun.
typedef struct duet_graph_ends {
    bool end;                // the round under way, or the last one, anneals an end
    bool forgone;            // no round anneals an end: there is no time for it
    int64_t rounds[2];       // that are over: on whole lists, on ends
    duet_graph_gain gain[2]; // of the last cycle of either kind
} duet_graph_ends;

// Chooses the kind of the round that begins.
void duet_graph_ends_begin(duet_graph_ends *ends);
// The round has made the best schedule shorter by so much.
void duet_graph_ends_note(duet_graph_ends *ends, int64_t ticks, int64_t work);
// The part of the list that the round anneals: 1 is all.
double duet_graph_ends_part(const duet_graph_ends *ends);
// How often the work of such a round has doubled: once a cycle.
int64_t duet_graph_ends_doublings(const duet_graph_ends *ends);

#endif
