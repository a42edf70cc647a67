// SPDX-License-Identifier: Apache-2.0
// The timeline of a processor: when it is busy, with the gaps between its tasks, for insertion.
#include "heuristics/engine/insertion.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

void duet_timeline_free(duet_timeline *timeline)
{
    duet_free(timeline->gap);
    *timeline = (duet_timeline){.gaps = 0};
}

// How many gaps end before `time`.
static size_t gaps_before(const duet_timeline *timeline, int64_t time)
{
    size_t low = 0;
    size_t high = timeline->gaps;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (timeline->gap[middle].end < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t duet_timeline_earliest(const duet_timeline *timeline, int64_t from, int64_t time)
{
    for (size_t i = gaps_before(timeline, from); i < timeline->gaps; i++) {
        const duet_gap *gap = &timeline->gap[i];
        int64_t start = duet_max(gap->begin, from);
        if (gap->end - start >= time) {
            return start;
        }
    }
    return duet_max(timeline->free_from, from);
}

// Replaces gap `at` by the parts of it that are not empty.
static duet_code divide(duet_timeline *timeline, size_t at, int64_t start, int64_t end,
                        duet_error *error)
{
    duet_gap old = timeline->gap[at];
    DUET_ASSERT(old.begin <= start && end <= old.end);
    bool before = old.begin < start;
    bool after = end < old.end;
    if (before && after) {
        DUET_TRY(duet_vec_grow(timeline->gap, timeline->gaps, error));
    }
    size_t parts = (size_t)before + (size_t)after;
    memmove(&timeline->gap[at + parts], &timeline->gap[at + 1],
            (timeline->gaps - at - 1) * sizeof *timeline->gap);
    timeline->gaps += parts;
    timeline->gaps--;
    if (before) {
        timeline->gap[at] = (duet_gap){old.begin, start};
    }
    if (after) {
        timeline->gap[at + before] = (duet_gap){end, old.end};
    }
    return DUET_OK;
}

// The gap that holds `start` and does not end there; `gaps` if `start` is in none.
static size_t gap_with(const duet_timeline *timeline, int64_t start)
{
    size_t at = gaps_before(timeline, start + 1);
    return at < timeline->gaps && timeline->gap[at].begin <= start ? at : timeline->gaps;
}

duet_code duet_timeline_insert(duet_timeline *timeline, int64_t start, int64_t time,
                               duet_error *error)
{
    if (start < timeline->free_from) {
        size_t at = gap_with(timeline, start);
        DUET_ASSERT(at < timeline->gaps || time == 0);
        // A task of no time may also lie where one task ends and the next begins.
        return at < timeline->gaps ? divide(timeline, at, start, start + time, error) : DUET_OK;
    }
    if (start > timeline->free_from) {
        DUET_TRY(duet_vec_push(timeline->gap, timeline->gaps, error,
                               (duet_gap){timeline->free_from, start}));
    }
    timeline->free_from = start + time;
    return DUET_OK;
}

duet_timeline_change duet_timeline_foresee(const duet_timeline *timeline, int64_t start)
{
    duet_timeline_change change = {
        .at = timeline->gaps, .gaps = timeline->gaps, .free_from = timeline->free_from};
    if (start < timeline->free_from) {
        change.at = gap_with(timeline, start);
    }
    if (change.at < timeline->gaps) {
        change.divided = timeline->gap[change.at];
    }
    return change;
}

void duet_timeline_undo(duet_timeline *timeline, const duet_timeline_change *change)
{
    timeline->free_from = change->free_from;
    if (change->at < change->gaps) {
        // Of the gap there are none, one or two parts now. There is room for it, as it was there.
        size_t after = change->gaps - change->at - 1;
        memmove(&timeline->gap[change->at + 1], &timeline->gap[timeline->gaps - after],
                after * sizeof *timeline->gap);
        timeline->gap[change->at] = change->divided;
    }
    timeline->gaps = change->gaps;
}
