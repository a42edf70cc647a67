// SPDX-License-Identifier: Apache-2.0
// `duet bench papers`: what its parts share; a file or folder for each paper.
#ifndef DUET_BENCH_PAPERS_PAPERS_H
#define DUET_BENCH_PAPERS_PAPERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

#include "bench/run/cells.h"
#include "bench/run/claims.h"
#include "bench/run/measure.h"
#include "bench/run/run_row.h"
#include "bench/run/statistics.h"
#include "bench/run/sweep.h"
#include "console/args_list.h"
#include "console/chart.h"
#include "console/json.h"
#include "core/fraction.h"

// What is shown: a bit per part, in the order of duet_papers_parts(). The first two come from the
// same runs.
enum {
    DUET_PAPERS_TABLE1 = 1,
    DUET_PAPERS_FIGURE3 = 2,
    DUET_PAPERS_FIGURE6 = 4,
    DUET_PAPERS_BLEUSE = DUET_PAPERS_TABLE1 | DUET_PAPERS_FIGURE3,
    DUET_PAPERS_ALL = DUET_PAPERS_BLEUSE | DUET_PAPERS_FIGURE6
};

// Every instance is given to all of these, in this order.
typedef enum duet_papers_algorithm {
    DUET_PAPERS_DP,
    DUET_PAPERS_HEFT,
    DUET_PAPERS_ACCEL,
    DUET_PAPERS_DUAL_4_3,
    DUET_PAPERS_SHELF,
    DUET_PAPERS_DUALHP,
    DUET_PAPERS_HETEROPRIO,
    DUET_PAPERS_EXACT,
    DUET_PAPERS_ALGORITHMS
} duet_papers_algorithm;
extern const char *const duet_papers_name[DUET_PAPERS_ALGORITHMS];

// The sweep of Bleuse et al.: 100 sizes, 7 numbers of CPUs, 4 of GPUs, 30 instances of each.
enum {
    DUET_PAPERS_SIZES = 100,
    DUET_PAPERS_CPUS = 7,
    DUET_PAPERS_GPUS = 4,
    DUET_PAPERS_REPEATS = 30,
    DUET_PAPERS_WHOLE =
        DUET_PAPERS_SIZES * DUET_PAPERS_CPUS * DUET_PAPERS_GPUS * DUET_PAPERS_REPEATS,
    DUET_PAPERS_COUNTED = 10500, // as the paper counts them
    DUET_PAPERS_EVERY = DUET_PAPERS_WHOLE / DUET_PAPERS_COUNTED
};

// Figure 6 of Beaumont et al.
enum {
    DUET_PAPERS_FEWEST_TILES = 4,
    DUET_PAPERS_MOST_TILES = 64,
    DUET_PAPERS_FIGURE6_CPUS = 20,
    DUET_PAPERS_FIGURE6_GPUS = 4,
    DUET_PAPERS_FAMILIES = 3
};
extern const char *const duet_papers_family[DUET_PAPERS_FAMILIES];

typedef struct duet_papers_settings {
    unsigned parts; // OR of DUET_PAPERS_TABLE1, ...
    // Bleuse et al.
    uint64_t every;      // one of so many of the whole sweep's instances
    uint64_t first_seed; // of the whole sweep's first instance
    size_t size_count;
    int64_t size[DUET_CLI_MAX_LIST]; // only these; none: all
    uint64_t parts_per_unit;         // of the CPU times
    const char *round;               // of the GPU times: none, nearest, up
    // Beaumont et al.
    size_t tile_count;
    int64_t tile[DUET_CLI_MAX_LIST]; // only these; none: all
    const char *row;                 // kernel timings; NULL: each factorisation's own
    // The runs.
    uint64_t rounds;   // of exact
    double seconds;    // of each run; 0: no limit
    size_t memory;     // bytes; 0: the library's default
    bool memory_given; // else the default of this command
} duet_papers_settings;

typedef struct duet_papers duet_papers;
typedef struct duet_paper duet_paper;

typedef struct duet_papers_case {
    const duet_paper *paper;
    size_t family; // of Beaumont et al.: index into duet_papers_family
    int64_t n, m, k;
    uint64_t seed;
    int64_t tasks;
    int decimals;     // a tick is 10^-decimals of the unit
    long double area; // the area bound in ticks, of Beaumont et al.
} duet_papers_case;

// One algorithm on one instance, in ticks.
typedef struct duet_papers_cell {
    bool run;
    int64_t makespan; // -1: not run, or failed
    int64_t bound;    // its own; 0: none
    int64_t reference;
    bool optimum;     // the reference is, else the best bound of all
    bool fault;       // of the run
    int8_t respected; // as duet_run_result has it
} duet_papers_cell;

// Where the charts of a run go.
typedef struct duet_papers_drawing {
    const char *prefix;
    const char *ending;
} duet_papers_drawing;

// A page of results in the making.
typedef struct duet_papers_page {
    const char *path;
    FILE *stream;
    const duet_papers_drawing *drawing; // NULL: it has no charts
} duet_papers_page;

// A table or figure of a paper, by its name on the command line.
typedef struct duet_papers_part {
    const char *name;
    void (*print)(const duet_papers *papers, FILE *stream);
    void (*write_section)(const duet_papers *papers, const duet_papers_page *page);
    duet_code (*draw)(const duet_papers *papers, const duet_papers_drawing *drawing,
                      duet_error *error); // NULL: no chart
} duet_papers_part;

// A paper: its instances, and how what came of them is shown.
enum { DUET_PAPERS = 2, DUET_PAPERS_MOST_PARTS = 2, DUET_PAPERS_PARTS = 3 };
struct duet_paper {
    const char *key; // of the JSON
    // The instances.
    duet_code (*options)(const duet_papers *papers, duet_options *generator, duet_error *error);
    void (*list)(duet_papers *papers); // appends to papers->cases, which has room
    duet_code (*measure)(const duet_papers *papers, duet_papers_case *c, duet_error *error);
    const char *(*family_of)(const duet_papers_case *c);
    void (*name_case)(const duet_papers *papers, const duet_papers_case *c, char *buffer);
    void (*print_options)(const duet_papers *papers, const duet_papers_case *c, FILE *stream);
    // What came of them.
    void (*write_json)(const duet_papers *papers, duet_cli_json *json);
    duet_papers_part parts[DUET_PAPERS_MOST_PARTS]; // a name of NULL ends before the last
};
extern const duet_paper duet_bleuse2015;
extern const duet_paper duet_beaumont2017;
// The part of a bit (1 << index), and its paper.
const duet_papers_part *duet_papers_part_at(size_t index, const duet_paper **paper);
// The first part from `*index` on that is to be shown; NULL: none. *index: what comes after it.
const duet_papers_part *duet_papers_next(const duet_papers *papers, size_t *index,
                                         const duet_paper **paper);

struct duet_papers {
    duet_papers_settings settings;
    duet_papers_case *cases;
    size_t case_count;
    duet_papers_cell *cells;                       // cells[c * DUET_PAPERS_ALGORITHMS + a]
    duet_options *generator[DUET_PAPERS];          // the options of a paper's instances
    duet_options *options[DUET_PAPERS_ALGORITHMS]; // NULL: none
    char option_text[DUET_PAPERS_ALGORITHMS][48];
    duet_sweep_summary summary;
};

// Lists the instances; refuses kernel timings that there are not. Free with duet_papers_free().
duet_code duet_papers_create(duet_papers *papers, duet_error *error);
void duet_papers_free(duet_papers *papers);
// Whether this build has the family `f` of figure 6.
bool duet_papers_has_family(size_t f);
// Whether a list has the value, or nothing.
bool duet_papers_is_wanted(const int64_t *list, size_t count, int64_t value);
duet_code duet_papers_instance(const duet_papers *papers, const duet_papers_case *c,
                               duet_instance **out, duet_error *error);

// Runs everything that `plan` says and fills the cells and the summary.
duet_code duet_papers_run(duet_papers *papers, const duet_sweep_plan *plan, duet_error *error);

// The cell of an algorithm on a case.
const duet_papers_cell *duet_papers_at(const duet_papers *papers, size_t c, size_t algorithm);
// Its makespan; -1 where there is none, or the run is at fault: figures leave it out.
int64_t duet_papers_makespan(const duet_papers *papers, size_t c, size_t algorithm);
// "bleuse-120-7" into `buffer` of DUET_PAPERS_NAME bytes; returns it.
enum { DUET_PAPERS_NAME = 160 };
char *duet_papers_case_name(const duet_papers *papers, const duet_papers_case *c, char *buffer);
// Says what failed; one line for each algorithm that exceeds its ratio or is at fault, with the
// first such instance. Returns whether there is none.
bool duet_papers_report_failures(const duet_papers *papers, FILE *stream);

// What a deviation is measured from.
typedef enum duet_papers_base {
    DUET_PAPERS_FROM_SEARCH, // the lower bound that the binary search of dual-2 ends with
    DUET_PAPERS_FROM_BEST    // the optimum, where it is not proven the best bound of all
} duet_papers_base;

// Figures over Bleuse et al.'s instances of one size, or all.
typedef struct duet_papers_figures {
    duet_ratio_statistics ratio; // of deviations, (makespan - base) / base
    double mean;                 // of them, in percent
} duet_papers_figures;
void duet_papers_figures_of(const duet_papers *papers, size_t algorithm, duet_papers_base base,
                            int64_t n, duet_papers_figures *out);
// In percent.
double duet_papers_largest(const duet_papers_figures *figures);

typedef struct duet_papers_count {
    size_t cases;  // that were run
    size_t proven; // with the optimum
    size_t faults; // runs
    size_t failed; // runs without a schedule
    size_t broken; // proven ratios that the optimum shows to be exceeded
    double widest; // gap between best schedule and best bound, in percent
} duet_papers_count;
void duet_papers_count_of(const duet_papers *papers, const duet_paper *paper,
                          duet_papers_count *out);

// Table 1 as printed, in percent.
enum { DUET_PAPERS_PRINTED = 12, DUET_PAPERS_PRINTED_ALGORITHMS = 3 };
typedef struct duet_papers_printed {
    int64_t n;
    double deviation[DUET_PAPERS_PRINTED_ALGORITHMS]; // DP, HEFT, Accel
} duet_papers_printed;
extern const duet_papers_printed duet_papers_table1[DUET_PAPERS_PRINTED];

// The statements of a paper, and what these runs say of them: "holds", "does not hold", what else
// it is, "-": nothing to judge.
const char *duet_papers_verdict(bool any, bool holds);
// Adds a statement with that verdict; `found` is a printf format.
void duet_papers_claim(duet_claims *claims, bool any, bool holds, const char *what,
                       const char *found, ...) DUET_PRINTF(5, 6);
void duet_papers_table1_claims(const duet_papers *papers, duet_claims *claims);
void duet_papers_print_claims(const duet_claims *claims, FILE *stream);

// A chart with a line per algorithm, over numbers of tasks or tiles.
enum { DUET_PAPERS_POINTS = 100 };
typedef struct duet_papers_lines {
    const duet_papers_algorithm *shown;
    size_t shown_count;
    size_t count; // points
    double x[DUET_PAPERS_POINTS];
    double y[DUET_PAPERS_ALGORITHMS][DUET_PAPERS_POINTS];
} duet_papers_lines;
// Draws it as PREFIX-WHAT.ENDING; nothing without points.
duet_code duet_papers_draw(const duet_papers_lines *lines, duet_chart *chart, const char *what,
                           const duet_papers_drawing *drawing, duet_error *error);

// Writes a page of Markdown, whole or not at all, with the charts of `drawing` (NULL: none).
duet_code duet_papers_results(const duet_papers *papers, const char *path,
                              const duet_papers_drawing *drawing, duet_error *error);
// In the section of a part: the command and what it prints, and a chart.
void duet_papers_write_block(const duet_papers *papers, const duet_paper *paper, size_t part,
                             const duet_papers_page *page);
void duet_papers_write_chart(const duet_papers_page *page, const char *what, const char *title);

#endif
