// SPDX-License-Identifier: Apache-2.0
// Edges of an instance in JSON: {"from": "a", "to": "b"} with "cost", "costs" or "data" beside
// them, or in short [from, to] and [from, to, cost]. An id may be written as a number, as some
// programs do.
#include "instances/formats/json/edges.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/edge_costs.h"
#include "instances/formats/id_list.h"
#include "instances/formats/json/members.h"

void duet_json_edges_free(duet_json_edges *edges)
{
    duet_free(edges->ids);
    duet_free(edges->values);
    edges->ids = NULL;
    edges->values = NULL;
}

// --- parts ---------------------------------------------------------------------------------------

// Keeps a text behind the ids that there are; where it begins into *at.
static void keep_id(duet_json_edges *edges, const char *text, size_t length, size_t *at)
{
    duet_json *json = edges->json;
    *at = edges->ids_used;
    if (json->code != DUET_OK) {
        return;
    }
    duet_json_note(json, duet_vec_reserve(edges->ids, edges->ids_used + length + 1, json->error));
    if (json->code == DUET_OK) {
        memcpy(edges->ids + edges->ids_used, text, length);
        edges->ids[edges->ids_used + length] = '\0';
        edges->ids_used += length + 1;
    }
}

// The current token as a task's id.
static void read_end(duet_json_edges *edges, size_t *at)
{
    duet_json *json = edges->json;
    if (json->token == DUET_JSON_STRING || json->token == DUET_JSON_NUMBER) {
        keep_id(edges, json->text, json->length, at);
    } else {
        duet_json_expected(json, "a task's id, a string");
    }
}

// The current token as one more value. Those of edges may be below 0 until their tasks are known.
static void read_value(duet_json_edges *edges, duet_negative_cost *negative)
{
    duet_json *json = edges->json;
    const duet_place place = {json->input->name, json->line, json->column};
    if (json->token != DUET_JSON_NUMBER) {
        duet_json_expected(json, "a number of at least 0");
    }
    duet_json_then(json, duet_vec_grow(edges->values, edges->value_count, json->error));
    if (json->code == DUET_OK) {
        duet_read_time *value = &edges->values[edges->value_count++];
        duet_json_note(json, negative == NULL ? duet_read_time_text(json->text, json->length, place,
                                                                    value, json->error)
                                              : duet_read_cost_text(json->text, json->length, place,
                                                                    value, negative, json->error));
    }
}

// Reads the next value: a table, a row of numbers for each type.
static void read_table(duet_json_edges *edges, duet_negative_cost *negative)
{
    static const char rows[] = "a table, an array with a row of numbers for each processor type";
    duet_json *json = edges->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, rows);
    while (duet_json_element_of(json, DUET_JSON_ARRAY, rows)) {
        while (duet_json_element(json)) {
            read_value(edges, negative);
        }
    }
}

// --- edges ---------------------------------------------------------------------------------------

// An edge while it is read.
typedef struct json_edge {
    size_t from, to; // in `ids`
    duet_read_cost_form form;
    int line, column;
} json_edge;

static void add_edge(duet_json_edges *edges, const json_edge *edge)
{
    duet_json *json = edges->json;
    if (json->code != DUET_OK) {
        return;
    }
    const char *from = edges->ids + edge->from;
    const char *to = edges->ids + edge->to;
    if (edges->negative.text[0] != '\0') {
        duet_json_note(json, duet_refuse_negative_cost(&edges->negative, json->input->name, from,
                                                       to, json->error));
        return;
    }
    const duet_read_edge read = {.from = {from, strlen(from), 0, false},
                                 .to = {to, strlen(to), 0, false},
                                 .form = edge->form,
                                 .cost = edges->values,
                                 .cost_count = edges->value_count,
                                 .line = edge->line,
                                 .column = edge->column};
    duet_json_note(json, duet_builder_add_edge(edges->builder, &read, json->error));
}

// [from, to] or [from, to, cost]
static void read_short(duet_json_edges *edges, json_edge *edge)
{
    duet_json *json = edges->json;
    int at = 0;
    for (; duet_json_element(json); at++) {
        if (at == 0) {
            read_end(edges, &edge->from);
        } else if (at == 1) {
            read_end(edges, &edge->to);
        } else if (at == 2) {
            edge->form = DUET_COST_SAME;
            read_value(edges, &edges->negative);
        } else {
            duet_json_fail(json, "an edge of more than three values; expected [from, to] or "
                                 "[from, to, cost]");
        }
    }
    if (at < 2 && json->code == DUET_OK) {
        duet_json_fail(json, "an edge of fewer than two tasks; expected [from, to] or "
                             "[from, to, cost]");
    }
}

static void read_cost(duet_json_edges *edges, json_edge *edge, duet_read_cost_form form)
{
    duet_json *json = edges->json;
    if (edge->form != DUET_COST_NONE) {
        duet_json_fail(json, "a second cost of this edge; expected \"cost\", \"costs\" or "
                             "\"data\" alone");
    }
    edge->form = form;
    if (form == DUET_COST_TABLE) {
        read_table(edges, &edges->negative);
    } else if (duet_json_next(json) == DUET_OK) {
        read_value(edges, &edges->negative);
    }
}

// The ends of an edge by each of their names are next to each other.
enum { FROM, TO, SOURCE, TARGET, U, V, SRC, DST, PARENT, CHILD, COST, COSTS, DATA };
static const char *const edge_members[] = {"from", "to",    "source", "target", "u",
                                           "v",    "src",   "dst",    "parent", "child",
                                           "cost", "costs", "data",   NULL};

// What an edge has beside what is known.
typedef struct other_cost {
    duet_read_time weight, size;
    bool has_weight, has_size;
    int line, column; // of the last of them
} other_cost;

// A member that the caller has picked as the cost.
static bool read_picked(duet_json_edges *edges, json_edge *edge)
{
    duet_json *json = edges->json;
    const duet_csv_pick *pick = duet_field_pick(json->input->fields, json->text);
    bool cost = pick != NULL && strcmp(pick->name, "cost") == 0;
    bool data = pick != NULL && strcmp(pick->name, "data") == 0;
    if (cost || data) {
        read_cost(edges, edge, cost ? DUET_COST_SAME : DUET_COST_DATA);
    }
    return cost || data;
}

// What kind of an edge it is: what is no end before a start is refused.
static bool read_link(duet_json_edges *edges)
{
    duet_json *json = edges->json;
    char name[64];
    char advice[DUET_FIELD_ADVICE];
    if (strcasecmp(json->text, "type") != 0 && strcasecmp(json->text, "lag") != 0) {
        return false;
    }
    snprintf(name, sizeof name, "%s", json->text);
    duet_field_ignore_advice(name, advice);
    if (duet_json_next(json) != DUET_OK) {
        return true;
    }
    bool said = json->token == DUET_JSON_STRING || json->token == DUET_JSON_NUMBER;
    if (said && duet_is_other_link(name, json->text)) {
        duet_json_fail(json, "member " DUET_OTHER_LINK, name, json->text, advice);
    } else {
        duet_json_pass_named(json, DUET_FIELD_EDGE, name, "it does not say what comes first");
        duet_json_skip_rest(json);
    }
    return true;
}

// A number by the name of "weight" or "size" is kept until it is known whose edges these are.
static void read_other(duet_json_edges *edges, other_cost *other)
{
    duet_json *json = edges->json;
    bool weight = strcmp(json->text, "weight") == 0;
    bool size = strcmp(json->text, "size") == 0;
    if (!weight && !size) {
        bool key = strcmp(json->text, "key") == 0; // of networkx's multigraphs
        duet_json_pass(json, DUET_FIELD_EDGE,
                       key                                ? "an edge is told by its tasks"
                       : duet_field_is_amount(json->text) ? DUET_FIELD_AMOUNT_NAME
                                                          : NULL);
        return;
    }
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    duet_read_time *time = weight ? &other->weight : &other->size;
    bool good =
        json->token == DUET_JSON_NUMBER &&
        duet_decimal_read(json->text, json->length, &time->value, &time->tail) == DUET_DECIMAL_OK;
    if (!good) {
        duet_json_pass_named(json, DUET_FIELD_EDGE, weight ? "weight" : "size",
                             "it is no number of at least 0");
        duet_json_skip_rest(json);
    }
    other->has_weight = other->has_weight || (weight && good);
    other->has_size = other->has_size || (size && good);
    other->line = json->line;
    other->column = json->column;
}

// networkx writes source, target and weight, SAGA source, target and size: these are what the edge
// costs, and its data. Beside "from" and "to" they are not.
static void take_other(duet_json_edges *edges, json_edge *edge, const other_cost *other, bool named)
{
    static const char why[] =
        "what an edge costs is called \"cost\", \"costs\" or \"data\", and --columns picks it";
    duet_json *json = edges->json;
    bool form = edge->form == DUET_COST_NONE && named;
    bool cost = form && other->has_weight;
    bool data = form && other->has_size && !other->has_weight;
    if (other->has_weight && !cost) {
        duet_json_pass_named(json, DUET_FIELD_EDGE, "weight", why);
    }
    if (other->has_size && !data) {
        duet_json_pass_named(json, DUET_FIELD_EDGE, "size", why);
    }
    if (json->code == DUET_OK && (cost || data)) {
        duet_json_note(json, duet_vec_grow(edges->values, edges->value_count, json->error));
    }
    if (json->code != DUET_OK || !(cost || data)) {
        return;
    }
    edge->form = cost ? DUET_COST_SAME : DUET_COST_DATA;
    edges->values[edges->value_count++] = cost ? other->weight : other->size;
    if (data && edges->sized++ == 0) {
        edges->sized_line = other->line;
        edges->sized_column = other->column;
    }
}

static void read_long_member(duet_json_edges *edges, json_edge *edge, int which, other_cost *other)
{
    duet_json *json = edges->json;
    if (which >= FROM && which <= CHILD) {
        if (duet_json_next(json) == DUET_OK) {
            read_end(edges, which % 2 == FROM ? &edge->from : &edge->to);
        }
        return;
    }
    switch (which) {
    case COST:
        read_cost(edges, edge, DUET_COST_SAME);
        break;
    case COSTS:
        read_cost(edges, edge, DUET_COST_TABLE);
        break;
    case DATA:
        read_cost(edges, edge, DUET_COST_DATA);
        break;
    default:
        if (duet_field_is_ignored(json->input->fields, json->text)) {
            duet_json_pass(json, DUET_FIELD_EDGE, NULL);
        } else if (!read_picked(edges, edge) && !read_link(edges)) {
            read_other(edges, other);
        }
        break;
    }
}

// {"from": ..., "to": ...}
static void read_long(duet_json_edges *edges, json_edge *edge)
{
    duet_json *json = edges->json;
    duet_json_object object = duet_json_open(json, edge_members);
    other_cost other = {.has_weight = false};
    while (duet_json_said(json, &object, 0)) {
        read_long_member(edges, edge, object.which, &other);
    }
    int named = FROM; // the first of the two members that name the ends
    for (int first = SOURCE; first <= PARENT; first += 2) {
        if ((object.seen & (3U << first)) != 0) {
            named = first;
        }
    }
    if ((object.seen & ((1U << COST) - 1) & ~(3U << named)) != 0) {
        duet_json_fail(json, "an edge with source or target beside from or to; expected either");
    }
    duet_json_require(json, &object, 3U << named, "the edge");
    take_other(edges, edge, &other, named != FROM);
}

void duet_json_read_edge(duet_json_edges *edges)
{
    duet_json *json = edges->json;
    json_edge edge = {.form = DUET_COST_NONE, .line = json->line, .column = json->column};
    edges->ids_used = 0;
    edges->value_count = 0;
    edges->negative = (duet_negative_cost){.text = ""};
    if (json->token == DUET_JSON_ARRAY) {
        read_short(edges, &edge);
    } else if (json->token == DUET_JSON_OBJECT) {
        read_long(edges, &edge);
    } else {
        duet_json_expected(json, "an edge, {\"from\": ..., \"to\": ...} or [from, to]");
    }
    add_edge(edges, &edge);
}

void duet_json_take_list(duet_json_edges *edges, const char *name)
{
    duet_json *json = edges->json;
    duet_json_then(json, duet_field_take_order(json->input->fields, DUET_FIELD_INSTANCE, name,
                                               edges->builder, json->error));
}

void duet_json_read_edges(duet_json_edges *edges)
{
    duet_json *json = edges->json;
    bool any = false;
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "an array of edges");
        return;
    }
    for (; duet_json_element(json); any = true) {
        duet_json_read_edge(edges);
    }
    if (any) {
        duet_json_take_list(edges, "edges");
    }
}

void duet_json_pass_sizes(duet_json_edges *edges)
{
    static const duet_read_transfer free_data = {.line = 0};
    duet_json *json = edges->json;
    bool timed = json->input->fields != NULL && json->input->fields->transfer;
    if (edges->sized == 0 || edges->timed || json->code != DUET_OK) {
        return;
    }
    duet_json_note(json, duet_builder_set_transfer(edges->builder, &free_data, json->error));
    json->line = edges->sized_line;
    json->column = edges->sized_column;
    for (size_t i = 0; i < edges->sized && !timed; i++) {
        duet_json_pass_named(json, DUET_FIELD_EDGE, "size", DUET_FIELD_DATA_USE ", or a network");
    }
}

void duet_json_read_transfer(duet_json_edges *edges)
{
    enum { LATENCY, PER_UNIT };
    static const char *const names[] = {"latency", "per_unit", NULL};
    duet_json *json = edges->json;
    size_t counts[2] = {0, 0};
    if (!duet_json_want(json, DUET_JSON_OBJECT,
                        "how long data take, {\"latency\": ..., \"per_unit\": ...}")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    int first = -1; // of the two members
    edges->timed = true;
    edges->value_count = 0;
    while (duet_json_said(json, &object, 0)) {
        if (object.which < 0) {
            duet_json_pass(json, DUET_FIELD_PART, NULL);
            continue;
        }
        size_t before = edges->value_count;
        read_table(edges, NULL);
        first = first < 0 ? object.which : first;
        counts[object.which] = edges->value_count - before;
    }
    size_t after = first < 0 ? 0 : counts[first];
    const duet_read_time *of[2] = {edges->values, edges->values};
    if (first == LATENCY) {
        of[PER_UNIT] += after;
    } else if (first == PER_UNIT) {
        of[LATENCY] += after;
    }
    if (json->code == DUET_OK) {
        const duet_read_transfer transfer = {.latency = of[LATENCY],
                                             .latency_count = counts[LATENCY],
                                             .per_unit = of[PER_UNIT],
                                             .per_unit_count = counts[PER_UNIT],
                                             .line = object.line,
                                             .column = object.column};
        duet_json_note(json, duet_builder_set_transfer(edges->builder, &transfer, json->error));
    }
}

// --- a task's order ------------------------------------------------------------------------------

// Keeps the ids of a text: "a;b;c".
static size_t keep_list(duet_json_edges *edges)
{
    const char *text = edges->json->text;
    size_t length = 0;
    size_t kept = 0;
    for (const char *id; (id = duet_id_list_next(&text, &length)) != NULL; kept++) {
        size_t at;
        keep_id(edges, id, length, &at);
    }
    duet_builder_expect_ends(edges->builder, DUET_ID_LIST_EXPECTED);
    return kept;
}

// The ids of the current token, in which numbers are those of a list: 1.0 may be task 1.
static void keep_order(duet_json_edges *edges, duet_json_order *order)
{
    duet_json *json = edges->json;
    size_t at;
    if (json->token == DUET_JSON_STRING) {
        order->list = true;
        order->kept = keep_list(edges);
    } else if (json->token == DUET_JSON_NUMBER) {
        order->list = true;
        order->kept = 1;
        read_end(edges, &at);
    } else if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "the ids of tasks, an array");
    } else {
        order->list = true;
        for (; duet_json_element(json); order->kept++) {
            order->list = order->list && json->token == DUET_JSON_NUMBER;
            read_end(edges, &at);
        }
    }
}

void duet_json_read_order(duet_json_edges *edges, int which)
{
    duet_json *json = edges->json;
    duet_json_order *order = &edges->order[which][edges->orders[which]];
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    edges->orders[which]++;
    *order =
        (duet_json_order){.begin = edges->ids_used, .line = json->line, .column = json->column};
    if (json->token != DUET_JSON_NULL) {
        keep_order(edges, order);
    }
    order->end = edges->ids_used;
}

static void add_order(duet_json_edges *edges, int which, const duet_json_order *order,
                      int64_t first, int64_t count)
{
    duet_json *json = edges->json;
    if (count > 1 && order->kept > 0 && json->code == DUET_OK) {
        duet_json_note(json, duet_builder_announce_edges(edges->builder,
                                                         (duet_uint128)count * order->kept,
                                                         order->line, order->column, json->error));
    }
    for (size_t at = order->begin; at < order->end; at += strlen(edges->ids + at) + 1) {
        const char *id = edges->ids + at;
        for (int64_t i = 0; i < count && json->code == DUET_OK; i++) {
            const duet_read_end other = {id, strlen(id), 0, order->list};
            const duet_read_end task = {.task = first + i};
            bool behind = which == DUET_JSON_BEHIND_IT;
            const duet_read_edge read = {.from = behind ? task : other,
                                         .to = behind ? other : task,
                                         .line = order->line,
                                         .column = order->column};
            duet_json_note(json, duet_builder_add_edge(edges->builder, &read, json->error));
        }
    }
}

void duet_json_add_orders(duet_json_edges *edges, int64_t first, int64_t count)
{
    bool several = false;
    for (int which = 0; which < DUET_JSON_ORDERS; which++) {
        edges->given[which] = edges->given[which] || edges->orders[which] > 0;
        several = several || edges->orders[which] > 1;
        for (size_t i = 0; i < edges->orders[which]; i++) {
            add_order(edges, which, &edges->order[which][i], first, count);
        }
    }
    if (several || (edges->given[DUET_JSON_BEFORE_IT] && edges->given[DUET_JSON_BEHIND_IT])) {
        duet_builder_merge_edges(edges->builder);
    }
    duet_json_forget_orders(edges);
}

void duet_json_forget_orders(duet_json_edges *edges)
{
    edges->ids_used = 0;
    for (int which = 0; which < DUET_JSON_ORDERS; which++) {
        edges->orders[which] = 0;
    }
}
