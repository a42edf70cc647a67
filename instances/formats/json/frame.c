// SPDX-License-Identifier: Apache-2.0
// Each row of a table becomes the tokens of an object, which is read as any task is.
#include "instances/formats/json/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/names.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/fields.h"
#include "instances/formats/json/members.h"

// The member by which a row's label is the id of a task.
#define LABEL "index"

void duet_json_frame_free(duet_json_frame *frame)
{
    duet_json_tape_free(&frame->members);
    duet_json_tape_free(&frame->columns);
    duet_json_tape_free(&frame->index);
    duet_json_tape_free(&frame->row);
}

static const char *text_of(const duet_json_tape *tape, size_t at)
{
    return tape->text + tape->kept[at].text;
}

// Whether a column of that name has the ids of tasks.
static bool has_ids(const duet_json_frame *frame, const char *name)
{
    duet_field_uses *fields = frame->json->input->fields;
    const duet_csv_pick *pick = duet_field_pick(fields, name);
    return pick != NULL
               ? strcmp(pick->name, "id") == 0
               : duet_field_meaning(name) == DUET_MEANS_ID && !duet_field_is_type(fields, name);
}

// --- rows ----------------------------------------------------------------------------------------

static void begin_row(duet_json_frame *frame)
{
    frame->row.count = 0;
    frame->row.used = 0;
    duet_json_put(frame->json, &frame->row, DUET_JSON_OBJECT, NULL);
}

static void end_row(duet_json_frame *frame)
{
    duet_json *json = frame->json;
    duet_json_put(json, &frame->row, DUET_JSON_OBJECT_END, NULL);
    if (json->code == DUET_OK) {
        duet_json_replay(json, &frame->row);
        (void)duet_json_next(json);
        duet_json_read_task(frame->task);
    }
}

// --- orient="split" ------------------------------------------------------------------------------

// The elements of a kept array are texts or numbers.
static void check_labels(duet_json *json, const duet_json_tape *tape, const char *what)
{
    for (size_t i = 1; json->code == DUET_OK && i + 1 < tape->count; i++) {
        if (tape->kept[i].token != DUET_JSON_STRING && tape->kept[i].token != DUET_JSON_NUMBER) {
            json->line = tape->kept[i].line;
            json->column = tape->kept[i].column;
            duet_json_fail(json,
                           "expected %s of a table, texts or numbers; of one with several "
                           "levels, reset_index() makes columns",
                           what);
        }
    }
}

static size_t elements(const duet_json_tape *tape)
{
    return tape->count < 2 ? 0 : tape->count - 2;
}

static bool names_ids(const duet_json_frame *frame)
{
    bool found = false;
    for (size_t i = 0; i < elements(&frame->columns); i++) {
        found = has_ids(frame, text_of(&frame->columns, i + 1)) || found;
    }
    return found;
}

// The row whose array has begun.
static void read_row(duet_json_frame *frame, size_t number, bool labels)
{
    duet_json *json = frame->json;
    size_t columns = elements(&frame->columns);
    size_t at = 0;
    begin_row(frame);
    if (labels && number < elements(&frame->index)) {
        duet_json_put(json, &frame->row, DUET_JSON_NAME, LABEL);
        duet_json_copy(json, &frame->row, &frame->index, number + 1);
    }
    for (; duet_json_element(json); at++) {
        if (at == columns) {
            duet_json_fail(json,
                           "a row of more values than there are columns, %zu; expected as "
                           "many",
                           columns);
            return;
        }
        duet_json_put(json, &frame->row, DUET_JSON_NAME, text_of(&frame->columns, at + 1));
        duet_json_keep_rest(json, &frame->row);
    }
    if (json->code == DUET_OK && at < columns) {
        duet_json_fail(json, "a row of %zu values; expected %zu, as many as there are columns", at,
                       columns);
    }
    if (json->code == DUET_OK) {
        end_row(frame);
    }
}

static void read_rows(duet_json_frame *frame)
{
    duet_json *json = frame->json;
    if (elements(&frame->columns) == 0) {
        duet_json_fail(json, "the rows of a table before its columns; expected \"columns\" before "
                             "\"data\", as to_json(orient=\"split\") has them");
        return;
    }
    frame->split = true;
    bool labels = !names_ids(frame);
    for (size_t row = 0; duet_json_element(json); row++) {
        if (json->token == DUET_JSON_ARRAY) {
            read_row(frame, row, labels);
        } else {
            duet_json_expected(json, "a row of the table, an array of values");
        }
    }
}

// Whether nothing was kept but the labels of rows, which to_dict("split") has first.
static bool has_labels_alone(const duet_json_frame *frame)
{
    return frame->lists == 1 && frame->objects == 0 &&
           strcmp(text_of(&frame->members, 0), "index") == 0;
}

static void read_columns(duet_json_frame *frame)
{
    if (frame->lists == 1) {
        duet_json_copy(frame->json, &frame->index, &frame->members, 1);
        duet_json_tape_free(&frame->members);
        frame->lists = 0;
    }
    duet_json_keep_rest(frame->json, &frame->columns);
}

// The rows of orient="table", which are objects beside a schema; or a column of that name.
static void read_data(duet_json_frame *frame)
{
    duet_json *json = frame->json;
    duet_json_put(json, &frame->members, DUET_JSON_NAME, "data");
    duet_json_put(json, &frame->members, DUET_JSON_ARRAY, NULL);
    frame->lists++;
    while (duet_json_element(json)) {
        if (json->token == DUET_JSON_ARRAY) {
            duet_json_fail(json, "the rows of a table before its columns; expected \"columns\" "
                                 "before \"data\", or to_json(orient=\"records\")");
        } else if (json->token == DUET_JSON_OBJECT) {
            frame->split = true;
            duet_json_read_task(frame->task);
        } else {
            duet_json_keep_rest(json, &frame->members);
        }
    }
    duet_json_put(json, &frame->members, DUET_JSON_ARRAY_END, NULL);
    if (frame->split && json->code == DUET_OK) {
        frame->lists--;
        frame->members.count -= 3; // the empty list
    }
}

void duet_json_frame_take(duet_json_frame *frame, const char *name)
{
    duet_json *json = frame->json;
    bool array = json->token == DUET_JSON_ARRAY;
    bool empty = frame->objects + frame->lists == 0 || has_labels_alone(frame);
    if (array && empty && strcmp(name, "columns") == 0) {
        read_columns(frame);
        check_labels(json, &frame->columns, "the names of the columns");
    } else if (array && frame->columns.count > 0 && strcmp(name, "index") == 0) {
        duet_json_keep_rest(json, &frame->index);
        check_labels(json, &frame->index, "the labels of the rows");
    } else if (array && frame->columns.count > 0 && strcmp(name, "data") == 0) {
        read_rows(frame);
    } else if (array && strcmp(name, "data") == 0) {
        read_data(frame);
    } else {
        frame->objects += !array;
        frame->lists += array;
        duet_json_token token = json->token;
        duet_json_put(json, &frame->members, DUET_JSON_NAME, name);
        json->token = token;
        duet_json_keep_rest(json, &frame->members);
    }
}

// --- objects and lists ---------------------------------------------------------------------------

// A column, or a row, and where its entries are.
typedef struct entry {
    uint32_t outer, inner; // numbers of names
    size_t at;             // of the value
} entry;

typedef struct members {
    const duet_json_tape *tape;
    duet_names outer, inner;
    entry *entries; // in the order of the file
    size_t count;
} members;

static void add_entry(duet_json *json, members *m, uint32_t outer, const char *name, size_t at)
{
    entry e = {outer, 0, at};
    duet_json_then(json, duet_names_add(&m->inner, 0, name, &e.inner, json->error));
    duet_json_then(json, duet_vec_push(m->entries, m->count, json->error, e));
}

// The value behind the one that begins there.
static size_t behind(const duet_json_tape *tape, size_t at)
{
    int depth = 0;
    do {
        duet_json_token token = tape->kept[at++].token;
        depth += token == DUET_JSON_OBJECT || token == DUET_JSON_ARRAY;
        depth -= token == DUET_JSON_OBJECT_END || token == DUET_JSON_ARRAY_END;
    } while (depth > 0);
    return at;
}

static void index_members(duet_json *json, members *m)
{
    const duet_json_tape *tape = m->tape;
    for (size_t at = 0; at < tape->count && json->code == DUET_OK;) {
        uint32_t outer = 0;
        size_t before = m->outer.count;
        json->line = tape->kept[at].line;
        json->column = tape->kept[at].column;
        duet_json_note(json, duet_names_add(&m->outer, 0, text_of(tape, at), &outer, json->error));
        if (json->code == DUET_OK && outer < before) {
            duet_json_fail(json, "member \"%.60s\" is given twice; expected once",
                           text_of(tape, at));
        }
        bool list = tape->kept[++at].token == DUET_JSON_ARRAY;
        duet_json_token end = list ? DUET_JSON_ARRAY_END : DUET_JSON_OBJECT_END;
        at++;
        for (size_t i = 0; tape->kept[at].token != end && json->code == DUET_OK; i++) {
            char number[32];
            snprintf(number, sizeof number, "%zu", i);
            const char *name = list ? number : text_of(tape, at);
            at += !list;
            add_entry(json, m, outer, name, at);
            at = behind(tape, at);
        }
        at++;
    }
}

static bool is_number(const char *name)
{
    return *name != '\0' && name[strspn(name, "0123456789")] == '\0';
}

// How much the names look like those of columns: one that means something, or is a type.
static size_t columns_among(const duet_json_frame *frame, const duet_names *names)
{
    duet_field_uses *fields = frame->json->input->fields;
    size_t found = 0;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = duet_names_text(names, i);
        found += duet_field_meaning(name) != DUET_MEANS_NOTHING ||
                 duet_field_is_type(fields, name) || duet_field_pick(fields, name) != NULL ||
                 strncasecmp(name, "cpu", 3) == 0 || strncasecmp(name, "gpu", 3) == 0;
    }
    return found;
}

static size_t numbers_among(const duet_names *names)
{
    size_t found = 0;
    for (size_t i = 0; i < names->count; i++) {
        found += is_number(duet_names_text(names, i));
    }
    return found;
}

// Whether the outer names are those of the columns.
static bool are_columns(duet_json_frame *frame, const members *m)
{
    size_t outer = columns_among(frame, &m->outer);
    size_t inner = columns_among(frame, &m->inner);
    bool outer_numbers = numbers_among(&m->outer) == m->outer.count;
    bool inner_numbers = numbers_among(&m->inner) == m->inner.count;
    if (frame->lists > 0) {
        return true;
    }
    if ((outer > 0) != (inner > 0)) {
        return outer > 0;
    }
    if (outer_numbers == inner_numbers) {
        duet_json_fail(frame->json,
                       "a table of which nothing says whether its rows or its columns come first; "
                       "expected to_json(orient=\"records\"), or --platform or --columns with the "
                       "names of the columns");
    }
    return inner_numbers;
}

static bool any_ids(const duet_json_frame *frame, const duet_names *names)
{
    bool found = false;
    for (size_t i = 0; i < names->count; i++) {
        found = has_ids(frame, duet_names_text(names, i)) || found;
    }
    return found;
}

// Whether an outer name stands inside, too, among the first values: a dictionary of what is
// connected, as networkx and Dask have them, is no table.
static bool is_graph(duet_json_frame *frame, const members *m)
{
    enum { FIRST = 32 };
    bool columns = columns_among(frame, &m->outer) > 0 || any_ids(frame, &m->outer);
    size_t looked = columns || frame->json->code != DUET_OK ? 0 : duet_min(m->count, FIRST);
    for (size_t i = 0; i < looked; i++) {
        const duet_json_kept *value = &m->tape->kept[m->entries[i].at];
        const char *name = duet_names_text(&m->inner, m->entries[i].inner);
        if (frame->lists > 0) {
            name = value->token == DUET_JSON_STRING ? m->tape->text + value->text : "";
        }
        for (size_t o = 0; o < m->outer.count; o++) {
            if (strcmp(duet_names_text(&m->outer, o), name) == 0) {
                frame->json->line = value->line;
                frame->json->column = value->column;
                return true;
            }
        }
    }
    return false;
}

static void put_member(duet_json_frame *frame, const char *name, size_t at)
{
    const duet_json_kept *kept = &frame->members.kept[at];
    frame->json->line = kept->line;
    frame->json->column = kept->column;
    duet_json_put(frame->json, &frame->row, DUET_JSON_NAME, name);
    duet_json_copy(frame->json, &frame->row, &frame->members, at);
}

static void put_label(duet_json_frame *frame, const char *label)
{
    duet_json_put(frame->json, &frame->row, DUET_JSON_NAME, LABEL);
    duet_json_put(frame->json, &frame->row, DUET_JSON_STRING, label);
}

// A task for each outer name.
static void read_by_row(duet_json_frame *frame, const members *m)
{
    bool labels = !any_ids(frame, &m->inner);
    size_t next = 0;
    for (uint32_t row = 0; row < m->outer.count && frame->json->code == DUET_OK; row++) {
        begin_row(frame);
        if (labels) {
            put_label(frame, duet_names_text(&m->outer, row));
        }
        for (; next < m->count && m->entries[next].outer == row; next++) {
            put_member(frame, duet_names_text(&m->inner, m->entries[next].inner),
                       m->entries[next].at);
        }
        end_row(frame);
    }
}

// Tables have every row in every column.
static void check_row(duet_json_frame *frame, const members *m, const entry *entries, size_t count,
                      uint32_t row)
{
    if (count < m->outer.count) {
        frame->json->line = frame->members.kept[entries->at].line;
        frame->json->column = frame->members.kept[entries->at].column;
        duet_json_fail(frame->json,
                       "row \"%.60s\" is in %zu of %" PRIu32 " columns; expected it in all of "
                       "them, null where it has no value",
                       duet_names_text(&m->inner, row), count, (uint32_t)m->outer.count);
    }
}

// A task for each inner name: the entries are sorted by it.
static void read_by_column(duet_json_frame *frame, const members *m)
{
    duet_json *json = frame->json;
    bool labels = frame->lists == 0 && !any_ids(frame, &m->outer);
    size_t *begin = duet_alloc(m->inner.count + 2, sizeof *begin, json->error);
    entry *sorted = duet_alloc(m->count, sizeof *sorted, json->error);
    if (begin == NULL || sorted == NULL) {
        duet_json_note(json, DUET_E_MEMORY);
        duet_free(begin);
        duet_free(sorted);
        return;
    }
    for (size_t i = 0; i < m->count && json->code == DUET_OK; i++) {
        begin[m->entries[i].inner + 2]++;
    }
    for (size_t i = 0; i < m->inner.count && json->code == DUET_OK; i++) {
        begin[i + 2] += begin[i + 1];
    }
    for (size_t i = 0; i < m->count && json->code == DUET_OK; i++) {
        sorted[begin[m->entries[i].inner + 1]++] = m->entries[i];
    }
    for (uint32_t row = 0; row < m->inner.count && json->code == DUET_OK; row++) {
        check_row(frame, m, sorted + begin[row], begin[row + 1] - begin[row], row);
        begin_row(frame);
        if (labels) {
            put_label(frame, duet_names_text(&m->inner, row));
        }
        for (size_t i = begin[row]; i < begin[row + 1]; i++) {
            put_member(frame, duet_names_text(&m->outer, sorted[i].outer), sorted[i].at);
        }
        end_row(frame);
    }
    duet_free(begin);
    duet_free(sorted);
}

bool duet_json_frame_is_table(const duet_json_frame *frame)
{
    bool kept = frame->objects + frame->lists > 0;
    bool alike = frame->objects == 0 || frame->lists == 0;
    return frame->split ? !kept : kept && alike && frame->columns.count == 0;
}

void duet_json_frame_read(duet_json_frame *frame)
{
    members m = {.tape = &frame->members};
    duet_json *json = frame->json;
    if (frame->split || json->code != DUET_OK) {
        return;
    }
    index_members(json, &m);
    if (is_graph(frame, &m)) {
        duet_json_fail(json,
                       "a dictionary of what is connected, without times; expected \"edges\": "
                       "[[\"a\", \"b\"], ...] beside \"tasks\", or \"nodes\" and \"edges\" "
                       "as networkx's node_link_data() has them, with times of the nodes");
    }
    bool columns = json->code == DUET_OK && are_columns(frame, &m);
    if (columns) {
        read_by_column(frame, &m);
    } else {
        read_by_row(frame, &m);
    }
    duet_names_free(&m.outer);
    duet_names_free(&m.inner);
    duet_free(m.entries);
}

void duet_json_frame_pass(duet_json_frame *frame)
{
    duet_json *json = frame->json;
    const duet_json_tape *tape = &frame->members;
    int line = json->line;
    int column = json->column;
    for (size_t at = 0; at < tape->count && json->code == DUET_OK; at = behind(tape, at + 1)) {
        json->line = tape->kept[at].line;
        json->column = tape->kept[at].column;
        bool empty = behind(tape, at + 1) <= at + 3; // "[]" and "{}" say nothing
        if (!empty && duet_json_names_order(json, text_of(tape, at))) {
            duet_json_refuse_order(json, DUET_FIELD_INSTANCE, text_of(tape, at));
        }
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, text_of(tape, at), NULL);
    }
    if (frame->columns.count > 0 && !frame->split) {
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, "columns", NULL);
    }
    json->line = line;
    json->column = column;
}
