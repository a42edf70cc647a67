// SPDX-License-Identifier: Apache-2.0
// What --summary says of a schedule.
#ifndef DUET_CLI_SUMMARY_TEXT_H
#define DUET_CLI_SUMMARY_TEXT_H

#include <duet/duet.h>

#include "console/json.h"

// Prints where the tasks go, how long each type works and what limits the makespan. Returns the
// exit code.
int duet_cli_summary_print(const duet_instance *instance, const duet_solution *solution);
// The same as the member "summary" of an object. Errors: DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_cli_summary_json(duet_cli_json *json, const duet_instance *instance,
                                const duet_solution *solution, duet_error *error);

#endif
