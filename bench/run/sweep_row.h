// SPDX-License-Identifier: Apache-2.0
// A row of a sweep as a line of its CSV file.
#ifndef DUET_BENCH_RUN_SWEEP_ROW_H
#define DUET_BENCH_RUN_SWEEP_ROW_H

#include "bench/run/sweep.h"

// Room for a line with its newline and final NUL.
enum { DUET_SWEEP_LINE = DUET_SWEEP_KEYS + DUET_SWEEP_RESULTS + 64 };

// How many fields a line of CSV has, commas in quotes aside.
size_t duet_sweep_count_fields(const char *text);

// DUET_E_INTERNAL where keys and results have not the fields that the sweep's names say.
duet_code duet_sweep_check_row(const duet_sweep *sweep, const duet_sweep_row *row,
                               duet_error *error);

// Hexadecimal digits that stand for what results depend on: the sweep's settings, Duet's version,
// and whether it has GLPK, with which searches go other ways.
enum { DUET_SWEEP_STAMP = 9 };
void duet_sweep_stamp(const duet_sweep *sweep, char stamp[DUET_SWEEP_STAMP]);

// Writes the first line of a file into `line` of DUET_SWEEP_LINE bytes; returns its length.
size_t duet_sweep_format_header(const duet_sweep *sweep, char *line);

// Writes "job,KEYS,RESULTS,seconds,STAMP\n" into `line` of DUET_SWEEP_LINE bytes; returns its
// length.
size_t duet_sweep_format_row(size_t job, const duet_sweep_row *row, const char *stamp, char *line);

// Reads a line, with or without its newline, whose keys are `key_fields` fields and whose results
// are `result_fields`. False where it is none such.
bool duet_sweep_parse_row(const char *line, size_t key_fields, size_t result_fields, size_t *job,
                          duet_sweep_row *row, char stamp[DUET_SWEEP_STAMP]);

// Fields in the making: begin with {text, size}.
typedef struct duet_sweep_fields {
    char *text;
    size_t size;
    size_t used;
    bool begun;
    bool failed; // a field did not fit, or has a line break, which no row can hold
} duet_sweep_fields;

// Appends a field, after a comma unless it is the first, quoted where it must be.
void duet_sweep_add_field(duet_sweep_fields *fields, const char *field);

#endif
