// SPDX-License-Identifier: Apache-2.0
// `duet bench exact`: what its parts share.
#ifndef DUET_BENCH_EXACT_EXACT_H
#define DUET_BENCH_EXACT_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

#include "bench/run/claims.h"
#include "bench/run/columns.h"
#include "bench/run/folder.h"
#include "bench/run/measure.h"
#include "bench/run/plot.h"
#include "bench/run/study.h"
#include "bench/run/sweep.h"
#include "console/args_list.h"
#include "console/json.h"
#include "core/number/fraction.h"

// Where an instance comes from.
typedef enum duet_exact_source {
    DUET_EXACT_FAMILY, // a family, by its number of tasks
    DUET_EXACT_TILES,  // a factorisation, by its number of tiles
    DUET_EXACT_FILE,
    DUET_EXACT_IDENTICAL,  // CPUs alone
    DUET_EXACT_PAIR,       // one CPU, one GPU
    DUET_EXACT_MIXED,      // family mixed: another family for every seed
    DUET_EXACT_SMALL,      // every shape, the optimum known by trying every assignment
    DUET_EXACT_GRAPH,      // a task graph: a factorisation by its tiles, layers by tenths of tasks
    DUET_EXACT_GRAPH_FILE, // a file with edges
    DUET_EXACT_MIXED_GRAPH // family mixed-graph: another family of task graphs for every seed
} duet_exact_source;

typedef struct duet_exact_case {
    duet_exact_source source;
    const char *name; // family, or path of the file
    int64_t size;     // tasks or tiles as asked for; 0 where the seed decides
    int64_t m, k;     // -1 where the seed or the file decides
    uint64_t seed;    // from 1; 0: nothing is random
    int64_t third;    // processors of a third type; 0: there is none
    size_t types;     // of set mixed
} duet_exact_case;

enum {
    DUET_EXACT_MAX_FAMILIES = 8,
    DUET_EXACT_MAX_SIZES = 12,
    DUET_EXACT_MAX_PLATFORMS = 8,
    DUET_EXACT_MAX_TYPES = 16,
    DUET_EXACT_MAX_SEEDS = 1000000
};

// A named set. What it has no list of cannot be chosen either.
typedef struct duet_exact_set {
    const char *name;
    duet_exact_source source;
    const char *families[DUET_EXACT_MAX_FAMILIES];  // NULL ends
    int64_t sizes[DUET_EXACT_MAX_SIZES];            // 0 ends
    int64_t platforms[DUET_EXACT_MAX_PLATFORMS][3]; // {0, 0, 0} ends; the last may be 0
    size_t types;                                   // of its instances; 0: any number
    uint64_t seeds; // instances per point of the grid; 0: one, nothing is random
    double seconds; // the limit of a run where none is given
} duet_exact_set;

extern const duet_exact_set duet_exact_sets[]; // a name of NULL ends

enum { DUET_EXACT_MAX_ALGORITHMS = 8 };

typedef struct duet_exact_settings {
    const duet_exact_set *set;
    bool narrowed; // not the whole set
    size_t family_count, size_count, platform_count, algorithm_count;
    const char *family[DUET_CLI_MAX_LIST];
    int64_t size[DUET_CLI_MAX_LIST];
    int64_t m[DUET_CLI_MAX_LIST];
    int64_t k[DUET_CLI_MAX_LIST];
    int64_t third[DUET_CLI_MAX_LIST]; // beside m and k; 0: two types
    uint64_t seeds;
    size_t types;                                     // of the instances of set mixed
    const char *algorithm[DUET_EXACT_MAX_ALGORITHMS]; // the first is the one that is judged
    const char *data;                                 // folder of a set of files
    double seconds;
    int threads;
    bool proofs;   // have every proof written and checked
    size_t memory; // bytes; 0: the library's default
} duet_exact_settings;

typedef enum duet_exact_outcome {
    DUET_EXACT_NOT_RUN = 0, // interrupted before, or in the middle of it
    DUET_EXACT_FAILED,      // no schedule: `note` says why
    DUET_EXACT_OPEN,        // a schedule, not proven optimal
    DUET_EXACT_PROVEN
} duet_exact_outcome;

// One algorithm on one instance. Times of tasks are in ticks.
typedef struct duet_exact_row {
    // The run.
    const duet_exact_settings *settings;
    const char *set;
    int64_t threads;
    duet_exact_case origin;
    const char *algorithm;
    // Its instance.
    char instance[192]; // its name, cut to this
    int64_t tasks, kinds;
    int64_t m, k;      // of the first two types
    char platform[40]; // all of them, "16:4:2", or "30 types" where they are many
    int64_t decimals;
    int64_t optimum; // by trying every assignment; -1: not known
    // What came of it.
    int64_t makespan;
    int64_t bound;
    char bound_name[32];
    double seconds;
    duet_exact_outcome outcome;
    bool faulty; // refused by the checker, or in contradiction to another run: `note` says how
    char note[192];
    int64_t work, span; // counted, and on the longest chain of it; -1: the algorithm counts none
    // Its proof.
    int64_t proof_bytes; // 0: none was written; -1: none was asked for
    int64_t proof_nodes;
    double proof_seconds; // of its check
} duet_exact_row;

// A run as a row of CSV and of JSON; the row is a duet_exact_row.
extern const duet_column duet_exact_columns[];
bool duet_exact_has_schedule(const duet_exact_row *row);

// The instances of a run and what came of them: rows[c * algorithm_count + a].
typedef struct duet_exact_plan {
    duet_exact_settings settings;
    duet_exact_case *cases;
    size_t case_count;
    duet_exact_row *rows;
    size_t row_count;
    duet_folder files; // of a set of files
    // Of the sweep.
    duet_sweep_summary summary;
    size_t done, proven; // runs so far
} duet_exact_plan;

// Fills the settings' lists from the set where they are empty.
void duet_exact_complete(duet_exact_settings *settings);
// Lists the cases of plan->settings and makes room for the rows. DUET_E_INPUT where the folder of
// a set of files cannot be read or has no instance with as many types as the set's.
duet_code duet_exact_plan_create(duet_exact_plan *plan, duet_error *error);
void duet_exact_plan_free(duet_exact_plan *plan);

// Reads a file of independent tasks: what it says of edges is left out.
duet_code duet_exact_read_file(const char *path, duet_instance **out, duet_error *error);
// Reads a task graph. A file of the Standard Task Graph Set has times of one type, the GPU's; its
// CPU times are drawn with the seed.
duet_code duet_exact_read_graph(const char *path, uint64_t seed, duet_instance **out,
                                duet_error *error);
// Whether instances are files of the folder --data; whether they have edges.
bool duet_exact_has_files(const duet_exact_set *set);
bool duet_exact_has_edges(const duet_exact_set *set);
duet_code duet_exact_instance(const duet_exact_case *origin, duet_instance **out,
                              duet_error *error);
// The row's platform for people, "20,4" or "30 types", into `buffer` of its size; returns it.
char *duet_exact_format_platform(const duet_exact_row *row, char *buffer);
// "unif4-100 (20,4) seed 1" into `buffer`, cut to `size`; returns it.
char *duet_exact_label(const duet_exact_row *row, char *buffer, size_t size);

// Runs everything that `sweep` says, one run after the other in each process; stops early where its
// cancel is requested.
duet_code duet_exact_run(duet_exact_plan *plan, const duet_sweep_plan *sweep, duet_error *error);
// Marks the rows of one case whose claims contradict each other or the known optimum: as faulty,
// or, those of another solver, as failed.
void duet_exact_cross_check(duet_exact_row *rows, size_t count);

// Figures over some rows.
enum { DUET_EXACT_MAX_LIMITS = 4 };
typedef struct duet_exact_limits {
    double seconds[DUET_EXACT_MAX_LIMITS];
    size_t count;
} duet_exact_limits;
typedef struct duet_exact_figures {
    size_t runs;
    size_t proven; // at all
    size_t within[DUET_EXACT_MAX_LIMITS];
    size_t open;
    size_t failed;
    duet_fraction median_gap; // of the open ones, the upper of the middle two; 0/1 without any
    duet_fraction largest_gap;
} duet_exact_figures;

// Which rows count; `key` is handed on.
typedef bool duet_exact_filter(const duet_exact_row *row, const void *key);

// The limits a table shows for runs of `seconds`: 1, 10, 60 as far as they are within, and the
// limit itself.
duet_exact_limits duet_exact_limits_within(double seconds);
bool duet_exact_solved_within(const duet_exact_row *row, double seconds);
// (makespan - bound) / bound; 1/0 where there is no bound.
duet_fraction duet_exact_gap(const duet_exact_row *row);
// Over all rows of the plan that count; those that were not run are left out everywhere.
duet_code duet_exact_figures_of(const duet_exact_plan *plan, duet_exact_filter *filter,
                                const void *key, duet_exact_figures *figures, duet_error *error);
bool duet_exact_is_algorithm(const duet_exact_row *row, const void *name); // a filter
// "0.0123 %", rounded up, into `buffer` of at least 48 bytes; returns it.
char *duet_exact_format_gap(duet_fraction gap, char *buffer);

// Judges the first algorithm by the targets of the plan's set.
#define DUET_EXACT_MISSED "MISSED"
duet_code duet_exact_judge(const duet_exact_plan *plan, duet_claims *targets, duet_error *error);

duet_code duet_exact_print(const duet_exact_plan *plan, const duet_claims *targets, FILE *stream,
                           duet_error *error);
duet_code duet_exact_print_json(const duet_exact_plan *plan, const duet_claims *targets,
                                const duet_sweep_plan *sweep, FILE *stream, duet_error *error);

// The proof that an algorithm writes: a file for each run, checked by the independent checker,
// which is timed.
typedef struct duet_exact_proof {
    char path[512]; // "": no proof is asked for
    duet_options *options;
} duet_exact_proof;
// Whether the algorithm has an option "proof" that takes a file.
bool duet_exact_takes_proof(const char *algorithm);
// Makes an empty temporary file and the options that name it. Errors: DUET_E_OUTPUT, DUET_E_MEMORY.
duet_code duet_exact_proof_create(duet_exact_proof *proof, duet_error *error);
// Checks that the file proves row->bound, and notes size, nodes and time in the row; a proof that
// is refused makes it faulty. `seconds` limits the check.
void duet_exact_proof_check(const duet_exact_proof *proof, const duet_instance *instance,
                            double seconds, const duet_cancel *cancel, duet_exact_row *row);
// Removes the file, if it was made.
void duet_exact_proof_free(duet_exact_proof *proof);

// Task graphs: the best bound of each instance, how far each algorithm is above it, and what of
// this is the mean, the median and the most. DUET_E_MEMORY.
duet_code duet_exact_print_graphs(const duet_exact_plan *plan, FILE *stream, duet_error *error);
// Draws PREFIX-gap.ENDING: that of the first algorithm over the size, for each family and platform.
// Errors as duet_plot_draw().
duet_code duet_exact_chart_graphs(const duet_exact_plan *plan, const duet_drawing *drawing,
                                  duet_error *error);

// Draws PREFIX-cactus.ENDING: for each algorithm, how many instances it proves within a time. No
// file where nothing was proven. Errors as duet_plot_draw().
duet_code duet_exact_chart(const duet_exact_plan *plan, const duet_drawing *drawing,
                           duet_error *error);

// args.c: the command line.
typedef struct duet_exact_args {
    duet_sweep_args sweep;
    duet_exact_plan plan;   // its settings
    int64_t types;          // of set mixed, 0: not given
    const char *algorithms; // as given
    char *list;             // owned: the names that the settings point into
    duet_drawing drawing;
} duet_exact_args;

extern const duet_cli_syntax duet_exact_syntax;
// Completes the settings of a duet_exact_args.
duet_code duet_exact_args_complete(void *input, duet_error *error);
void duet_exact_args_free(duet_exact_args *args);

#endif
