// SPDX-License-Identifier: Apache-2.0
// What other platforms would bring: a table over the platforms of a range such as -k 1..4.
#ifndef DUET_CLI_WHAT_IF_H
#define DUET_CLI_WHAT_IF_H

#include <duet/duet.h>

#include "console/args.h"
#include "console/price.h"
#include "console/table.h"

// What was found on one platform.
typedef struct duet_cli_point {
    int64_t counts[DUET_MAX_TYPES];
    int64_t makespan; // the best schedule's; DUET_FORBIDDEN: none was found
    int64_t bound;
    char makespan_by[64]; // algorithm
    char bound_by[64];
    char why[160]; // why there is nothing; "" where there is something
} duet_cli_point;

typedef struct duet_cli_what_if {
    const duet_instance *instance; // of any of the platforms
    bool bounds_only;              // nothing was scheduled
    bool varied[DUET_MAX_TYPES];
    duet_cli_price price;
    size_t count;
    duet_cli_point *point; // owned by whoever made it
} duet_cli_what_if;

// Room for the platforms that the command line asks for, their varied types, and no points yet.
duet_code duet_cli_what_if_create(const duet_cli_args *args, const char *path,
                                  const duet_instance *instance, duet_cli_what_if *made,
                                  duet_error *error);
void duet_cli_what_if_free(duet_cli_what_if *table);
// Starts the point of the platform that `instance` has now.
duet_cli_point *duet_cli_what_if_next(duet_cli_what_if *table, const duet_instance *instance);
// Once all points are there: a schedule for fewer processors is one for more, and a bound for more
// processors is one for fewer. No platform then has a longer schedule than a smaller one.
void duet_cli_what_if_carry(duet_cli_what_if *table);

// The table: makespan, bound and gap of each platform, and what one more processor of each varied
// type changes.
void duet_cli_what_if_print(const duet_cli_what_if *table, duet_cli_format format, FILE *stream);
void duet_cli_what_if_json(const duet_cli_what_if *table, FILE *stream);
// Draws makespan and bound over the processors of the first varied type, a line for each choice of
// the others. `path` ends in .svg, .pdf or .png. Errors of duet_chart_write().
duet_code duet_cli_what_if_chart(const duet_cli_what_if *table, const char *path,
                                 const duet_cli_chart *look, duet_error *error);

// Where the table goes beside, or instead of, standard output.
typedef struct duet_cli_what_if_files {
    const char *chart; // NULL, as the other: none
    const char *csv;   // "-": standard output
} duet_cli_what_if_files;

// What can be wrong with the files of a command that has a range of platforms, or none.
// `beside` ends the message of a chart without a range; "" where there is nothing to say.
duet_code duet_cli_what_if_check(const duet_cli_args *args, const duet_cli_what_if_files *files,
                                 const char *beside, duet_error *error);
// Prints the table, as text or JSON, and writes its files. Errors: DUET_E_OUTPUT, those of the
// chart.
duet_code duet_cli_what_if_write(const duet_cli_what_if *table, const duet_cli_args *args,
                                 const duet_cli_what_if_files *files, duet_error *error);

#endif
