// SPDX-License-Identifier: Apache-2.0
// Records of CSV files (RFC 4180), for every reader of a format that is CSV: fields in quotes may
// hold separators, line breaks and doubled quotes; blanks around a bare field do not count; text is
// UTF-8. The separator is a comma unless the reader finds another.
#ifndef DUET_INSTANCES_FORMATS_CSV_CSV_H
#define DUET_INSTANCES_FORMATS_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "instances/formats/input.h"

// Longest record, in bytes.
enum { DUET_CSV_MAX_RECORD = 1 << 20 };

typedef struct duet_csv_field {
    size_t at; // in `text`; ends in NUL
    size_t length;
    int line;
    int column;
    bool quoted;
} duet_csv_field;

// A last line without a line break: the file may be cut there.
typedef enum duet_csv_cut {
    DUET_CSV_CUT_READ,   // It is read as any other.
    DUET_CSV_CUT_LEAVES, // It is to be left out.
    DUET_CSV_CUT_LEFT,   // It was left out, and `line` tells where.
} duet_csv_cut;

typedef struct duet_csv {
    duet_input *input;    // borrowed
    duet_error *error;    // borrowed; may be NULL
    size_t most;          // fields of a record
    const char *expected; // what a record with more of them is told, "at most ..."
    char separator;       // of fields: ',' from the start
    bool comments;        // lines that begin with '#' are left out
    duet_csv_cut cut;     // what becomes of a last line without a line break
    char *text;
    size_t used;
    duet_csv_field *fields;
    size_t count; // fields of the record
    int line;     // where it begins
    bool ended;   // by a line break
} duet_csv;

// A reader at the start of `input`; what it holds is freed by duet_csv_free().
duet_csv duet_csv_over(duet_input *input, size_t most, const char *expected, duet_error *error);

// Reads the next record that is not an empty line; without fields at the end of the file.
duet_code duet_csv_next(duet_csv *csv);
void duet_csv_free(duet_csv *csv);

static inline const char *duet_csv_text(const duet_csv *csv, size_t field)
{
    return csv->text + csv->fields[field].at;
}

// Writes a field, in quotes where a reader would take it for something else, by
// duet_output_quoted().
void duet_csv_put_field(FILE *stream, const char *text);

// Records DUET_E_INPUT at a place of the file.
duet_code duet_csv_fail(const duet_csv *csv, int line, int column, const char *what);

// dialect.c
// The separator of the fields in the header line that `text` begins with, the most frequent of ',',
// ';', tab and '|' outside of quotes (a comma where they are even), or what follows a first field
// called id. 0: the line is no header: it has none of them, begins as a line of typed-task text
// does, or holds what no text has. `*line` is its length unless the answer is 0.
char duet_csv_sniff(const char *text, size_t length, size_t *line);

// Whether a text is a table of one column: a name, and a number on the next line.
bool duet_csv_is_column(const char *text, size_t length);
// The separator of a table by the line that comes next; a spreadsheet's line "sep=;" is taken.
void duet_csv_find_separator(duet_csv *csv);

#endif
