// SPDX-License-Identifier: Apache-2.0
// What the members of a task in JSON say together, once all of them are read: which are times, and
// of which types.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/builder/advice.h"
#include "core/system/vec.h"
#include "instances/formats/json/members.h"
#include "instances/formats/json/task_state.h"

void duet_json_fail_at(duet_json *json, int line, int column, const char *what)
{
    duet_json_note(json, duet_error_set_at(json->error, DUET_E_INPUT, json->input->name, line,
                                           column, "%s", what));
}

bool duet_json_keep_name(duet_json_task_reader *reader, const char *name)
{
    duet_json *json = reader->json;
    size_t length = strlen(name);
    if (reader->named_count == DUET_MAX_TYPES) {
        duet_json_fail(json, "too many times; expected at most %d", DUET_MAX_TYPES);
    }
    if (json->code == DUET_OK) {
        duet_json_note(
            json, duet_vec_reserve(reader->names, reader->names_used + length + 1, json->error));
    }
    if (json->code != DUET_OK) {
        return false;
    }
    reader->named[reader->named_count] = (duet_json_named_time){.name = reader->names_used};
    memcpy(reader->names + reader->names_used, name, length + 1);
    reader->names_used += length + 1;
    return true;
}

// Types that the first task does not have, but the caller names.
static void add_named_types(duet_json_task_reader *reader, const duet_json_task *task)
{
    duet_json *json = reader->json;
    char name[DUET_FIELD_TYPE_NAME];
    size_t which = 0;
    while (json->code == DUET_OK && duet_field_next_type(json->input->fields, &which, name)) {
        if (duet_builder_find_type(reader->builder, name) == duet_builder_types(reader->builder)) {
            duet_json_note(json, duet_builder_add_type(reader->builder, name, -1, task->object.line,
                                                       task->object.column, json->error));
        }
    }
}

// Makes types of the names of the first task.
static void add_types(duet_json_task_reader *reader, const duet_json_task *task)
{
    duet_json *json = reader->json;
    if (duet_builder_kinds(reader->builder) > 0) {
        duet_json_fail_at(json, task->object.line, task->object.column,
                          "times by name; expected an array of times, as the first task has");
    }
    for (size_t i = 0; i < reader->named_count && json->code == DUET_OK; i++) {
        const duet_field field = {DUET_FIELD_TASK, reader->names + reader->named[i].name,
                                  task->object.line, task->object.column};
        duet_json_note(json, duet_field_take_type(json->input->fields, &field, json->input->name,
                                                  json->error));
        duet_json_then(json, duet_builder_add_type(reader->builder, field.name, -1, field.line,
                                                   field.column, json->error));
    }
    add_named_types(reader, task);
    duet_json_then(json, duet_field_end_types(json->input->fields, json->input->name, json->error));
}

// Puts named times into the order of the types; a type that is not named is forbidden.
static void order_times(duet_json_task_reader *reader, duet_json_task *task)
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
            char what[300];
            snprintf(what, sizeof what,
                     "%s \"%.60s\"; expected one time for each type that the "
                     "platform or the first task has%s",
                     type == types ? "a time for the unknown type" : "a second time for", name,
                     type == types ? "; --platform NAME=N,... names all types" : "");
            duet_json_fail_at(json, task->object.line, task->object.column, what);
            return;
        }
        given[type] = true;
        task->times[type] = reader->named[i].time;
        reader->durations = reader->durations || reader->named[i].length;
    }
}

// Times that are members of the task were read before it was known that they are times.
static void check_record(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    for (size_t i = 0; i < reader->named_count && json->code == DUET_OK; i++) {
        const duet_json_named_time *time = &reader->named[i];
        if (time->fault != DUET_DECIMAL_OK) {
            char what[200 + DUET_FIELD_ADVICE];
            char advice[DUET_FIELD_ADVICE];
            duet_field_ignore_advice(reader->names + time->name, advice);
            snprintf(what, sizeof what, "time of \"%.60s\": expected %s, or %s",
                     reader->names + time->name, duet_decimal_expected(time->fault), advice);
            duet_json_fail_at(json, time->line, time->column, what);
        }
    }
}

// A law for all types stands alone.
static void check_law(duet_json_task_reader *reader, const duet_json_task *task)
{
    bool times = (task->object.seen & 1U << DUET_JSON_TIMES) != 0 || reader->named_count > 0;
    if (!task->law.law && (task->object.seen & 1U << DUET_JSON_ALPHA) != 0) {
        duet_json_fail_at(reader->json, task->object.line, task->object.column,
                          "alpha without work; expected both, {\"work\": ..., \"alpha\": ...}");
    } else if (task->law.law && times) {
        duet_json_fail_at(
            reader->json, task->object.line, task->object.column,
            "work beside times; expected the law of all types, {\"work\": ..., \"alpha\": "
            "...}, or the times of each");
    }
}

// Takes a time by name back: it is none. Its name is in the ledger, or its value is guarded.
static void take_back(duet_json_task_reader *reader, size_t which)
{
    memmove(&reader->named[which], &reader->named[which + 1],
            (reader->named_count - which - 1) * sizeof *reader->named);
    reader->named_count--;
}

// A member that may have been a time is a number of cores.
static void guard_cores(duet_json_task_reader *reader, size_t which)
{
    duet_json *json = reader->json;
    const duet_json_named_time *named = &reader->named[which];
    const duet_read_time *number = &named->time.time;
    const duet_field field = {DUET_FIELD_TASK, reader->names + named->name, named->line,
                              named->column};
    char value[32] = "";
    if (named->length) {
        snprintf(value, sizeof value, "a length of time");
    } else if (!number->forbidden) {
        duet_decimal_format(number->value.mantissa, number->value.places, value);
    }
    duet_json_note(
        json, duet_field_guard(json->input->fields, &field, value, json->input->name, json->error));
}

// "cpus" is a type beside "gpus" alone; else it is a number of cores.
static void settle_cpus(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    size_t cpus = reader->named_count;
    bool gpus = false;
    for (size_t i = 0; i < reader->named_count; i++) {
        const char *name = reader->names + reader->named[i].name;
        cpus = strcasecmp(name, "cpus") == 0 ? i : cpus;
        gpus = gpus || strcasecmp(name, "gpus") == 0;
    }
    if (gpus || cpus == reader->named_count || reader->named[cpus].known ||
        duet_field_is_type(json->input->fields, "cpus") ||
        duet_field_pick(json->input->fields, "cpus") != NULL) {
        return;
    }
    guard_cores(reader, cpus);
    take_back(reader, cpus);
}

// Whether weights are times is said by the first task, for all.
static void settle_weight(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    bool times = (task->object.seen & 1U << DUET_JSON_TIMES) != 0 || reader->named_count > 0 ||
                 task->law.law;
    bool weighed = (task->has & DUET_JSON_HAS_WEIGHT) != 0;
    if (reader->weights == DUET_JSON_WEIGHTS_UNKNOWN) {
        reader->weights = times || !weighed ? DUET_JSON_WEIGHTS_NO_TIMES : DUET_JSON_WEIGHTS_TIMES;
        if (reader->weights == DUET_JSON_WEIGHTS_TIMES && json->code == DUET_OK) {
            duet_json_note(json, duet_builder_add_notice(
                                     reader->builder,
                                     "the weight of a task is taken for its time, for nothing else "
                                     "is said of it",
                                     json->error));
        }
    }
    if (!weighed) {
        return;
    }
    if (reader->weights == DUET_JSON_WEIGHTS_TIMES && !times &&
        duet_json_keep_name(reader, "cpu")) {
        task->weight.name = reader->named[reader->named_count].name;
        reader->named[reader->named_count++] = task->weight;
    } else {
        duet_json_pass_named(json, DUET_FIELD_TASK, "weight", NULL);
    }
}

// A release or a deadline that might have been the time of a type called so. False: it is none.
static bool take_own(duet_json_task_reader *reader, duet_json_task *task,
                     const duet_json_named_time *named)
{
    duet_meaning meaning = duet_field_meaning(reader->names + named->name);
    bool release = meaning == DUET_MEANS_RELEASE && (task->has & DUET_JSON_HAS_RELEASE) == 0;
    bool deadline = meaning == DUET_MEANS_DEADLINE && (task->has & DUET_JSON_HAS_DEADLINE) == 0;
    bool own = (release || deadline) && named->fault == DUET_DECIMAL_OK;
    if (own && release) {
        task->has |= DUET_JSON_HAS_RELEASE;
        task->release.time = named->time.time;
    } else if (own) {
        task->has |= DUET_JSON_HAS_DEADLINE;
        task->deadline.time = named->time.time;
    }
    reader->durations = reader->durations || (own && named->length);
    return own;
}

void duet_json_pass_times(duet_json_task_reader *reader, duet_json_task *task)
{
    for (size_t i = 0; i < reader->named_count && !task->named; i++) {
        const char *name = reader->names + reader->named[i].name;
        if (strcasecmp(name, "cpus") == 0 &&
            duet_field_pick(reader->json->input->fields, name) == NULL) {
            guard_cores(reader, i);
        } else if (!take_own(reader, task, &reader->named[i])) {
            duet_json_pass_named(reader->json, DUET_FIELD_TASK, name, NULL);
        }
    }
}

// The time of tasks that have none, where the caller says it. Without types there is one.
static bool take_default(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    duet_read_time times[DUET_MAX_TYPES];
    if (json->code != DUET_OK || json->input->fields == NULL || json->input->fields->time == NULL) {
        return false;
    }
    if (duet_builder_types(reader->builder) == 0) {
        add_named_types(reader, task);
    }
    if (json->code == DUET_OK && duet_builder_types(reader->builder) == 0) {
        duet_json_note(json, duet_builder_add_type(reader->builder, "cpu", -1, task->object.line,
                                                   task->object.column, json->error));
    }
    task->time_count = duet_builder_types(reader->builder);
    (void)duet_field_take_default(json->input->fields, times, task->time_count);
    for (size_t t = 0; t < task->time_count; t++) {
        task->times[t] = (duet_json_time){.time = times[t]};
    }
    return true;
}

// A task has an id, or what stands for it, unless its times are by name: tables number their rows.
static void require_id(duet_json *json, const duet_json_task *task)
{
    bool has_id = task->named || task->id_rank > DUET_JSON_NO_ID;
    duet_json_object object = task->object;
    object.seen &= ~(1U << DUET_JSON_ID);
    if (!has_id && (task->has & DUET_JSON_HAS_DATA) != 0 && json->code == DUET_OK) {
        duet_json_fail_at(json, object.line, object.column,
                          "the task has no \"id\" but in \"data\", as Cytoscape's graphs have it; "
                          "expected it in the task itself, as networkx's node_link_data() has it");
    }
    duet_json_require(json, &object, has_id ? 0U : 1U << DUET_JSON_ID, "the task");
}

static void require_times(duet_json *json, const duet_json_task *task)
{
    require_id(json, task);
    if (json->code == DUET_OK && (task->object.seen & 1U << DUET_JSON_TIMES) == 0) {
        duet_json_fail_at(json, task->object.line, task->object.column,
                          "the task has no \"times\", which is expected, nor a time by the name "
                          "of a processor type; -O time=1 gives one to all tasks without");
    }
}

// Members of tasks that are null say nothing where no type of that name is known and none is a
// time.
static void drop_nulls(duet_json_task_reader *reader)
{
    bool any = false;
    for (size_t i = 0; i < reader->named_count && !any; i++) {
        any = reader->named[i].known || !reader->named[i].time.time.forbidden;
    }
    reader->named_count = any ? reader->named_count : 0;
}

void duet_json_settle_task(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    if (!task->named) {
        settle_cpus(reader);
    }
    settle_weight(reader, task);
    if (json->code == DUET_OK) {
        check_law(reader, task);
    }
    if (task->law.law) {
        require_id(json, task);
        return;
    }
    bool times = (task->object.seen & 1U << DUET_JSON_TIMES) != 0;
    if (!times && !task->named) {
        drop_nulls(reader);
    }
    bool record = !times && reader->named_count > 0;
    if (!record && !times && json->code == DUET_OK) { // perhaps what is picked is not there
        duet_json_note(json,
                       duet_field_check_picks(json->input->fields, json->input->name, json->error));
    }
    if (!record && !times && take_default(reader, task)) {
        duet_json_pass_times(reader, task);
        require_id(json, task);
        return;
    }
    if (!record) {
        duet_json_pass_times(reader, task);
        require_times(json, task);
    } else if (json->code == DUET_OK) {
        check_record(reader);
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
        duet_json_fail_at(json, task->id_line, task->id_column, what);
    }
}

void duet_json_advise_ids(duet_json_task_reader *reader)
{
    char advice[DUET_FIELD_ID_ADVICE];
    if (reader->json->code == DUET_OK && reader->other_id[0] != '\0') {
        duet_field_id_advice(reader->json->input->fields, reader->builder, reader->other_id,
                             advice);
        duet_builder_advise_ends(reader->builder, advice);
    }
}
