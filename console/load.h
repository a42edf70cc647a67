// SPDX-License-Identifier: Apache-2.0
// Instances from the command line, with the platform that it gives.
#ifndef DUET_CONSOLE_LOAD_H
#define DUET_CONSOLE_LOAD_H

#include <duet/solution.h>

#include "console/args.h"

// Reads an instance, applies the platform and what is given, and passes the reader's notice on to
// standard error.
duet_code duet_cli_load(const duet_cli_args *args, const char *path, duet_instance **out,
                        duet_error *error);

// The same, and what --start-from, --now, --fix and --without say of it. `*plan` receives the plan,
// continued, which is the caller's; NULL where only --start-from is given, or nothing.
duet_code duet_cli_load_with_plan(const duet_cli_args *args, const char *path, duet_instance **out,
                                  duet_solution **plan, duet_error *error);

// Reads an instance and the range of platforms that the command line gives: counts of each type.
duet_code duet_cli_load_range(const duet_cli_args *args, const char *path,
                              duet_cli_count range[DUET_MAX_TYPES], duet_instance **out,
                              duet_error *error);

// Reads a schedule of the instance within what is left of -t.
duet_code duet_cli_load_schedule(const duet_cli_args *args, const char *path,
                                 duet_instance *instance, duet_solution **out, duet_error *error);
// Rounds a valid schedule that starts tasks between ticks down to ticks, with a note; any other
// stays as it is. `path` is the schedule's file.
void duet_cli_take_in_ticks(const duet_cli_args *args, const char *path,
                            const duet_instance *instance, duet_solution *solution);

#endif
