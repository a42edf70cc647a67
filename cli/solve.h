// SPDX-License-Identifier: Apache-2.0
// The parts of duet solve: one run of an algorithm, and what is said of a schedule.
#ifndef DUET_CLI_SOLVE_H
#define DUET_CLI_SOLVE_H

#include <duet/duet.h>

#include "cli/what_if.h"
#include "console/args.h"
#include "console/json.h"
#include "report/metrics.h"

// solve_run.c
// Runs the algorithm (NULL: auto, with a time limit of its own where none is given), from a plan
// (NULL: none), and lets the
// independent checker judge what it made: *bound receives its word on the lower bound. The solution
// is the caller's. Errors of duet_solve(), and DUET_E_INTERNAL where the schedule is wrong.
duet_code duet_cli_solve_run(const duet_cli_args *args, const char *algorithm,
                             const duet_solution *plan, const duet_instance *instance,
                             const duet_cancel *cancel, duet_solution **solution,
                             duet_bound_check *bound, duet_error *error);

// Solves the instance on every platform of the range that the command line asks for, and prints a
// table of them, which goes to `files`, too. Returns the exit code.
int duet_cli_solve_range(const duet_cli_args *args, const char *algorithm,
                         const duet_cli_what_if_files *files, duet_instance *instance,
                         const duet_cancel *cancel);

// solve_block.c
// Prints what is known of a schedule: instance, platform, makespan, lower bound, gap.
void duet_cli_schedule_block(const duet_instance *instance, const duet_solution *solution,
                             duet_bound_check bound);
// Prints a solution in a few lines. `bound` is the checker's word on its lower bound; where that is
// not certified, nor has_proof, a line says how it becomes so.
void duet_cli_solve_block(const duet_instance *instance, const duet_solution *solution,
                          duet_bound_check bound, bool has_proof);

// summary_text.c
// Prints where the tasks go, how long each type works, the metrics that are defined, and what
// limits the makespan. `watts` may be NULL. Returns the exit code.
int duet_cli_summary_print(const duet_instance *instance, const duet_solution *solution,
                           const duet_watts *watts);
// The same as the member "summary" of an object. Errors: DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_cli_summary_json(duet_cli_json *json, const duet_instance *instance,
                                const duet_solution *solution, const duet_watts *watts,
                                duet_error *error);

#endif
