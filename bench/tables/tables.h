// SPDX-License-Identifier: Apache-2.0
// `duet bench tables`: what its parts share. tables.c: command line and printing; tables/rates.c,
// tables/guesses.c, tables/runs.c: the measurements.
#ifndef DUET_BENCH_TABLES_TABLES_H
#define DUET_BENCH_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>

enum { DUET_BENCH_MAX_CHECKS = 64 };

// One line: a ratio of things measured in turns in the same run, and what it may be.
typedef struct duet_bench_check {
    const struct duet_bench_part *part;
    const char *what;
    const char *of; // behind `what` and a comma; NULL: nothing
    double ratio;
    double limit;  // NAN: nothing could be measured here
    char how[128]; // what was measured, and how
} duet_bench_check;

typedef struct duet_bench_tables {
    int rounds;
    double whole; // seconds that one guess may take to be timed whole
    bool quick;   // sizes that take a moment; nothing is judged
    uint64_t seed;
    const struct duet_bench_part *part; // that is measured
    duet_bench_check check[DUET_BENCH_MAX_CHECKS];
    size_t count;
} duet_bench_tables;

// Adds a line of this part; `how` is a printf format. Beyond DUET_BENCH_MAX_CHECKS the last line is
// written over.
void duet_bench_add_check(duet_bench_tables *tables, const char *what, const char *of, double ratio,
                          double limit, const char *how, ...) DUET_PRINTF(6, 7);

// The studies, each adding its lines.
duet_code duet_bench_table_rates(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_guesses(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_runs(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_shelf(duet_bench_tables *tables, duet_error *error);

#endif
