// SPDX-License-Identifier: Apache-2.0
// The readers and writers of the instance formats; instance_io.c chooses among them.
#ifndef DUET_INSTANCES_FORMATS_FORMATS_H
#define DUET_INSTANCES_FORMATS_FORMATS_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/csv/picks.h"
#include "instances/formats/input.h"

// Each reads the whole input into a builder whose file and name are set.
typedef duet_code duet_read_format(duet_input *input, duet_builder *builder, duet_error *error);

duet_read_format duet_read_instance_json;
duet_read_format duet_read_instance_csv;
duet_read_format duet_read_instance_text;
duet_read_format duet_read_instance_rec;
duet_read_format duet_read_instance_rcmax;
duet_read_format duet_read_instance_stg;
duet_read_format duet_read_instance_dot;
duet_read_format duet_read_instance_dax;
duet_read_format duet_read_instance_pcmax;
duet_read_format duet_read_instance_tgff;
duet_read_format duet_read_instance_jobshop;
duet_read_format duet_read_instance_flexible;
duet_read_format duet_read_instance_dagman;

// Whether text begins as R||Cmax does: two lines with a whole number each.
bool duet_rcmax_begins(const unsigned char *text, size_t length);

// Whether text is a number on each line, as of P||Cmax: at least three, of which the second is
// not 1.
bool duet_pcmax_begins(const unsigned char *text, size_t length);

// Whether text is a job shop, or a flexible one: two numbers, and lines of operations for that many
// jobs and machines.
bool duet_jobshop_begins(const unsigned char *text, size_t length, bool flexible);

// Whether text begins as files of the Standard Task Graph Set do: a whole number by itself, then a
// line of three numbers or more.
bool duet_stg_begins(const unsigned char *text, size_t length);

// Whether text begins as a graph of DAGMan does: a line "JOB name file", perhaps behind lines of
// other keywords.
bool duet_dagman_begins(const unsigned char *text, size_t length);

// Whether text begins as a graph in DOT does: strict, graph or digraph, perhaps a name, and '{'.
bool duet_dot_begins(const unsigned char *text, size_t length);

// CSV with the columns that are picked; NULL: by the header.
duet_code duet_read_instance_columns(duet_input *input, duet_builder *builder,
                                     const duet_csv_picks *picks, duet_error *error);

// What a format cannot hold of an instance is refused before anything is written. DUET_E_USAGE.
typedef duet_code duet_check_format(const duet_instance *instance, duet_error *error);

duet_check_format duet_check_instance_csv;
duet_check_format duet_check_instance_dot;

// Each writes to a stream whose state the caller checks.
typedef void duet_write_format(FILE *stream, const duet_instance *instance);

duet_write_format duet_write_instance_json;
duet_write_format duet_write_instance_csv;
duet_write_format duet_write_instance_dot;

// A place in a file; line and column count from 1, 0: unknown.
typedef struct duet_place {
    const char *file;
    int line, column;
} duet_place;

// Parses a time with any number of digits, or one that needs no rounding. A fault is recorded as
// DUET_E_INPUT at the place and names `text`.
duet_code duet_read_time_text(const char *text, size_t length, duet_place place,
                              duet_read_time *time, duet_error *error);
duet_code duet_read_exact_time_text(const char *text, size_t length, duet_place place,
                                    duet_read_time *time, duet_error *error);
// Whether a text stands where there is no time: nothing, "nan", "NA", "inf" and such.
bool duet_time_is_missing(const char *text);

// edges.c
// Adds the edges of the file to a builder that has all tasks. DUET_E_INPUT with the place in it.
duet_code duet_csv_read_edges(duet_input *input, duet_builder *builder, duet_error *error);

#endif
