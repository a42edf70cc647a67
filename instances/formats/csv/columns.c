// SPDX-License-Identifier: Apache-2.0
// The header of a table of tasks.
//
// A column called id, task or name holds the ids, else one of another word for them (fields.h).
// Tables that programs write often have a first column without a name that numbers or names the
// rows: it holds the ids where no other does. The first columns called count, after, release,
// deadline and group hold these; without the last four it is one of another word for it. What has
// another name that means something in the field is no processor type. Every other column is one,
// or of moldable tasks (moldable.h).
#include "instances/formats/csv/columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/builder/advice.h"
#include "core/system/shell_word.h"
#include "core/system/try.h"
#include "instances/formats/csv/moldable.h"
#include "instances/formats/fields.h"

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

// What a pick of that name sets; NULL: it is a type.
static int *place_of(duet_csv_columns *columns, const char *name)
{
    const struct {
        const char *name;
        int *column;
    } places[] = {{"id", &columns->id},
                  {"count", &columns->count},
                  {"after", &columns->after},
                  {"successors", &columns->before},
                  {"release", &columns->release},
                  {"deadline", &columns->deadline},
                  {"priority", &columns->priority},
                  {"group", &columns->group},
                  {"cores", &columns->cores}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].name, name) == 0) {
            return places[i].column;
        }
    }
    return NULL;
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
        int *place = place_of(columns, pick->name);
        if (place != NULL) {
            *place = column;
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
        const char *text = duet_csv_text(h->csv, i);
        if (strcasecmp(text, name) == 0 && !is_time(h->columns, (int)i) &&
            !duet_field_is_ignored(h->csv->input->fields, text)) {
            return (int)i;
        }
    }
    return DUET_CSV_NO_COLUMN;
}

// Whether a column is called as one that has a place: what Duet writes of a type with such a name.
static bool has_twin(const header *h, size_t column)
{
    const int placed[] = {h->columns->id, h->columns->count, h->columns->after};
    bool twin = false;
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        bool repeated = i == 2 && strcasecmp(duet_csv_text(h->csv, column), "after") != 0;
        twin = twin || (placed[i] != DUET_CSV_NO_COLUMN && placed[i] != (int)column && !repeated &&
                        strcasecmp(duet_csv_text(h->csv, (size_t)placed[i]),
                                   duet_csv_text(h->csv, column)) == 0);
    }
    return twin;
}

// Words that mean something only where no column is called "id": beside one they are types.
static bool is_type_beside_id(const header *h, const char *name)
{
    static const char *const words[] = {"no", "nr", "ts", "active"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || strcasecmp(name, words[i]) == 0;
    }
    return found && h->columns->id != DUET_CSV_NO_COLUMN &&
           strcasecmp(duet_csv_text(h->csv, (size_t)h->columns->id), "id") == 0;
}

// Whether a name is one by which trackers call what a task is a part of; of "parents" it has
// several.
static bool is_parent(const char *name)
{
    size_t length = strlen(name);
    return strncasecmp(name, "parent", 6) == 0 && name[length - 1] != 's' &&
           duet_field_meaning(name) == DUET_MEANS_AFTER;
}

// Whether a column is the hierarchy of a tracker: beside another word for what comes before a task
// it is no order.
static bool is_hierarchy(const header *h, size_t column)
{
    if (!is_parent(duet_csv_text(h->csv, column))) {
        return false;
    }
    bool order = false;
    for (size_t i = 0; i < h->columns->named && !order; i++) {
        const char *name = duet_csv_text(h->csv, i);
        order = !is_parent(name) && !is_time(h->columns, (int)i) &&
                !duet_field_is_ignored(h->csv->input->fields, name) &&
                duet_field_meaning(name) == DUET_MEANS_AFTER;
    }
    return order;
}

// What a column that is no time means by its name: what the caller ignores is a remark. What the
// caller calls a type, what a column with a place is called, too, and "cpus" beside "gpus" mean
// nothing.
static duet_meaning meaning_of(const header *h, size_t column)
{
    const char *name = duet_csv_text(h->csv, column);
    bool type = duet_field_is_type(h->csv->input->fields, name) ||
                is_time(h->columns, (int)column) || has_twin(h, column) ||
                is_type_beside_id(h, name);
    for (size_t i = 0; i < h->columns->named && !type; i++) {
        type = strcasecmp(name, "cpus") == 0 && strcasecmp(duet_csv_text(h->csv, i), "gpus") == 0;
    }
    bool ignored =
        !type && (duet_field_is_ignored(h->csv->input->fields, name) || is_hierarchy(h, column));
    return type ? DUET_MEANS_NOTHING : ignored ? DUET_MEANS_REMARK : duet_field_meaning(name);
}

// The first column of a meaning.
static int find_meaning(const header *h, duet_meaning meaning)
{
    for (size_t i = 0; i < h->columns->named; i++) {
        bool other = (int)i == h->columns->id || (int)i == h->columns->count;
        if (!other && meaning_of(h, i) == meaning) {
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
        const char *name = duet_csv_text(h->csv, i);
        if (is_id_name(name) && !is_time(columns, (int)i) &&
            !duet_field_is_ignored(h->csv->input->fields, name)) {
            return (int)i;
        }
    }
    int other = find_meaning(h, DUET_MEANS_ID);
    return other == DUET_CSV_NO_COLUMN && first_is_index ? 0 : other;
}

// The column of releases, deadlines or groups: one that is called so, without picks also another
// word for it.
static void find_own(const header *h, duet_meaning meaning, const char *word, int *found)
{
    for (size_t i = 0; i < h->columns->named && *found == DUET_CSV_NO_COLUMN; i++) {
        const char *name = duet_csv_text(h->csv, i);
        bool asked = h->picks == NULL || strcasecmp(name, word) == 0;
        if (asked && meaning_of(h, i) == meaning && (int)i != h->columns->id &&
            !duet_field_is_ignored(h->csv->input->fields, name)) {
            *found = (int)i;
        }
    }
}

static void keep_name(const duet_csv *csv, int column, char name[DUET_CSV_KEPT_NAME])
{
    snprintf(name, DUET_CSV_KEPT_NAME, "%s",
             column == DUET_CSV_NO_COLUMN ? "" : duet_csv_text(csv, (size_t)column));
}

static bool is_placed(const duet_csv_columns *columns, int column)
{
    return column == columns->id || column == columns->count || column == columns->after ||
           column == columns->before || column == columns->release || column == columns->deadline ||
           column == columns->group;
}

// Whether a column says the order beside another one: it has the same name, as Jira writes a column
// for each predecessor, or without picks another word for it.
static bool is_repeat(const header *h, size_t column)
{
    const int placed[] = {h->columns->after, h->columns->before};
    duet_meaning meaning = meaning_of(h, column);
    bool repeat = false;
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        bool same = placed[i] != DUET_CSV_NO_COLUMN &&
                    (h->picks == NULL || strcasecmp(duet_csv_text(h->csv, (size_t)placed[i]),
                                                    duet_csv_text(h->csv, column)) == 0);
        repeat = repeat || same;
    }
    return repeat && (meaning == DUET_MEANS_AFTER || meaning == DUET_MEANS_BEFORE) &&
           placed[0] != (int)column && placed[1] != (int)column;
}

// Whether a column is no type and has no place, though its name means something. Of those that the
// caller has not picked these are orders, releases and deadlines: others are passed over as asked.
static bool is_passed(const header *h, size_t column)
{
    duet_meaning meaning = meaning_of(h, column);
    bool index = column == 0 && is_index_name(duet_csv_text(h->csv, column));
    if (h->picks != NULL &&
        ((int)column == h->columns->cores || (int)column == h->columns->priority)) {
        return true;
    }
    return !index && !is_repeat(h, column) && !is_placed(h->columns, (int)column) &&
           !is_time(h->columns, (int)column) &&
           (h->picks == NULL ? meaning != DUET_MEANS_NOTHING : duet_meaning_binds(meaning));
}

// The columns that say the order, of which the placed ones come first.
static duet_code take_orders(const header *h)
{
    const duet_csv_columns *columns = h->columns;
    const int placed[] = {columns->after, columns->before};
    duet_code code = DUET_OK;
    for (size_t i = 0; i < sizeof placed / sizeof *placed + columns->repeats && code == DUET_OK;
         i++) {
        int column = i < 2 ? placed[i] : columns->repeat[i - 2];
        if (column != DUET_CSV_NO_COLUMN) {
            code = duet_field_take_order(h->csv->input->fields, DUET_FIELD_COLUMN,
                                         duet_csv_text(h->csv, (size_t)column), h->builder,
                                         h->csv->error);
        }
    }
    return code;
}

static duet_code list_passed(const header *h)
{
    duet_csv_columns *columns = h->columns;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < columns->named && code == DUET_OK; i++) {
        uint32_t number = 0;
        if (is_repeat(h, i)) {
            columns->repeat_before[columns->repeats] = meaning_of(h, i) == DUET_MEANS_BEFORE;
            columns->repeat[columns->repeats++] = (uint16_t)i;
            duet_builder_merge_edges(h->builder);
        }
        if (is_passed(h, i)) {
            code = duet_names_add(&columns->passed, (uint32_t)i, duet_csv_text(h->csv, i), &number,
                                  h->csv->error);
            columns->pass[number] = (uint16_t)i;
            bool first = columns->priority == DUET_CSV_NO_COLUMN;
            if (first && strcasecmp(duet_csv_text(h->csv, i), "priority") == 0) {
                columns->priority = (int)i;
            }
        }
    }
    return code;
}

static duet_code pass_value(const duet_csv *csv, const duet_csv_columns *columns, size_t which)
{
    const duet_csv_field *at = &csv->fields[columns->pass[which]];
    const char *value = duet_csv_text(csv, columns->pass[which]);
    const duet_field field = {DUET_FIELD_COLUMN, duet_names_text(&columns->passed, which), at->line,
                              at->column};
    bool picks = csv->input->fields != NULL && csv->input->fields->picks != NULL;
    if (columns->pass[which] == columns->cores ||
        (!picks && duet_field_meaning(field.name) == DUET_MEANS_CORES)) {
        return duet_field_guard(csv->input->fields, &field, value, csv->input->name, csv->error);
    }
    duet_decimal priority;
    bool taken = columns->pass[which] == columns->priority &&
                 duet_field_priority(value, strlen(value), &priority);
    return value[0] == '\0'
               ? DUET_OK
               : duet_field_pass(csv->input->fields, &field, taken ? DUET_FIELD_PRIORITY_USE : NULL,
                                 csv->input->name, csv->error);
}

duet_code duet_csv_pass_columns(const duet_csv *csv, const duet_csv_columns *columns)
{
    for (size_t i = 0; i < columns->passed.count; i++) {
        DUET_TRY(pass_value(csv, columns, i));
    }
    return DUET_OK;
}

void duet_csv_free_columns(duet_csv_columns *columns)
{
    duet_names_free(&columns->passed);
}

// Columns in the middle that have no name: perhaps the line is a title, with the header below.
static duet_code refuse_unnamed(const header *h, size_t column)
{
    char message[400];
    size_t named = 0;
    size_t used = 0;
    char advice[200] = "";
    char word[DUET_SHELL_WORD];
    for (size_t i = 0; i < h->csv->count; i++) {
        const char *name = duet_csv_text(h->csv, i);
        bool type = name[0] != '\0' && !is_placed(h->columns, (int)i) && !is_passed(h, i);
        named += name[0] != '\0';
        if (type && strpbrk(name, ",=\"'") == NULL && strlen(name) < sizeof advice - used - 1) {
            used += (size_t)snprintf(advice + used, sizeof advice - used, "%s%s",
                                     used == 0 ? "" : ",", name);
        }
    }
    if (named < 2) {
        snprintf(message, sizeof message, "%s", DUET_CSV_TITLE);
    } else {
        snprintf(message, sizeof message,
                 "empty processor type: expected a name in each column of the header%s%s%s",
                 used > 0 ? ", or --columns " : "",
                 used > 0 ? duet_shell_word(advice, "NAME=COLUMN,...", word, sizeof word) : "",
                 used > 0 ? ", which passes over those without" : "");
    }
    return duet_csv_fail(h->csv, h->csv->fields[column].line, h->csv->fields[column].column,
                         message);
}

static duet_code add_types(const header *h)
{
    const duet_csv_columns *columns = h->columns;
    for (size_t i = 0; i < columns->named; i++) {
        const char *name = duet_csv_text(h->csv, i);
        int column = (int)i;
        bool index = i == 0 && is_index_name(name);
        if (!index && !is_placed(columns, column) && !is_repeat(h, i) && !is_passed(h, i)) {
            const duet_csv_field *at = &h->csv->fields[i];
            const duet_field field = {DUET_FIELD_COLUMN, name, at->line, at->column};
            DUET_TRY(duet_csv_is_moldable(h->csv, name)
                         ? DUET_OK
                         : duet_field_take_type(h->csv->input->fields, &field, h->csv->input->name,
                                                h->csv->error));
            DUET_TRY(name[0] == '\0' ? refuse_unnamed(h, i) : add_type(h, name, i));
        }
    }
    return duet_field_end_types(h->csv->input->fields, h->csv->input->name, h->csv->error);
}

// Without a type a column that means something else may have been meant as the time.
static duet_code refuse_no_type(const header *h)
{
    const duet_csv *csv = h->csv;
    const duet_csv_columns *columns = h->columns;
    if (columns->end_line > 0) {
        return refuse_unnamed(h, columns->named);
    }
    const char *name = columns->passed.count == 0 ? "" : duet_names_text(&columns->passed, 0);
    if (name[0] == '\0' || duet_list_is_special(name) || strlen(name) > 60) {
        return duet_csv_fail(csv, csv->line, 0, "the header names no processor type; " EXPECTED);
    }
    char word[DUET_SHELL_WORD];
    char pick[80];
    snprintf(pick, sizeof pick, "cpu=%s", name);
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->line, 0,
                             "the header names no processor type; " EXPECTED
                             "; if column \"%s\" has the times, --columns %s says so",
                             name, duet_shell_word(pick, "cpu=NAME", word, sizeof word));
}

// Whether the caller has said which column is the order.
static bool picked_order(const header *h)
{
    bool picked = false;
    for (size_t i = 0; h->picks != NULL && i < h->picks->count; i++) {
        const char *name = h->picks->pick[i].name;
        picked = picked || strcmp(name, "after") == 0 || strcmp(name, "successors") == 0;
    }
    return picked;
}

// The columns of what comes before and behind a task, where the caller has not picked either.
static void find_order(const header *h)
{
    duet_csv_columns *columns = h->columns;
    bool ordered = picked_order(h);
    if (columns->after == DUET_CSV_NO_COLUMN && !ordered) {
        columns->after = find_meaning(h, DUET_MEANS_AFTER);
    }
    if (columns->before == DUET_CSV_NO_COLUMN && !ordered) {
        columns->before = find_meaning(h, DUET_MEANS_BEFORE);
    }
    if (columns->after != DUET_CSV_NO_COLUMN && columns->before != DUET_CSV_NO_COLUMN) {
        duet_builder_merge_edges(h->builder);
    }
}

// Where edges name no tasks another column may have the ids.
static void advise_ids(const header *h)
{
    for (size_t i = 0; i < h->columns->named; i++) {
        const char *name = duet_csv_text(h->csv, i);
        bool other = (int)i != h->columns->id && name[0] != '\0' &&
                     (meaning_of(h, i) == DUET_MEANS_ID || (i == 0 && is_index_name(name)));
        if (other) {
            char advice[DUET_FIELD_ID_ADVICE];
            duet_field_id_advice(h->csv->input->fields, h->builder, name, advice);
            duet_builder_advise_ends(h->builder, advice);
            return;
        }
    }
}

static void clear(duet_csv_columns *columns)
{
    columns->id = DUET_CSV_NO_COLUMN;
    columns->count = DUET_CSV_NO_COLUMN;
    columns->after = DUET_CSV_NO_COLUMN;
    columns->release = DUET_CSV_NO_COLUMN;
    columns->deadline = DUET_CSV_NO_COLUMN;
    columns->priority = DUET_CSV_NO_COLUMN;
    columns->group = DUET_CSV_NO_COLUMN;
    columns->before = DUET_CSV_NO_COLUMN;
    columns->cores = DUET_CSV_NO_COLUMN;
    columns->end_line = 0;
    columns->types = 0;
    columns->repeats = 0;
    columns->cells = 0;
}

duet_code duet_csv_read_columns(duet_csv *csv, const duet_csv_picks *picks, duet_builder *builder,
                                duet_csv_columns *columns)
{
    clear(columns);
    const header h = {csv, picks, builder, columns};
    if (csv->count == 0) {
        return duet_csv_fail(csv, 1, 1, "no header; " EXPECTED);
    }
    drop_unnamed(csv, columns);
    DUET_TRY(picks == NULL ? refuse_data(&h) : take_picks(&h));
    columns->id = columns->id == DUET_CSV_NO_COLUMN ? find_ids(&h) : columns->id;
    columns->count =
        columns->count == DUET_CSV_NO_COLUMN ? find_named(&h, "count") : columns->count;
    if (columns->count == DUET_CSV_NO_COLUMN && picks == NULL) {
        columns->count = find_meaning(&h, DUET_MEANS_COUNT);
    }
    columns->after =
        columns->after == DUET_CSV_NO_COLUMN ? find_named(&h, "after") : columns->after;
    find_order(&h);
    find_own(&h, DUET_MEANS_RELEASE, "release", &columns->release);
    find_own(&h, DUET_MEANS_DEADLINE, "deadline", &columns->deadline);
    find_own(&h, DUET_MEANS_GROUP, "group", &columns->group);
    if (picks != NULL) { // without picks all that say it are looked at
        find_own(&h, DUET_MEANS_CORES, "cores", &columns->cores);
    }
    keep_name(csv, columns->count, columns->count_name);
    keep_name(csv, columns->release, columns->release_name);
    keep_name(csv, columns->deadline, columns->deadline_name);
    keep_name(csv, columns->after, columns->after_name);
    keep_name(csv, columns->before, columns->before_name);
    keep_name(csv, columns->group, columns->group_name);
    duet_code code = list_passed(&h);
    DUET_THEN(code, take_orders(&h));
    if (code == DUET_OK && picks == NULL) {
        code = add_types(&h);
    }
    advise_ids(&h);
    DUET_THEN(code, duet_csv_check_moldable(csv, columns));
    return code == DUET_OK && columns->types == 0 ? refuse_no_type(&h) : code;
}
