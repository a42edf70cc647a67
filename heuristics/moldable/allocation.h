// SPDX-License-Identifier: Apache-2.0
// How many processors each task of a graph gets: the allocation of CPA and HCPA.
//
// Method:    from one processor each. While the critical path, times all processors, is longer than
//            the area of all tasks, one task of the path gets one processor more: of those that may
//            grow the one that gains most; the first on the path where several do.
// Cost:      a step is one change of the critical path (critical_path.h), and O(log n).
// Memory:    O(n + e).
// Reference: Radulescu, Nicolescu, van Gemund, Jonker, "CPR: mixed task and data parallel
//            scheduling for distributed systems", IPDPS 2001; N'Takpe, Suter, "Critical path and
//            area based scheduling of parallel task graphs on heterogeneous platforms", ICPADS
//            2006.
#ifndef DUET_HEURISTICS_MOLDABLE_ALLOCATION_H
#define DUET_HEURISTICS_MOLDABLE_ALLOCATION_H

#include "core/context.h"
#include "heuristics/moldable/growth.h"

// What a task gains by one processor more, from N to N + 1.
typedef enum duet_gain {
    DUET_GAIN_AREA,    // T(N)/N - T(N + 1)/(N + 1), the paper's
    DUET_GAIN_TIME,    // T(N) - T(N + 1)
    DUET_GAIN_RELATIVE // (T(N) - T(N + 1))/T(N)
} duet_gain;
#define DUET_GAINS "area|time|relative"

// Of each task. Owned by the caller.
typedef struct duet_allocated {
    int64_t *size; // processors of the reference cluster
    int64_t *time; // on these
    int64_t steps;
} duet_allocated;

// `processors`: of the reference cluster. Where the context stops it, the allocation is what it is
// by then. Free with duet_allocated_free(), also after an error.
duet_code duet_allocate_by_path(const duet_growth *growth, int64_t processors, duet_gain gain,
                                const duet_context *context, duet_allocated *out,
                                duet_error *error);
void duet_allocated_free(duet_allocated *allocated);

// The longest path that begins with each task at these times, without communication.
duet_code duet_allocated_levels(const duet_instance *instance, const int64_t *time, int64_t *level,
                                duet_error *error);

#endif
