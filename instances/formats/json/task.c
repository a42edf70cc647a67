// SPDX-License-Identifier: Apache-2.0
// A task of an instance in JSON: its times are an array in the order of the types, or an object
// with a member for each type, or members of the task itself, as tables become JSON record by
// record:
// {"id": "a", "cpu": 3.5, "gpu": null}. The first task whose times are named gives the types unless
// the platform stands before it. A moldable task has tables or laws in their place, or one law for
// all types: {"id": "a", "work": 40, "alpha": 0.1}.
#include <inttypes.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/json/task.h"

enum { ID, TASK_ALIAS, NAME_ALIAS, INDEX_ALIAS, COUNT, TIMES, AFTER, WORK, ALPHA };
static const char *const members[] = {"id",    "task",  "name", "index", "count",
                                      "times", "after", "work", "alpha", NULL};

// A task while it is read.
typedef struct json_task {
    duet_json_object object;
    duet_json_time times[DUET_MAX_TYPES];
    duet_json_time law; // of all types
    size_t time_count;  // of an array, in the order of the types
    bool named;         // the times are an object
    int64_t count;
    int id_line, id_column;     // of an id that is a number, 0: it is a text
    int text_line, text_column; // of a member that may be a time but is a text; 0: none
} json_task;

void duet_json_task_free(duet_json_task_reader *reader)
{
    duet_free(reader->id);
    duet_free(reader->names);
    duet_free(reader->values.value);
    reader->id = NULL;
    reader->names = NULL;
}

void duet_json_read_id(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_vec_reserve(reader->id, json->length + 1, json->error));
    }
    if (json->code == DUET_OK) {
        memcpy(reader->id, json->text, json->length + 1);
        reader->id_length = json->length;
    }
}

// The id, or what may be one where there is no member of that name. Tables number their tasks.
static void read_id(duet_json_task_reader *reader, json_task *task, bool alias)
{
    duet_json *json = reader->json;
    bool given = (task->object.seen & 1U << ID) != 0;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token != DUET_JSON_STRING && json->token != DUET_JSON_NUMBER) {
        if (!alias) {
            duet_json_expected(json, "the task's id, a string");
        }
        duet_json_skip_rest(json);
    } else if (!alias || !given) {
        bool number = json->token == DUET_JSON_NUMBER;
        task->id_line = number ? json->line : 0;
        task->id_column = number ? json->column : 0;
        duet_json_read_id(reader);
    }
}

// Keeps the name of a member whose value may be a time. False: there are too many, or a failure.
static bool keep_name(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    if (reader->named_count == DUET_MAX_TYPES) {
        duet_json_fail(json, "too many times; expected at most %d", DUET_MAX_TYPES);
    }
    if (json->code == DUET_OK) {
        size_t used = reader->names_used + json->length + 1;
        duet_json_note(json, duet_vec_reserve(reader->names, used, json->error));
    }
    if (json->code != DUET_OK) {
        return false;
    }
    reader->named[reader->named_count].name = reader->names_used;
    memcpy(reader->names + reader->names_used, json->text, json->length + 1);
    reader->names_used += json->length + 1;
    return true;
}

static void read_named_times(duet_json_task_reader *reader)
{
    static const char *const none[] = {NULL};
    duet_json *json = reader->json;
    duet_json_object object = duet_json_open(json, none);
    reader->named_count = 0; // members of the task itself are none
    reader->names_used = 0;
    while (duet_json_member(json, &object) && keep_name(reader)) {
        if (duet_json_next(json) == DUET_OK) {
            duet_json_read_entry(json, &reader->values, &reader->named[reader->named_count++].time);
        }
    }
}

static void read_times(duet_json_task_reader *reader, json_task *task)
{
    duet_json *json = reader->json;
    if (duet_json_next(json) == DUET_OK && json->token == DUET_JSON_OBJECT) {
        task->named = true;
        read_named_times(reader);
        return;
    }
    if (json->code == DUET_OK && json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "an array with one time per processor type");
    }
    while (json->code == DUET_OK && duet_json_element(json)) {
        if (task->time_count == DUET_MAX_TYPES) {
            duet_json_fail(json, "too many times; expected at most %d", DUET_MAX_TYPES);
        } else {
            duet_json_read_entry(json, &reader->values, &task->times[task->time_count++]);
        }
    }
}

// A member that this format does not know: a time of a type by its name, where there is no "times".
static void read_other(duet_json_task_reader *reader, json_task *task)
{
    duet_json *json = reader->json;
    bool settled = task->named || (task->object.seen & 1U << TIMES) != 0;
    if (settled) {
        (void)duet_json_is_unread_edge(reader->edges, json->text, true);
    }
    if (settled || !keep_name(reader)) {
        duet_json_skip(json);
        return;
    }
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token == DUET_JSON_NUMBER || json->token == DUET_JSON_NULL) {
        duet_read_time *time = &reader->named[reader->named_count].time.time;
        duet_decimal_fault fault = DUET_DECIMAL_OK;
        reader->named[reader->named_count].time =
            (duet_json_time){.time = {.forbidden = json->token == DUET_JSON_NULL}};
        if (json->token == DUET_JSON_NUMBER) {
            fault = duet_decimal_read(json->text, json->length, &time->value, &time->tail);
        }
        reader->named[reader->named_count].fault = fault;
        reader->named[reader->named_count].line = json->line;
        reader->named[reader->named_count].column = json->column;
        reader->named_count++;
    } else {
        const char *name = reader->names + reader->named[reader->named_count].name;
        if (!duet_json_is_unread_edge(reader->edges, name, true) &&
            json->token == DUET_JSON_STRING && task->text_line == 0) {
            duet_decimal value;
            duet_decimal_tail tail;
            bool number =
                duet_decimal_read(json->text, json->length, &value, &tail) != DUET_DECIMAL_SYNTAX;
            task->text_line = number ? json->line : 0;
            task->text_column = number ? json->column : 0;
        }
        duet_json_skip_rest(json);
    }
}

static void read_member(duet_json_task_reader *reader, json_task *task)
{
    switch (task->object.which) {
    case ID:
    case TASK_ALIAS:
    case NAME_ALIAS:
    case INDEX_ALIAS:
        read_id(reader, task, task->object.which != ID);
        break;
    case COUNT:
        (void)duet_json_whole(reader->json, "the task's count", 1, DUET_MAX_WORK, &task->count);
        break;
    case TIMES:
        read_times(reader, task);
        break;
    case AFTER:
        duet_json_read_after(reader->edges);
        break;
    case WORK:
        task->law.law = true;
        if (duet_json_next(reader->json) == DUET_OK) {
            duet_json_read_number(reader->json, "work", true, &task->law.work);
        }
        break;
    case ALPHA:
        duet_json_read_alpha(reader->json, &task->law.alpha);
        break;
    default:
        read_other(reader, task);
        break;
    }
}

static void fail_at(duet_json *json, int line, int column, const char *what)
{
    duet_json_note(json, duet_error_set_at(json->error, DUET_E_INPUT, json->input->name, line,
                                           column, "%s", what));
}

// Makes types of the names of the first task.
static void add_types(duet_json_task_reader *reader, const json_task *task)
{
    duet_json *json = reader->json;
    if (duet_builder_kinds(reader->builder) > 0) {
        fail_at(json, task->object.line, task->object.column,
                "times by name; expected an array of times, as the first task has");
    }
    for (size_t i = 0; i < reader->named_count && json->code == DUET_OK; i++) {
        duet_json_note(
            json, duet_builder_add_type(reader->builder, reader->names + reader->named[i].name, -1,
                                        task->object.line, task->object.column, json->error));
    }
}

// Puts named times into the order of the types; a type that is not named is forbidden.
static void order_times(duet_json_task_reader *reader, json_task *task)
{
    duet_json *json = reader->json;
    size_t types = duet_builder_types(reader->builder);
    bool given[DUET_MAX_TYPES] = {false};
    task->time_count = types;
    for (size_t t = 0; t < types; t++) {
        task->times[t] = (duet_json_time){.time = {.forbidden = true}};
    }
    for (size_t i = 0; i < reader->named_count && json->code == DUET_OK; i++) {
        const char *name = reader->names + reader->named[i].name;
        size_t type = duet_builder_find_type(reader->builder, name);
        if (type == types || given[type]) {
            char what[200];
            snprintf(what, sizeof what,
                     "%s \"%.60s\"; expected one time for each type that the "
                     "platform or the first task has",
                     type == types ? "a time for the unknown type" : "a second time for", name);
            fail_at(json, task->object.line, task->object.column, what);
            return;
        }
        given[type] = true;
        task->times[type] = reader->named[i].time;
    }
}

// Times that are members of the task were read before it was known that they are times.
static void check_record(duet_json_task_reader *reader, const json_task *task)
{
    duet_json *json = reader->json;
    if (task->text_line > 0) {
        fail_at(json, task->text_line, task->text_column,
                "a number in quotes; expected a time: a number, or null where it cannot run");
    }
    for (size_t i = 0; i < reader->named_count && json->code == DUET_OK; i++) {
        const duet_json_named_time *time = &reader->named[i];
        if (time->fault != DUET_DECIMAL_OK) {
            char what[200];
            snprintf(what, sizeof what, "time of \"%.60s\": expected %s",
                     reader->names + time->name, duet_decimal_expected(time->fault));
            fail_at(json, time->line, time->column, what);
        }
    }
}

// A law for all types stands alone.
static void check_law(duet_json_task_reader *reader, const json_task *task)
{
    bool times = (task->object.seen & 1U << TIMES) != 0 || reader->named_count > 0;
    if (!task->law.law && (task->object.seen & 1U << ALPHA) != 0) {
        fail_at(reader->json, task->object.line, task->object.column,
                "alpha without work; expected both, {\"work\": ..., \"alpha\": ...}");
    } else if (task->law.law && times) {
        fail_at(reader->json, task->object.line, task->object.column,
                "work beside times; expected the law of all types, {\"work\": ..., \"alpha\": "
                "...}, or the times of each");
    }
}

// What the members say together.
static void settle(duet_json_task_reader *reader, json_task *task)
{
    duet_json *json = reader->json;
    if (json->code == DUET_OK) {
        check_law(reader, task);
    }
    if (task->law.law) {
        duet_json_require(json, &task->object, 1U << ID, "the task");
        return;
    }
    bool record = (task->object.seen & 1U << TIMES) == 0 && reader->named_count > 0;
    if (!record) {
        duet_json_require(json, &task->object, 1U << TIMES | (task->named ? 0U : 1U << ID),
                          "the task");
    } else if (json->code == DUET_OK) {
        check_record(reader, task);
    }
    if (json->code == DUET_OK && (record || task->named)) {
        if (duet_builder_types(reader->builder) == 0) {
            add_types(reader, task);
        }
        if (json->code == DUET_OK) {
            order_times(reader, task);
        }
    } else if (json->code == DUET_OK && task->id_line > 0) {
        char what[100];
        snprintf(what, sizeof what, "expected the task's id, a string, found %.40s", reader->id);
        fail_at(json, task->id_line, task->id_column, what);
    }
}

// Hands the task to the builder.
static void add_kind(duet_json_task_reader *reader, const json_task *task)
{
    duet_json *json = reader->json;
    char number[32];
    bool has_id = (task->object.seen & ((1U << COUNT) - 1)) != 0; // or what stands for it
    snprintf(number, sizeof number, "t%zu", duet_builder_kinds(reader->builder));
    for (size_t t = 0; t < task->time_count; t++) {
        const duet_json_time *time = &task->times[t];
        reader->times[t] = time->time;
        // The values are where they stay only now; without any there is no memory for them.
        const duet_read_time *table = time->length > 0 ? reader->values.value + time->first : NULL;
        reader->tables[t] = (duet_read_table){.time = table,
                                              .length = time->length,
                                              .law = time->law,
                                              .work = time->work,
                                              .alpha = time->alpha};
    }
    const duet_read_kind kind = {.id = has_id ? reader->id : number,
                                 .id_length = has_id ? reader->id_length : strlen(number),
                                 .count = task->count,
                                 .times = reader->times,
                                 .time_count = task->time_count,
                                 .line = task->object.line,
                                 .column = task->object.column};
    const duet_read_table law = {.law = true, .work = task->law.work, .alpha = task->law.alpha};
    duet_json_note(json, task->law.law
                             ? duet_builder_add_law_kind(reader->builder, &kind, &law, json->error)
                             : duet_builder_add_moldable_kind(reader->builder, &kind,
                                                              reader->tables, json->error));
}

void duet_json_read_task(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    json_task task = {.object = duet_json_open(json, members), .count = 1};
    reader->named_count = 0;
    reader->names_used = 0;
    reader->id_length = 0;
    reader->values.count = 0;
    reader->edges->ids_used = 0;
    while (duet_json_member(json, &task.object)) {
        read_member(reader, &task);
    }
    if (json->code == DUET_OK) {
        settle(reader, &task);
    }
    if (json->code != DUET_OK) {
        return;
    }
    int64_t first = (task.object.seen & 1U << AFTER) != 0 ? duet_builder_tasks(reader->builder) : 0;
    add_kind(reader, &task);
    duet_json_add_after(reader->edges, first, task.count);
}
