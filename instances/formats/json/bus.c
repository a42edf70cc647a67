// SPDX-License-Identifier: Apache-2.0
// Machines with a bus (duet/bus.h) from JSON: memory nodes, links, routes, data and what tasks do
// with them, in this order, since each names what came before.
#include <duet/bus.h>

#include <stdlib.h>
#include <string.h>

#include "core/instance/instance.h"
#include "core/names.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/own_files.h"
#include "instances/formats/starpu/bus.h"
#include "instances/formats/starpu/recutils.h"
#include "instances/formats/task_map.h"

enum { FORMAT, VERSION, NAME, NODES, LINKS, ROUTES, DATA, ACCESSES };
static const char *const members[] = {"format", "version", "name",     "nodes", "links",
                                      "routes", "data",    "accesses", NULL};

// Names of one kind are apart from those of another.
enum { NODE_NAMES, LINK_NAMES, DATA_NAMES, NAME_KINDS };

typedef struct bus_reader {
    duet_json json;
    const duet_instance *instance;
    duet_task_map tasks;
    duet_names names[NAME_KINDS];
    size_t first[DUET_MAX_TYPES + 1];
    int32_t *node_of; // of each processor
    int64_t *capacity;
    size_t nodes;
    duet_bus_link *link;
    size_t links;
    uint64_t *routes; // nodes x nodes; NULL until one was read
    duet_bus_datum *datum;
    size_t data;
    duet_bus_access *access;
    size_t accesses;
} bus_reader;

// --- values --------------------------------------------------------------------------------------

// A number at or above 0, in units of 10^-decimals, rounded up.
static int64_t read_ticks(bus_reader *r, const char *what, int decimals)
{
    duet_json *json = &r->json;
    duet_decimal value;
    duet_decimal_tail tail;
    int64_t ticks = 0;
    bool exact;
    if (!duet_json_want(json, DUET_JSON_NUMBER, what)) {
        return 0;
    }
    if (duet_decimal_read(json->text, json->length, &value, &tail) != DUET_DECIMAL_OK ||
        !duet_decimal_raise(value, tail, decimals, &ticks, &exact)) {
        duet_json_expected(json, what);
    }
    return ticks;
}

static void read_bandwidth(bus_reader *r, duet_bus_link *link)
{
    static const char what[] = "a bandwidth above 0, in bytes a unit of time, of few decimals";
    duet_json *json = &r->json;
    duet_decimal value;
    if (!duet_json_want(json, DUET_JSON_NUMBER, what)) {
        return;
    }
    int decimals = duet_instance_decimals(r->instance);
    if (duet_decimal_parse(json->text, json->length, &value) != DUET_DECIMAL_OK ||
        value.mantissa <= 0 || decimals + value.places > DUET_MAX_DECIMALS) {
        duet_json_expected(json, what);
        return;
    }
    link->bytes = value.mantissa;
    link->ticks = 1;
    for (int i = 0; i < decimals + value.places; i++) {
        link->ticks *= 10;
    }
}

// A new name; its number is the next one.
static void read_new_name(bus_reader *r, int kind, const char *what)
{
    duet_json *json = &r->json;
    uint32_t number;
    size_t before = r->names[kind].count;
    if (!duet_json_want(json, DUET_JSON_STRING, what)) {
        return;
    }
    duet_json_note(json, duet_names_add(&r->names[kind], 0, json->text, &number, json->error));
    if (json->code == DUET_OK && r->names[kind].count == before) {
        duet_json_fail(json, "'%s' was there before", json->text);
    }
}

// The number of a name that was read; -1 after a failure.
static int32_t find_name(bus_reader *r, int kind, const char *what)
{
    duet_json *json = &r->json;
    uint32_t number = 0;
    if (json->code != DUET_OK) {
        return -1;
    }
    size_t before = r->names[kind].count;
    duet_json_note(json, duet_names_add(&r->names[kind], 0, json->text, &number, json->error));
    if (json->code == DUET_OK && number >= before) {
        duet_json_fail(json, "expected %s, and there is no '%s' before this line", what,
                       json->text);
    }
    return json->code == DUET_OK ? (int32_t)number : -1;
}

static int32_t read_name(bus_reader *r, int kind, const char *what)
{
    return duet_json_want(&r->json, DUET_JSON_STRING, what) ? find_name(r, kind, what) : -1;
}

// --- nodes ---------------------------------------------------------------------------------------

// "gpu" or "gpu:2".
static void take_processors(bus_reader *r)
{
    duet_json *json = &r->json;
    const char *colon = strrchr(json->text, ':');
    for (size_t type = 0; type < r->instance->types; type++) {
        const char *name = r->instance->type_names[type];
        size_t from = r->first[type];
        size_t until = r->first[type + 1];
        if (strcmp(json->text, name) != 0) {
            size_t length = strlen(name);
            char *end = NULL;
            if (colon == NULL || (size_t)(colon - json->text) != length ||
                strncmp(json->text, name, length) != 0 || colon[1] < '0' || colon[1] > '9') {
                continue;
            }
            unsigned long which = strtoul(colon + 1, &end, 10);
            if (*end != '\0' || which >= until - from) {
                continue;
            }
            from += which;
            until = from + 1;
        }
        for (size_t i = from; i < until; i++) {
            r->node_of[i] = (int32_t)r->nodes;
        }
        return;
    }
    duet_json_expected(json, "processors of the instance, such as \"gpu\" or \"gpu:0\"");
}

static void read_node(bus_reader *r)
{
    enum { NODE_NAME, PROCESSORS, MEMORY };
    static const char *const names[] = {"name", "processors", "memory", NULL};
    duet_json *json = &r->json;
    int64_t memory = 0;
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which == NODE_NAME) {
            read_new_name(r, NODE_NAMES, "the node's name, a string");
        } else if (object.which == MEMORY) {
            duet_json_whole(json, "bytes of memory", 1, DUET_MAX_WORK, &memory);
        } else if (object.which == PROCESSORS &&
                   duet_json_want(json, DUET_JSON_ARRAY, "processors, an array")) {
            while (duet_json_element_of(json, DUET_JSON_STRING, "processors, a string")) {
                take_processors(r);
            }
        } else if (object.which < 0) {
            duet_json_expected(json, "name, processors or memory");
        }
    }
    duet_json_require(json, &object, 1U << NODE_NAME, "the node");
    duet_json_then(json, duet_vec_push(r->capacity, r->nodes, json->error, memory));
}

// --- links and routes ----------------------------------------------------------------------------

static void read_link(bus_reader *r)
{
    enum { LINK_NAME, BANDWIDTH, LATENCY };
    static const char *const names[] = {"name", "bandwidth", "latency", NULL};
    duet_json *json = &r->json;
    duet_bus_link link = {0, 0, 0};
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which == LINK_NAME) {
            read_new_name(r, LINK_NAMES, "the link's name, a string");
        } else if (object.which == BANDWIDTH) {
            read_bandwidth(r, &link);
        } else if (object.which == LATENCY) {
            link.latency =
                read_ticks(r, "a latency, a number", duet_instance_decimals(r->instance));
        } else {
            duet_json_expected(json, "name, bandwidth or latency");
        }
    }
    duet_json_require(json, &object, 1U << LINK_NAME, "the link");
    if (json->code == DUET_OK && r->links == DUET_MAX_LINKS) {
        duet_json_fail(json, "expected at most %d links", DUET_MAX_LINKS);
    }
    duet_json_then(json, duet_vec_push(r->link, r->links, json->error, link));
}

// Without routes, and between nodes without one, a transfer takes all links.
static bool make_routes(bus_reader *r)
{
    if (r->routes == NULL && r->json.code == DUET_OK) {
        r->routes = duet_alloc(r->nodes * r->nodes, sizeof *r->routes, r->json.error);
        duet_json_note(&r->json, r->routes == NULL ? DUET_E_MEMORY : DUET_OK);
        for (size_t i = 0; r->routes != NULL && i < r->nodes * r->nodes; i++) {
            r->routes[i] = r->links == 0 ? 0 : UINT64_MAX >> (64 - r->links);
        }
    }
    return r->json.code == DUET_OK;
}

static void read_route(bus_reader *r)
{
    enum { FROM, TO, LINK_LIST };
    static const char *const names[] = {"from", "to", "links", NULL};
    duet_json *json = &r->json;
    int32_t end[2] = {-1, -1};
    uint64_t route = 0;
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which == FROM || object.which == TO) {
            end[object.which] = read_name(r, NODE_NAMES, "a node");
        } else if (object.which == LINK_LIST &&
                   duet_json_want(json, DUET_JSON_ARRAY, "links, an array")) {
            while (duet_json_element(json)) {
                int32_t link = -1;
                if (json->token == DUET_JSON_STRING) {
                    link = find_name(r, LINK_NAMES, "a link");
                } else {
                    duet_json_expected(json, "a link, a string");
                }
                route |= link >= 0 ? UINT64_C(1) << link : 0;
            }
        } else if (object.which < 0) {
            duet_json_expected(json, "from, to or links");
        }
    }
    duet_json_require(json, &object, 1U << FROM | 1U << TO | 1U << LINK_LIST, "the route");
    if (json->code == DUET_OK && make_routes(r)) {
        r->routes[(size_t)end[0] * r->nodes + (size_t)end[1]] = route;
    }
}

// --- data ----------------------------------------------------------------------------------------

static void read_datum(bus_reader *r)
{
    enum { ID, SIZE, AT };
    static const char *const names[] = {"id", "size", "at", NULL};
    duet_json *json = &r->json;
    duet_bus_datum datum = {0, -1};
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which == ID) {
            read_new_name(r, DATA_NAMES, "the name of the data, a string");
        } else if (object.which == SIZE) {
            duet_json_whole(json, "bytes", 0, DUET_MAX_WORK, &datum.size);
        } else if (object.which == AT) {
            datum.home = read_name(r, NODE_NAMES, "a node");
        } else {
            duet_json_expected(json, "id, size or at");
        }
    }
    duet_json_require(json, &object, 1U << ID | 1U << SIZE, "the data");
    duet_json_then(json, duet_vec_push(r->datum, r->data, json->error, datum));
}

static unsigned read_mode(duet_json *json)
{
    if (!duet_json_want(json, DUET_JSON_STRING, "\"r\", \"w\" or \"rw\"")) {
        return 0;
    }
    if (strcmp(json->text, "r") == 0) {
        return DUET_BUS_READS;
    }
    if (strcmp(json->text, "w") == 0) {
        return DUET_BUS_WRITES;
    }
    if (strcmp(json->text, "rw") != 0) {
        duet_json_expected(json, "\"r\", \"w\" or \"rw\"");
    }
    return DUET_BUS_READS | DUET_BUS_WRITES;
}

static void read_access(bus_reader *r)
{
    enum { TASK, OF, MODE };
    static const char *const names[] = {"task", "data", "mode", NULL};
    duet_json *json = &r->json;
    duet_bus_access access = {-1, -1, 0};
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which == TASK && duet_json_want(json, DUET_JSON_STRING, "a task")) {
            access.task = duet_task_map_find(&r->tasks, json->text, json->length);
            if (access.task < 0) {
                duet_json_fail(json, "the instance has no task '%s'", json->text);
            }
        } else if (object.which == OF) {
            access.datum = read_name(r, DATA_NAMES, "data");
        } else if (object.which == MODE) {
            access.mode = read_mode(json);
        } else if (object.which < 0) {
            duet_json_expected(json, "task, data or mode");
        }
    }
    duet_json_require(json, &object, 1U << TASK | 1U << OF | 1U << MODE, "the access");
    duet_json_then(json, duet_vec_push(r->access, r->accesses, json->error, access));
}

// --- the file ------------------------------------------------------------------------------------

static void read_list(bus_reader *r, void (*read)(bus_reader *), const char *what)
{
    (void)duet_json_want(&r->json, DUET_JSON_ARRAY, what);
    while (duet_json_element_of(&r->json, DUET_JSON_OBJECT, "an object")) {
        read(r);
    }
}

static void read_format(duet_json *json)
{
    if (duet_json_want(json, DUET_JSON_STRING, "the format \"duet-bus\"") &&
        strcmp(json->text, "duet-bus") != 0) {
        duet_json_expected(json, "the format \"duet-bus\"");
    }
}

static void read_member(bus_reader *r, int which)
{
    int64_t version;
    switch (which) {
    case FORMAT:
        read_format(&r->json);
        break;
    case VERSION:
        duet_json_whole(&r->json, "version 1", 1, 1, &version);
        break;
    case NAME:
        duet_json_want(&r->json, DUET_JSON_STRING, "a name, a string");
        break;
    case NODES:
        read_list(r, read_node, "memory nodes, an array");
        break;
    case LINKS:
        read_list(r, read_link, "links, an array");
        break;
    case ROUTES:
        read_list(r, read_route, "routes, an array");
        break;
    case DATA:
        read_list(r, read_datum, "data, an array");
        break;
    case ACCESSES:
        read_list(r, read_access, "accesses, an array");
        break;
    default:
        duet_json_expected(&r->json, "nodes, links, routes, data or accesses");
        break;
    }
}

static duet_code read_all(bus_reader *r)
{
    duet_json *json = &r->json;
    if (duet_json_want(json, DUET_JSON_OBJECT, "a machine with a bus, an object")) {
        duet_json_object object = duet_json_open(json, members);
        while (duet_json_member(json, &object)) {
            read_member(r, object.which);
        }
        duet_json_require(json, &object, 1U << NODES | 1U << LINKS, "the machine");
        duet_json_want(json, DUET_JSON_END, "the end of the file");
    }
    return json->code;
}

static duet_code make(const bus_reader *r, duet_bus **out, duet_error *error)
{
    const duet_bus_desc desc = {.struct_size = sizeof desc,
                                .nodes = r->nodes,
                                .capacity = r->capacity,
                                .node_of = r->node_of,
                                .links = r->links,
                                .link = r->link,
                                .routes = r->routes,
                                .data = r->data,
                                .datum = r->datum,
                                .accesses = r->accesses,
                                .access = r->access};
    return duet_bus_create(r->instance, &desc, out, error);
}

static void release(bus_reader *r)
{
    for (int i = 0; i < NAME_KINDS; i++) {
        duet_names_free(&r->names[i]);
    }
    duet_free(r->node_of);
    duet_free(r->capacity);
    duet_free(r->link);
    duet_free(r->routes);
    duet_free(r->datum);
    duet_free(r->access);
    duet_task_map_free(&r->tasks);
    duet_json_free(&r->json);
}

static duet_code read_json(duet_input *input, const duet_instance *instance, duet_bus **out,
                           duet_error *error)
{
    bus_reader r = {.instance = instance};
    for (size_t type = 0; type < instance->types; type++) {
        r.first[type + 1] = r.first[type] + (size_t)instance->processors[type];
    }
    duet_json_init(&r.json, input, error);
    r.node_of = duet_alloc(r.first[instance->types], sizeof *r.node_of, error);
    duet_code code = r.node_of == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, duet_task_map_create(&r.tasks, instance, error));
    DUET_THEN(code, read_all(&r));
    DUET_THEN(code, make(&r, out, error));
    release(&r);
    return code;
}

duet_code duet_bus_read(const char *path, const duet_instance *instance, duet_bus **out,
                        duet_error *error)
{
    duet_input *input = NULL;
    *out = NULL;
    DUET_TRY(duet_input_open(&input, path, error));
    duet_code code = duet_refuse_own(input, DUET_OWN_BUS, "a machine with a bus", error);
    if (code != DUET_OK) {
        duet_input_close(input);
        return code;
    }
    code = duet_rec_at(input, duet_rec_begins) ? duet_starpu_read_bus(input, instance, out, error)
                                               : read_json(input, instance, out, error);
    duet_input_close(input);
    return code;
}
