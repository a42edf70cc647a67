// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/csv/moldable.h"

#include <string.h>
#include <strings.h>

#include "core/instance/law.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { MOST_PROCESSORS = 1 << 20, NAME = 200 };

// --- the header ----------------------------------------------------------------------------------

// What stands behind the last colon of a name.
typedef enum suffix { PLAIN, COUNT, WORK, ALPHA } suffix;

static bool has_column(const duet_csv *csv, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < csv->count; i++) {
        found = found || strcasecmp(duet_csv_text(csv, i), name) == 0;
    }
    return found;
}

// Splits a name into a type and what the column says of it.
static suffix split(const duet_csv *csv, const char *name, char *type, int64_t *count)
{
    bool pair = has_column(csv, "work") && has_column(csv, "alpha");
    const char *colon = strrchr(name, ':');
    const char *behind = colon == NULL ? name : colon + 1;
    size_t length = colon == NULL ? 0 : (size_t)(colon - name);
    if (colon == NULL ? !pair : length == 0 || length >= NAME) {
        return PLAIN;
    }
    memcpy(type, colon == NULL ? "cpu" : name, colon == NULL ? 3 : length);
    type[colon == NULL ? 3 : length] = '\0';
    if (strcasecmp(behind, "work") == 0) {
        return WORK;
    }
    if (strcasecmp(behind, "alpha") == 0) {
        return ALPHA;
    }
    *count = 0;
    for (const char *digit = behind; *digit >= '0' && *digit <= '9' && *count <= MOST_PROCESSORS;
         digit++) {
        *count = 10 * *count + (*digit - '0');
    }
    bool whole = colon != NULL && *behind != '\0' && behind[strspn(behind, "0123456789")] == '\0';
    return whole ? COUNT : PLAIN;
}

static duet_code fail(const duet_csv *csv, size_t column, const char *what)
{
    const duet_csv_field *field = &csv->fields[column];
    return duet_csv_fail(csv, field->line, field->column, what);
}

// The type of that name, which is added where it is not there.
static duet_code find_type(const duet_csv *csv, duet_builder *builder, duet_csv_columns *columns,
                           const char *name, size_t column, size_t *type)
{
    *type = duet_builder_find_type(builder, name);
    if (*type < columns->types) {
        return columns->time[*type] == DUET_CSV_NO_COLUMN
                   ? DUET_OK
                   : fail(csv, column,
                          "a second column for a processor type; expected its one "
                          "time, its times by number of processors, or a law");
    }
    const duet_csv_field *field = &csv->fields[column];
    DUET_TRY(duet_builder_add_type(builder, name, -1, field->line, field->column, csv->error));
    columns->time[*type] = DUET_CSV_NO_COLUMN;
    columns->work[*type] = DUET_CSV_NO_COLUMN;
    columns->alpha[*type] = DUET_CSV_NO_COLUMN;
    columns->types++;
    return DUET_OK;
}

static duet_code add_cell(const duet_csv *csv, duet_csv_columns *columns, size_t type,
                          int64_t count, size_t column)
{
    int64_t last = 0;
    for (size_t i = 0; i < columns->cells; i++) {
        last = columns->cell[i].type == type ? columns->cell[i].processors : last;
    }
    if (columns->work[type] != DUET_CSV_NO_COLUMN || columns->alpha[type] != DUET_CSV_NO_COLUMN) {
        return fail(csv, column, "times by number of processors beside a law; expected either");
    }
    if (count <= last || count > MOST_PROCESSORS || (last == 0 && count != 1)) {
        return fail(csv, column,
                    "numbers of processors of a type: expected 1 first, then larger "
                    "ones, at most 1048576");
    }
    columns->cell[columns->cells++] =
        (duet_csv_cell){(int32_t)count, (uint16_t)column, (uint16_t)type};
    return DUET_OK;
}

duet_code duet_csv_take_moldable(const duet_csv *csv, duet_builder *builder,
                                 duet_csv_columns *columns, const char *name, size_t column,
                                 bool *taken)
{
    char type_name[NAME];
    int64_t count = 0;
    size_t type = 0;
    suffix what = split(csv, name, type_name, &count);
    *taken = what != PLAIN;
    duet_code code =
        what == PLAIN ? DUET_OK : find_type(csv, builder, columns, type_name, column, &type);
    if (code != DUET_OK || what == PLAIN) {
        return code;
    }
    if (what == COUNT) {
        return add_cell(csv, columns, type, count, column);
    }
    int *law = what == WORK ? &columns->work[type] : &columns->alpha[type];
    for (size_t i = 0; i < columns->cells; i++) {
        if (columns->cell[i].type == type) {
            return fail(csv, column, "a law beside times by number of processors; expected either");
        }
    }
    if (*law != DUET_CSV_NO_COLUMN) {
        return fail(csv, column, "a second column of this name for the law of a type");
    }
    *law = (int)column;
    return DUET_OK;
}

bool duet_csv_is_moldable(const duet_csv *csv, const char *name)
{
    char type_name[NAME];
    int64_t count = 0;
    return split(csv, name, type_name, &count) != PLAIN;
}

duet_code duet_csv_check_moldable(const duet_csv *csv, const duet_csv_columns *columns)
{
    for (size_t t = 0; t < columns->types; t++) {
        bool law = columns->time[t] == DUET_CSV_NO_COLUMN && columns->alpha[t] >= 0;
        if (law && columns->work[t] == DUET_CSV_NO_COLUMN) {
            return fail(csv, (size_t)columns->alpha[t],
                        "alpha without work; expected a column for both");
        }
    }
    return DUET_OK;
}

// --- records -------------------------------------------------------------------------------------

static duet_code refuse(const duet_csv *csv, size_t column, const char *expected)
{
    const duet_csv_field *field = &csv->fields[column];
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, field->line, field->column,
                             "\"%.40s\": expected %s", duet_csv_text(csv, column), expected);
}

static bool is_zero(const duet_read_time *time)
{
    return time->value.mantissa == 0 && time->tail == DUET_DECIMAL_NO_TAIL;
}

static duet_code read_law(const duet_csv *csv, const duet_csv_columns *columns, size_t type,
                          const char *type_name, duet_csv_marks *marks, duet_read_time *time,
                          duet_read_table *table)
{
    size_t work = (size_t)columns->work[type];
    duet_code code = duet_csv_read_time(csv, work, type_name, marks, &table->work);
    if (code == DUET_OK && !table->work.forbidden && is_zero(&table->work)) {
        return refuse(csv, work, "work above 0");
    }
    time->forbidden = code == DUET_OK && table->work.forbidden;
    table->law = code == DUET_OK && !table->work.forbidden;
    if (code == DUET_OK && columns->alpha[type] != DUET_CSV_NO_COLUMN) {
        size_t alpha = (size_t)columns->alpha[type];
        code = duet_csv_read_time(csv, alpha, type_name, marks, &table->alpha);
        bool empty = csv->fields[alpha].length == 0; // 0 then
        duet_fraction part = duet_decimal_fraction(table->alpha.value);
        if (code == DUET_OK && table->law && !empty &&
            (table->alpha.forbidden || part.num > part.den)) {
            return refuse(csv, alpha, "alpha, the sequential part of the work, from 0 to 1");
        }
        table->alpha.forbidden = false;
    }
    return code;
}

// Appends the time for all numbers of processors up to `to`.
static duet_code fill(duet_csv_values *values, size_t to, const duet_read_time *time,
                      duet_error *error)
{
    DUET_TRY(duet_vec_reserve(values->value, to, error));
    while (values->count < to) {
        values->value[values->count++] = *time;
    }
    return DUET_OK;
}

static duet_code read_cells(const duet_csv *csv, const duet_csv_columns *columns, size_t type,
                            const char *type_name, duet_csv_marks *marks, duet_csv_values *values,
                            duet_read_table *table)
{
    size_t first = values->count;
    bool ended = false; // a field was empty
    duet_read_time last = {.forbidden = true};
    duet_code code = DUET_OK;
    for (size_t i = 0; i < columns->cells && code == DUET_OK; i++) {
        const duet_csv_cell *cell = &columns->cell[i];
        duet_read_time time;
        if (cell->type != type) {
            continue;
        }
        code = duet_csv_read_time(csv, cell->column, type_name, marks, &time);
        if (code == DUET_OK && !time.forbidden && (ended || is_zero(&time))) {
            return refuse(csv, cell->column,
                          ended ? "nothing behind a number of processors without a time; in JSON a "
                                  "table has null there"
                                : "a time above 0");
        }
        ended = ended || time.forbidden;
        if (code == DUET_OK && !ended) {
            if (cell->processors > 1) {
                code = fill(values, first + (size_t)cell->processors - 1, &last, csv->error);
            }
            last = time;
            DUET_THEN(code, fill(values, first + (size_t)cell->processors, &time, csv->error));
        }
    }
    table->length = values->count - first;
    return code;
}

duet_code duet_csv_read_table(const duet_csv *csv, const duet_csv_columns *columns, size_t type,
                              const char *type_name, duet_csv_marks *marks, duet_csv_values *values,
                              duet_read_time *time, duet_read_table *table)
{
    size_t first = values->count;
    *time = (duet_read_time){.forbidden = false};
    *table = (duet_read_table){.law = false};
    if (columns->work[type] != DUET_CSV_NO_COLUMN) {
        return read_law(csv, columns, type, type_name, marks, time, table);
    }
    DUET_TRY(read_cells(csv, columns, type, type_name, marks, values, table));
    *time = table->length > 0 ? values->value[first] : (duet_read_time){.forbidden = true};
    return DUET_OK;
}
