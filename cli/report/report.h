// SPDX-License-Identifier: Apache-2.0
// What the files of duet report share: texts, names of runs, tables that are read, schedules.
#ifndef DUET_CLI_REPORT_REPORT_H
#define DUET_CLI_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "console/args.h"
#include "core/names.h"
#include "report/page/joins.h"
#include "report/page/page.h"
#include "report/page/results.h"

// text.c
typedef struct duet_cli_text {
    char *chars; // ends in NUL once something was put there
    size_t used; // without the NUL
} duet_cli_text;

// Each: DUET_E_MEMORY.
duet_code duet_cli_text_put_bytes(duet_cli_text *text, const char *more, size_t length,
                                  duet_error *error);
duet_code duet_cli_text_put(duet_cli_text *text, const char *more, duet_error *error);
// A value between what stands before and after it; nothing where it is empty.
duet_code duet_cli_text_put_value(duet_cli_text *text, const char *before, const char *value,
                                  const char *after, duet_error *error);
void duet_cli_text_free(duet_cli_text *text);

// names.c
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

// platform_name.c
// "4 cpu + 2 gpu" in place of the text, also for "4+2", "2 GPU, 4 CPUs" and "cpu=4,gpu=2": types in
// lower case, cpu first, then in the order in which they first appeared, which `types` keeps,
// without those that have no processor. What is no list of counts stays as it is. DUET_E_MEMORY.
duet_code duet_cli_name_platform(const char *platform, duet_names *types, duet_cli_text *text,
                                 duet_error *error);

// table.c
// Adds the runs of a table ("-": standard input). Columns count by name and may come in any order;
// unknown ones are passed over. A last line without a line break, as a run leaves it that was
// killed, is left out, with a note on standard error unless `quiet`. DUET_E_INPUT with line and
// column where it is no such table.
duet_code duet_cli_read_results(const char *path, bool quiet, duet_results *results,
                                duet_error *error);

// schedules.c
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
