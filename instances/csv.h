// SPDX-License-Identifier: Apache-2.0
// Records of CSV files (RFC 4180), for every reader of a format that is CSV.
#ifndef DUET_INSTANCES_CSV_H
#define DUET_INSTANCES_CSV_H

#include <duet/instance.h>

#include "instances/input.h"

// An id, a count and one field per type; one more is read so that a surplus shows.
enum { DUET_CSV_FIELDS = DUET_MAX_TYPES + 3 };

typedef struct duet_csv_field {
    size_t at; // in `text`; ends in NUL
    size_t length;
    int line;
    int column;
} duet_csv_field;

// Starts as {.input = ..., .error = ..., .most = ...}; what it holds is freed by duet_csv_free().
typedef struct duet_csv {
    duet_input *input;
    duet_error *error;
    const char *most; // what is expected where a record has too many fields
    bool comments;    // lines that begin with '#' are left out
    char *text;
    size_t used;
    size_t capacity;
    duet_csv_field fields[DUET_CSV_FIELDS];
    size_t count; // fields of the record
    int line;     // where it begins
} duet_csv;

// Reads the next record that is not an empty line; without fields at the end of the file.
duet_code duet_csv_next(duet_csv *csv);
void duet_csv_free(duet_csv *csv);

static inline const char *duet_csv_text(const duet_csv *csv, size_t field)
{
    return csv->text + csv->fields[field].at;
}

// Records DUET_E_INPUT at a place of the file.
duet_code duet_csv_fail(const duet_csv *csv, int line, int column, const char *what);

#endif
