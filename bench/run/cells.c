// SPDX-License-Identifier: Apache-2.0
#include "bench/run/cells.h"

#include <stdio.h>

void duet_cells_add(duet_cli_table *table, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        duet_cli_table_add(table, cells[i]);
    }
}

void duet_cells_add_count(duet_cli_table *table, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    duet_cli_table_add(table, text);
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
