// SPDX-License-Identifier: Apache-2.0
// Cells of the tables that studies print.
#ifndef DUET_BENCH_RUN_CELLS_H
#define DUET_BENCH_RUN_CELLS_H

#include <stddef.h>

#include <duet/export.h>

#include "console/table.h"

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
