// SPDX-License-Identifier: Apache-2.0
// What duet compare found out, between the part that runs and the parts that print.
#ifndef DUET_CLI_COMPARE_COMPARE_H
#define DUET_CLI_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

#include "cli/watts.h"
#include "console/args.h"
#include "console/table.h"
#include "report/metrics.h"

// What is wrong with a solution that is given.
typedef enum duet_cli_given_fault {
    DUET_CLI_GIVEN_GOOD,
    DUET_CLI_GIVEN_MISSING, // the folder has none of the instance
    DUET_CLI_GIVEN_UNREADABLE,
    DUET_CLI_GIVEN_INVALID // it is no schedule of the instance
} duet_cli_given_fault;

// One algorithm on one file.
typedef struct duet_cli_result {
    const char *algorithm;
    duet_error skipped; // why there is no schedule; DUET_OK where there is one
    int64_t makespan;
    int64_t lower_bound; // DUET_FORBIDDEN where a given solution proves none
    double seconds;
    duet_status status;
    bool interrupted;
    const char *ending;         // duet_solution_ending(); NULL: nothing ended it early
    duet_cli_given_fault fault; // of a solution of --solution
    bool given;                 // a solution of --solution: nothing was run
    bool as_claimed;            // the algorithm and options of the file's claim, run to its end
    char guarantee[96];         // "": nothing is guaranteed
    duet_metrics metrics;       // of the schedule
} duet_cli_result;

// One file.
typedef struct duet_cli_comparison {
    const char *path;
    int64_t platform; // index of its platform, of those that the command line asks for
    duet_instance *instance;
    int64_t bound; // best proven over all bounds and algorithms
    char bound_name[64];
    const duet_watts *watts; // while it runs
    size_t count;
    duet_cli_result *results; // one per algorithm, in the order asked for
} duet_cli_comparison;

// A --solution [NAME=]PATH, where PATH is a file, or a folder with one of each instance's name.
typedef struct duet_cli_given {
    const char *name;
    const char *path;
} duet_cli_given;

// What is compared.
typedef struct duet_cli_entrants {
    const char *const *names; // of algorithms
    size_t algorithms;
    const duet_cli_given *given;
    size_t given_count;
    duet_cli_watts watts;
} duet_cli_entrants;

// Loads file->path, the `index`-th, and runs every bound and the named algorithms on it; solutions
// that are given follow, a result for each name. Stops quietly where `cancel` is requested. What
// file holds is the caller's to free, also after an error.
duet_code duet_cli_compare_file(const duet_cli_args *args, const duet_cli_entrants *entrants,
                                size_t index, const duet_cancel *cancel, duet_cli_comparison *file,
                                duet_error *error);
// Reads and judges the solutions of entrants->given, each within the limits of `params`, behind the
// results that are there.
duet_code duet_cli_compare_given(const duet_params *params, const duet_cli_entrants *entrants,
                                 size_t index, duet_cli_comparison *file, duet_error *error);
// Notes a bound, which counts where it is better than what is known.
void duet_cli_take_bound(duet_cli_comparison *file, int64_t value, const char *name);

// One algorithm over all files that it has a schedule for.
typedef struct duet_cli_summary {
    size_t index; // of the algorithm
    size_t solved;
    size_t optimal;
    size_t wins; // files where no algorithm has a shorter schedule
    size_t with_gap;
    double gap_sum;
    double gap_max;
    double gap_median; // the smallest gap that half of the files do not exceed, and nine in ten
    double gap_q90;
} duet_cli_summary;

// Whether some algorithm's or bound's proof shows the schedule to be optimal.
bool duet_cli_is_optimal(const duet_cli_comparison *file, const duet_cli_result *result);
// Makespan / bound, -1 where there is no bound to divide by.
double duet_cli_ratio(const duet_cli_comparison *file, const duet_cli_result *result);
// Whether it is known how long it took: a solution that is given need not say.
bool duet_cli_is_timed(const duet_cli_result *result);
const char *duet_cli_status_text(const duet_cli_comparison *file, const duet_cli_result *result);
duet_cli_summary duet_cli_summarise(const duet_cli_comparison *files, size_t count,
                                    size_t algorithm);
// Compares two of them for qsort(): the best mean first, those without a gap last.
int duet_cli_by_mean(const void *left, const void *right);
// Files can be cut short by Ctrl-C: the one with the most results names all algorithms that ran.
const duet_cli_comparison *duet_cli_longest(const duet_cli_comparison *files, size_t count);

// Whether the algorithm with these options is what the instance's claim is about; options count by
// their values, given or default.
duet_code duet_cli_is_claimed(const duet_instance *instance, const char *algorithm,
                              const duet_options *options, bool *claimed, duet_error *error);
// How what was found contradicts the file's claim: one text for each part of it that is wrong.
typedef struct duet_cli_contradictions {
    size_t count;
    char text[3][512];
} duet_cli_contradictions;
duet_cli_contradictions duet_cli_contradict(const duet_cli_comparison *file);

// For people: a table per file, and a summary where there are several; or the summary alone.
void duet_cli_compare_text(const duet_cli_comparison *files, size_t count, duet_cli_format format,
                           FILE *stream);
void duet_cli_compare_summary(const duet_cli_comparison *files, size_t count,
                              duet_cli_format format, FILE *stream);
// Draws for each algorithm the share of the files over the gap, of more than twelve for those of
// the smallest mean gaps. Errors of duet_chart_write().
duet_code duet_cli_compare_chart(const duet_cli_comparison *files, size_t count, const char *path,
                                 const duet_cli_chart *look, duet_error *error);
void duet_cli_compare_json(const duet_cli_comparison *files, size_t count, FILE *stream);
// One line per file and algorithm.
void duet_cli_compare_csv(const duet_cli_comparison *files, size_t count, FILE *stream);

#endif
