// SPDX-License-Identifier: Apache-2.0
// Schedules as tables: a line per task with its type, processor and start. Columns count by name;
// see docs/formats.md. A table claims nothing but its schedule.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/system/try.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/solution/reader.h"

enum {
    TASK,
    TYPE,
    PROCESSOR,
    START,
    END,
    ABORTED,
    START_TIME,
    END_TIME,
    MEANINGS,
    MOST_FIELDS = 256,
    MOST_BYTES = 400
};

typedef struct table {
    duet_csv csv;
    duet_solution_reader *reader;
    int column[MEANINGS]; // -1: none
    size_t columns;       // in the header
} table;

static duet_code fail(const table *t, size_t column, const char *what, const char *expected)
{
    const duet_csv_field *field = &t->csv.fields[column];
    return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, field->line,
                             field->column, "%s \"%.40s\": expected %s", what,
                             duet_csv_text(&t->csv, column), expected);
}

static duet_code read_header(table *t)
{
    static const struct {
        const char *name;
        int means;
    } known[] = {{"task", TASK},           {"id", TASK},
                 {"name", TASK},           {"type", TYPE},
                 {"processor", PROCESSOR}, {"processors", PROCESSOR},
                 {"start", START},         {"end", END},
                 {"aborted", ABORTED},     {"start_time", START_TIME},
                 {"end_time", END_TIME}};
    duet_csv_find_separator(&t->csv);
    duet_code code = duet_csv_next(&t->csv);
    t->columns = t->csv.count;
    for (int i = 0; i < MEANINGS; i++) {
        t->column[i] = -1;
    }
    for (size_t i = 0; i < t->csv.count && code == DUET_OK; i++) {
        for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
            int *column = &t->column[known[n].means];
            if (strcasecmp(duet_csv_text(&t->csv, i), known[n].name) != 0) {
                continue;
            }
            if (*column >= 0 &&
                strcasecmp(duet_csv_text(&t->csv, (size_t)*column), known[n].name) == 0) {
                return fail(t, i, "column", "each name once");
            }
            *column = *column < 0 ? (int)i : *column;
        }
    }
    bool typed = t->column[TYPE] >= 0 || t->reader->instance->types == 1;
    if (code == DUET_OK && t->reader->use == DUET_ENTRIES_PARTS && t->column[TASK] < 0) {
        return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, 1, 1,
                                 "expected entries of a schedule, as JSON or as a table with the "
                                 "column task, and type, processor, start or end beside it");
    }
    if (code == DUET_OK && t->reader->use != DUET_ENTRIES_PARTS &&
        (t->column[TASK] < 0 || !typed || t->column[PROCESSOR] < 0)) {
        return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, 1, 1,
                                 "expected a solution as JSON, or a schedule as a table with the "
                                 "columns task, type, processor and start");
    }
    return code;
}

// A time in the instance's unit, at DUET_FINER_PLACES more places than ticks. Nothing where the
// field is empty.
static duet_code read_time(table *t, int which, const char *what, duet_int128 *time, unsigned given,
                           duet_schedule_entry *entry)
{
    if (t->column[which] < 0 || t->csv.fields[t->column[which]].length == 0) {
        return DUET_OK;
    }
    size_t column = (size_t)t->column[which];
    size_t length = t->csv.fields[column].length;
    char text[MOST_BYTES];
    if (length >= sizeof text) {
        return fail(t, column, what, "at most 399 bytes");
    }
    memcpy(text, duet_csv_text(&t->csv, column), length + 1);
    char *comma = t->csv.separator == ',' ? NULL : strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    duet_decimal_fault fault =
        duet_decimal_read_finer(text, length, duet_instance_decimals(t->reader->instance), time);
    if (fault != DUET_DECIMAL_OK) {
        return fail(t, column, what, duet_decimal_expected(fault));
    }
    entry->given |= given;
    return DUET_OK;
}

// Whether a text is the moment so many seconds behind the start, but for less than a minute, which
// people leave out. Either number of 3/4/2026 may be the month.
static bool is_moment_at(const char *text, const duet_clock *start, duet_int128 seconds)
{
    enum { MINUTE = 60 };
    bool same = false;
    for (int first = DUET_DATES_DAY_FIRST; first <= DUET_DATES_MONTH_FIRST && !same; first++) {
        duet_moment moment;
        duet_date_order order = (duet_date_order)first;
        bool read = duet_moment_read(text, &order, &moment) == DUET_MOMENT_OK;
        duet_int128 off = read ? duet_clock_between(start, &moment.clock) - seconds : MINUTE;
        same = off > -MINUTE && off < MINUTE;
    }
    return same;
}

// A time of day beside a start or an end. Where the time 0 of the instance is known both have to
// say the same instant; else the number counts.
static duet_code check_time_of_day(const table *t, int which, const char *what, bool given,
                                   duet_int128 time)
{
    const duet_instance *instance = t->reader->instance;
    const duet_clock *start = &instance->clock;
    char said[DUET_CLOCK_TEXT];
    char expected[DUET_CLOCK_TEXT + 120];
    uint32_t billionths;
    if (t->column[which] < 0 || t->csv.fields[t->column[which]].length == 0) {
        return DUET_OK;
    }
    size_t column = (size_t)t->column[which];
    if (!given) {
        return fail(t, column, what, "a number beside it, in the column start or end");
    }
    if (!duet_clock_is_known(instance)) {
        return DUET_OK;
    }
    int64_t ticks = (int64_t)(time / duet_finer_scale(DUET_FINER_PLACES));
    duet_int128 seconds = duet_clock_seconds(instance, ticks, &billionths) - start->second;
    const char *text = duet_csv_text(&t->csv, column);
    duet_clock_format(instance, ticks, said);
    if (strcmp(text, said) == 0 || is_moment_at(text, start, seconds)) { // years may be beyond 9999
        return DUET_OK;
    }
    snprintf(expected, sizeof expected,
             "%s, which the number beside it says, or --start with the time 0 of this schedule",
             said);
    return fail(t, column, what, expected);
}

static duet_code read_processor(const table *t, int32_t *processor)
{
    size_t column = (size_t)t->column[PROCESSOR];
    duet_decimal value;
    if (duet_decimal_parse(duet_csv_text(&t->csv, column), t->csv.fields[column].length, &value) !=
            DUET_DECIMAL_OK ||
        value.places != 0) {
        return fail(t, column, "processor", "its number within its type, from 0");
    }
    *processor = (int32_t)duet_min(value.mantissa, INT32_MAX);
    return DUET_OK;
}

// "0-3;6": ranges of processors of the entry's type. One number is one processor.
static duet_code read_processors(const table *t, duet_schedule_entry *entry)
{
    static const char expected[] = "numbers or ranges within its type, from 0, such as 0-3;6";
    size_t column = (size_t)t->column[PROCESSOR];
    const char *text = duet_csv_text(&t->csv, column);
    while (*text != '\0') {
        size_t length = strcspn(text, ";");
        size_t dash = strcspn(text, "-;");
        duet_decimal first;
        duet_decimal last;
        if (duet_decimal_parse(text, dash, &first) != DUET_DECIMAL_OK) {
            return fail(t, column, "processors", expected);
        }
        last = first;
        if (dash < length &&
            duet_decimal_parse(text + dash + 1, length - dash - 1, &last) != DUET_DECIMAL_OK) {
            return fail(t, column, "processors", expected);
        }
        if (first.places != 0 || last.places != 0 || first.mantissa > INT32_MAX ||
            last.mantissa > INT32_MAX) {
            return fail(t, column, "processors", expected);
        }
        const duet_processor_range range = {entry->type, (int32_t)first.mantissa,
                                            (int32_t)last.mantissa};
        DUET_TRY(duet_solution_add_range(t->reader, entry, range, t->csv.error));
        if (text[length] == ';' && text[length + 1] == '\0') {
            return fail(t, column, "processors", expected);
        }
        text += length + (text[length] == ';');
    }
    return entry->ranges > 0 ? DUET_OK : fail(t, column, "processors", expected);
}

// Whether a row says something in a column.
static bool has_field(const table *t, int which)
{
    return t->column[which] >= 0 && t->csv.fields[t->column[which]].length > 0;
}

// An unknown task or type makes no schedule: it is noted for the checker. Returns whether both are
// known.
static bool read_names(const table *t, duet_schedule_entry *entry)
{
    duet_solution_reader *reader = t->reader;
    size_t column = (size_t)t->column[TASK];
    const char *id = duet_csv_text(&t->csv, column);
    bool typed = has_field(t, TYPE);
    entry->given |= typed ? DUET_ENTRY_TYPE : 0U;
    const char *type = t->column[TYPE] < 0 || (reader->use == DUET_ENTRIES_PARTS && !typed)
                           ? reader->instance->type_names[0]
                           : duet_csv_text(&t->csv, (size_t)t->column[TYPE]);
    entry->task = duet_task_map_find(&reader->tasks, id, t->csv.fields[column].length);
    entry->type = duet_solution_type(reader, type);
    if (entry->task < 0) {
        duet_error_set_at(&reader->solution->fault, DUET_E_INPUT, reader->file, t->csv.line, 0,
                          "unknown task \"%.60s\"; expected the id of one of the instance's tasks",
                          id);
    } else if (entry->type < 0) {
        duet_error_set_at(&reader->solution->fault, DUET_E_INPUT, reader->file, t->csv.line, 0,
                          "unknown processor type \"%.60s\"; expected one of the instance's types",
                          type);
    }
    return entry->task >= 0 && entry->type >= 0;
}

static bool is_aborted(const table *t)
{
    return t->column[ABORTED] >= 0 && t->csv.fields[t->column[ABORTED]].length > 0 &&
           strcasecmp(duet_csv_text(&t->csv, (size_t)t->column[ABORTED]), "no") != 0;
}

static duet_code read_row(table *t)
{
    size_t wanted = 0;
    for (int i = 0; i < MEANINGS; i++) {
        wanted = t->column[i] >= (int)wanted ? (size_t)t->column[i] + 1 : wanted;
    }
    if (t->csv.count < wanted) {
        return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, t->csv.line, 0,
                                 "%zu fields; expected at least %zu, as in the header",
                                 t->csv.count, wanted);
    }
    for (size_t i = t->columns; i < t->csv.count; i++) {
        if (t->csv.fields[i].length > 0) {
            return fail(t, i, "field", "no more fields than the header has");
        }
    }
    duet_schedule_entry entry = {.line = t->csv.line, .column = 1};
    bool sets = t->reader->instance->moldable != NULL;
    bool parts = t->reader->use == DUET_ENTRIES_PARTS;
    bool one = !sets && (!parts || has_field(t, PROCESSOR));
    entry.given = one ? DUET_ENTRY_PROCESSOR : 0U;
    duet_code code = one ? read_processor(t, &entry.processor) : DUET_OK;
    DUET_THEN(code, read_time(t, START, "start", &entry.start, DUET_ENTRY_START, &entry));
    DUET_THEN(code, read_time(t, END, "end", &entry.end, DUET_ENTRY_END, &entry));
    bool started = (entry.given & DUET_ENTRY_START) != 0;
    bool ended = (entry.given & DUET_ENTRY_END) != 0;
    DUET_THEN(code, check_time_of_day(t, START_TIME, "start_time", started, entry.start));
    DUET_THEN(code, check_time_of_day(t, END_TIME, "end_time", ended, entry.end));
    if (code != DUET_OK || !read_names(t, &entry)) {
        return code;
    }
    if (sets && (!parts || has_field(t, PROCESSOR))) {
        code = read_processors(t, &entry);
    }
    if (code == DUET_OK && sets && !parts && (!started || is_aborted(t))) {
        return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, t->csv.line, 0,
                                 "a moldable task: expected its start, and that it is not aborted");
    }
    if (code != DUET_OK) {
        return code;
    }
    entry.aborted = is_aborted(t);
    if (entry.aborted && (!started || !ended)) {
        return duet_error_set_at(t->csv.error, DUET_E_INPUT, t->csv.input->name, t->csv.line, 0,
                                 "a run that was aborted: expected its start and its end");
    }
    return duet_solution_add_entry(t->reader, &entry, t->csv.error);
}

duet_code duet_solution_read_csv(duet_solution_reader *reader, duet_input *input, duet_error *error)
{
    table t = {.csv = duet_csv_over(input, MOST_FIELDS, "at most 256 columns", error),
               .reader = reader};
    reader->use = duet_max(reader->use, DUET_ENTRIES_KEPT);
    duet_code code = read_header(&t);
    while (code == DUET_OK) {
        code = duet_csv_next(&t.csv);
        if (code != DUET_OK || t.csv.count == 0) {
            break;
        }
        code = read_row(&t);
    }
    duet_csv_free(&t.csv);
    return code;
}
