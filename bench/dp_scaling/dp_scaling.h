// SPDX-License-Identifier: Apache-2.0
// `duet bench dp-scaling`: what its parts share. dp_scaling.c: command line; dp_scaling/run.c: the
// timings; dp_scaling/report.c: tables and CSV.
#ifndef DUET_BENCH_DP_SCALING_DP_SCALING_H
#define DUET_BENCH_DP_SCALING_DP_SCALING_H

#include <stdio.h>

#include "bench/dp_scaling/guesses.h"
#include "bench/run/measure.h"
#include "console/args_list.h"
#include "core/system/memory.h"

typedef struct duet_scaling_settings {
    size_t n_count, mk_count, family_count, form_count, thread_count;
    int64_t n[DUET_CLI_MAX_LIST];
    int64_t m[DUET_CLI_MAX_LIST];
    int64_t k[DUET_CLI_MAX_LIST];
    const char *family[DUET_CLI_MAX_LIST];
    size_t form[DUET_CLI_MAX_LIST];
    int64_t threads[DUET_CLI_MAX_LIST];
    int rounds;
    uint64_t seed;
    size_t triad_cells; // of one timing of the triad
    uint64_t whole;     // seconds a guess may take to be timed whole, not by its cell rate
} duet_scaling_settings;

// One form on one instance with one number of threads.
typedef struct duet_scaling_row {
    const char *family;
    int64_t n, m, k; // n: tasks
    duet_table_form form;
    int threads;
    int guesses;    // timed
    bool by_rate;   // time from the cell rate of a smaller case; then cells and bytes as computed
    double seconds; // per guess, the median of the rounds
    double triad;   // cells per second of a triad on the same footprint; 0: none
    duet_bench_decided decided;
} duet_scaling_row;

typedef struct duet_scaling {
    duet_scaling_settings settings;
    duet_scaling_row *rows;
    size_t count;
    bool disagree; // two forms gave different answers to a guess
} duet_scaling;

// Fills the rows (free with duet_free()).
duet_code duet_scaling_run(duet_scaling *scaling, duet_error *error);
void duet_scaling_print(const duet_scaling *scaling, FILE *stream);
// The fitted exponents beside the predicted ones.
void duet_scaling_print_fits(const duet_scaling *scaling, FILE *stream);
duet_code duet_scaling_csv(const duet_scaling *scaling, const char *path, duet_error *error);

// What the times are fitted to: n, m, k, threads.
enum { DUET_SCALING_VARIABLES = 4 };
static inline int64_t duet_scaling_value(const duet_scaling_row *row, int variable)
{
    const int64_t values[DUET_SCALING_VARIABLES] = {row->n, row->m, row->k, row->threads};
    return values[variable];
}

// Cells per second.
static inline double duet_scaling_rate(const duet_scaling_row *row)
{
    return row->decided.cells / row->seconds;
}

#endif
