// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/json/members.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 80 };

bool duet_json_is_any(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

void duet_json_pass_named(duet_json *json, duet_field_owner owner, const char *name,
                          const char *why)
{
    const duet_field field = {owner, name, json->line, json->column};
    duet_json_then(
        json, duet_field_pass(json->input->fields, &field, why, json->input->name, json->error));
}

void duet_json_pass(duet_json *json, duet_field_owner owner, const char *why)
{
    duet_json_pass_named(json, owner, json->text, why);
    duet_json_skip(json);
}

bool duet_json_names_order(duet_json *json, const char *name)
{
    static const char *const forms[] = {
        "adjacency",   "adjacency_list", "adjacency_matrix", "adj",
        "adjacencies", "arcs",           "precedence",       "edge_list",
        "edgelist",    "edgeList",       "precedences",      "constraints",
        "dag",         "order",          "relations",        NULL};
    duet_meaning meaning = duet_field_meaning(name);
    return (meaning == DUET_MEANS_AFTER || meaning == DUET_MEANS_BEFORE ||
            duet_json_is_any(name, forms)) &&
           !duet_field_is_ignored(json->input->fields, name);
}

void duet_json_refuse_order(duet_json *json, duet_field_owner owner, const char *name)
{
    char advice[DUET_FIELD_ADVICE];
    duet_field_ignore_advice(name, advice);
    if (owner == DUET_FIELD_TASK) {
        duet_json_fail(json,
                       "member \"%.60s\" of a task may say the order, in a form that is not read; "
                       "expected \"after\": [\"a\", \"b\"], or %s",
                       name, advice);
        return;
    }
    duet_json_fail(json,
                   "member \"%.60s\" of the instance says the order in a form that is not read; "
                   "expected \"edges\": [[\"a\", \"b\"], ...], as networkx's node_link_data() has "
                   "them, or %s",
                   name, advice);
}

void duet_json_pass_member(duet_json *json, duet_field_owner owner, const char *name)
{
    static const char *const none[] = {NULL};
    bool object = json->token == DUET_JSON_OBJECT;
    bool order = duet_json_names_order(json, name);
    if ((!object && json->token != DUET_JSON_ARRAY) || !order) {
        bool says = order && owner == DUET_FIELD_INSTANCE;
        duet_json_pass_named(json, owner, name, says ? "no text or number says the order" : NULL);
        duet_json_skip_rest(json);
        return;
    }
    duet_json_object members = {.line = 0};
    if (object) {
        members = duet_json_open(json, none);
    }
    if (object ? duet_json_member(json, &members) : duet_json_element(json)) {
        duet_json_refuse_order(json, owner, name);
    }
}

void duet_json_pass_met_member(duet_json *json, duet_field_owner owner)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) == DUET_OK) {
        duet_json_pass_member(json, owner, name);
    }
}

void duet_json_guard(duet_json *json, duet_field_owner owner)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) == DUET_OK) {
        duet_json_guard_named(json, owner, name);
    }
}

void duet_json_guard_named(duet_json *json, duet_field_owner owner, const char *name)
{
    const duet_field field = {owner, name, json->line, json->column};
    bool text = json->token == DUET_JSON_NUMBER || json->token == DUET_JSON_STRING;
    const char *value = text ? json->text : json->token == DUET_JSON_NULL ? "" : "no number";
    duet_json_note(
        json, duet_field_guard(json->input->fields, &field, value, json->input->name, json->error));
    duet_json_skip_rest(json);
}
