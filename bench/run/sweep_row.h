// SPDX-License-Identifier: Apache-2.0
// A row of a sweep as a line of its CSV file.
#ifndef DUET_BENCH_RUN_SWEEP_ROW_H
#define DUET_BENCH_RUN_SWEEP_ROW_H

#include "bench/run/sweep.h"

// Room for a line with its newline and final NUL.
enum { DUET_SWEEP_LINE = DUET_SWEEP_KEYS + DUET_SWEEP_RESULTS + DUET_SWEEP_TIMES + 64 };

// A hash of a text, the same on every machine.
uint64_t duet_sweep_hash(const char *text);
// How many fields a line of CSV has, commas in quotes aside.
size_t duet_sweep_count_fields(const char *text);

// DUET_E_INTERNAL where a row has not the fields that the sweep's columns say.
duet_code duet_sweep_check_row(const duet_sweep *sweep, const duet_sweep_row *row,
                               duet_error *error);

// Hexadecimal digits that stand for what results depend on: the sweep's settings, Duet's version,
// and whether it has GLPK, with which searches go other ways. "": the study has no such column.
enum { DUET_SWEEP_STAMP = 9 };
void duet_sweep_stamp(const duet_sweep *sweep, char stamp[DUET_SWEEP_STAMP]);

// Writes the first line of a file into `line` of DUET_SWEEP_LINE bytes; returns its length.
size_t duet_sweep_format_header(const duet_sweep *sweep, char *line);

// Writes a row as a line with its newline into `line` of DUET_SWEEP_LINE bytes; returns its length.
size_t duet_sweep_format_row(const duet_sweep *sweep, size_t job, const duet_sweep_row *row,
                             char *line);

// Reads a line, with or without its newline. *job is SIZE_MAX where the study has no column for it,
// and `stamp` is empty where it has none for that. False where it is no row of this sweep.
bool duet_sweep_parse_row(const duet_sweep *sweep, const char *line, size_t *job,
                          duet_sweep_row *row, char stamp[DUET_SWEEP_STAMP]);

#endif
