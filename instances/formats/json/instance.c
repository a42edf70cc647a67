// SPDX-License-Identifier: Apache-2.0
// Instances in the native JSON format, read one entry at a time, and workflows in WfFormat.
#include <stdio.h>
#include <string.h>

#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/names.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/edges.h"
#include "instances/formats/json/members.h"
#include "instances/formats/json/parts.h"
#include "instances/formats/json/platform.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/task.h"
#include "instances/formats/json/task_state.h"
#include "instances/formats/workflow/workflow.h"

enum {
    FORMAT,
    VERSION,
    NAME,
    TIME_UNIT,
    PLATFORM,
    TASKS,
    CLAIM,
    EDGES,
    TRANSFER,
    WORKFLOW,
    NETWORK,
    TICK,
    MIXED_SETS,
    STARPU,
    FIXED
};
static const char *const members[] = {
    "format",   "version",  "name",    "time_unit", "platform",   "tasks",  "claim", "edges",
    "transfer", "workflow", "network", "tick",      "mixed_sets", "starpu", "fixed", NULL};

typedef struct json_test {
    duet_read_time time;
    int line, column;
} json_test;

// What has been read of other programs: a workflow, in its own format; tasks by another name; some
// member of no format. And of this one: "format" itself; edges, which may be none; other members.
enum { READ_WORKFLOW = 1, READ_TASKS = 2, READ_OTHERS = 4 };
enum { READ_FORMAT = 8, READ_EDGES = 16, READ_MEMBER = 32 };

typedef struct json_reader {
    duet_json json;
    duet_builder *builder;
    duet_json_task_reader task; // also the names of types pass through it
    duet_json_edges edges;
    unsigned read; // a bit for each of the above
    // Members that are numbers: the times of tests, where there is nothing else.
    duet_names test_names;
    json_test *tests;
    duet_json_frame frame;            // a table, where there is nothing else
    duet_json_wrapped wrapped;        // likewise
    int version_line, version_column; // of a version that is none of this format; 0: there is none
    int profiles_line, profiles_column; // 0: there are none
    int order_line; // of an attribute of the graph that may be an order; 0: there is none
    int order_column;
    duet_json_platform platform;
} json_reader;

// Reads all members of an object of this format, or of a part of it.
static duet_json_object read_members(json_reader *reader);

// Whether any of `what` has been read.
static bool has_read(const json_reader *reader, unsigned what)
{
    return (reader->read & what) != 0;
}

static void read_format(json_reader *reader)
{
    duet_json *json = &reader->json;
    reader->read |= READ_FORMAT;
    if (!duet_json_want(json, DUET_JSON_STRING, "the format \"duet-instance\"")) {
        return;
    }
    if (strcmp(json->text, "duet-solution") == 0) {
        duet_json_fail(json, "this file is a solution (format \"duet-solution\"); expected an "
                             "instance (format \"duet-instance\")");
    } else if (strcmp(json->text, "duet-instance") != 0) {
        duet_json_expected(json, "the format \"duet-instance\"");
    }
    if (reader->version_line > 0 && json->code == DUET_OK) {
        duet_json_fail_at(json, reader->version_line, reader->version_column,
                          "expected version 1 of the format");
    }
}

// The version of this format; that of another program's says nothing.
static void read_version(json_reader *reader)
{
    duet_json *json = &reader->json;
    int64_t version;
    if (has_read(reader, READ_FORMAT)) {
        (void)duet_json_whole(json, "version 1 of the format", 1, 1, &version);
    } else if (duet_json_next(json) == DUET_OK &&
               (json->token != DUET_JSON_NUMBER || strcmp(json->text, "1") != 0)) {
        reader->version_line = json->line;
        reader->version_column = json->column;
        duet_json_skip_rest(json);
    }
}

// The elements of the array that has begun.
static void read_task_list(json_reader *reader)
{
    duet_json *json = &reader->json;
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a task, {\"id\": ..., \"times\": [...]}, as "
                                "to_json(orient=\"records\") of pandas writes rows")) {
        duet_json_read_task(&reader->task);
    }
}

// --- members of other programs -------------------------------------------------------------------

static void keep_test(json_reader *reader, const char *name);

// Whether all that was read may still turn out to be the columns of a table.
static bool may_be_table(const json_reader *reader)
{
    return !has_read(reader, READ_WORKFLOW | READ_OTHERS | READ_MEMBER | READ_TASKS);
}

static void read_list_of_others(json_reader *reader, const char *name, bool tasks);

// What is called as edges are, and may be the column of a table.
static void read_edges_or_order(json_reader *reader, const char *name)
{
    duet_json *json = &reader->json;
    if (!may_be_table(reader)) {
        read_list_of_others(reader, name, false);
        return;
    }
    duet_json_tape tape = {.count = 0};
    if (duet_json_next(json) == DUET_OK) {
        duet_json_keep_rest(json, &tape);
    }
    bool column = json->code == DUET_OK && tape.kept != NULL &&
                  (tape.kept[0].token == DUET_JSON_OBJECT || duet_json_is_order(&tape));
    if (json->code == DUET_OK) {
        duet_json_replay(json, &tape);
    }
    if (!column) {
        read_list_of_others(reader, name, false);
    } else if (duet_json_next(json) == DUET_OK) {
        keep_test(reader, name);
    }
    duet_json_tape_free(&tape);
}

// The array whose name is kept, if it holds objects: tasks, or edges. What is none goes into the
// ledger.
static void read_list_of_others(json_reader *reader, const char *name, bool tasks)
{
    duet_json *json = &reader->json;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_pass_member(json, DUET_FIELD_INSTANCE, name);
        return;
    }
    if (!duet_json_element(json)) {
        reader->read |= tasks ? READ_TASKS : 0U;
        return;
    }
    if (json->token != DUET_JSON_OBJECT && (tasks || json->token != DUET_JSON_ARRAY)) {
        if (duet_json_names_order(json, name)) {
            duet_json_refuse_order(json, DUET_FIELD_INSTANCE, name);
        }
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, name, NULL);
        do {
            duet_json_skip_rest(json);
        } while (duet_json_element(json));
        return;
    }
    do {
        if (!tasks) {
            duet_json_read_edge(&reader->edges);
        } else if (json->token == DUET_JSON_OBJECT) {
            duet_json_read_task(&reader->task);
        } else {
            duet_json_expected(json, "a task, {\"id\": ..., \"times\": [...]}");
        }
    } while (duet_json_element(json));
    if (tasks) {
        reader->read |= READ_TASKS;
    } else {
        duet_json_take_list(&reader->edges, name);
    }
}

// A number may be the time of a test, where the whole file is made of such. Whether it is one is
// known at the end.
static void keep_test(json_reader *reader, const char *name)
{
    duet_json *json = &reader->json;
    duet_read_time time = {.forbidden = false};
    if (may_be_table(reader) &&
        (json->token == DUET_JSON_OBJECT || json->token == DUET_JSON_ARRAY)) {
        duet_json_frame_take(&reader->frame, name);
        return;
    }
    bool good =
        json->token == DUET_JSON_NUMBER &&
        duet_decimal_read(json->text, json->length, &time.value, &time.tail) == DUET_DECIMAL_OK;
    if (!good || has_read(reader, READ_OTHERS)) {
        reader->read |= READ_OTHERS;
        duet_json_pass_member(json, DUET_FIELD_INSTANCE, name);
        return;
    }
    size_t count = reader->test_names.count;
    uint32_t number = 0;
    duet_json_note(json, duet_names_add(&reader->test_names, 0, name, &number, json->error));
    if (json->code == DUET_OK && number < count) {
        duet_json_fail(json, "member \"%.60s\" is given twice; expected once", name);
    }
    duet_json_then(json, duet_vec_grow(reader->tests, count, json->error));
    if (json->code == DUET_OK) {
        reader->tests[count] = (json_test){time, json->line, json->column};
    }
}

static bool lacks_tasks(const json_reader *reader)
{
    return !has_read(reader, READ_WORKFLOW | READ_TASKS) && !reader->frame.split;
}

// Likewise; but an object that holds tasks may be the instance, as {"data": {"tasks": [...]}}.
static void keep_other(json_reader *reader, const char *name)
{
    bool look = reader->json.tape == NULL && !has_read(reader, READ_FORMAT) && lacks_tasks(reader);
    if (!look || !duet_json_wrapped_keep(&reader->json, &reader->wrapped, name)) {
        keep_test(reader, name);
    }
}

// The numbers by name, which are tasks or go into the ledger.
static void take_tests(json_reader *reader, bool tasks)
{
    duet_json *json = &reader->json;
    for (size_t i = 0; i < reader->test_names.count && json->code == DUET_OK; i++) {
        const char *name = duet_names_text(&reader->test_names, i);
        const json_test *test = &reader->tests[i];
        const duet_read_kind kind = {.id = name,
                                     .id_length = strlen(name),
                                     .count = 1,
                                     .times = &test->time,
                                     .time_count = 1,
                                     .line = test->line,
                                     .column = test->column};
        if (tasks) {
            duet_json_note(json, duet_builder_add_kind(reader->builder, &kind, json->error));
        } else {
            json->line = test->line;
            json->column = test->column;
            duet_json_pass_named(json, DUET_FIELD_INSTANCE, name, NULL);
        }
    }
}

// The graph of SAGA's instances, which is an object beside the network.
static void read_graph(json_reader *reader)
{
    duet_json *json = &reader->json;
    if (duet_json_want(json, DUET_JSON_OBJECT,
                       "a graph, {\"tasks\": [...], \"dependencies\": [...]}")) {
        read_members(reader);
    }
}

// What time of day time 0 is; or anything else that is called so.
static void read_start(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_clock clock;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token != DUET_JSON_STRING || !duet_moment_is_one(json->text)) {
        keep_other(reader, "start");
    } else if (!duet_clock_read(json->text, &clock)) {
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, "start",
                             "it is no day with a time of it in whole seconds, as in "
                             "2026-12-01T08:00");
    } else {
        reader->read |= READ_MEMBER;
        duet_json_note(json, duet_builder_tell_start(reader->builder, &clock, json->line,
                                                     json->column, json->error));
    }
}

// From where a plan that is under way goes on, in a file that names this format; or anything else
// that is called so.
static void read_now(json_reader *reader)
{
    duet_json *json = &reader->json;
    if (duet_json_next(json) == DUET_OK &&
        !(has_read(reader, READ_FORMAT) && duet_json_take_now(json, json->input->given))) {
        keep_other(reader, "now");
    }
}

// A member that this format does not know.
static void read_other(json_reader *reader)
{
    static const char *const tasks[] = {"nodes", "jobs", "task_instances", NULL};
    // Where a file comes from: no schedule depends on that.
    static const char *const described[] = {"schemaVersion", "description", "createdAt", "author",
                                            "runtimeSystem", "wms",         "comment",   NULL};
    static const char *const edges[] = {
        "links",     "dependencies", "arcs",     "precedence", "precedences",
        "edge_list", "edgelist",     "edgeList", "dag",        NULL};
    static const char *const graphs[] = {"graph",    "directed", "multigraph", "task_graph",
                                         "profiles", "start",    NULL};
    duet_json *json = &reader->json;
    char *name = duet_copy_string(json->text, json->error);
    if (name == NULL) {
        duet_json_note(json, DUET_E_MEMORY);
        return;
    }
    bool known = duet_json_is_any(name, tasks) || duet_json_is_any(name, edges) ||
                 duet_json_is_any(name, graphs);
    if (known && duet_json_skip_null(json)) {
        // It is as if it were not there.
    } else if (duet_json_is_any(name, described)) {
        duet_json_skip(json);
    } else if (duet_json_is_any(name, tasks) && !has_read(reader, READ_TASKS)) {
        read_list_of_others(reader, name, true);
    } else if (duet_json_is_any(name, edges)) {
        reader->read |= READ_EDGES;
        read_edges_or_order(reader, name);
    } else if (strcmp(name, "graph") == 0) {
        duet_json_read_attributes(json, reader->builder, &reader->order_line,
                                  &reader->order_column);
    } else if (strcmp(name, "directed") == 0) {
        duet_json_read_directed(json);
    } else if (strcmp(name, "multigraph") == 0) {
        duet_json_read_multigraph(json, reader->builder);
    } else if (strcmp(name, "start") == 0) {
        read_start(reader);
    } else if (strcmp(name, "now") == 0) {
        read_now(reader);
    } else if (strcmp(name, "task_graph") == 0) {
        read_graph(reader);
    } else if (duet_json_next(json) == DUET_OK) {
        bool profiles =
            strcmp(name, "profiles") == 0 && !duet_field_is_ignored(json->input->fields, name);
        reader->profiles_line = profiles ? json->line : reader->profiles_line;
        reader->profiles_column = profiles ? json->column : reader->profiles_column;
        keep_other(reader, name);
    }
    duet_free(name);
}

// The name of the instance; or the names of tasks, where a table has a column of them.
static void read_name(json_reader *reader)
{
    duet_json *json = &reader->json;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token == DUET_JSON_OBJECT || json->token == DUET_JSON_ARRAY) {
        keep_test(reader, "name");
        return;
    }
    reader->read |= READ_MEMBER;
    if (json->token == DUET_JSON_STRING) {
        duet_json_note(json, duet_builder_set_name(reader->builder, json->text, json->error));
    } else {
        duet_json_expected(json, "the instance's name, a string");
    }
}

// The list of tasks, which is given once.
static void read_tasks(json_reader *reader)
{
    duet_json *json = &reader->json;
    if (has_read(reader, READ_TASKS)) {
        duet_json_fail(json, "tasks beside nodes or jobs that are tasks, too; expected either");
    }
    if (duet_json_want(json, DUET_JSON_ARRAY, "an array of tasks")) {
        read_task_list(reader);
        reader->read |= READ_TASKS;
    }
}

// A member that says more of the problem than tasks, processors and edges.
static void read_detail(json_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_builder *builder = reader->builder;
    switch (which) {
    case TICK:
        duet_json_read_tick(json, builder);
        break;
    case MIXED_SETS:
        duet_json_read_mixed_sets(json, builder);
        break;
    case FIXED:
        duet_json_read_given(json, json->input->given);
        break;
    case STARPU:
        duet_read_origin_json(json, builder);
        break;
    case WORKFLOW:
        reader->read |= duet_json_read_workflow(json, builder) ? READ_WORKFLOW : 0U;
        break;
    default:
        read_other(reader);
        break;
    }
}

static void read_member(json_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_builder *builder = reader->builder;
    switch (which) {
    case FORMAT:
        read_format(reader);
        break;
    case VERSION:
        read_version(reader);
        break;
    case NAME:
        read_name(reader);
        break;
    case TIME_UNIT:
        if (duet_json_want(json, DUET_JSON_STRING, "the unit of the times, a string")) {
            duet_json_note(json, duet_builder_set_time_unit(builder, json->text, json->error));
        }
        break;
    case PLATFORM:
        duet_json_read_platform(&reader->platform);
        break;
    case TASKS:
        read_tasks(reader);
        break;
    case CLAIM:
        duet_read_claim_json(json, builder);
        break;
    case EDGES:
        reader->read |= READ_EDGES;
        duet_json_read_edges(&reader->edges);
        break;
    case TRANSFER:
        duet_json_read_transfer(&reader->edges);
        break;
    case NETWORK:
        duet_json_read_network(&reader->platform);
        break;
    default:
        read_detail(reader, which);
        break;
    }
}

// Without tasks all members are the times of tests, or something is missing.
static void settle_tests(json_reader *reader, const duet_json_object *object)
{
    duet_json *json = &reader->json;
    bool alone = may_be_table(reader) && !reader->frame.split;
    bool table = alone && reader->test_names.count == 0 && duet_json_frame_is_table(&reader->frame);
    bool tests = alone && reader->test_names.count > 0 && reader->frame.members.count == 0;
    if (table) {
        duet_json_frame_read(&reader->frame);
        return;
    }
    duet_json_frame_pass(&reader->frame);
    if (tests) {
        duet_json_check_tests(json, &reader->test_names);
    }
    if (json->code == DUET_OK && lacks_tasks(reader) && !tests) {
        json->line = object->line;
        json->column = object->column;
        duet_json_fail(json,
                       "the instance has no \"tasks\", which is expected, nor \"nodes\" or "
                       "\"jobs\"; of a table of pandas, to_json(orient=\"records\") is read best");
    }
    take_tests(reader, tests);
}

static duet_json_object read_members(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_json_object object = duet_json_open(json, members);
    while (duet_json_said(json, &object, 0)) {
        reader->read |= object.which >= 0 && object.which != NAME ? READ_MEMBER : 0U;
        read_member(reader, object.which);
    }
    return object;
}

static void read_object(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_json_object object = read_members(reader);
    object.line = json->line; // what is missing is missed at the end of the file
    object.column = json->column;
    if (has_read(reader, READ_WORKFLOW) && (object.seen & 1U << TASKS) != 0) {
        duet_json_fail(json, "tasks beside a workflow; expected either");
    }
    if (lacks_tasks(reader) && !has_read(reader, READ_FORMAT) &&
        duet_json_wrapped_open(json, &reader->wrapped)) {
        read_members(reader);
    } else {
        duet_json_wrapped_pass(json, &reader->wrapped);
    }
    settle_tests(reader, &object);
    if (reader->task.profiled && reader->profiles_line > 0 && json->code == DUET_OK) {
        duet_json_fail_at(json, reader->profiles_line, reader->profiles_column,
                          "profiles say what jobs of Batsim take, and are not read; expected times "
                          "in the jobs, or -O ignore=profiles if walltime is their time");
    }
    if (reader->order_line > 0 && !has_read(reader, READ_EDGES) && json->code == DUET_OK) {
        json->line = reader->order_line;
        json->column = reader->order_column;
        duet_json_refuse_order(json, DUET_FIELD_INSTANCE, "graph");
    }
    if (reader->version_line > 0) {
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, "version", NULL);
    }
    duet_json_settle_machines(&reader->platform.machines);
    reader->edges.timed = reader->edges.timed || reader->platform.machines.link_count > 0;
    duet_json_pass_sizes(&reader->edges);
}

// JSON lines: a task each.
static void read_lines(json_reader *reader)
{
    duet_json *json = &reader->json;
    while (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_END) {
        if (json->token == DUET_JSON_OBJECT) {
            duet_json_read_task(&reader->task);
        } else {
            duet_json_expected(json, "a task on each line, {\"id\": ..., \"cpu\": ...}");
        }
        duet_json_again(json);
    }
}

// An instance, or its tasks alone.
static void read_document(json_reader *reader)
{
    duet_json *json = &reader->json;
    if (duet_json_has_lines(json->input)) {
        read_lines(reader);
        return;
    }
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token == DUET_JSON_ARRAY) {
        read_task_list(reader);
    } else {
        read_object(reader);
    }
    (void)duet_json_next(json);
}

duet_code duet_read_instance_json(duet_input *input, duet_builder *builder, duet_error *error)
{
    json_reader reader = {
        .builder = builder,
        .task = {.json = &reader.json, .builder = builder, .edges = &reader.edges},
        .edges = {.json = &reader.json, .builder = builder},
        .frame = {.json = &reader.json, .task = &reader.task},
        .platform = {.json = &reader.json,
                     .builder = builder,
                     .task = &reader.task,
                     .given = input->given,
                     .machines = {.json = &reader.json, .builder = builder}}};
    duet_json_init(&reader.json, input, error);
    read_document(&reader);
    duet_json_then(&reader.json, duet_field_check_picks(input->fields, input->name, error));
    duet_json_advise_ids(&reader.task);
    if (reader.json.code == DUET_OK && reader.task.durations) {
        duet_json_note(&reader.json, duet_builder_take_lengths(builder, error));
    }
    duet_json_free(&reader.json);
    duet_json_task_free(&reader.task);
    duet_json_frame_free(&reader.frame);
    duet_json_wrapped_free(&reader.wrapped);
    duet_json_edges_free(&reader.edges);
    duet_names_free(&reader.test_names);
    duet_free(reader.tests);
    duet_json_platform_free(&reader.platform);
    return reader.json.code;
}
