// SPDX-License-Identifier: Apache-2.0
// Members of an instance in JSON that are single values, and what graphs of networkx say of
// themselves. Each reads the value of its member.
#include "instances/formats/json/parts.h"

#include "instances/formats/json/members.h"
#include "instances/formats/json/times.h"

void duet_json_read_tick(duet_json *json, duet_builder *builder)
{
    duet_read_time tick;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    duet_json_read_number(json, "the size of a tick", true, &tick);
    if (json->code == DUET_OK) {
        duet_json_note(
            json, duet_builder_set_tick(builder, &tick, json->line, json->column, json->error));
    }
}

void duet_json_read_mixed_sets(duet_json *json, duet_builder *builder)
{
    bool mixed = false;
    duet_json_boolean(
        json, "true or false: whether a task may use processors of several types at once", &mixed);
    duet_builder_set_mixed_sets(builder, mixed);
}

void duet_json_read_directed(duet_json *json)
{
    bool directed = true;
    duet_json_boolean(json, "true or false: whether the edges of the graph have a direction",
                      &directed);
    if (!directed && json->code == DUET_OK) {
        duet_json_fail(json, "an undirected graph, whose edges do not say what comes first; "
                             "expected one with \"directed\": true");
    }
}

void duet_json_read_multigraph(duet_json *json, duet_builder *builder)
{
    bool parallel = false;
    duet_json_boolean(json, "true or false: whether edges may be parallel", &parallel);
    if (parallel) {
        duet_builder_merge_parallel(builder);
    }
}

// An attribute of a graph; or a task of one that is a dictionary of lists, {"a": ["b"]}.
static void pass_attribute(duet_json *json, int *line, int *column)
{
    duet_json_pass_named(json, DUET_FIELD_PART, json->text, NULL);
    if (duet_json_next(json) != DUET_OK || json->token != DUET_JSON_ARRAY) {
        duet_json_skip_rest(json);
        return;
    }
    for (; duet_json_element(json); duet_json_skip_rest(json)) {
        if (json->token == DUET_JSON_STRING && *line == 0 &&
            !duet_field_is_ignored(json->input->fields, "graph")) {
            *line = json->line;
            *column = json->column;
        }
    }
}

void duet_json_read_attributes(duet_json *json, duet_builder *builder, int *line, int *column)
{
    static const char *const own[] = {"name", NULL};
    if (duet_json_next(json) != DUET_OK || json->token != DUET_JSON_OBJECT) {
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, "graph", NULL);
        duet_json_skip_rest(json);
        return;
    }
    duet_json_object object = duet_json_open(json, own);
    while (duet_json_member(json, &object)) {
        if (object.which < 0) {
            pass_attribute(json, line, column);
        } else if (duet_json_next(json) == DUET_OK && json->token == DUET_JSON_STRING) {
            duet_json_note(json, duet_builder_set_name(builder, json->text, json->error));
        } else {
            duet_json_skip_rest(json); // a graph without a name
        }
    }
}
