// SPDX-License-Identifier: Apache-2.0
// A run of StarPU's as duet show tells of it: drawn as it was, judged as an order.
#ifndef DUET_CLI_SHOW_RUN_H
#define DUET_CLI_SHOW_RUN_H

#include <duet/duet.h>

#include "cli/outputs.h"
#include "console/args.h"
#include "console/json.h"

typedef struct duet_cli_run {
    bool given;           // the schedule's file is one
    int64_t span;         // of the real run, in ticks
    duet_solution *real;  // with its real starts
    duet_instance *timed; // with its real times, NULL where those of the models are as good
} duet_cli_run;

// Whether the schedule's file is a run. Then the instance is to be read as StarPU measured it, each
// GPU by itself and without what data take, unless the caller says otherwise by -O.
duet_code duet_cli_find_run(duet_cli_args *args, duet_cli_run *run, duet_error *error);
// Reads it, and makes the schedule of the same order by the models.
duet_code duet_cli_load_run(const duet_cli_args *args, duet_instance *instance, duet_cli_run *run,
                            duet_solution **order, duet_error *error);
// What the run took beyond the order, and the order beyond its bound.
void duet_cli_print_run(const duet_cli_run *run, const duet_instance *instance,
                        const duet_solution *order);
void duet_cli_run_json(duet_cli_json *json, const duet_cli_run *run, const duet_instance *instance,
                       const duet_solution *order);
// Pictures and traces are of the run, what is written as a schedule is the order.
int duet_cli_write_run(const duet_cli_args *args, const duet_cli_outputs *outputs,
                       const duet_cli_run *run, const duet_instance *instance,
                       const duet_solution *order);
void duet_cli_free_run(duet_cli_run *run);

#endif
