// SPDX-License-Identifier: Apache-2.0
// Records of the GNU recutils format, one after the other: lines "Field: value", a record ends with
// an empty line. A line that begins with '+' continues the value above it on a new line, one whose
// end is a backslash goes on in the next, one that begins with '#' is a comment. Descriptors
// ("%rec: timing") are fields like others, whose names begin with '%'.
#ifndef DUET_INSTANCES_FORMATS_STARPU_RECUTILS_H
#define DUET_INSTANCES_FORMATS_STARPU_RECUTILS_H

#include <stddef.h>

#include "instances/formats/input.h"

typedef struct duet_rec_field {
    size_t name; // where it begins in the reader's text
    size_t value;
    int line;
} duet_rec_field;

// A reader holds one record at a time; zeroed but for `input` it is ready.
typedef struct duet_rec_reader {
    duet_input *input;
    char *text; // names and values of the record, each with its final NUL
    size_t used;
    duet_rec_field *fields;
    size_t count; // of the record's fields; 0: the file has ended
} duet_rec_reader;

// Reads the next record over the one before. DUET_E_INPUT where a line is none of the format.
duet_code duet_rec_next(duet_rec_reader *reader, duet_error *error);
// The record's first field of that name, or NULL.
const duet_rec_field *duet_rec_find(const duet_rec_reader *reader, const char *name);
// A field's value without blanks at its ends.
const char *duet_rec_value(const duet_rec_reader *reader, const duet_rec_field *field);
void duet_rec_free(duet_rec_reader *reader);

// Whether a file that begins with these bytes is one of records: a descriptor, or a field that
// StarPU writes.
bool duet_rec_begins(const unsigned char *bytes, size_t length);
// Passes over comments and empty lines; whether the input begins there as `begins` knows.
bool duet_rec_at(duet_input *input, bool (*begins)(const unsigned char *bytes, size_t length));

#endif
