// SPDX-License-Identifier: Apache-2.0
// The schedules of a report: read, checked, and kept with their instances.
#ifndef DUET_CLI_REPORT_SCHEDULES_H
#define DUET_CLI_REPORT_SCHEDULES_H

#include "console/args.h"
#include "report/page/page.h"

typedef struct duet_cli_schedules {
    duet_page_schedule *schedule; // owns what it points to
    const char **path;            // of the instance of each; the caller's
    size_t count;
} duet_cli_schedules;

// Adds the solutions named in `list`, separated by commas, of the instance at `path`. One that the
// checker finds a fault in is kept and marked, with a note on standard error.
duet_code duet_cli_schedules_add(duet_cli_schedules *schedules, const duet_cli_args *args,
                                 const char *path, const char *list, duet_error *error);
// Shows each beside the best lower bound that is known of the problem: schedules of one instance
// file on one platform share it.
void duet_cli_schedules_share_bounds(duet_cli_schedules *schedules);
void duet_cli_schedules_free(duet_cli_schedules *schedules);

#endif
