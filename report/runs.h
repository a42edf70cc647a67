// SPDX-License-Identifier: Apache-2.0
// A schedule as a flat list of runs, which is what pictures and traces are made from.
#ifndef DUET_REPORT_RUNS_H
#define DUET_REPORT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>
#include <duet/solution.h>

// One run of one task, complete or given up.
typedef struct duet_run {
    int64_t task;
    int64_t start;
    int64_t end;
    size_t kind;
    int32_t processor;
    int32_t type;
    bool aborted;
} duet_run;

typedef struct duet_runs {
    size_t count;
    duet_run *run; // complete runs in task order, then the aborted ones
    int64_t end;   // of the last one
} duet_runs;

// Lists the runs. A solution read from a file may claim anything: what cannot be shown (no type, no
// such processor, a forbidden time, a negative start) is left out. DUET_E_USAGE where the solution
// has another number of tasks than the instance or processor counts are unknown.
duet_code duet_runs_collect(const duet_instance *instance, const duet_solution *solution,
                            duet_runs *runs, duet_error *error);
// Sorts by type, processor, start. O(n log n).
void duet_runs_sort(duet_runs *runs);
void duet_runs_free(duet_runs *runs);

// Whether `path` ends in `ending`, letters of either case.
bool duet_path_ends(const char *path, const char *ending);

#endif
