// SPDX-License-Identifier: Apache-2.0
// `duet bench papers --paper NAME`: papers about task graphs, a file or folder for each. A paper is
// a list of cases, all of which are given to the same runs; figures and statements are computed
// from what came of them.
#ifndef DUET_BENCH_PAPERS_GRAPHS_H
#define DUET_BENCH_PAPERS_GRAPHS_H

#include "bench/papers/papers.h"
#include "bench/run/folder.h"

typedef struct duet_graph_paper duet_graph_paper;

// An algorithm that every case is given to.
typedef struct duet_graph_run {
    const char *algorithm;
    const char *options; // "key=value" separated by blanks; "": none
} duet_graph_run;

// One instance. What a paper needs to make and to show it.
typedef struct duet_graph_case {
    char name[64];
    size_t set; // of the paper: which figure, which family
    int64_t n, m, k;
    uint64_t seed;
    double x;       // what a figure shows it over
    char path[256]; // of a file; "": generated
} duet_graph_case;

// What came of a run, in ticks of its instance.
typedef struct duet_graph_result {
    char status[16]; // as duet_run_result
    int decimals;    // a tick is 10^-decimals of the unit
    int64_t tasks;
    int64_t makespan; // -1: none
    int64_t bound;    // the best of the paper's bounds; 0: none
    int64_t serial;   // all tasks on one processor of the better type
    // Of the tasks on each type: their times there, and what they would take on the other type.
    int64_t work[2];
    int64_t elsewhere[2];
    int64_t counted; // what the algorithm counts (duet_graph_paper.counter)
    // Of moldable tasks.
    int64_t area;      // ticks times processors, of all tasks
    int64_t peak;      // the largest speed in use at any time
    int64_t power;     // the sum of the speeds of the tasks' sets
    int64_t mixed;     // tasks on sets of several clusters
    int64_t simulated; // the makespan of a replay, in ticks; 0: none
    double seconds;
} duet_graph_result;

// A run as a row of CSV.
typedef struct duet_graph_row {
    const char *name, *set, *algorithm, *options;
    int64_t n, m, k;
    uint64_t seed;
    duet_graph_result result;
} duet_graph_row;

typedef struct duet_graph_settings {
    const char *stg; // folder of the Standard Task Graph Set's files of 300 tasks; NULL: none
    size_t tile_count;
    int64_t tile[DUET_CLI_MAX_LIST]; // only these; none: all
    uint64_t instances;              // of ntakpe2006
    uint64_t replays;                // of ntakpe2006-simulated: so many instances
    const char *replay;              // the program that simulates a schedule; NULL: none
    double seconds;                  // of each run; 0: no limit
    size_t memory;                   // bytes; 0: the library's default
} duet_graph_settings;

// The runs of a paper, and what came of them.
typedef struct duet_graph_study {
    const duet_graph_paper *paper;
    const duet_graph_settings *settings;
    duet_graph_case *cases;
    size_t case_count;
    size_t case_capacity;
    duet_options **options;     // of each run
    duet_graph_result *results; // [case * runs + run]
    duet_sweep_summary summary;
} duet_graph_study;

struct duet_graph_paper {
    const char *name; // of --paper, and of the JSON
    const char *title;
    const duet_graph_run *runs;
    size_t run_count;
    const char *const *bounds; // of every case the best of these, up to NULL; NULL: none
    const char *counter;       // of the solutions, whose value is kept; NULL: none
    const char *const *sets;   // the names of the cases' sets, for the rows
    // Of a duet_graph_row, and what is measured of a schedule for them. NULL: those of sequential
    // tasks on two types.
    const duet_column *columns;
    duet_code (*measure)(const duet_graph_settings *settings, const duet_instance *instance,
                         const duet_solution *solution, duet_graph_result *result,
                         duet_error *error);
    duet_code (*list)(duet_graph_study *study, duet_error *error); // duet_graph_add_case()
    duet_code (*make)(const duet_graph_case *c, duet_instance **out, duet_error *error);
    bool moldable; // its results stand on the page of moldable tasks
    void (*print)(const duet_graph_study *study, FILE *stream);
    // The options of the command line that ran it, beside --tiles and --stg; NULL: none.
    void (*print_options)(const duet_graph_settings *settings, FILE *stream);
    void (*write_json)(const duet_graph_study *study, duet_cli_json *json);
    // Calls duet_graph_draw() for each of its charts. NULL, like what writes them: tables are
    // enough.
    duet_code (*draw)(const duet_graph_study *study, const duet_papers_drawing *drawing,
                      duet_error *error);
    void (*write_charts)(const duet_graph_study *study, const duet_papers_page *page);
    const char *about; // what a page of results says of it
};
extern const duet_graph_paper duet_graphs_canon2018;
extern const duet_graph_paper duet_graphs_beaumont2017;
extern const duet_graph_paper duet_graphs_mcsweeney2020;
extern const duet_graph_paper duet_graphs_ntakpe2006;
extern const duet_graph_paper duet_graphs_ntakpe2006_simulated;
enum { DUET_GRAPH_PAPERS = 5 };
extern const duet_graph_paper *const duet_graph_papers[DUET_GRAPH_PAPERS];

// --- study.c: cases and runs ---------------------------------------------------------------------

// Lists the cases. Free with duet_graph_study_free(), also after an error.
duet_code duet_graph_study_create(const duet_graph_paper *paper,
                                  const duet_graph_settings *settings, duet_graph_study *study,
                                  duet_error *error);
void duet_graph_study_free(duet_graph_study *study);
duet_code duet_graph_add_case(duet_graph_study *study, const duet_graph_case *c, duet_error *error);
// Runs everything that `plan` says.
duet_code duet_graph_study_run(duet_graph_study *study, const duet_sweep_plan *plan,
                               duet_error *error);
// Says which runs failed or are at fault; returns whether none is at fault.
bool duet_graph_report_failures(const duet_graph_study *study, FILE *stream);
// A case of a family, with options separated by blanks.
duet_code duet_graph_generate(const char *family, const duet_graph_case *c, const char *text,
                              duet_instance **out, duet_error *error);
// The task graph of a Cholesky factorisation with other times, in 10^-6 of the unit: those of
// potrf, trsm, syrk, gemm, on a CPU and on a GPU each. `costs` has a table for each of these, of
// moving what it reads; NULL: nothing takes time.
enum { DUET_GRAPH_KERNELS = 4 };
duet_code duet_graph_cholesky(const duet_graph_case *c, const char *name, const char *unit,
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

const duet_graph_result *duet_graph_at(const duet_graph_study *study, size_t c, size_t run);
// Its makespan; 0: it has none, or is at fault.
int64_t duet_graph_makespan(const duet_graph_study *study, size_t c, size_t run);
// How many times as long run `a` is as run `b` on a case; 0 where one of them has no makespan.
double duet_graph_ratio(const duet_graph_study *study, size_t c, size_t a, size_t b);
// The same to the bound.
double duet_graph_to_bound(const duet_graph_study *study, size_t c, size_t run);

// Which cases a figure is about.
typedef bool duet_graph_filter(const duet_graph_case *c, size_t value);

// The ratios of run `a` to run `b` over these cases; 0 where there are none.
typedef struct duet_graph_ratios {
    double median; // also 0 without the memory for all of them
    double largest;
    size_t where; // the case with the largest
} duet_graph_ratios;
duet_graph_ratios duet_graph_ratios_of(const duet_graph_study *study, size_t a, size_t b,
                                       duet_graph_filter *filter, size_t value);

// A chart with lines over the same x: `count` points, y[line * count + point], 0: none.
duet_code duet_graph_draw(duet_chart *chart, const char *const *labels, size_t lines,
                          const double *x, const double *y, size_t count, const char *what,
                          const duet_papers_drawing *drawing, duet_error *error);

// A chart with a line for each of some runs, over the cases of a filter.
typedef double duet_graph_value(const duet_graph_study *study, size_t c, size_t run);
typedef struct duet_graph_lines {
    const char *const *labels; // of runs from `first` on
    size_t first, count;
    duet_graph_filter *filter;
    size_t value;        // of the filter
    duet_graph_value *x; // of the first run; NULL: the case's x
    duet_graph_value *y;
} duet_graph_lines;
duet_code duet_graph_draw_cases(const duet_graph_study *study, const duet_graph_lines *lines,
                                duet_chart *chart, const char *what,
                                const duet_papers_drawing *drawing, duet_error *error);

#endif
