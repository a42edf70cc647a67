// SPDX-License-Identifier: Apache-2.0
// When the links of a machine with a bus are busy.
//
// Method: each link keeps its busy intervals, sorted and joined where they touch. A transfer that
//         takes several links begins where all are free for as long as it takes.
// Cost:   O(links log intervals) a look where the links are free, O(intervals) a transfer added.
// Memory: O(transfers).
#include "heuristics/bus/carried.h"

#include <string.h>

#include "core/system/try.h"
#include "core/system/vec.h"

// The first interval that ends after `instant`.
static size_t first_after(const duet_link *link, int64_t instant)
{
    size_t low = 0;
    size_t high = link->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (link->busy[middle].until > instant) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static int64_t find_on(const duet_link *link, int64_t ready, int64_t ticks)
{
    for (size_t i = first_after(link, ready); i < link->count; i++) {
        if (link->busy[i].from >= ready + ticks) {
            break;
        }
        ready = link->busy[i].until;
    }
    return ready;
}

int64_t duet_links_find(const duet_link *links, uint64_t route, int64_t ready, int64_t ticks)
{
    int64_t before;
    if (ticks == 0) {
        return ready;
    }
    do {
        before = ready;
        for (uint64_t left = route; left != 0; left &= left - 1) {
            ready = find_on(&links[(size_t)__builtin_ctzll(left)], ready, ticks);
        }
    } while (ready != before);
    return ready;
}

static duet_code take_on(duet_link *link, int64_t start, int64_t end, duet_error *error)
{
    size_t at = first_after(link, start);
    if (at > 0 && link->busy[at - 1].until == start) {
        link->busy[at - 1].until = end;
        return DUET_OK;
    }
    if (at < link->count && link->busy[at].from == end) {
        link->busy[at].from = start;
        return DUET_OK;
    }
    DUET_TRY(duet_vec_grow(link->busy, link->count, error));
    memmove(&link->busy[at + 1], &link->busy[at], (link->count - at) * sizeof *link->busy);
    link->busy[at] = (duet_link_use){start, end};
    link->count++;
    return DUET_OK;
}

duet_code duet_links_take(duet_link *links, uint64_t route, int64_t start, int64_t ticks,
                          duet_error *error)
{
    for (uint64_t left = ticks > 0 ? route : 0; left != 0; left &= left - 1) {
        DUET_TRY(take_on(&links[(size_t)__builtin_ctzll(left)], start, start + ticks, error));
    }
    return DUET_OK;
}
