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
#include "instances/formats/id_list.h"

void duet_json_edges_free(duet_json_edges *edges)
{
    duet_free(edges->ids);
    duet_free(edges->values);
    edges->ids = NULL;
    edges->values = NULL;
}

// --- what may have been meant --------------------------------------------------------------------

bool duet_json_is_unread_edge(duet_json_edges *edges, const char *name, bool of_task)
{
    static const char *const names[] = {
        "arcs",       "children",     "depend", "dependencies", "dependency", "depends",
        "depends_on", "dependson",    "deps",   "links",        "needs",      "parents",
        "pred",       "predecessors", "preds",  "precedence",   "requires",   "successors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(name, names[i]) == 0) {
            if (edges->unread[0] == '\0') {
                snprintf(edges->unread, sizeof edges->unread, "%s", name);
                edges->unread_of_task = of_task;
                edges->unread_line = edges->json->line;
            }
            return true;
        }
    }
    return false;
}

duet_code duet_json_edges_notice(const duet_json_edges *edges, duet_error *error)
{
    char notice[160];
    duet_code code = duet_add_unread_cost_notice(&edges->unread_cost, edges->builder, error);
    if (edges->unread[0] == '\0' || code != DUET_OK) {
        return code;
    }
    snprintf(notice, sizeof notice, "\"%s\"%s in line %d is not read: %s", edges->unread,
             edges->unread_of_task ? " of a task" : "", edges->unread_line,
             edges->unread_of_task ? "what a task waits for is called \"after\""
                                   : "what waits for what is called \"edges\"");
    return duet_builder_add_notice(edges->builder, notice, error);
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
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_vec_grow(edges->values, edges->value_count, json->error));
    }
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
    if (!duet_json_want(json, DUET_JSON_ARRAY, rows)) {
        return;
    }
    while (duet_json_element(json)) {
        if (json->token != DUET_JSON_ARRAY) {
            duet_json_expected(json, rows);
            return;
        }
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

// {"from": ..., "to": ...}
static void read_long(duet_json_edges *edges, json_edge *edge)
{
    enum { FROM, TO, COST, COSTS, DATA };
    static const char *const names[] = {"from", "to", "cost", "costs", "data", NULL};
    duet_json *json = edges->json;
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        switch (object.which) {
        case FROM:
        case TO:
            if (duet_json_next(json) == DUET_OK) {
                read_end(edges, object.which == FROM ? &edge->from : &edge->to);
            }
            break;
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
            duet_note_unread_cost(&edges->unread_cost, json->text, json->line);
            duet_json_skip(json);
            break;
        }
    }
    duet_json_require(json, &object, 1U << FROM | 1U << TO, "the edge");
}

void duet_json_read_edges(duet_json_edges *edges)
{
    duet_json *json = edges->json;
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "an array of edges");
        return;
    }
    while (duet_json_element(json)) {
        json_edge edge = {.form = DUET_COST_NONE, .line = json->line, .column = json->column};
        edges->ids_used = 0;
        edges->value_count = 0;
        if (json->token == DUET_JSON_ARRAY) {
            read_short(edges, &edge);
        } else if (json->token == DUET_JSON_OBJECT) {
            read_long(edges, &edge);
        } else {
            duet_json_expected(json, "an edge, {\"from\": ..., \"to\": ...} or [from, to]");
        }
        add_edge(edges, &edge);
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
    edges->value_count = 0;
    while (duet_json_member(json, &object)) {
        if (object.which < 0) {
            duet_json_skip(json);
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

// --- a task's predecessors -----------------------------------------------------------------------

// Keeps the ids of a text: "a;b;c".
static void keep_list(duet_json_edges *edges)
{
    const char *text = edges->json->text;
    size_t length = 0;
    for (const char *id; (id = duet_id_list_next(&text, &length)) != NULL;) {
        size_t at;
        keep_id(edges, id, length, &at);
        edges->ids_kept++;
    }
    duet_builder_expect_ends(edges->builder, DUET_ID_LIST_EXPECTED);
}

void duet_json_read_after(duet_json_edges *edges)
{
    duet_json *json = edges->json;
    edges->ids_used = 0;
    edges->ids_kept = 0;
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    edges->after_line = json->line;
    edges->after_column = json->column;
    edges->after_list = json->token == DUET_JSON_STRING;
    if (json->token == DUET_JSON_STRING) {
        keep_list(edges);
        return;
    }
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "the ids of the tasks that come before, an array");
        return;
    }
    while (duet_json_element(json)) {
        size_t at;
        read_end(edges, &at);
        edges->ids_kept++;
    }
}

void duet_json_add_after(duet_json_edges *edges, int64_t first, int64_t count)
{
    duet_json *json = edges->json;
    if (count > 1 && edges->ids_used > 0 && json->code == DUET_OK) {
        duet_json_note(
            json, duet_builder_announce_edges(edges->builder, (duet_uint128)count * edges->ids_kept,
                                              edges->after_line, edges->after_column, json->error));
    }
    for (size_t at = 0; at < edges->ids_used; at += strlen(edges->ids + at) + 1) {
        const char *id = edges->ids + at;
        for (int64_t i = 0; i < count && json->code == DUET_OK; i++) {
            const duet_read_edge read = {.from = {id, strlen(id), 0, edges->after_list},
                                         .to = {.task = first + i},
                                         .line = edges->after_line,
                                         .column = edges->after_column};
            duet_json_note(json, duet_builder_add_edge(edges->builder, &read, json->error));
        }
    }
    edges->ids_used = 0;
}
