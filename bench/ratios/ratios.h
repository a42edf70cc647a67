// SPDX-License-Identifier: Apache-2.0
// `duet bench ratios`: what its parts share.
#ifndef DUET_BENCH_RATIOS_RATIOS_H
#define DUET_BENCH_RATIOS_RATIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

#include "bench/run/measure.h"
#include "bench/run/run_row.h"
#include "bench/run/statistics.h"
#include "bench/run/sweep.h"
#include "bench/run/sweep_args.h"
#include "console/args_list.h"
#include "console/json.h"
#include "core/number/fraction.h"

enum { DUET_RATIOS_MAX_ALGORITHMS = 256, DUET_RATIOS_NAME = 320, DUET_RATIOS_COMMAND = 960 };
enum { DUET_RATIOS_ROUNDS = 4 }; // where --rounds is not given

// What is run on every instance: an algorithm with its options, or a bound. The ratio of a bound is
// that of the best schedule to its value.
enum { DUET_RATIOS_OPTION = 80, DUET_RATIOS_LABEL = 128 };
typedef struct duet_ratios_algorithm {
    const char *name;
    const char *folder; // of --solutions: nothing is run, its schedules are judged; NULL: none
    bool is_bound;
    bool is_sparse;                  // slow: it runs on every tenth seed alone
    char option[DUET_RATIOS_OPTION]; // "key=value" of --each-option; "bound"; "": the settings'
    duet_options *options;           // of --each-option, owned; NULL: the settings'
} duet_ratios_algorithm;

// By what the report is split.
typedef enum duet_ratios_by {
    DUET_RATIOS_BY_NOTHING,
    DUET_RATIOS_BY_FAMILY,
    DUET_RATIOS_BY_PLATFORM,
    DUET_RATIOS_BY_SIZE
} duet_ratios_by;

// What the command line gave, which the others leave to a default: without sizes worst cases have
// their family's.
enum { DUET_RATIOS_SIZES = 1, DUET_RATIOS_MEMORY = 2 };

typedef struct duet_ratios_settings {
    unsigned given; // DUET_RATIOS_SIZES, DUET_RATIOS_MEMORY
    // What is run.
    size_t algorithm_count;
    duet_ratios_algorithm algorithm[DUET_RATIOS_MAX_ALGORITHMS];
    bool each_option;            // every choice of every option, one at a time
    bool bounds;                 // the bounds, too
    const duet_options *options; // -O; may be NULL
    const char *option_text;     // "key=value key=value"
    // On what.
    size_t family_count, size_count, platform_count, file_count;
    const char *family[DUET_CLI_MAX_LIST];  // of the generator's, or duet_ratios_small
    duet_cli_count size[DUET_CLI_MAX_LIST]; // each instance draws from a range
    duet_cli_count m[DUET_CLI_MAX_LIST];
    duet_cli_count k[DUET_CLI_MAX_LIST];
    const char **file;
    uint64_t instances; // per family, size and platform
    uint64_t first_seed;
    // Limits.
    uint64_t rounds; // of exact, for the reference; 0: until it ends or `seconds` have passed
    double seconds;  // of a run; 0: no limit
    size_t memory;   // of a run, bytes
    // The report.
    duet_ratios_by by;
} duet_ratios_settings;

// Instances that differ in their seed alone, or one file.
typedef struct duet_ratios_group {
    const char *family;  // "file" for files
    const char *path;    // of a file
    duet_instance *file; // owned
    duet_cli_count size; // as asked for: tiles of chol, lu, qr; 0: the family's own
    // Tasks and processors, or the ranges from which each instance draws; 0: its seed decides.
    duet_cli_count n, m, k;
    int decimals;
    bool seeded;
    size_t first, count; // jobs
} duet_ratios_group;

// Why a run or its reference fails. The report counts each and names the first job.
typedef enum duet_ratios_failure {
    DUET_RATIOS_EXCEEDED,   // above the proven ratio
    DUET_RATIOS_FAULT,      // refused by the checker or refuted by the optimum
    DUET_RATIOS_UNREFERRED, // the reference failed, or was refuted by a schedule
    DUET_RATIOS_REFUTED,    // accelerated, and above what is published and not proven
    DUET_RATIOS_FAILURES
} duet_ratios_failure;
typedef struct duet_ratios_failed {
    size_t count;
    size_t job; // the first
} duet_ratios_failed;

// What was seen of an algorithm at a group.
typedef struct duet_ratios_seen {
    size_t skipped; // on instances that it does not handle
    size_t runs;    // with a schedule
    size_t failed;  // without
    size_t open;    // against a bound, the optimum not being known
    size_t unclear; // above the proven ratio, against a bound: that proves nothing
    size_t judged;  // with a proven ratio
    double proven;  // the largest; 0: none
    duet_ratios_failed failures[DUET_RATIOS_FAILURES];
    duet_fraction worst; // makespan / reference; 0/0: none
    size_t worst_job;
} duet_ratios_seen;

typedef struct duet_ratios {
    duet_ratios_settings settings;
    duet_ratios_group *groups;
    size_t group_count;
    size_t jobs;
    uint64_t contents;      // a digest of the instances in files; 0: none
    double *ratio;          // [algorithm * jobs + job]; 0: none
    duet_ratios_seen *seen; // [algorithm * group_count + group]
    duet_sweep_summary summary;
} duet_ratios;

// ratios/case_groups.c
// Lists the groups of instances, reads files. Errors of reading and generating.
duet_code duet_ratios_create(duet_ratios *ratios, duet_error *error);
void duet_ratios_free(duet_ratios *ratios);
const duet_ratios_group *duet_ratios_group_of(const duet_ratios *ratios, size_t job);
uint64_t duet_ratios_seed(const duet_ratios *ratios, size_t job);
// The instance of a job, owned by the caller.
duet_code duet_ratios_instance(const duet_ratios *ratios, size_t job, duet_instance **out,
                               duet_error *error);
// "unif4-20-7" into `buffer` of DUET_RATIOS_NAME bytes; returns it.
char *duet_ratios_name(const duet_ratios *ratios, size_t job, char *buffer);

// ratios/shape.c
// Whether the instances of a group draw their shape.
bool duet_ratios_is_drawn(const duet_ratios_group *group);
// The size that is asked for and the platform of a job; 0 as in its group.
typedef struct duet_ratios_shape {
    int64_t size, m, k;
} duet_ratios_shape;
duet_ratios_shape duet_ratios_shape_of(const duet_ratios *ratios, size_t job);
// "10" or "10..100"; returns `buffer`.
enum { DUET_RATIOS_RANGE = 48 };
char *duet_ratios_range(duet_cli_count count, char buffer[DUET_RATIOS_RANGE]);

// ratios/algorithms.c
// Adds an algorithm. DUET_E_USAGE for one that is there already.
duet_code duet_ratios_add(duet_ratios_settings *settings, const char *name, duet_error *error);
// Has the schedules of a folder judged under that name, which outlives the settings.
duet_code duet_ratios_add_folder(duet_ratios_settings *settings, const char *folder,
                                 const char *name, duet_error *error);
// Adds every choice of every option of the algorithms that are there, then the bounds, as the
// settings ask for.
duet_code duet_ratios_add_variants(duet_ratios_settings *settings, duet_error *error);
void duet_ratios_settings_free(duet_ratios_settings *settings);
// The options that one takes, as text and as the library takes them (may be NULL).
const char *duet_ratios_option_text(const duet_ratios_settings *settings, size_t algorithm);
const duet_options *duet_ratios_options(const duet_ratios_settings *settings, size_t algorithm);
// "heft improve=true", "area bound"; returns `buffer`.
char *duet_ratios_label(const duet_ratios_settings *settings, size_t algorithm,
                        char buffer[DUET_RATIOS_LABEL]);

// ratios/command.c
// A command line that runs that algorithm on that instance alone, with the same ratio; or "" where
// a file has it. DUET_RATIOS_COMMAND bytes.
char *duet_ratios_command(const duet_ratios *ratios, size_t algorithm, size_t job, char *buffer);

// ratios/run.c
// low <= optimum <= high; 0 and INT64_MAX where there is no schedule, or nothing is known.
typedef struct duet_ratios_reference {
    int64_t low, high;
    bool infeasible; // it says that there is no schedule
    bool fault;
} duet_ratios_reference;
// Takes what the schedules of an instance say of it: one that the checker has accepted is right
// where the reference says otherwise.
void duet_ratios_hold_against(duet_ratios_reference *found, const duet_run_result *results,
                              size_t count);
duet_code duet_ratios_run(duet_ratios *ratios, const duet_sweep_plan *plan, duet_error *error);

// ratios/stats.c
// Takes one result of a job. What is at fault is counted and left out of the figures.
void duet_ratios_note(duet_ratios *ratios, size_t job, size_t algorithm,
                      const duet_run_result *result);
void duet_ratios_note_failure(duet_ratios *ratios, size_t job, size_t algorithm,
                              duet_ratios_failure failure);
// Whether it is above the published ratio, by the optimum; that refutes it if the instance is one
// that it was published for.
bool duet_ratios_may_refute(const duet_ratios *ratios, size_t algorithm,
                            const duet_run_result *result);
// Figures of an algorithm over the groups that `counts` says (NULL: all).
typedef struct duet_ratios_figures {
    duet_ratios_seen seen;
    duet_statistics ratio;
} duet_ratios_figures;
typedef bool duet_ratios_filter(const duet_ratios_group *group, const void *key);
duet_code duet_ratios_figures_of(const duet_ratios *ratios, size_t algorithm,
                                 duet_ratios_filter *counts, const void *key,
                                 duet_ratios_figures *figures, duet_error *error);
// Whether a ratio was published without a proof that holds, and enough small instances ran every
// option for it to be refuted: seeing it fail shows that the harness can find a fault.
bool duet_ratios_is_unrefuted(const duet_ratios *ratios, size_t algorithm);
// Whether no proven ratio was exceeded, nothing was at fault, the reference included, and what had
// to be refuted was.
bool duet_ratios_is_good(const duet_ratios *ratios);

// ratios/small.c
// The families whose seed decides on tasks and platform: "small", "small-graph", "small-types".
enum { DUET_RATIOS_SMALL = 3 };
extern const char *const duet_ratios_small[DUET_RATIOS_SMALL];
bool duet_ratios_is_small(const char *family);
// The instance of a seed in the family "small": every shape, at most nine tasks. NULL when out of
// memory. Owned by the caller.
duet_instance *duet_ratios_small_instance(uint64_t seed);
// Likewise in any of these families.
duet_instance *duet_ratios_make_small(const char *family, uint64_t seed);

// ratios/report.c
duet_code duet_ratios_print(const duet_ratios *ratios, FILE *stream, duet_error *error);
duet_code duet_ratios_print_json(const duet_ratios *ratios, duet_cli_json *json, duet_error *error);
// One line for each algorithm that exceeds its ratio or is at fault.
void duet_ratios_report_failures(const duet_ratios *ratios, FILE *stream);

// ratios/save.c
// The worst instance of every algorithm, and those on which it fails, as files in `folder`.
duet_code duet_ratios_save(const duet_ratios *ratios, const char *folder, duet_error *error);

// args.c: the command line.
typedef struct duet_ratios_args {
    duet_sweep_args sweep; // first: the parser of its options finds it there
    duet_ratios_settings settings;
    const char *algorithms; // -a as given; NULL: the default
    const char *save;       // a folder; NULL: none
    size_t folders;         // of --solutions, and what they are called
    const char *folder[DUET_CLI_MAX_LIST];
    char folder_name[DUET_CLI_MAX_LIST][64];
    char *list; // owned copy of `algorithms`, cut up
    char option_text[256];
} duet_ratios_args;

extern const duet_cli_syntax duet_ratios_syntax;
// Completes the settings of a duet_ratios_args.
duet_code duet_ratios_args_complete(void *input, duet_error *error);
void duet_ratios_args_free(duet_ratios_args *args);

#endif
