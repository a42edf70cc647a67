// SPDX-License-Identifier: Apache-2.0
// Instances in the native JSON format, read one entry at a time, and workflows in WfFormat.
#include <string.h>

#include "instances/formats/formats.h"
#include "instances/formats/json/claim.h"
#include "instances/formats/json/edges.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/task.h"
#include "instances/formats/workflow/json.h"

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
    MIXED_SETS
};
static const char *const members[] = {"format",  "version", "name",       "time_unit", "platform",
                                      "tasks",   "claim",   "edges",      "transfer",  "workflow",
                                      "network", "tick",    "mixed_sets", NULL};

typedef struct json_reader {
    duet_json json;
    duet_builder *builder;
    duet_json_task_reader task; // also the names of types pass through it
    duet_json_edges edges;
    bool workflow; // it was one of another format
} json_reader;

static void read_format(duet_json *json)
{
    if (!duet_json_want(json, DUET_JSON_STRING, "the format \"duet-instance\"")) {
        return;
    }
    if (strcmp(json->text, "duet-solution") == 0) {
        duet_json_fail(json, "this file is a solution (format \"duet-solution\"); expected an "
                             "instance (format \"duet-instance\")");
    } else if (strcmp(json->text, "duet-instance") != 0) {
        duet_json_expected(json, "the format \"duet-instance\"");
    }
}

// The number of processors of a type; -1 for null, which this library writes where it is not known.
static int64_t read_type_count(duet_json *json)
{
    static const char what[] = "the number of processors, a whole number from 0 to 2147483647";
    duet_decimal number;
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return -1;
    }
    if (json->token != DUET_JSON_NUMBER ||
        duet_decimal_parse(json->text, json->length, &number) != DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa > DUET_MAX_PROCESSORS) {
        duet_json_expected(json, what);
        return -1;
    }
    return number.mantissa;
}

static void add_type(json_reader *reader, const duet_json_object *object, int64_t count,
                     const duet_read_links *links)
{
    duet_json *json = &reader->json;
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_add_type(reader->builder, reader->task.id, count,
                                                   object->line, object->column, json->error));
    }
    if (json->code == DUET_OK) {
        size_t type = duet_builder_types(reader->builder) - 1;
        duet_json_note(json, duet_builder_set_links(reader->builder, type, links, json->error));
    }
}

static void read_type(json_reader *reader)
{
    enum { TYPE, COUNT, SPEED, BANDWIDTH };
    static const char *const names[] = {"type", "count", "speed", "bandwidth", NULL};
    duet_json *json = &reader->json;
    duet_json_object object = duet_json_open(json, names);
    int64_t count = -1;
    duet_read_time speed;
    duet_read_time bandwidth;
    duet_read_links links = {.line = object.line, .column = object.column};
    while (duet_json_member(json, &object)) {
        if (object.which == TYPE) {
            if (duet_json_want(json, DUET_JSON_STRING, "a processor type's name")) {
                duet_json_read_id(&reader->task);
            }
        } else if (object.which == COUNT) {
            count = read_type_count(json);
        } else if (object.which == SPEED && duet_json_next(json) == DUET_OK) {
            links.speed = &speed;
            duet_json_read_number(json, "the speed, work per unit of time", true, &speed);
        } else if (object.which == BANDWIDTH && duet_json_next(json) == DUET_OK) {
            links.bandwidth = &bandwidth;
            duet_json_read_number(json, "the bandwidth, data per unit of time", true, &bandwidth);
        } else {
            duet_json_skip(json);
        }
    }
    duet_json_require(json, &object, 1U << TYPE | 1U << COUNT, "the processor type");
    add_type(reader, &object, count, &links);
}

// {"latency": ..., "inter_latency": ..., "inter_bandwidth": ...}
static void read_network(json_reader *reader)
{
    enum { LATENCY, INTER_LATENCY, INTER_BANDWIDTH, MEMBERS };
    static const char *const names[] = {"latency", "inter_latency", "inter_bandwidth", NULL};
    static const char *const what[] = {"the latency within a type", "the latency between types",
                                       "the bandwidth between types"};
    duet_json *json = &reader->json;
    duet_read_time number[MEMBERS];
    if (!duet_json_want(json, DUET_JSON_OBJECT,
                        "the network, {\"latency\": ..., \"inter_latency\": ..., "
                        "\"inter_bandwidth\": ...}")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which < 0) {
            duet_json_skip(json);
        } else if (duet_json_next(json) == DUET_OK) {
            duet_json_read_number(json, what[object.which], object.which == INTER_BANDWIDTH,
                                  &number[object.which]);
        }
    }
    const duet_read_network network = {
        .latency = (object.seen & 1U << LATENCY) != 0 ? &number[LATENCY] : NULL,
        .inter_latency = (object.seen & 1U << INTER_LATENCY) != 0 ? &number[INTER_LATENCY] : NULL,
        .inter_bandwidth =
            (object.seen & 1U << INTER_BANDWIDTH) != 0 ? &number[INTER_BANDWIDTH] : NULL,
        .line = object.line,
        .column = object.column};
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_set_network(reader->builder, &network, json->error));
    }
}

static void read_tick(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_read_time tick;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    duet_json_read_number(json, "the size of a tick", true, &tick);
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_set_tick(reader->builder, &tick, json->line, json->column,
                                                   json->error));
    }
}

static void read_mixed_sets(json_reader *reader)
{
    bool mixed = false;
    duet_json_boolean(&reader->json,
                      "true or false: whether a task may use processors of several types at once",
                      &mixed);
    duet_builder_set_mixed_sets(reader->builder, mixed);
}

static void read_platform(json_reader *reader)
{
    duet_json *json = &reader->json;
    size_t types = 0;
    if (!duet_json_want(json, DUET_JSON_ARRAY, "an array of processor types")) {
        return;
    }
    for (; duet_json_element(json); types++) {
        if (json->token == DUET_JSON_OBJECT) {
            read_type(reader);
        } else {
            duet_json_expected(json, "a processor type, {\"type\": ..., \"count\": ...}");
        }
    }
    if (types == 0) {
        duet_json_fail(json, "the platform is empty; expected at least one processor type");
    }
}

// The elements of the array that has begun.
static void read_task_list(json_reader *reader)
{
    duet_json *json = &reader->json;
    while (duet_json_element(json)) {
        if (json->token == DUET_JSON_OBJECT) {
            duet_json_read_task(&reader->task);
        } else {
            duet_json_expected(json, "a task, {\"id\": ..., \"times\": [...]}");
        }
    }
}

static void read_member(json_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_builder *builder = reader->builder;
    int64_t version;
    switch (which) {
    case FORMAT:
        read_format(json);
        break;
    case VERSION:
        (void)duet_json_whole(json, "version 1 of the format", 1, 1, &version);
        break;
    case NAME:
        if (duet_json_want(json, DUET_JSON_STRING, "the instance's name, a string")) {
            duet_json_note(json, duet_builder_set_name(builder, json->text, json->error));
        }
        break;
    case TIME_UNIT:
        if (duet_json_want(json, DUET_JSON_STRING, "the unit of the times, a string")) {
            duet_json_note(json, duet_builder_set_time_unit(builder, json->text, json->error));
        }
        break;
    case PLATFORM:
        read_platform(reader);
        break;
    case TASKS:
        if (duet_json_want(json, DUET_JSON_ARRAY, "an array of tasks")) {
            read_task_list(reader);
        }
        break;
    case CLAIM:
        duet_read_claim_json(json, builder);
        break;
    case EDGES:
        duet_json_read_edges(&reader->edges);
        break;
    case TRANSFER:
        duet_json_read_transfer(&reader->edges);
        break;
    case NETWORK:
        read_network(reader);
        break;
    case TICK:
        read_tick(reader);
        break;
    case MIXED_SETS:
        read_mixed_sets(reader);
        break;
    case WORKFLOW:
        reader->workflow = duet_json_read_workflow(json, builder);
        break;
    default:
        (void)duet_json_is_unread_edge(&reader->edges, json->text, false);
        duet_json_skip(json);
        break;
    }
}

static void read_object(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_json_object object = duet_json_open(json, members);
    while (duet_json_member(json, &object)) {
        read_member(reader, object.which);
    }
    object.line = json->line; // what is missing is missed at the end of the file
    object.column = json->column;
    if (reader->workflow && (object.seen & 1U << TASKS) != 0) {
        duet_json_fail(json, "tasks beside a workflow; expected either");
    } else if (!reader->workflow) {
        duet_json_require(json, &object, 1U << TASKS, "the instance");
    }
}

// An instance, or its tasks alone.
static void read_document(json_reader *reader)
{
    duet_json *json = &reader->json;
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
    json_reader reader = {.builder = builder};
    reader.task.json = &reader.json;
    reader.task.builder = builder;
    reader.task.edges = &reader.edges;
    reader.edges.json = &reader.json;
    reader.edges.builder = builder;
    duet_json_init(&reader.json, input, error);
    read_document(&reader);
    if (reader.json.code == DUET_OK) {
        duet_json_note(&reader.json, duet_json_edges_notice(&reader.edges, error));
    }
    duet_json_free(&reader.json);
    duet_json_task_free(&reader.task);
    duet_json_edges_free(&reader.edges);
    return reader.json.code;
}
