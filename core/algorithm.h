// SPDX-License-Identifier: Apache-2.0
// The rows of the registry: what an algorithm and a bound are to the rest of the library.
#ifndef DUET_CORE_ALGORITHM_H
#define DUET_CORE_ALGORITHM_H

#include <duet/registry.h>
#include <duet/solve.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

// Sets *ratio to the proven ratio on a platform and returns true, or returns false without one.
// `options` may be NULL (defaults).
typedef bool duet_ratio_function(size_t types, const int64_t *counts, const duet_options *options,
                                 duet_ratio *ratio);

// The same of moldable tasks without edges, which may depend on their tables.
typedef bool duet_moldable_ratio_function(const duet_instance *instance,
                                          const duet_options *options, duet_ratio *ratio);

// Fills `solution`, which is sized for the instance's tasks: every placement (or the runs, see
// makes_runs), aborted executions, counters, and a lower bound where the algorithm proves one. The
// caller has checked features, platform, build and options. It sets makespan, status and time
// afterwards.
typedef duet_code duet_run_function(const duet_instance *instance, const duet_context *context,
                                    duet_solution *solution, duet_error *error);

// How long a row takes. auto runs every row that is fast on an instance.
typedef struct duet_pace {
    bool searches;       // for as long as it may: never fast
    bool slow_on_graphs; // never fast where there are edges
    // Sizes up to which it is fast, 0 being any: tasks; and where there are other than two types,
    // tasks times types, too.
    int64_t most_tasks;
    int64_t most_entries;
} duet_pace;

typedef struct duet_algorithm {
    duet_entry entry;
    duet_ratio_function *ratio;       // NULL: no proven ratio
    duet_ratio_function *graph_ratio; // the same on task graphs, where data take no time
    duet_moldable_ratio_function *moldable_ratio; // the same of moldable tasks
    duet_run_function *run;
    // Set: it decides while tasks run, so that it can run on duet_context.reality.
    bool online;
    // Set: `run` gets a solution without placements, and holds the schedule as runs of equal tasks
    // (duet_solution_hold_runs()) or asks for placements. Else there is room for all placements.
    bool makes_runs;
    // Set: it may put a task that takes no time on one type where it takes time. All others put it
    // where it takes none, so that tasks of no time make a schedule of length 0.
    bool delays_zero_times;
    duet_pace pace;
} duet_algorithm;

// For the lists of rows (heuristics/heuristics.h, solvers/solvers.h).
#define DUET_DECLARE_ALGORITHM(name) extern const duet_algorithm duet_algorithm_##name;

// Features that a bound may handle by dropping them: this allows more schedules, so that none of
// the instance is shorter than the bound. WAITS is all that delays the start of a schedule:
// releases and busy processors. GRAPHS is what a bound of independent tasks drops of a task graph:
// edges and transfers.
enum { DUET_FEATURE_WAITS = DUET_FEATURE_RELEASES | DUET_FEATURE_BUSY };
enum { DUET_FEATURE_GRAPHS = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION };

// Computes a bound without expanding tasks. Sets value, exact and certificate.
typedef duet_code duet_bound_function(const duet_instance *instance, const duet_context *context,
                                      duet_bound *bound, duet_error *error);

typedef struct duet_bound_method {
    duet_entry entry;
    duet_bound_function *run;
} duet_bound_method;

#endif
