// SPDX-License-Identifier: Apache-2.0
// What a schedule does, in few numbers: which tasks go where, how long each type works, and what
// keeps the makespan from being shorter.
#ifndef DUET_REPORT_SUMMARY_H
#define DUET_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>
#include <duet/solution.h>

#include "core/number/fraction.h"
#include "report/intervals.h"

// Groups of tasks (core/instance/groups.h) that have rows; with more of them, those of fewest tasks
// are one.
enum { DUET_SUMMARY_ROWS = 20, DUET_SUMMARY_NAME = 64 };

typedef struct duet_summary_row {
    char name[DUET_SUMMARY_NAME]; // of the group, or of its only kind
    size_t kinds;
    int64_t tasks;
    int64_t count[DUET_MAX_TYPES]; // of tasks, by type
} duet_summary_row;

typedef struct duet_summary_type {
    int64_t processors;
    int64_t used; // processors with a task
    int64_t tasks;
    duet_uint128 work; // time at work, ticks, runs that were given up included
    duet_uint128 idle; // processors * makespan - work
    int64_t ends;      // the latest completion on the type
} duet_summary_type;

// What the makespan rests on.
typedef enum duet_summary_limit {
    DUET_LIMIT_NOTHING, // no tasks
    DUET_LIMIT_TASK,    // one task takes it all, on the fastest type that it may run on
    DUET_LIMIT_PATH,    // a path of the graph: no task on it waits for a processor
    DUET_LIMIT_LONGEST, // the longest path of the graph, which the bound `path` says
    DUET_LIMIT_TYPE     // the type that works most of the time
} duet_summary_limit;

typedef struct duet_summary {
    size_t types;
    duet_summary_type type[DUET_MAX_TYPES];
    size_t rows;
    duet_summary_row row[DUET_SUMMARY_ROWS];
    int64_t makespan;
    duet_summary_limit limit;
    size_t bottleneck;    // the type with the largest share of its time at work
    int64_t longest_task; // of DUET_LIMIT_TASK
    // The tasks that decide: from the start of the schedule or after a pause to the makespan, each
    // begins when the one before it ends (with edges: or when its data are there).
    size_t chain;
    duet_interval *link; // in order of time
} duet_summary;

// Sums a schedule up. What cannot be shown is left out, as in duet_intervals_collect(), whose
// errors these are. O(n log n).
duet_code duet_summary_create(const duet_instance *instance, const duet_solution *solution,
                              duet_summary *summary, duet_error *error);
void duet_summary_free(duet_summary *summary);

// How much of its time a type works, in hundredths of a percent, rounded to the nearest.
int duet_summary_load(const duet_summary *summary, size_t type);

#endif
