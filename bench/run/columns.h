// SPDX-License-Identifier: Apache-2.0
// The columns of a study, each described once: its name, what it stands for, where its value is,
// and how CSV and JSON show it. The header, the rows, reading them back and the JSON follow from
// that.
#ifndef DUET_BENCH_RUN_COLUMNS_H
#define DUET_BENCH_RUN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>
#include <duet/export.h>

#include "console/json.h"
#include "console/table.h"

// What a column stands for. The last three are filled by the sweep itself.
typedef enum duet_column_role {
    DUET_COLUMN_KEY,     // which run it is: follows from settings and job alone
    DUET_COLUMN_RESULT,  // what came of it: the same on every machine
    DUET_COLUMN_TIME,    // a measured time beside that of the run, in seconds
    DUET_COLUMN_JOB,     // the number of the job
    DUET_COLUMN_SECONDS, // the time of the run
    DUET_COLUMN_STAMP    // what else results depend on (duet_sweep_stamp())
} duet_column_role;

// How the value is stored in the study's row.
typedef enum duet_column_type {
    DUET_COLUMN_TEXT,    // const char *; not read back
    DUET_COLUMN_CHARS,   // char[size]
    DUET_COLUMN_INT,     // int; not read back unless `most` is given
    DUET_COLUMN_NAME,    // int, the index of a name
    DUET_COLUMN_INTEGER, // int64_t
    DUET_COLUMN_NUMBER,  // uint64_t
    DUET_COLUMN_REAL,    // double; negative: unknown, an empty field and null
    DUET_COLUMN_TICKS,   // int64_t, in the instance's unit of time: an exact decimal
    DUET_COLUMN_OWN      // a text, by `write` and `read`
} duet_column_type;

enum { DUET_COLUMN_ROOM = 512 }; // bytes of a value as text

typedef struct duet_column {
    const char *name;
    duet_column_role role;
    duet_column_type type;
    // Where the value is.
    size_t offset;            // of the member
    size_t decimals;          // of TICKS: the offset of an int, a tick is 10^-decimals of the unit
    size_t size;              // of CHARS
    int least, most;          // of an INT that is read back
    const char *const *names; // of NAME, that of `least` first; NULL ends
    double (*value)(const void *row);                            // a REAL that is computed instead
    void (*write)(const void *row, char text[DUET_COLUMN_ROOM]); // OWN
    bool (*read)(void *row, const char *text);                   // OWN; NULL: not read back
    // Else the field is empty, and JSON has no member: what `applies` says (NULL: always), and
    // whether an int64_t of the row is at least so large (DUET_COLUMN_WHERE).
    bool (*applies)(const void *row);
    bool guarded;
    size_t guard;
    int64_t guard_least;
    // How it is shown.
    const char *format; // REAL, TIME and SECONDS in CSV, a printf format
    int places;         // the same in JSON, digits after the point
    bool csv_only;
} duet_column;

// Where a column's value is: a member of the study's row.
#define DUET_COLUMN_OF(row, member, kind) .type = (kind), .offset = offsetof(row, member)
// The same of a key and of a result, whose type is given without DUET_COLUMN_; and of CHARS.
#define DUET_KEY_OF(row, member, kind)                                                             \
    .role = DUET_COLUMN_KEY, DUET_COLUMN_OF(row, member, DUET_COLUMN_##kind)
#define DUET_RESULT_OF(row, member, kind)                                                          \
    .role = DUET_COLUMN_RESULT, DUET_COLUMN_OF(row, member, DUET_COLUMN_##kind)
#define DUET_CHARS_OF(row, member)                                                                 \
    DUET_COLUMN_OF(row, member, DUET_COLUMN_CHARS), .size = sizeof((row *)NULL)->member

// Where the column applies: a member is at least so large.
#define DUET_COLUMN_WHERE(row, member, at_least)                                                   \
    .guarded = true, .guard = offsetof(row, member), .guard_least = (at_least)

// All of these take a list of columns that a name of NULL ends.

// The names, separated by commas, into `line` of `size` bytes; returns their length.
size_t duet_columns_header(const duet_column *columns, char *line, size_t size);
// How many columns have the role.
size_t duet_columns_count(const duet_column *columns, duet_column_role role);
// The fields of a role as CSV, without those of the others. DUET_E_LIMIT where they do not fit, or
// one has a line break, which no row can hold.
duet_code duet_columns_write(const duet_column *columns, duet_column_role role, const void *row,
                             char *text, size_t size, duet_error *error);
// Reads such fields back. An empty field leaves its member as it was. DUET_E_INPUT.
duet_code duet_columns_read(const duet_column *columns, duet_column_role role, const char *text,
                            void *row, duet_error *error);
// Writes a study that is no sweep as a CSV file: all its columns have the role KEY. Nothing where
// `path` is NULL.
duet_code duet_columns_save(const duet_column *columns, const void *rows, size_t count, size_t size,
                            const char *path, duet_error *error);
// The values as members of a JSON object.
void duet_columns_json(const duet_column *columns, const void *row, duet_cli_json *json);

// CSV fields in the making: begin with {text, size}.
typedef struct duet_fields {
    char *text;
    size_t size;
    size_t used;
    bool begun;
    bool failed; // a field did not fit, or has a line break
} duet_fields;
// Appends a field, after a comma unless it is the first, quoted where it must be.
void duet_fields_add(duet_fields *fields, const char *field);
// The end of the field that begins at `at`: its comma, newline or NUL.
const char *duet_field_end(const char *at);

// cells.c
// A table with these heads, between which are tabs; NULL: none yet.
void duet_cells_begin(duet_cli_table *table, const char *align, const char *heads);
// Prints it and frees it.
void duet_cells_end(duet_cli_table *table, int indent, FILE *stream);

void duet_cells_add(duet_cli_table *table, const char *const *cells, size_t count);
// A cell, or several with tabs between them.
void duet_cells_addf(duet_cli_table *table, const char *format, ...) DUET_PRINTF(2, 3);
// `format` is one for a double.
void duet_cells_add_number(duet_cli_table *table, const char *format, double value);
// The same of a value that is known where it is above 0; else "-".
void duet_cells_add_positive(duet_cli_table *table, const char *format, double value);

#endif
