// SPDX-License-Identifier: Apache-2.0
// The processors of one type with their timelines, for schedulers that insert tasks into gaps: on
// which of them a task would start first.
//
// Method:    a tournament tree over the processors. A node knows when the first processor below it
//            is free for good, and when the last gap below it ends. Where that is before the task
//            would end, nothing below is looked at but for its last tasks.
// Cost:      O(log m) for a search among m processors where no gap may hold the task, O(log gaps)
//            more for every processor with gaps late enough. O(log m) for a change, and the
//            timeline's own.
#ifndef DUET_HEURISTICS_ENGINE_INSERTION_H
#define DUET_HEURISTICS_ENGINE_INSERTION_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/algorithm.h"

// timeline.c
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

// insertion.c
// What is known of all processors below a node of the tree.
typedef struct duet_idle_span {
    int64_t free_from; // the earliest; INT64_MAX where there are no processors
    int64_t last_gap;  // when the last gap ends; -1: none has a gap
} duet_idle_span;

// No more processors than tasks, since others stay idle.
typedef struct duet_insertion {
    duet_timeline *timeline;
    size_t count;
    duet_idle_span *tree; // node i is above 2 i and 2 i + 1; processor p is node leaves + p
    size_t leaves;        // a power of two
    size_t used;          // processors from here on have never had a task
} duet_insertion;

// Where a task may start.
typedef struct duet_slot {
    int64_t start;
    int32_t processor;
} duet_slot;

// Zero is no processors. Free with duet_insertion_free(), also after an error.
duet_code duet_insertion_create(int64_t processors, int64_t tasks, duet_insertion *insertion,
                                duet_error *error);
void duet_insertion_free(duet_insertion *insertion);

// The earliest start, not before `from`, of a task of `time` ticks, and the lowest processor that
// has it. There is a processor.
duet_slot duet_insertion_earliest(const duet_insertion *insertion, int64_t from, int64_t time);

// Inserts the task where it may start.
duet_code duet_insertion_add(duet_insertion *insertion, duet_slot slot, int64_t time,
                             duet_error *error);

// What duet_insertion_add() of that slot is about to change, to take it back.
typedef struct duet_insertion_change {
    int32_t processor;
    size_t used;
    duet_timeline_change timeline;
} duet_insertion_change;
duet_insertion_change duet_insertion_foresee(const duet_insertion *insertion, duet_slot slot);
// Takes back what was inserted last.
void duet_insertion_undo(duet_insertion *insertion, const duet_insertion_change *change);

#endif
