// SPDX-License-Identifier: Apache-2.0
// What a run of a table is known by: names put together from several columns, held whole, since
// runs of one name are taken as one thing.
#ifndef DUET_CLI_REPORT_NAMES_H
#define DUET_CLI_REPORT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "cli/report/text.h"
#include "report/page/joins.h"

// The columns that names are made of: "" and, for counts, -1 stand for none.
typedef struct duet_cli_run_columns {
    const char *algorithm;
    const char *options;
    const char *threads;
    const char *how;
    const char *file;
    const char *instance;
    const char *family;
    const char *size;
    const char *tasks;
    const char *seed;
    const char *platform;
    int64_t cpus;
    int64_t gpus;
} duet_cli_run_columns;

// All zero before the first run.
typedef struct duet_cli_run_names {
    duet_cli_text series;
    duet_cli_text platform;
    duet_cli_text instance; // as it is shown, with its platform
    // By what other tables may know the instance, the surest first: file and name, the file, the
    // name, and the file without folder and ending.
    duet_cli_text label[DUET_INSTANCE_LABELS];
    size_t labels;
} duet_cli_run_names;

// Makes the names of a run in place of the last one's. `types` are those of processors, as
// duet_cli_name_platform() has them. DUET_E_MEMORY.
duet_code duet_cli_name_run(const duet_cli_run_columns *run, duet_names *types,
                            duet_cli_run_names *names, duet_error *error);
void duet_cli_run_names_free(duet_cli_run_names *names);

#endif
