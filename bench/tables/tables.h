// SPDX-License-Identifier: Apache-2.0
// `duet bench tables`: what its parts share. tables.c: command line and printing; tables/rates.c,
// tables/guesses.c, tables/runs.c: the measurements.
#ifndef DUET_BENCH_TABLES_TABLES_H
#define DUET_BENCH_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

enum { DUET_BENCH_MAX_CHECKS = 64 };

// One line: a ratio of things measured in turns in the same run, and what it may be.
typedef struct duet_bench_check {
    const char *part;
    char what[96];
    double ratio;
    double limit;
    bool at_least; // the ratio must be at least the limit; else at most
    bool judged;   // false: for information
    char how[128]; // what was measured, and how
} duet_bench_check;

typedef struct duet_bench_tables {
    int rounds;
    double whole; // seconds that one guess may take to be timed whole
    bool quick;   // sizes that take a moment; nothing is judged
    uint64_t seed;
    duet_bench_check check[DUET_BENCH_MAX_CHECKS];
    size_t count;
} duet_bench_tables;

// Adds a line; its texts are set by the caller through the returned pointer, which is valid until
// the next call. Beyond DUET_BENCH_MAX_CHECKS the last line is written over.
duet_bench_check *duet_bench_add_check(duet_bench_tables *tables, const char *part, double ratio,
                                       double limit, bool at_least);
// Adds the line of something that cannot be measured here.
void duet_bench_add_missing(duet_bench_tables *tables, const char *part, const char *what,
                            const char *why);

// The measurements, each adding its lines.
duet_code duet_bench_table_rates(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_guesses(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_runs(duet_bench_tables *tables, duet_error *error);
duet_code duet_bench_table_shelf(duet_bench_tables *tables, duet_error *error);

#endif
