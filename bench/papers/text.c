// SPDX-License-Identifier: Apache-2.0
// What the tables of `duet bench papers` share.
#include <stdio.h>

#include "bench/papers/papers.h"
#include "console/table.h"

void duet_papers_add_number(struct duet_cli_table *table, const char *format, double value)
{
    char text[48];
    snprintf(text, sizeof text, format, value);
    duet_cli_table_add(table, text);
}

void duet_papers_print_claims(const duet_papers_claim *claims, size_t count, FILE *stream)
{
    duet_cli_table table;
    duet_cli_table_init(&table, "lll");
    duet_cli_table_add(&table, "the paper says");
    duet_cli_table_add(&table, "these runs");
    duet_cli_table_add(&table, "");
    for (size_t i = 0; i < count; i++) {
        duet_cli_table_add(&table, claims[i].statement);
        duet_cli_table_add(&table, claims[i].found);
        duet_cli_table_add(&table, claims[i].verdict);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}
