// SPDX-License-Identifier: Apache-2.0
// What the files of N'Takpé and Suter 2006 share.
#ifndef DUET_BENCH_PAPERS_NTAKPE2006_NTAKPE2006_H
#define DUET_BENCH_PAPERS_NTAKPE2006_NTAKPE2006_H

#include "bench/papers/papers.h"

// The whole study: each sample of a platform with each sample of a graph.
enum {
    DUET_NTAKPE_PLATFORMS = 40,
    DUET_NTAKPE_PLATFORM_SAMPLES = 5,
    DUET_NTAKPE_GRAPHS = 432,
    DUET_NTAKPE_GRAPH_SAMPLES = 3,
    DUET_NTAKPE_DRAWN_PLATFORMS = DUET_NTAKPE_PLATFORMS * DUET_NTAKPE_PLATFORM_SAMPLES,
    DUET_NTAKPE_DRAWN_GRAPHS = DUET_NTAKPE_GRAPHS * DUET_NTAKPE_GRAPH_SAMPLES,
    DUET_NTAKPE_SAMPLE = 2592, // pairs that are run where nobody says how many (args.c)
    DUET_NTAKPE_PAIRS = DUET_NTAKPE_DRAWN_PLATFORMS * DUET_NTAKPE_DRAWN_GRAPHS
};

// The runs.
typedef enum duet_ntakpe_run {
    DUET_NTAKPE_CPA,
    DUET_NTAKPE_HCPA,
    DUET_NTAKPE_S_HCPA,
    DUET_NTAKPE_M_HEFT,
    DUET_NTAKPE_SHOWN, // in figures
    DUET_NTAKPE_SEQ = DUET_NTAKPE_SHOWN,
    DUET_NTAKPE_RUNS
} duet_ntakpe_run;
extern const char *const duet_ntakpe_label[DUET_NTAKPE_SHOWN];

enum { DUET_NTAKPE_SIZES = 3 };
extern const int64_t duet_ntakpe_size[DUET_NTAKPE_SIZES]; // tasks

// A case's set is a number of clusters: 1, 2, 4, 8; its x the heterogeneity factor: 1, 2, 5.
enum { DUET_NTAKPE_SETS = 4, DUET_NTAKPE_FACTORS = 3 };
extern const int duet_ntakpe_clusters[DUET_NTAKPE_SETS];
extern const char *const duet_ntakpe_set_name[DUET_NTAKPE_SETS + 1]; // the last: all
extern const int duet_ntakpe_factor[DUET_NTAKPE_FACTORS];

// The metrics of a run.
typedef enum duet_ntakpe_metric {
    DUET_NTAKPE_MAKESPAN, // in seconds
    DUET_NTAKPE_PEAK,     // makespan times the largest power in use at any time, in Gflop
    DUET_NTAKPE_AVERAGE,  // makespan times the mean power of tasks' sets, in Gflop
    DUET_NTAKPE_SPEEDUP,  // over seq
    DUET_NTAKPE_RATIO,    // makespan over average power, where the text has no product
    DUET_NTAKPE_METRICS,
    DUET_NTAKPE_POWER = DUET_NTAKPE_METRICS // the mean power of tasks' sets, in Gflop/s
} duet_ntakpe_metric;

// Cases by number of clusters (an index, or DUET_NTAKPE_SETS: all), or those on several clusters by
// factor (an index).
bool duet_ntakpe_by_clusters(const duet_paper_case *c, size_t set);
bool duet_ntakpe_by_factor(const duet_paper_case *c, size_t factor);
// By clusters and size: the index of the one times DUET_NTAKPE_SIZES, plus that of the other.
bool duet_ntakpe_by_size(const duet_paper_case *c, size_t value);

// The cases that pass, of those whose runs all have a makespan.
typedef struct duet_ntakpe_cases {
    const duet_paper_study *study;
    duet_paper_filter *filter;
    size_t value;
} duet_ntakpe_cases;
// Those of a number of clusters.
duet_ntakpe_cases duet_ntakpe_on(const duet_paper_study *study, size_t set);

size_t duet_ntakpe_count(duet_ntakpe_cases cases);
// The mean of a metric; the geometric mean of its quotient of two runs, and of the makespan to the
// lower bound. 0: none.
double duet_ntakpe_mean(duet_ntakpe_cases cases, size_t run, duet_ntakpe_metric metric);
double duet_ntakpe_quotient(duet_ntakpe_cases cases, duet_ntakpe_run over, duet_ntakpe_run under,
                            duet_ntakpe_metric metric);
double duet_ntakpe_to_bound(duet_ntakpe_cases cases, duet_ntakpe_run run);

// How the makespans of two runs compare over these cases.
typedef struct duet_ntakpe_tally {
    size_t cases;
    size_t shorter; // the first is
    size_t equal;
} duet_ntakpe_tally;
duet_ntakpe_tally duet_ntakpe_compare(duet_ntakpe_cases cases, duet_ntakpe_run a,
                                      duet_ntakpe_run b);

// rows.c: the columns, and what is measured of a schedule for them.
extern const duet_column duet_ntakpe_columns[];
extern const duet_column duet_ntakpe_simulated_columns[];
duet_code duet_ntakpe_measure(const duet_paper_settings *settings, const duet_instance *instance,
                              const duet_solution *solution, duet_paper_result *result,
                              duet_error *error);

// study.c: the runs, the first `count` pairs, the instance of one.
extern const duet_paper_run duet_ntakpe_runs[DUET_NTAKPE_RUNS];
extern const char *const duet_ntakpe_sets[DUET_NTAKPE_SETS];
duet_code duet_ntakpe_list(duet_paper_study *study, uint64_t count, duet_error *error);
duet_code duet_ntakpe_make(const duet_paper_case *c, duet_instance **out, duet_error *error);

// replay.c: has a program simulate a schedule. Sets *makespan, 0 where it did not end well. Errors:
// DUET_E_OUTPUT (temporary files, or it cannot be started), DUET_E_MEMORY.
duet_code duet_ntakpe_replay(const char *program, const duet_instance *instance,
                             const duet_solution *solution, int64_t *makespan, duet_error *error);

// claims.c
void duet_ntakpe_claims(const duet_paper_study *study, duet_claims *claims);

// view.c
void duet_ntakpe_print(const duet_paper_study *study, FILE *stream);
void duet_ntakpe_write_json(const duet_paper_study *study, duet_cli_json *json);
duet_code duet_ntakpe_draw(const duet_paper_study *study, const duet_drawing *drawing,
                           duet_error *error);
extern const duet_paper_picture duet_ntakpe_pictures[];

#endif
