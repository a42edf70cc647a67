// SPDX-License-Identifier: Apache-2.0
// Aligned text tables for people.
#ifndef DUET_CONSOLE_TABLE_H
#define DUET_CONSOLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { DUET_CLI_MAX_COLUMNS = 12 };

typedef struct duet_cli_table {
    const char *align; // one letter per column: 'l' or 'r'
    char **cells;
    size_t used;
    size_t capacity;
    bool failed; // out of memory
} duet_cli_table;

// Starts a table; `align` has at most DUET_CLI_MAX_COLUMNS letters and must outlive it.
void duet_cli_table_init(duet_cli_table *table, const char *align);
void duet_cli_table_free(duet_cli_table *table);
// Adds the next cell, row by row; the text is copied.
void duet_cli_table_add(duet_cli_table *table, const char *text);
// Writes the table with `indent` spaces before each row; nothing where memory ran out.
void duet_cli_table_print(const duet_cli_table *table, int indent, FILE *stream);

// How a table is written: for a terminal, for programs, for a README, for a paper.
typedef enum duet_cli_format {
    DUET_CLI_TEXT_TABLE,
    DUET_CLI_CSV,
    DUET_CLI_MARKDOWN,
    DUET_CLI_LATEX
} duet_cli_format;

// Their names, in this order, with NULL at the end.
extern const char *const duet_cli_format_names[];
// The table in that format; its first row is the header. LaTeX needs no package.
void duet_cli_table_print_as(const duet_cli_table *table, duet_cli_format format, FILE *stream);

// csv.c
// Writes a field: quoted where it must be.
void duet_cli_csv_field(const char *text, FILE *stream);

#endif
