// SPDX-License-Identifier: Apache-2.0
// How many processors each task of a graph gets: the allocation of CPA and HCPA.
//
// Method:    from one processor each. While the critical path, times all processors, is longer than
//            the area of all tasks, one task of the path gets one processor more: of those that may
//            grow the one that gains most; the first on the path where several do.
//            MCPA: the tasks of a level, those as many edges from the entries at most, never have
//            more processors together than there are, unless they are more themselves.
//            biCPA: the allocation for every smaller number of processors, too, all of which the
//            loop passes: it is the area over that number that the path is compared with. Each is
//            tried, and the one of the shortest schedule taken, of several that of least area.
// Cost:      a step is one change of the critical path (critical_path.h), and O(log n). biCPA: a
//            schedule for each allocation, of which there are as many as processors or steps.
// Memory:    O(n + e).
// Reference: Radulescu, Nicolescu, van Gemund, Jonker, "CPR: mixed task and data parallel
//            scheduling for distributed systems", IPDPS 2001; N'Takpe, Suter, "Critical path and
//            area based scheduling of parallel task graphs on heterogeneous platforms", ICPADS
//            2006; Bansal, Kumar, Singh, "An improved two-step algorithm for task and data parallel
//            scheduling in distributed memory machines", Parallel Computing 32(10), 2006 (MCPA);
//            Desprez, Suter, "A bi-criteria algorithm for scheduling parallel task graphs on
//            clusters", CCGrid 2010 (biCPA).
#ifndef DUET_HEURISTICS_MOLDABLE_ALLOCATION_H
#define DUET_HEURISTICS_MOLDABLE_ALLOCATION_H

#include "core/instance/time_table.h"
#include "core/system/context.h"

// growth.c
typedef struct duet_growth {
    const duet_instance *instance;
    duet_fraction speed;    // of the reference cluster
    int64_t most;           // CPA: a task grows to fewer processors than that; 0 is HCPA, where
                            // clusters decide
    const int32_t *kind;    // of each task
    duet_law_ticks *law;    // of each kind that follows one law, else unused
    bool *by_law;           // of each kind
    duet_time_table *table; // of each kind that does not
} duet_growth;

// HCPA: the reference cluster has the speed of the slowest one. Free with duet_growth_free(), also
// after an error.
duet_code duet_growth_create(const duet_instance *instance, const int32_t *kind,
                             duet_fraction speed, int64_t most, duet_growth *growth,
                             duet_error *error);
void duet_growth_free(duet_growth *growth);

// The time of a task on its first processor.
int64_t duet_growth_first(const duet_growth *growth, int32_t task);
// The time on size + 1 processors, where `time` is that on `size`; -1 where the task may not grow.
int64_t duet_growth_next(const duet_growth *growth, int32_t task, int64_t size, int64_t time);
// How many processors of a type make the task about as long as `size` of the reference cluster; 0
// where it cannot run there.
int64_t duet_growth_size_on(const duet_growth *growth, int32_t task, size_t type, int64_t size,
                            int64_t time);

// allocation.c
// What a task gains by one processor more, from N to N + 1.
typedef enum duet_gain {
    DUET_GAIN_AREA,    // T(N)/N - T(N + 1)/(N + 1), the paper's
    DUET_GAIN_TIME,    // T(N) - T(N + 1)
    DUET_GAIN_RELATIVE // (T(N) - T(N + 1))/T(N)
} duet_gain;
#define DUET_GAINS "area|time|relative"

typedef enum duet_allocation_rule {
    DUET_ALLOCATE_CPA,
    DUET_ALLOCATE_MCPA,
    DUET_ALLOCATE_BICPA
} duet_allocation_rule;
#define DUET_ALLOCATION_RULES "cpa|mcpa|bicpa"

// How an allocation is made. biCPA asks how long the schedule of the one that `out` has is.
typedef struct duet_allocation_choice {
    duet_gain gain;
    duet_allocation_rule rule;
    duet_code (*schedule)(void *user, int64_t *makespan, duet_error *error);
    void *user;
} duet_allocation_choice;

// Of each task. Owned by the caller.
typedef struct duet_allocated {
    int64_t *size; // processors of the reference cluster
    int64_t *time; // on these
    int64_t steps;
    int64_t tried; // allocations of biCPA
} duet_allocated;

// `processors`: of the reference cluster. Where the context stops it, the allocation is what it is
// by then; biCPA tries others for half of the time. Free with duet_allocated_free(), also after an
// error. Errors: those of `schedule`, DUET_E_LIMIT (more tasks than a graph may have),
// DUET_E_MEMORY.
duet_code duet_allocate_by_path(const duet_growth *growth, int64_t processors,
                                const duet_allocation_choice *choice, const duet_context *context,
                                duet_allocated *out, duet_error *error);
void duet_allocated_free(duet_allocated *allocated);

// The longest path that begins with each task at these times, without communication.
duet_code duet_allocated_levels(const duet_instance *instance, const int64_t *time, int64_t *level,
                                duet_error *error);

#endif
