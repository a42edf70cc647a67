// SPDX-License-Identifier: Apache-2.0
// What --summary says of a schedule.
#ifndef DUET_CLI_SUMMARY_TEXT_H
#define DUET_CLI_SUMMARY_TEXT_H

#include <duet/duet.h>

#include "console/json.h"
#include "report/metrics.h"

// Prints where the tasks go, how long each type works, the metrics that are defined, and what
// limits the makespan. `watts` may be NULL. Returns the exit code.
int duet_cli_summary_print(const duet_instance *instance, const duet_solution *solution,
                           const duet_watts *watts);
// The same as the member "summary" of an object. Errors: DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_cli_summary_json(duet_cli_json *json, const duet_instance *instance,
                                const duet_solution *solution, const duet_watts *watts,
                                duet_error *error);

#endif
