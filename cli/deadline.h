// SPDX-License-Identifier: Apache-2.0
// What solve says of a deadline: met, not to be met, or not decided.
#ifndef DUET_CLI_DEADLINE_H
#define DUET_CLI_DEADLINE_H

#include <duet/duet.h>

#include "console/args.h"

// Reads --deadline, where it is given, in the unit of the instance. DUET_E_USAGE.
duet_code duet_cli_take_deadline(duet_cli_args *args, const duet_instance *instance,
                                 duet_error *error);
// Has the solution's file say it.
void duet_cli_keep_deadline(const duet_cli_args *args, const duet_instance *instance,
                            duet_solution *solution);
// The line of a schedule's block.
void duet_cli_print_deadline(const duet_cli_args *args, const duet_instance *instance,
                             const duet_solution *solution);
// The exit code: 0 where no deadline is given, too.
int duet_cli_deadline_code(const duet_cli_args *args, const duet_solution *solution);

#endif
