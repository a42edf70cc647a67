// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/json/platform.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/members.h"

void duet_json_platform_free(duet_json_platform *reader)
{
    duet_free(reader->busy);
    duet_free(reader->processor);
    duet_free(reader->text);
    duet_json_machines_free(&reader->machines);
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

// The type that tasks before the platform have named.
static void take_named(duet_json_platform *reader, size_t type, int64_t count)
{
    const char *name = reader->task->id;
    bool first = true;
    for (size_t t = 0; t < reader->named; t++) {
        first = first && !reader->had[t];
    }
    if (type >= reader->named) {
        duet_json_fail(reader->json,
                       "type \"%.60s\" of the platform, which no task before it has; expected the "
                       "platform before the tasks, or a time for it in the first task",
                       name);
    } else if (reader->had[type]) {
        duet_json_fail(reader->json, "duplicate processor type '%.60s': expected distinct names",
                       name);
    } else {
        duet_builder_set_count(reader->builder, type, count, first);
        reader->had[type] = true;
    }
}

static void add_type(duet_json_platform *reader, const duet_json_object *object, int64_t count,
                     const duet_read_links *links)
{
    duet_json *json = reader->json;
    size_t type = 0;
    if (json->code == DUET_OK) {
        type = duet_builder_find_type(reader->builder, reader->task->id);
    }
    if (json->code == DUET_OK && reader->named > 0) {
        take_named(reader, type, count);
    } else if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_add_type(reader->builder, reader->task->id, count,
                                                   object->line, object->column, json->error));
    }
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_set_links(reader->builder, type, links, json->error));
        for (size_t i = 0; i < reader->busy_count && json->code == DUET_OK; i++) {
            duet_json_note(
                json, duet_builder_add_busy(reader->builder, type, &reader->busy[i], json->error));
        }
        for (size_t i = 0; i < reader->processors && json->code == DUET_OK; i++) {
            const duet_json_processor *at = &reader->processor[i];
            duet_json_note(json, duet_builder_add_processor_name(reader->builder, type,
                                                                 reader->text + at->name, at->line,
                                                                 at->column, json->error));
        }
    }
}

// [3, 0, 0]: until when each processor is busy. Those that are left out are free from 0.
static void read_busy(duet_json_platform *reader)
{
    duet_json *json = reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY,
                         "an array with the time until which each processor is busy");
    while (duet_json_element(json)) {
        duet_read_time until;
        duet_json_read_number(json, "the time until which a processor is busy", false, &until);
        duet_json_then(json, duet_vec_push(reader->busy, reader->busy_count, json->error, until));
    }
}

// ["n1", "n2"]: the names of the processors. Those that are left out have none.
static void read_names(duet_json_platform *reader)
{
    static const char expected[] = "an array with the name of each processor";
    duet_json *json = reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, expected);
    while (duet_json_element(json)) {
        const duet_json_processor at = {reader->text_used, json->line, json->column};
        size_t size = json->length + 1;
        if (json->token != DUET_JSON_STRING) {
            duet_json_expected(json, "a processor's name, a string");
            return;
        }
        duet_code code = duet_vec_reserve(reader->text, reader->text_used + size, json->error);
        DUET_THEN(code, duet_vec_push(reader->processor, reader->processors, json->error, at));
        duet_json_note(json, code);
        if (code == DUET_OK) {
            memcpy(reader->text + at.name, json->text, size);
            reader->text_used += size;
        }
    }
}

// What a processor of the type that was added takes while it works, and while it does not.
static void add_watts(duet_json_platform *reader, const duet_json_object *object, int first,
                      const duet_read_time *watts)
{
    for (int idle = 0; idle < 2 && reader->json->code == DUET_OK; idle++) {
        if ((object->seen & 1U << (first + idle)) != 0) {
            duet_builder_set_watts(reader->builder, idle != 0, watts[idle].value);
        }
    }
}

static void read_type(duet_json_platform *reader)
{
    enum { TYPE, COUNT, SPEED, BANDWIDTH, BUSY, NAMES, WITHOUT, WATTS, IDLE_WATTS };
    static const char *const names[] = {"type",  "count",   "speed", "bandwidth",  "busy",
                                        "names", "without", "watts", "idle_watts", NULL};
    duet_json *json = reader->json;
    duet_json_object object = duet_json_open(json, names);
    int64_t count = -1;
    duet_read_time speed;
    duet_read_time bandwidth;
    duet_read_links links = {.line = object.line, .column = object.column};
    duet_read_time watts[2] = {{.forbidden = false}, {.forbidden = false}};
    reader->busy_count = 0;
    reader->processors = 0;
    reader->text_used = 0;
    while (duet_json_said(json, &object, 1U << COUNT)) {
        if (object.which == TYPE) {
            if (duet_json_want(json, DUET_JSON_STRING, "a processor type's name")) {
                duet_json_read_id(reader->task);
            }
        } else if (object.which == COUNT) {
            count = read_type_count(json);
        } else if (object.which == SPEED && duet_json_next(json) == DUET_OK) {
            links.speed = &speed;
            duet_json_read_number(json, "the speed, work per unit of time", true, &speed);
        } else if (object.which == BANDWIDTH && duet_json_next(json) == DUET_OK) {
            links.bandwidth = &bandwidth;
            duet_json_read_number(json, "the bandwidth, data per unit of time", true, &bandwidth);
        } else if ((object.which == WATTS || object.which == IDLE_WATTS) &&
                   duet_json_next(json) == DUET_OK) {
            duet_json_read_number(json, "the power of a processor in watts", false,
                                  &watts[object.which == IDLE_WATTS]);
        } else if (object.which == BUSY) {
            read_busy(reader);
        } else if (object.which == NAMES) {
            read_names(reader);
        } else if (object.which == WITHOUT && reader->named > 0) {
            duet_json_fail(json, "lost processors behind tasks that name their times; expected the "
                                 "platform before the tasks");
        } else if (object.which == WITHOUT) {
            duet_json_read_without(json, (int32_t)duet_builder_types(reader->builder),
                                   reader->given);
        } else if (json->code == DUET_OK) {
            duet_json_pass(json, DUET_FIELD_TYPE, NULL);
        }
    }
    duet_json_require(json, &object, 1U << TYPE | 1U << COUNT, "the processor type");
    add_type(reader, &object, count, &links);
    add_watts(reader, &object, WATTS, watts);
}

// {"latency": ..., "inter_latency": ..., "inter_bandwidth": ...}, or machines and the links between
// them
void duet_json_read_network(duet_json_platform *reader)
{
    enum { LATENCY, INTER_LATENCY, INTER_BANDWIDTH, MEMBERS, NODES = MEMBERS, EDGES };
    static const char *const names[] = {"latency", "inter_latency", "inter_bandwidth",
                                        "nodes",   "edges",         NULL};
    static const char *const what[] = {"the latency within a type", "the latency between types",
                                       "the bandwidth between types"};
    duet_json *json = reader->json;
    duet_read_time number[MEMBERS];
    if (!duet_json_want(json, DUET_JSON_OBJECT,
                        "the network, {\"latency\": ..., \"inter_latency\": ..., "
                        "\"inter_bandwidth\": ...}")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_said(json, &object, 0)) {
        if (object.which < 0) {
            duet_json_pass(json, DUET_FIELD_PART, NULL);
        } else if (object.which == NODES) {
            duet_json_read_machines(&reader->machines);
        } else if (object.which == EDGES) {
            duet_json_read_machine_links(&reader->machines);
        } else if (duet_json_next(json) == DUET_OK) {
            duet_json_read_number(json, what[object.which], object.which == INTER_BANDWIDTH,
                                  &number[object.which]);
        }
    }
    unsigned machines = 1U << NODES | 1U << EDGES;
    if ((object.seen & machines) != 0) {
        duet_json_require(json, &object, machines, "the network");
        if ((object.seen & ~machines) != 0) {
            duet_json_fail(json, "machines beside latencies of a network; expected either");
        }
        return;
    }
    const duet_read_network network = {
        .latency = (object.seen & 1U << LATENCY) != 0 ? &number[LATENCY] : NULL,
        .inter_latency = (object.seen & 1U << INTER_LATENCY) != 0 ? &number[INTER_LATENCY] : NULL,
        .inter_bandwidth =
            (object.seen & 1U << INTER_BANDWIDTH) != 0 ? &number[INTER_BANDWIDTH] : NULL,
        .line = object.line,
        .column = object.column};
    duet_json_then(json, duet_builder_set_network(reader->builder, &network, json->error));
}

void duet_json_read_platform(duet_json_platform *reader)
{
    duet_json *json = reader->json;
    size_t types = 0;
    if (!duet_json_want(json, DUET_JSON_ARRAY,
                        "an array of processor types, [{\"type\": \"cpu\", \"count\": 4}, ...]")) {
        return;
    }
    reader->named = duet_builder_types(reader->builder);
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
    for (size_t t = 0; t < reader->named && json->code == DUET_OK; t++) {
        if (!reader->had[t]) {
            duet_json_fail(json,
                           "the platform has no type \"%.60s\", which the tasks before it name",
                           duet_builder_type_name(reader->builder, t));
        }
    }
}
