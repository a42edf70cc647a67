// SPDX-License-Identifier: Apache-2.0
// The timeline of a processor: when it is busy, with the gaps between its tasks, for insertion.
#ifndef DUET_HEURISTICS_ENGINE_TIMELINE_H
#define DUET_HEURISTICS_ENGINE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

typedef struct duet_gap {
    int64_t begin;
    int64_t end;
} duet_gap;

// Zero is a processor that is idle from time 0 on. Free with duet_timeline_free().
typedef struct duet_timeline {
    // Before `free_from`, none empty, in order of time. Two touch where a task of no time lies
    // between them, which nothing may run across.
    duet_gap *gap;
    size_t gaps;
    int64_t free_from; // the processor is idle from here on
} duet_timeline;

void duet_timeline_free(duet_timeline *timeline);

// The earliest start, not before `from`, of a task of `time` ticks that fits into a gap or after
// the last task. O(log gaps), and O(1) for each gap after `from` that is too short.
int64_t duet_timeline_earliest(const duet_timeline *timeline, int64_t from, int64_t time);

// The processor is busy from `start` on for `time` ticks, which it has idle, or runs a task of no
// time there. O(gaps).
duet_code duet_timeline_insert(duet_timeline *timeline, int64_t start, int64_t time,
                               duet_error *error);

// What an insertion changes, to take it back.
typedef struct duet_timeline_change {
    size_t at;         // the gap that it divides; `gaps` where it divides none
    duet_gap divided;  // that gap before
    size_t gaps;       // how many there were
    int64_t free_from; // before
} duet_timeline_change;

// The change that duet_timeline_insert() is about to make. O(log gaps).
duet_timeline_change duet_timeline_foresee(const duet_timeline *timeline, int64_t start);
// Takes back what was inserted last. O(gaps).
void duet_timeline_undo(duet_timeline *timeline, const duet_timeline_change *change);

#endif
