// SPDX-License-Identifier: Apache-2.0
// Which walks of a round go on in place of which others.
//
// Method:    at fixed points of counted work the walks that are in the same direction are ordered
//            by the makespans of their current schedules. The first eighth of them goes on in place
//            of the last one, too, with other random numbers. So 16 walks of an eighth of the
//            length find as short schedules as two whole ones, which 16 walks that know nothing of
//            each other do not. The result does not depend on the number of threads.
// Guarantee: none.
// Cost:      O(walks log walks) beside the schedules that are made anew.
// Reference: Aldous, Vazirani, "\"Go with the winners\" algorithms", FOCS 1994.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_EXCHANGE_H
#define DUET_HEURISTICS_GRAPH_SEARCH_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct duet_graph_search_walk {
    int64_t makespan; // The makespan of its current schedule.
    size_t index;     // The number of its search.
} duet_graph_search_walk;

// Orders the walks. Returns how many of the first go on in place of as many of the last, the first
// one in that of the last.
size_t duet_graph_search_rank_walks(duet_graph_search_walk *walks, size_t count);

#endif
