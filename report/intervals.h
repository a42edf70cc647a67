// SPDX-License-Identifier: Apache-2.0
// A schedule as a flat list of intervals, from which pictures, pages and traces are made.
#ifndef DUET_REPORT_INTERVALS_H
#define DUET_REPORT_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>
#include <duet/solution.h>

// The time during which one processor works on one task, to its end or until the task is aborted.
typedef struct duet_interval {
    int64_t task;
    int64_t start;
    int64_t end;
    size_t kind;
    int32_t processor;
    int32_t type;
    bool aborted;
    bool beside; // one more processor of a moldable task, whose first one has another interval
} duet_interval;

typedef struct duet_intervals {
    size_t count;
    duet_interval *interval; // complete intervals in task order, then the aborted ones
    int64_t end;             // of the one that ends last
    bool moldable;           // tasks may have an interval on each of several processors
} duet_intervals;

// Lists the intervals, and what ran on processors that are lost since. A solution read from a file
// may claim anything: what cannot be shown (no type, no such processor, a forbidden time, a
// negative start) is left out. DUET_E_USAGE where the solution has another number of tasks than the
// instance or processor counts are unknown.
duet_code duet_intervals_collect(const duet_instance *instance, const duet_solution *solution,
                                 duet_intervals *intervals, duet_error *error);
// Sorts by type, processor, start. O(n log n).
void duet_intervals_sort(duet_intervals *intervals);
// Sorts, and brings what a processor runs without a break into the order of kinds: each stretch of
// complete intervals, one after another, starts and ends when it did. For independent tasks alone.
void duet_intervals_by_kind(duet_intervals *intervals);
// From when on a lost processor takes no more tasks: from now, behind what has begun there.
int64_t duet_intervals_lost_from(const duet_instance *instance, const duet_intervals *intervals,
                                 size_t type, int64_t processor);
void duet_intervals_free(duet_intervals *intervals);

#endif
