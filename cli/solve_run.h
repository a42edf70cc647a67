// SPDX-License-Identifier: Apache-2.0
// One run of an algorithm for duet solve: on one platform, or on each of a range.
#ifndef DUET_CLI_SOLVE_RUN_H
#define DUET_CLI_SOLVE_RUN_H

#include <duet/duet.h>

#include "cli/what_if.h"
#include "console/args.h"

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

#endif
