// SPDX-License-Identifier: Apache-2.0
#include "bench/run/claims.h"

#include <stdarg.h>

#include "bench/run/columns.h"
#include "core/system/assert.h"

void duet_claims_add(duet_claims *claims, const char *verdict, const char *what, const char *found,
                     ...)
{
    DUET_ASSERT(claims->count < DUET_CLAIMS);
    size_t i = claims->count++;
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(claims->claim[i].found, sizeof claims->claim[i].found, found, arguments);
    va_end(arguments);
    snprintf(claims->claim[i].what, sizeof claims->claim[i].what, "%s", what);
    claims->claim[i].verdict = verdict;
    claims->claim[i].held[0] = '\0';
    claims->claim[i].by_one = false;
}

void duet_claims_hold(duet_claims *claims, const char *held)
{
    size_t i = claims->count - 1;
    snprintf(claims->claim[i].held, sizeof claims->claim[i].held, "%s", held);
}

void duet_claims_by_one(duet_claims *claims)
{
    claims->claim[claims->count - 1].by_one = true;
}

static size_t columns_of(const char *heads)
{
    size_t columns = 1;
    for (; heads != NULL && *heads != '\0'; heads++) {
        columns += *heads == '\t';
    }
    return columns;
}

void duet_claims_print(const duet_claims *claims, const char *heads, int indent, FILE *stream)
{
    duet_cli_table table;
    bool with_held = columns_of(heads) > 3;
    duet_cells_begin(&table, with_held ? "llll" : "lll", heads);
    for (size_t i = 0; i < claims->count; i++) {
        duet_cli_table_add(&table, claims->claim[i].what);
        duet_cli_table_add(&table, claims->claim[i].found);
        if (with_held) {
            duet_cli_table_add(&table, claims->claim[i].held);
        }
        duet_cli_table_add(&table, claims->claim[i].verdict);
    }
    duet_cells_end(&table, indent, stream);
}

void duet_claims_json(const duet_claims *claims, const char *list, const char *what,
                      duet_cli_json *json)
{
    duet_cli_json_open(json, list, '[');
    for (size_t i = 0; i < claims->count; i++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, what, claims->claim[i].what);
        duet_cli_json_string(json, "found", claims->claim[i].found);
        if (claims->claim[i].held[0] != '\0') {
            duet_cli_json_string(json, "held_to", claims->claim[i].held);
        }
        duet_cli_json_string(json, "verdict", claims->claim[i].verdict);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}
