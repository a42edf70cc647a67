// SPDX-License-Identifier: Apache-2.0
// Instances as tables (RFC 4180 and its dialects): a header, then one kind a record. The platform's
// counts are unknown. An empty time means that the kind cannot run there.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/csv/columns.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/csv/moldable.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/id_list.h"
#include "instances/formats/when.h"

typedef struct table {
    duet_csv csv;
    duet_builder *builder;
    duet_csv_columns columns;
    duet_csv_marks marks;
    duet_csv_values values;
    duet_read_time times[DUET_MAX_TYPES]; // of the current record
    duet_read_table tables[DUET_MAX_TYPES];
    bool total;    // the last task is called as the sum of a column is
    size_t hashes; // lines that begin with '#' and are tasks all the same
} table;

// Fields that have a value end here.
static size_t count_filled(const duet_csv *csv)
{
    size_t filled = csv->count;
    while (filled > 0 && csv->fields[filled - 1].length == 0) {
        filled--;
    }
    return filled;
}

static duet_code read_header(table *t, const duet_csv_picks *picks)
{
    duet_csv_find_separator(&t->csv);
    t->csv.comments = true;
    duet_code code = duet_csv_next(&t->csv);
    while (code == DUET_OK && t->csv.count > 0 && count_filled(&t->csv) == 0) {
        code = duet_csv_next(&t->csv); // lines of separators alone
    }
    t->csv.comments = false;
    return code == DUET_OK ? duet_csv_read_columns(&t->csv, picks, t->builder, &t->columns) : code;
}

static duet_code read_count(const table *t, int64_t *count)
{
    *count = 1;
    if (t->columns.count == DUET_CSV_NO_COLUMN) {
        return DUET_OK;
    }
    const duet_csv_field *field = &t->csv.fields[t->columns.count];
    const char *text = duet_csv_text(&t->csv, (size_t)t->columns.count);
    duet_decimal number;
    if (duet_decimal_parse(text, field->length, &number) != DUET_DECIMAL_OK || number.places != 0 ||
        number.mantissa < 1) {
        char advice[DUET_FIELD_ADVICE];
        duet_field_ignore_advice(t->columns.count_name, advice);
        return duet_error_set_at(
            t->csv.error, DUET_E_INPUT, t->csv.input->name, field->line, field->column,
            "%.60s \"%.40s\": expected a whole number from 1 to 2^62, how many "
            "such tasks there are, or %s",
            t->columns.count_name, text, advice);
    }
    *count = number.mantissa;
    return DUET_OK;
}

// Whether the record is a comment: it begins with '#' and has not the fields of a task.
static bool is_comment(table *t)
{
    const duet_csv *csv = &t->csv;
    if (csv->fields[0].quoted || duet_csv_text(csv, 0)[0] != '#') {
        return false;
    }
    bool task = t->columns.id == 0 && csv->count >= t->columns.named &&
                count_filled(csv) <= t->columns.named;
    t->hashes += task;
    return !task;
}

static duet_code check_fields(const table *t)
{
    const duet_csv *csv = &t->csv;
    size_t named = t->columns.named;
    if (csv->count >= named && count_filled(csv) <= named) {
        return DUET_OK;
    }
    if (csv->count > named && t->columns.end_line > 0 && named == 1) {
        return duet_csv_fail(csv, t->columns.end_line, t->columns.end_column, DUET_CSV_TITLE);
    }
    if (csv->count > named && t->columns.end_line > 0) {
        return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, t->columns.end_line,
                                 t->columns.end_column,
                                 "empty processor type: expected a name, for line %d has \"%.40s\" "
                                 "in this column",
                                 csv->line, duet_csv_text(csv, count_filled(csv) - 1));
    }
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->line, 0,
                             "%zu fields; expected %zu, as in the header", csv->count, named);
}

// The order that a column says of the record's tasks, "a;b;c": they wait for those that it names,
// or come before them.
static duet_code add_edges(const table *t, int column, bool before, int64_t first, int64_t count)
{
    duet_code code = DUET_OK;
    if (column == DUET_CSV_NO_COLUMN) {
        return code;
    }
    const duet_csv_field *field = &t->csv.fields[column];
    const char *text = duet_csv_text(&t->csv, (size_t)column);
    duet_builder_expect_ends(t->builder, DUET_ID_LIST_EXPECTED);
    if (count > 1) {
        duet_uint128 edges = (duet_uint128)count * duet_id_list_count(text);
        code = duet_builder_announce_edges(t->builder, edges, field->line, field->column,
                                           t->csv.error);
    }
    size_t length = 0;
    for (const char *id; code == DUET_OK && (id = duet_id_list_next(&text, &length)) != NULL;) {
        for (int64_t i = 0; i < count && code == DUET_OK; i++) {
            const duet_read_end other = {id, length, 0, true};
            const duet_read_end own = {.task = first + i};
            const duet_read_edge edge = {.from = before ? own : other,
                                         .to = before ? other : own,
                                         .line = field->line,
                                         .column = field->column};
            code = duet_builder_add_edge(t->builder, &edge, t->csv.error);
        }
    }
    return code;
}

static duet_code add_order(const table *t, int64_t first, int64_t count)
{
    duet_code code = add_edges(t, t->columns.after, false, first, count);
    DUET_THEN(code, add_edges(t, t->columns.before, true, first, count));
    for (size_t i = 0; i < t->columns.repeats; i++) {
        DUET_THEN(code,
                  add_edges(t, t->columns.repeat[i], t->columns.repeat_before[i], first, count));
    }
    return code;
}

// Whether a text says "never".
static bool is_never(const char *text)
{
    text += text[0] == '+';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

// A release or a deadline: a moment, a time, or nothing, as in an empty field.
static duet_code read_when(table *t, int column, const char *name, bool deadline,
                           duet_read_when *when)
{
    *when = (duet_read_when){.time = {.forbidden = true}};
    if (column == DUET_CSV_NO_COLUMN) {
        return DUET_OK;
    }
    const duet_csv *csv = &t->csv;
    const duet_csv_field *at = &csv->fields[column];
    const duet_field field = {DUET_FIELD_COLUMN, name, at->line, at->column};
    bool dated;
    if (!deadline && is_never(duet_csv_text(csv, (size_t)column))) {
        return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, at->line, at->column,
                                 "\"%.20s\" in column \"%.60s\": a task that is never there; "
                                 "expected a time, or nothing for a release of 0",
                                 duet_csv_text(csv, (size_t)column), name);
    }
    DUET_TRY(duet_read_moment(csv->input->fields, &field, duet_csv_text(csv, (size_t)column),
                              csv->input->name, &dated, when, csv->error));
    DUET_TRY(dated ? DUET_OK
                   : duet_csv_read_own_time(csv, (size_t)column, name, &t->marks, &when->time));
    duet_see_serial(csv->input->fields, &field, deadline, duet_csv_text(csv, (size_t)column), when);
    return DUET_OK;
}

static duet_code set_group(const table *t)
{
    int column = t->columns.group;
    return column == DUET_CSV_NO_COLUMN
               ? DUET_OK
               : duet_builder_set_group(t->builder, duet_csv_text(&t->csv, (size_t)column),
                                        t->csv.fields[column].length, t->csv.error);
}

static duet_code add_kind(const table *t, int64_t count, const duet_read_when *release,
                          const duet_read_when *deadline)
{
    char number[32];
    const char *id = number;
    if (t->columns.id == DUET_CSV_NO_COLUMN) {
        snprintf(number, sizeof number, "t%zu", duet_builder_kinds(t->builder));
    } else {
        id = duet_csv_text(&t->csv, (size_t)t->columns.id);
    }
    const duet_read_kind kind = {.id = id,
                                 .id_length = strlen(id),
                                 .count = count,
                                 .times = t->times,
                                 .time_count = t->columns.types,
                                 .line = t->csv.line,
                                 .column = 1};
    DUET_TRY(duet_builder_add_moldable_kind(t->builder, &kind, t->tables, t->csv.error));
    DUET_TRY(duet_builder_set_release_when(t->builder, release, t->csv.error));
    DUET_TRY(duet_builder_set_deadline_when(t->builder, deadline, t->csv.error));
    DUET_TRY(set_group(t));
    return duet_builder_set_cores(t->builder, duet_field_take_cores(t->csv.input->fields),
                                  t->csv.error);
}

// Appends a column to what --columns would say. A name that would need quotes of its own is not
// advised.
static bool add_advice(char *advice, size_t size, size_t *used, const char *as, const char *name)
{
    if (strpbrk(name, ",=\"'") != NULL || strlen(name) + strlen(as) + 2 > size - *used) {
        return false;
    }
    *used +=
        (size_t)snprintf(advice + *used, size - *used, "%s%s%s", *used == 0 ? "" : ",", as, name);
    return true;
}

// Whether the caller has named types that there are: what else the header has is none.
static bool has_named_types(const table *t)
{
    bool named = false;
    for (size_t i = 0; i < t->columns.types; i++) {
        named = named ||
                duet_field_is_type(t->csv.input->fields, duet_builder_type_name(t->builder, i));
    }
    return named;
}

// The columns that are used for their meaning and, once some are picked, have to be picked, too:
// those called by another word than that of --columns.
static void advise_words(const table *t, char *advice, size_t size, size_t *used)
{
    const duet_csv_columns *columns = &t->columns;
    const struct {
        const char *as, *name;
    } places[] = {{"count=", columns->count_name},       {"after=", columns->after_name},
                  {"successors=", columns->before_name}, {"release=", columns->release_name},
                  {"deadline=", columns->deadline_name}, {"group=", columns->group_name}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *as = places[i].as;
        const char *name = places[i].name;
        size_t length = strlen(name);
        if (length > 0 && (strncasecmp(name, as, length) != 0 || as[length] != '=')) {
            (void)add_advice(advice, size, used, as, name);
        }
    }
}

// What --columns would say so that this record can be read: the columns of times, which are those
// of --platform where that names them, where none has the ids, the first one that is a text, and
// those of other words.
static void advise(const void *user, char *advice, size_t size)
{
    const table *t = user;
    size_t used = 0;
    bool good = t->columns.cells == 0;
    bool ids = t->columns.id != DUET_CSV_NO_COLUMN;
    bool named = has_named_types(t);
    size_t times = 0; // of which there is a value
    for (size_t i = 0; i < t->columns.types && good; i++) {
        const char *name = duet_builder_type_name(t->builder, i);
        bool law = t->columns.time[i] == DUET_CSV_NO_COLUMN;
        bool type = !named || duet_field_is_type(t->csv.input->fields, name);
        bool may = !law && duet_csv_may_be_time(&t->csv, (size_t)t->columns.time[i]);
        bool time = may && type;
        if (time || (!ids && !may)) {
            good = !law && add_advice(advice, size, &used, time ? "" : "id=", name);
            ids = ids || !time;
        }
        times += time && t->csv.fields[t->columns.time[i]].length > 0;
    }
    if (good && times > 0) {
        advise_words(t, advice, size, &used);
    }
    advice[good && times > 0 ? used : 0] = '\0';
}

// What the record says of each type.
static duet_code read_times(table *t)
{
    duet_code code = DUET_OK;
    size_t types = t->columns.types;
    t->values.count = 0;
    for (size_t i = 0; i < types && code == DUET_OK; i++) {
        const char *name = duet_builder_type_name(t->builder, i);
        t->tables[i] = (duet_read_table){.law = false};
        code = t->columns.time[i] != DUET_CSV_NO_COLUMN
                   ? duet_csv_read_time(&t->csv, (size_t)t->columns.time[i], name, &t->marks,
                                        &t->times[i])
                   : duet_csv_read_table(&t->csv, &t->columns, i, name, &t->marks, &t->values,
                                         &t->times[i], &t->tables[i]);
    }
    // The tables follow each other, and are where they stay only now.
    const duet_read_time *next = t->values.value;
    for (size_t i = 0; i < types && code == DUET_OK && t->values.count > 0; i++) {
        t->tables[i].time = next;
        next += t->tables[i].length;
    }
    return code;
}

// Nothing is the priority 0.
static duet_code add_priority(const table *t)
{
    duet_decimal priority;
    if (t->columns.priority == DUET_CSV_NO_COLUMN) {
        return DUET_OK;
    }
    const char *text = duet_csv_text(&t->csv, (size_t)t->columns.priority);
    return duet_field_priority(text, strlen(text), &priority)
               ? duet_builder_set_priority(t->builder, priority, t->csv.error)
               : DUET_OK;
}

// What spreadsheets call the sum below a column.
static bool is_total(const char *id)
{
    static const char *const words[] = {"total", "totals", "sum", "grand total", "gesamt", "summe"};
    bool total = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        total = total || strcasecmp(id, words[i]) == 0;
    }
    return total;
}

static duet_code read_kind(table *t)
{
    int64_t count = 1;
    if (count_filled(&t->csv) == 0 || is_comment(t)) {
        return DUET_OK;
    }
    duet_code code = check_fields(t);
    DUET_THEN(code, read_count(t, &count));
    DUET_THEN(code, read_times(t));
    DUET_THEN(code, duet_csv_pass_columns(&t->csv, &t->columns));
    int64_t first = duet_builder_tasks(t->builder);
    duet_read_when release;
    duet_read_when deadline;
    DUET_THEN(code, read_when(t, t->columns.release, t->columns.release_name, false, &release));
    DUET_THEN(code, read_when(t, t->columns.deadline, t->columns.deadline_name, true, &deadline));
    DUET_THEN(code, add_kind(t, count, &release, &deadline));
    DUET_THEN(code, add_priority(t));
    t->total = t->columns.id != DUET_CSV_NO_COLUMN &&
               is_total(duet_csv_text(&t->csv, (size_t)t->columns.id));
    DUET_THEN(code, add_order(t, first, count));
    return code;
}

static duet_code note_hashes(const table *t, duet_error *error)
{
    char notice[120];
    if (t->hashes == 0) {
        return DUET_OK;
    }
    snprintf(notice, sizeof notice, "%zu line%s '#' and %s taken for %s, not for a comment",
             t->hashes, t->hashes == 1 ? " begins with" : "s begin with",
             t->hashes == 1 ? "is" : "are", t->hashes == 1 ? "a task" : "tasks");
    return duet_builder_add_notice(t->builder, notice, error);
}

duet_code duet_read_instance_columns(duet_input *input, duet_builder *builder,
                                     const duet_csv_picks *picks, duet_error *error)
{
    table t = {.csv = duet_csv_over(input, DUET_CSV_MOST_COLUMNS, "at most 4096 columns", error),
               .builder = builder};
    duet_code code = read_header(&t, picks);
    t.marks.adviser = (duet_csv_adviser){advise, &t};
    while (code == DUET_OK) {
        code = duet_csv_next(&t.csv);
        if (code != DUET_OK || t.csv.count == 0) {
            break;
        }
        code = read_kind(&t);
    }
    DUET_THEN(code, duet_csv_check_marks(&t.csv, &t.marks));
    if (code == DUET_OK && t.marks.comma_line > 0 && !t.marks.comma_is_mark) {
        code = duet_builder_add_notice(builder,
                                       "every comma in a time has three digits behind it, and is "
                                       "taken for a decimal mark, as semicolons separate columns",
                                       error);
    }
    // Without ids a header alone may be any line of text with a comma.
    if (code == DUET_OK && t.columns.id == DUET_CSV_NO_COLUMN && duet_builder_kinds(builder) == 0) {
        code =
            duet_csv_fail(&t.csv, 1, 1,
                          "a header and no task; expected JSON, CSV with a header that names the "
                          "columns, such as id,cpu,gpu, or lines \"id cpu gpu\"");
    }
    DUET_THEN(code, note_hashes(&t, error));
    if (code == DUET_OK && t.total) {
        code = duet_builder_add_notice(
            builder, "the last line is called like a sum, and is a task as the others", error);
    }
    if (code == DUET_OK && duet_builder_kinds(builder) == 0) {
        code = duet_builder_add_notice(builder, "the table has a header and no task", error);
    }
    if (code == DUET_OK && t.marks.durations) {
        code = duet_builder_take_lengths(builder, error);
    }
    duet_csv_free(&t.csv);
    duet_csv_free_columns(&t.columns);
    duet_free(t.values.value);
    return code;
}

duet_code duet_read_instance_csv(duet_input *input, duet_builder *builder, duet_error *error)
{
    return duet_read_instance_columns(input, builder, NULL, error);
}
