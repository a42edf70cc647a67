// SPDX-License-Identifier: Apache-2.0
// Cells of the tables that studies print.
#include "bench/run/columns.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Cuts the text up at its tabs.
static void add_cells(duet_cli_table *table, char *text)
{
    for (char *cell; (cell = strsep(&text, "\t")) != NULL;) {
        duet_cli_table_add(table, cell);
    }
}

void duet_cells_begin(duet_cli_table *table, const char *align, const char *heads)
{
    duet_cli_table_init(table, align);
    if (heads != NULL) {
        duet_cells_addf(table, "%s", heads);
    }
}

void duet_cells_end(duet_cli_table *table, int indent, FILE *stream)
{
    duet_cli_table_print(table, indent, stream);
    duet_cli_table_free(table);
}

void duet_cells_add(duet_cli_table *table, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        duet_cli_table_add(table, cells[i]);
    }
}

void duet_cells_addf(duet_cli_table *table, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_cells(table, text);
}

void duet_cells_add_number(duet_cli_table *table, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    duet_cli_table_add(table, text);
}

void duet_cells_add_positive(duet_cli_table *table, const char *format, double value)
{
    if (value > 0) {
        duet_cells_add_number(table, format, value);
    } else {
        duet_cli_table_add(table, "-");
    }
}
