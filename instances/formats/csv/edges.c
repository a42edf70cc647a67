// SPDX-License-Identifier: Apache-2.0
// A list has columns from and to (or source and target, or what tables call predecessors and
// successors), and perhaps cost or data. Anything else is a matrix: the header names the tasks that
// wait, the first field of a row the task that comes before, and a cell is what the edge costs;
// nothing, 0 and -1 are no edge.
#include "instances/formats/csv/edges.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/csv/columns.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/edge_costs.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

enum { NONE = -1 };
#define AMOUNT "an amount of data is called data in a table of edges"

typedef struct edge_table {
    duet_csv csv;
    duet_builder *builder;
    int64_t *head; // of a matrix: the task of each column
    size_t columns;
    // Of a list: columns, or NONE.
    int from, to, cost, data;
    duet_names passed; // names of all columns
} edge_table;

static duet_code fail(const edge_table *t, size_t field, const char *format, const char *text)
{
    char message[200];
    snprintf(message, sizeof message, format, text);
    return duet_csv_fail(&t->csv, t->csv.fields[field].line, t->csv.fields[field].column, message);
}

static duet_code find_task(const edge_table *t, size_t field, int64_t *task)
{
    const char *id = duet_csv_text(&t->csv, field);
    duet_code code =
        duet_builder_known_task(t->builder, id, t->csv.fields[field].length, task, t->csv.error);
    return code == DUET_OK && *task < 0
               ? fail(t, field,
                      t->from == NONE
                          ? "unknown task \"%.60s\"; expected the id of a task of the instance, or "
                            "a "
                            "header with the columns from, to and perhaps cost or data"
                          : "unknown task \"%.60s\"; expected the id of a task of the instance",
                      id)
               : code;
}

static duet_code add(const edge_table *t, size_t field, int64_t from, int64_t to,
                     duet_read_cost_form form)
{
    bool costs = form != DUET_COST_NONE;
    duet_read_time time = {.forbidden = false};
    const char *text = duet_csv_text(&t->csv, field);
    DUET_TRY(costs ? duet_read_time_text(text, t->csv.fields[field].length,
                                         (duet_place){t->csv.input->name, t->csv.fields[field].line,
                                                      t->csv.fields[field].column},
                                         &time, t->csv.error)
                   : DUET_OK);
    const duet_read_edge edge = {.from = {.task = from},
                                 .to = {.task = to},
                                 .form = form,
                                 .cost = &time,
                                 .cost_count = costs,
                                 .line = t->csv.fields[field].line,
                                 .column = t->csv.fields[field].column};
    return duet_builder_add_edge(t->builder, &edge, t->csv.error);
}

// --- the header ----------------------------------------------------------------------------------

static int find_column(const edge_table *t, const char *name, const char *other)
{
    for (size_t i = 0; i < t->csv.count; i++) {
        const char *text = duet_csv_text(&t->csv, i);
        if (strcasecmp(text, name) == 0 || strcasecmp(text, other) == 0) {
            return (int)i;
        }
    }
    return NONE;
}

// The column by one of two names, else by what it means.
static int find_end(const edge_table *t, const char *name, const char *other, const char *third,
                    duet_meaning meaning)
{
    int found = find_column(t, name, other);
    found = found == NONE ? find_column(t, third, third) : found;
    for (size_t i = 0; i < t->csv.count && found == NONE; i++) {
        found = duet_field_meaning(duet_csv_text(&t->csv, i)) == meaning ? (int)i : NONE;
    }
    return found;
}

static duet_code read_header(edge_table *t)
{
    duet_csv_find_separator(&t->csv);
    t->csv.comments = true;
    duet_code code = duet_csv_next(&t->csv);
    if (code != DUET_OK) {
        return code;
    }
    if (t->csv.count < 2) {
        return duet_csv_fail(&t->csv, 1, 1,
                             "no header; expected from,to,cost, or a matrix whose first row and "
                             "first column name the tasks");
    }
    t->from = find_end(t, "from", "source", "src", DUET_MEANS_AFTER);
    t->to = find_end(t, "to", "target", "dst", DUET_MEANS_BEFORE);
    t->cost = find_column(t, "cost", "weight");
    t->data = find_column(t, "data", "data");
    t->columns = t->csv.count;
    bool list = t->from != NONE && t->to != NONE;
    for (size_t i = 0; i < t->columns && code == DUET_OK; i++) {
        uint32_t number = 0;
        code = duet_names_add(&t->passed, (uint32_t)i, duet_csv_text(&t->csv, i), &number,
                              t->csv.error);
        DUET_THEN(code, duet_vec_grow(t->head, i, t->csv.error));
        code = code == DUET_OK && !list && i > 0 ? find_task(t, i, &t->head[i]) : code;
    }
    t->from = list ? t->from : NONE;
    return code;
}

// --- rows ----------------------------------------------------------------------------------------

static bool is_none(const char *text)
{
    static const char *const words[] = {"",  "0",   "0.0", "-1",  "-1.0",
                                        "-", "nan", "na",  "inf", "none"};
    bool none = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !none; i++) {
        none = strcasecmp(text, words[i]) == 0;
    }
    return none;
}

static duet_code read_matrix_row(const edge_table *t)
{
    int64_t from = 0;
    DUET_TRY(find_task(t, 0, &from));
    for (size_t i = 1; i < t->columns; i++) {
        if (!is_none(duet_csv_text(&t->csv, i))) {
            DUET_TRY(add(t, i, from, t->head[i], DUET_COST_SAME));
        }
    }
    return DUET_OK;
}

static duet_code read_list_row(const edge_table *t)
{
    int64_t from = 0;
    int64_t to = 0;
    bool costs = t->cost != NONE && t->csv.fields[t->cost].length > 0;
    bool data = t->data != NONE && t->csv.fields[t->data].length > 0;
    size_t value = (size_t)(costs ? t->cost : data ? t->data : t->from);
    DUET_TRY(find_task(t, (size_t)t->from, &from));
    DUET_TRY(find_task(t, (size_t)t->to, &to));
    if (costs && data) {
        return fail(t, (size_t)t->data, "a second cost of this edge; expected cost or data alone%s",
                    "");
    }
    DUET_TRY(add(t, value, from, to,
                 costs  ? DUET_COST_SAME
                 : data ? DUET_COST_DATA
                        : DUET_COST_NONE));
    for (size_t i = 0; i < t->columns; i++) {
        const duet_field field = {DUET_FIELD_EDGE, duet_names_text(&t->passed, i),
                                  t->csv.fields[i].line, t->csv.fields[i].column};
        bool used = (int)i == t->from || (int)i == t->to || (int)i == t->cost || (int)i == t->data;
        const char *said = duet_csv_text(&t->csv, i);
        if (!used && duet_is_other_link(field.name, said) &&
            !duet_field_is_ignored(t->csv.input->fields, field.name)) {
            char advice[DUET_FIELD_ADVICE];
            duet_field_ignore_advice(field.name, advice);
            return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, field.line,
                                     field.column, "column " DUET_OTHER_LINK, field.name, said,
                                     advice);
        }
        if (!used && t->csv.fields[i].length > 0) {
            DUET_TRY(duet_field_pass(t->csv.input->fields, &field,
                                     duet_field_is_amount(field.name) ? AMOUNT : NULL,
                                     t->csv.input->name, t->csv.error));
        }
    }
    return DUET_OK;
}

static duet_code read_rows(edge_table *t)
{
    duet_code code = read_header(t);
    while (code == DUET_OK) {
        code = duet_csv_next(&t->csv);
        if (code != DUET_OK || t->csv.count == 0) {
            break;
        }
        if (t->csv.count != t->columns) {
            char message[100];
            snprintf(message, sizeof message, "%zu fields; expected %zu, as in the header",
                     t->csv.count, t->columns);
            return duet_csv_fail(&t->csv, t->csv.line, 0, message);
        }
        code = t->from == NONE ? read_matrix_row(t) : read_list_row(t);
    }
    return code;
}

duet_code duet_csv_read_edges(duet_input *input, duet_builder *builder, duet_error *error)
{
    edge_table t = {.csv =
                        duet_csv_over(input, DUET_CSV_MOST_COLUMNS, "at most 4096 columns", error),
                    .builder = builder};
    duet_code code = read_rows(&t);
    duet_csv_free(&t.csv);
    duet_names_free(&t.passed);
    duet_free(t.head);
    return code;
}
