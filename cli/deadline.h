// SPDX-License-Identifier: Apache-2.0
// What solve and show say beside a schedule: whether a deadline is met, and what the run costs.
#ifndef DUET_CLI_DEADLINE_H
#define DUET_CLI_DEADLINE_H

#include <duet/duet.h>

#include "console/args.h"
#include "console/json.h"

// Reads --deadline, where it is given, in the unit of the instance. DUET_E_USAGE.
duet_code duet_cli_take_deadline(duet_cli_args *args, const duet_instance *instance,
                                 duet_error *error);
// Has the solution's file say it.
void duet_cli_keep_deadline(const duet_cli_args *args, const duet_instance *instance,
                            duet_solution *solution);
// The line of a schedule's block.
void duet_cli_print_deadline(const duet_cli_args *args, const duet_instance *instance,
                             const duet_solution *solution);
// How many tasks end after deadlines of their own, and the latest of them; nothing where tasks have
// none.
void duet_cli_print_late(const duet_instance *instance, const duet_solution *solution);
// The same as the member "late" of an object.
void duet_cli_json_late(const duet_instance *instance, const duet_solution *solution,
                        duet_cli_json *json);
// What --price says can be read. DUET_E_USAGE.
duet_code duet_cli_check_price(const duet_cli_args *args, const duet_instance *instance,
                               duet_error *error);
// The line of a schedule's block, and the members "price" and "run_price"; nothing without --price.
void duet_cli_print_price(const duet_cli_args *args, const duet_instance *instance,
                          const duet_solution *solution);
void duet_cli_json_price(const duet_cli_args *args, const duet_instance *instance,
                         const duet_solution *solution, duet_cli_json *json);
// The exit code: 0 where no deadline is given, too.
int duet_cli_deadline_code(const duet_cli_args *args, const duet_solution *solution);

#endif
