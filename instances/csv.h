// SPDX-License-Identifier: Apache-2.0
// Records of CSV files as RFC 4180 has them: fields in quotes may hold commas, line breaks and
// doubled quotes; blanks around a bare field do not count; empty lines are passed over; text is
// UTF-8.
#ifndef DUET_INSTANCES_CSV_H
#define DUET_INSTANCES_CSV_H

#include "instances/input.h"

typedef struct duet_csv_field {
    size_t at; // in `text`; ends in NUL
    size_t length;
    int line;
    int column;
} duet_csv_field;

// Longest record, in bytes.
enum { DUET_CSV_MAX_RECORD = 1 << 20 };

typedef struct duet_csv {
    duet_input *input;    // borrowed
    duet_error *error;    // borrowed; may be NULL
    size_t most;          // fields of a record
    const char *expected; // what a record with more of them is told, "at most ..."
    char *text;
    size_t used;
    size_t capacity;
    duet_csv_field *fields;
    size_t field_count;
    size_t field_capacity;
    int line; // of the record
} duet_csv;

duet_csv duet_csv_over(duet_input *input, size_t most, const char *expected, duet_error *error);
void duet_csv_free(duet_csv *csv);

// Reads the next record; field_count is 0 at the end of the file. DUET_E_INPUT with line and
// column.
duet_code duet_csv_read(duet_csv *csv);

static inline const char *duet_csv_text(const duet_csv *csv, size_t index)
{
    return csv->text + csv->fields[index].at;
}

#endif
