// SPDX-License-Identifier: Apache-2.0
// The header of a table of tasks.
//
// A column called id, task or name holds the ids; it is the first one, or the only one of these
// names. Tables that programs write often have a first column without a name that numbers or names
// the rows: it holds the ids where no other does. The first columns called count and after hold
// these. Every other column is a processor type, or of moldable tasks (csv_moldable.h).
#include "instances/formats/csv/columns.h"

#include <string.h>
#include <strings.h>

#include "core/system/try.h"
#include "instances/formats/csv/moldable.h"

#define EXPECTED "expected id,cpu,gpu or id,count,cpu,gpu"

typedef struct header {
    const duet_csv *csv;
    const duet_csv_picks *picks; // NULL: none
    duet_builder *builder;
    duet_csv_columns *columns;
} header;

static bool is_id_name(const char *name)
{
    return strcasecmp(name, "id") == 0 || strcasecmp(name, "task") == 0 ||
           strcasecmp(name, "name") == 0;
}

// What pandas and R call a column that numbers the rows, or leave without a name.
static bool is_index_name(const char *name)
{
    return name[0] == '\0' || strcasecmp(name, "index") == 0 || strcmp(name, "Unnamed: 0") == 0 ||
           strcmp(name, "row.names") == 0;
}

static bool is_number(const duet_csv *csv, size_t column)
{
    duet_decimal value;
    duet_decimal_tail tail;
    return duet_decimal_read(duet_csv_text(csv, column), csv->fields[column].length, &value,
                             &tail) != DUET_DECIMAL_SYNTAX;
}

// Columns at the end without a name are what is behind a last separator.
static void drop_unnamed(const duet_csv *csv, duet_csv_columns *columns)
{
    columns->named = csv->count;
    while (columns->named > 1 && csv->fields[columns->named - 1].length == 0) {
        columns->named--;
        columns->end_line = csv->fields[columns->named].line;
        columns->end_column = csv->fields[columns->named].column;
    }
}

// A first line of numbers is a task, not a header. After a column that numbers the rows, names that
// are numbers are the columns of a matrix.
static duet_code refuse_data(const header *h)
{
    if (is_index_name(duet_csv_text(h->csv, 0))) {
        return DUET_OK;
    }
    for (size_t i = 0; i < h->columns->named; i++) {
        if (is_number(h->csv, i)) {
            return duet_error_set_at(h->csv->error, DUET_E_INPUT, h->csv->input->name,
                                     h->csv->fields[i].line, h->csv->fields[i].column,
                                     "the number %.40s in the first line; expected a header that "
                                     "names the columns, such as id,cpu,gpu",
                                     duet_csv_text(h->csv, i));
        }
    }
    return DUET_OK;
}

// The column of that name: exactly so, else the only one in other letters.
static duet_code find_column(const header *h, const char *name, int *column)
{
    const duet_csv *csv = h->csv;
    size_t similar = 0;
    *column = DUET_CSV_NO_COLUMN;
    for (size_t i = 0; i < h->columns->named; i++) {
        const char *text = duet_csv_text(csv, i);
        if (strcmp(text, name) == 0) {
            *column = (int)i;
            return DUET_OK;
        }
        if (strcasecmp(text, name) == 0) {
            *column = (int)i;
            similar++;
        }
    }
    if (similar == 1) {
        return DUET_OK;
    }
    char names[256];
    size_t used = 0;
    for (size_t i = 0; i < h->columns->named && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, i == 0 ? "%s" : ", %s",
                                 duet_csv_text(csv, i));
    }
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->line, 0,
                             "no column \"%.60s\" in the header; expected one of: %s", name, names);
}

static duet_code add_type(const header *h, const char *name, size_t column)
{
    bool taken;
    duet_code moldable =
        duet_csv_take_moldable(h->csv, h->builder, h->columns, name, column, &taken);
    if (taken) {
        return moldable;
    }
    const duet_csv_field *field = &h->csv->fields[column];
    DUET_TRY(
        duet_builder_add_type(h->builder, name, -1, field->line, field->column, h->csv->error));
    h->columns->time[h->columns->types++] = (int)column;
    return DUET_OK;
}

static bool is_time(const duet_csv_columns *columns, int column)
{
    bool found = false;
    for (size_t t = 0; t < columns->types; t++) {
        bool law = columns->time[t] == DUET_CSV_NO_COLUMN &&
                   (columns->work[t] == column || columns->alpha[t] == column);
        found = found || law || columns->time[t] == column;
    }
    for (size_t i = 0; i < columns->cells; i++) {
        found = found || columns->cell[i].column == column;
    }
    return found;
}

static duet_code take_picks(const header *h)
{
    duet_csv_columns *columns = h->columns;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < h->picks->count && code == DUET_OK; i++) {
        const duet_csv_pick *pick = &h->picks->pick[i];
        int column;
        code = find_column(h, pick->column, &column);
        if (code != DUET_OK) {
            return code;
        }
        if (strcmp(pick->name, "id") == 0) {
            columns->id = column;
        } else if (strcmp(pick->name, "count") == 0) {
            columns->count = column;
        } else if (strcmp(pick->name, "after") == 0) {
            columns->after = column;
        } else {
            code = add_type(h, pick->name, (size_t)column);
        }
    }
    return code;
}

// The first column of that name that is no time.
static int find_named(const header *h, const char *name)
{
    for (size_t i = 0; i < h->columns->named; i++) {
        if (strcasecmp(duet_csv_text(h->csv, i), name) == 0 && !is_time(h->columns, (int)i)) {
            return (int)i;
        }
    }
    return DUET_CSV_NO_COLUMN;
}

static int find_ids(const header *h)
{
    const duet_csv_columns *columns = h->columns;
    bool first_is_index = is_index_name(duet_csv_text(h->csv, 0)) && !is_time(columns, 0);
    for (size_t i = 0; i < columns->named; i++) {
        if (is_id_name(duet_csv_text(h->csv, i)) && !is_time(columns, (int)i)) {
            return (int)i;
        }
    }
    return first_is_index ? 0 : DUET_CSV_NO_COLUMN;
}

static duet_code add_types(const header *h)
{
    const duet_csv_columns *columns = h->columns;
    for (size_t i = 0; i < columns->named; i++) {
        const char *name = duet_csv_text(h->csv, i);
        int column = (int)i;
        bool index = i == 0 && is_index_name(name);
        if (!index && column != columns->id && column != columns->count &&
            column != columns->after) {
            DUET_TRY(add_type(h, name, i));
        }
    }
    return DUET_OK;
}

duet_code duet_csv_read_columns(duet_csv *csv, const duet_csv_picks *picks, duet_builder *builder,
                                duet_csv_columns *columns)
{
    columns->id = DUET_CSV_NO_COLUMN;
    columns->count = DUET_CSV_NO_COLUMN;
    columns->after = DUET_CSV_NO_COLUMN;
    columns->end_line = 0;
    columns->types = 0;
    columns->cells = 0;
    const header h = {csv, picks, builder, columns};
    if (csv->count == 0) {
        return duet_csv_fail(csv, 1, 1, "no header; " EXPECTED);
    }
    drop_unnamed(csv, columns);
    duet_code code = picks == NULL ? refuse_data(&h) : take_picks(&h);
    if (code != DUET_OK) {
        return code;
    }
    columns->id = columns->id == DUET_CSV_NO_COLUMN ? find_ids(&h) : columns->id;
    columns->count =
        columns->count == DUET_CSV_NO_COLUMN ? find_named(&h, "count") : columns->count;
    columns->after =
        columns->after == DUET_CSV_NO_COLUMN ? find_named(&h, "after") : columns->after;
    if (picks == NULL) {
        code = add_types(&h);
    }
    DUET_THEN(code, duet_csv_check_moldable(csv, columns));
    if (code == DUET_OK && columns->types == 0) {
        code =
            columns->end_line > 0
                ? duet_csv_fail(csv, columns->end_line, columns->end_column,
                                "empty processor type: expected a name")
                : duet_csv_fail(csv, csv->line, 0, "the header names no processor type; " EXPECTED);
    }
    return code;
}
