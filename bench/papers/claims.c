// SPDX-License-Identifier: Apache-2.0
// Claims of a paper, and what these runs say of them.
#include <stdio.h>

#include "bench/papers/papers.h"
#include "console/table.h"

void duet_papers_print_claims(const duet_papers_claim *claims, size_t count, FILE *stream)
{
    duet_cli_table table;
    duet_cli_table_init(&table, "lll");
    duet_cells_add(&table, (const char *const[]){"the paper says", "these runs", ""}, 3);
    for (size_t i = 0; i < count; i++) {
        const duet_papers_claim *c = &claims[i];
        duet_cells_add(&table, (const char *const[]){c->statement, c->found, c->verdict}, 3);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

void duet_papers_write_claims(const duet_papers_claim *claims, size_t count, duet_cli_json *json)
{
    duet_cli_json_open(json, "statements", '[');
    for (size_t i = 0; i < count; i++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, "statement", claims[i].statement);
        duet_cli_json_string(json, "found", claims[i].found);
        duet_cli_json_string(json, "verdict", claims[i].verdict);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}
