// SPDX-License-Identifier: Apache-2.0
// When the links of a machine with a bus are busy.
//
// Method: each link keeps its busy intervals, sorted and joined where they touch. A transfer that
//         takes several links begins where all are free for as long as it takes.
// Cost:   O(links log intervals) a look where the links are free, O(intervals) a transfer added.
// Memory: O(transfers).
#ifndef DUET_HEURISTICS_BUS_LINKS_H
#define DUET_HEURISTICS_BUS_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

typedef struct duet_link_use {
    int64_t from;
    int64_t until;
} duet_link_use;

typedef struct duet_link {
    duet_link_use *busy;
    size_t count;
} duet_link;

// The first instant from `ready` on at which all links of `route` are free for `ticks`.
int64_t duet_links_find(const duet_link *links, uint64_t route, int64_t ready, int64_t ticks);
// Occupies them from `start` on, where they are free. DUET_E_MEMORY.
duet_code duet_links_take(duet_link *links, uint64_t route, int64_t start, int64_t ticks,
                          duet_error *error);

#endif
