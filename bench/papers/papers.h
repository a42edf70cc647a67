// SPDX-License-Identifier: Apache-2.0
// `duet bench papers`: tables and figures of papers, run again; a file or folder for each. A paper
// is a list of cases, all of which are given to the same runs; figures and statements are computed
// from what came of them.
#ifndef DUET_BENCH_PAPERS_PAPERS_H
#define DUET_BENCH_PAPERS_PAPERS_H

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
#include "bench/run/run_row.h"
#include "bench/run/study.h"
#include "console/args_list.h"

typedef struct duet_paper duet_paper;

// An algorithm that every case is given to.
typedef struct duet_paper_run {
    const char *algorithm;
    const char *options; // "key=value" separated by blanks; "": none; NULL: the settings' rounds
} duet_paper_run;

// One instance. What a paper needs to make and to show it.
typedef struct duet_paper_case {
    char name[160];
    size_t set; // of the paper: which figure, which family
    int64_t n, m, k;
    uint64_t seed;
    double x;       // what a figure shows it over
    bool as_text;   // mcsweeney2020: costs as the paper's words say, not as its program draws them
    char from[256]; // the file; of a generated one the family's options that are not the default
    // Of independent tasks.
    int64_t tasks;
    int decimals;     // a tick is 10^-decimals of the unit
    long double area; // the area bound in ticks
} duet_paper_case;

// What came of a run, in ticks of its instance.
typedef struct duet_paper_result {
    char status[16]; // as duet_run_result; "": not run
    int decimals;    // a tick is 10^-decimals of the unit
    int64_t tasks;
    int64_t makespan; // -1: none
    int64_t bound;    // the best of the paper's bounds, or the run's own; 0: none
    int64_t serial;   // all tasks on one processor of the better type
    // Of each type, as report/metrics.h has them; below 0: not defined.
    double acceleration[2];
    double idle[2];
    double ccr;
    int64_t counted; // what the algorithm counts (duet_paper.counter)
    // Of moldable tasks.
    int64_t area;      // ticks times processors, of all tasks
    int64_t peak;      // the largest speed in use at any time
    int64_t power;     // the sum of the speeds of the tasks' sets
    int64_t mixed;     // tasks on sets of several clusters
    int64_t simulated; // the makespan of a replay, in ticks; 0: none
    // Of independent tasks, as duet_run_result.
    int64_t reference;
    bool is_optimum;
    int8_t respected;
} duet_paper_result;

typedef struct duet_paper_settings {
    // Independent tasks.
    unsigned parts;      // what is shown, a bit each (bag.h)
    uint64_t every;      // Bleuse et al.: 1 in `every` of the whole sweep's instances
    uint64_t first_seed; // of the whole sweep's first instance
    size_t size_count;
    int64_t size[DUET_CLI_MAX_LIST]; // only these; none: all
    uint64_t parts_per_unit;         // of the CPU times
    const char *round;               // of the GPU times: none, nearest, up
    const char *row;                 // kernel timings; NULL: each factorisation's own
    uint64_t rounds;                 // of exact
    char rounds_option[32];          // the same as an option
    // Task graphs.
    const char *stg;    // folder of files of the Standard Task Graph Set; NULL: none
    const char *costs;  // mcsweeney2020: how costs of random graphs are drawn: authors, text
    uint64_t instances; // of ntakpe2006
    uint64_t replays;   // of ntakpe2006-simulated: its number of instances
    const char *replay; // the program that simulates a schedule; NULL: none
    // All of them.
    size_t tile_count;
    int64_t tile[DUET_CLI_MAX_LIST]; // only these; none: all
    double seconds;                  // of each run; 0: no limit
    size_t memory;                   // bytes
    bool memory_given;               // --memory was given; else the command's default holds
} duet_paper_settings;

// A chart on the page of results.
typedef struct duet_paper_picture {
    const char *what, *title;
} duet_paper_picture;

// A page of results in the making.
typedef struct duet_paper_page {
    const char *path;
    FILE *stream;
    const duet_drawing *drawing; // NULL: it has no charts
} duet_paper_page;

// The runs of a paper, and what came of them.
typedef struct duet_paper_study {
    const duet_paper *paper;
    const duet_paper_settings *settings;
    duet_paper_case *cases;
    size_t case_count;
    duet_options **options;     // of each run
    duet_paper_result *results; // [case * runs + run]
    duet_sweep_summary summary;
} duet_paper_study;

// Which cases a figure is about.
typedef bool duet_paper_filter(const duet_paper_case *c, size_t value);
typedef double duet_paper_value(const duet_paper_study *study, size_t c, size_t run);

// A chart with a line for each of some runs, over the cases of a filter.
typedef struct duet_paper_chart {
    const char *what;          // of its file
    const char *picture;       // its title on the page of results; NULL: it is not there
    duet_chart chart;          // title, labels and axes
    const char *const *labels; // of runs from `first` on
    size_t first, count;
    duet_paper_filter *filter;
    size_t value;        // of the filter
    duet_paper_value *x; // of the first run; NULL: the case's x
    duet_paper_value *y;
} duet_paper_chart;

struct duet_paper {
    const char *name;  // of --paper, and of the JSON
    const char *title; // NULL: its text and JSON have heads of their own
    const duet_paper_run *runs;
    size_t run_count;
    const char *const *bounds; // of every case the best of these, up to NULL; NULL: none
    const char *counter;       // of the solutions, whose value is kept; NULL: none
    const char *const *sets;   // the names of the cases' sets, for the rows
    // Runs are held against the reference that duet_run_refer() finds: rows are those of run_row.h.
    bool refers;
    // Else keys of a duet_run_key and results of a duet_paper_result, and what is measured of a
    // schedule for them. NULL: those of sequential tasks on two types.
    const duet_column *columns;
    duet_code (*measure)(const duet_paper_settings *settings, const duet_instance *instance,
                         const duet_solution *solution, duet_paper_result *result,
                         duet_error *error);
    duet_code (*list)(duet_paper_study *study, duet_error *error); // duet_paper_add_case()
    duet_code (*make)(const duet_paper_case *c, duet_instance **out, duet_error *error);
    const char *stg; // the folder of --stg, as its page has it; NULL: none
    bool moldable;   // its results stand on the page of moldable tasks
    void (*print)(const duet_paper_study *study, FILE *stream);
    // The options of the command line that ran it, beside --tiles and --stg; NULL: none.
    void (*print_options)(const duet_paper_settings *settings, FILE *stream);
    void (*write_json)(const duet_paper_study *study, duet_cli_json *json);
    const duet_paper_chart *charts; // `what` of NULL ends; NULL: none
    // Calls duet_plot_draw() for each of its other charts, of which the page shows some. NULL:
    // none.
    duet_code (*draw)(const duet_paper_study *study, const duet_drawing *drawing,
                      duet_error *error);
    const duet_paper_picture *pictures; // a name of NULL ends
    const char *about; // what a page of results says of it; NULL: write_page() writes all of it
    void (*write_page)(const duet_paper_study *study, const duet_paper_page *page);
    // What makes a case again, behind what is said of a failure; NULL: nothing.
    void (*print_case)(const duet_paper_case *c, FILE *stream);
};
extern const duet_paper duet_paper_canon2018;
extern const duet_paper duet_paper_beaumont2017;
extern const duet_paper duet_paper_mcsweeney2020;
extern const duet_paper duet_paper_bleuse2015;
extern const duet_paper duet_paper_ntakpe2006;
extern const duet_paper duet_paper_ntakpe2006_simulated;
extern const duet_paper duet_paper_bag; // independent tasks: what is run where no --paper is given
enum { DUET_PAPERS = 7 };

// args.c: the command line.
typedef struct duet_papers_args {
    duet_sweep_args sweep;
    size_t paper[DUET_CLI_MAX_LIST]; // indices
    size_t paper_count;
    duet_paper_settings settings;
    duet_paper_study study[DUET_PAPERS];
    duet_drawing drawing;
    const char *results; // page to write; NULL: none
    bool all;            // also what the papers say of independent tasks
} duet_papers_args;
extern const duet_cli_syntax duet_papers_syntax;
// Completes the settings of a duet_papers_args. DUET_E_USAGE.
duet_code duet_papers_args_complete(void *input, duet_error *error);

// papers.c: on the page of results, the options --tiles, and a chart, whose file is named as seen
// from the page's folder.
void duet_paper_write_list(const char *option, const int64_t *list, size_t count, FILE *stream);
void duet_paper_write_chart(const duet_paper_page *page, const char *what, const char *title);

// --- study.c: cases and runs ---------------------------------------------------------------------

// Lists the cases. Free with duet_paper_study_free(), also after an error.
duet_code duet_paper_study_create(const duet_paper *paper, const duet_paper_settings *settings,
                                  duet_paper_study *study, duet_error *error);
void duet_paper_study_free(duet_paper_study *study);
duet_code duet_paper_add_case(duet_paper_study *study, const duet_paper_case *c, duet_error *error);
// Runs everything that `plan` says.
duet_code duet_paper_study_run(duet_paper_study *study, const duet_sweep_plan *plan,
                               duet_error *error);
// Says which runs failed, are at fault or exceed their ratio, with the first such case of each
// algorithm; returns whether none but failed.
bool duet_paper_report_failures(const duet_paper_study *study, FILE *stream);
// Whether a list has the value, or nothing.
bool duet_paper_is_wanted(const int64_t *list, size_t count, int64_t value);
// A case of a family, with options separated by blanks.
duet_code duet_paper_generate(const char *family, const duet_paper_case *c, const char *text,
                              duet_instance **out, duet_error *error);
// The task graph of a Cholesky factorisation with other times, in 10^-6 of the unit: those of
// potrf, trsm, syrk, gemm, on a CPU and on a GPU each. `costs` has a table for each of these, of
// moving what it reads; NULL: nothing takes time.
enum { DUET_PAPER_KERNELS = 4 };
duet_code duet_paper_cholesky(const duet_paper_case *c, const char *name, const char *unit,
                              const int64_t *times, const int64_t *costs, duet_instance **out,
                              duet_error *error);

// --- stg.c: the Standard Task Graph Set ----------------------------------------------------------

// The files *.stg of a folder; none where `folder` is NULL. Free with duet_folder_free(), also
// after an error.
duet_code duet_stg_find(const char *folder, duet_folder *files, duet_error *error);
// How the edges of the graphs were made, as their last lines say.
enum { DUET_STG_GENERATORS = 4 };
extern const char *const duet_stg_generator[DUET_STG_GENERATORS];
// The generator of a file; DUET_E_INPUT where it names none.
duet_code duet_stg_generator_of(const char *path, size_t *generator, duet_error *error);

// --- figures.c: figures over them ----------------------------------------------------------------

const duet_paper_result *duet_paper_at(const duet_paper_study *study, size_t c, size_t run);
// Its makespan; 0: it has none, or is at fault.
int64_t duet_paper_makespan(const duet_paper_study *study, size_t c, size_t run);
// How many times as long run `a` is as run `b` on a case; 0 where one of them has no makespan.
double duet_paper_ratio(const duet_paper_study *study, size_t c, size_t a, size_t b);
// The same to the bound.
double duet_paper_to_bound(const duet_paper_study *study, size_t c, size_t run);

// The ratios of run `a` to run `b` over these cases; 0 where there are none.
typedef struct duet_paper_ratios {
    double median; // also 0 without the memory for all of them
    double largest;
    size_t where; // the case with the largest
} duet_paper_ratios;
duet_paper_ratios duet_paper_ratios_of(const duet_paper_study *study, size_t a, size_t b,
                                       duet_paper_filter *filter, size_t value);

// The statements of a paper, and what these runs say of them: "holds", "does not hold", what else
// it is, "-": nothing to judge; "not in this part": of a part of the runs that the study has.
const char *duet_paper_verdict(bool any, bool holds);
// Adds a statement with that verdict, which is held to `held`; `found` is a printf format.
void duet_paper_claim(duet_claims *claims, bool any, bool holds, const char *what, const char *held,
                      const char *found, ...) DUET_PRINTF(6, 7);
void duet_paper_print_claims(const duet_claims *claims, FILE *stream);
// Where only a part of the study's runs was asked for (`part`) or finished, a statement that "does
// not hold" is one that does not in this part, unless a single run refutes it.
void duet_paper_limit_claims(const duet_paper_study *study, bool part, duet_claims *claims);

// Draws all charts of a paper.
duet_code duet_paper_draw_all(const duet_paper_study *study, const duet_drawing *drawing,
                              duet_error *error);

#endif
