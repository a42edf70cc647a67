// SPDX-License-Identifier: Apache-2.0
// A run of StarPU's as its tasks.rec or paje.trace has it: where and when each task ran.
//
// It is no schedule of the problem: launches overlap by microseconds, tasks do not take what the
// models say, and they wait for data. As an order it is one: which tasks a worker runs, one after
// another.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_RUN_H
#define DUET_INSTANCES_FORMATS_SOLUTION_RUN_H

#include <duet/io.h>

#include "core/solution/solution.h"

// A task as it ran, in ticks of the instance since the first one began.
typedef struct duet_ran_task {
    int64_t task;
    int64_t start, end;
    int32_t type, processor;
} duet_ran_task;

typedef struct duet_ran {
    duet_ran_task *task; // by start
    size_t count;
    int64_t span; // from the first start to the last end
} duet_ran;

// Whether the file begins as StarPU's records or a Paje trace do. False where it cannot be read, or is standard
// input.
bool duet_is_run(const char *path);
// Reads a run of an instance that was read from StarPU's records. Tasks are found by SubmitOrder.
// DUET_E_INPUT: a task did not run, or on a worker that the instance does not have. O(n log n). The
// caller frees `ran->task` by duet_free().
duet_code duet_read_run(const char *path, const duet_read_params *params,
                        const duet_instance *instance, duet_ran *ran, duet_error *error);
// The schedule in which every worker runs the same tasks in the same order, and each task takes
// what the instance says and starts as early as that allows. Where the orders contradict the edges
// the solution has a fault, which the checker reports.
duet_code duet_run_order(duet_instance *instance, const duet_ran *ran, duet_solution **out,
                         duet_error *error);

#endif
