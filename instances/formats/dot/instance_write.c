// SPDX-License-Identifier: Apache-2.0
// Instances in Graphviz's DOT language, a node a task, as the reader takes them.
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include <duet/graph.h>

#include "core/instance/available.h"
#include "core/instance/lateness.h"
#include "core/system/output.h"
#include "instances/formats/formats.h"

// --- what cannot be written ----------------------------------------------------------------------

// A backslash is no way out in DOT: it stands for itself, but takes the meaning of a quote behind
// it and joins lines, and two stay two. So a text cannot end in an odd number of them, nor have
// them before a quote or a line break.
static bool can_quote(const char *text)
{
    size_t run = 0;
    bool can = true;
    for (const char *c = text; *c != '\0' && can; c++) {
        can = run % 2 == 0 || (*c != '"' && *c != '\n') || *c == '\\';
        run = *c == '\\' ? run + 1 : 0;
    }
    return can && run % 2 == 0;
}

static duet_code refuse(const char *what, const char *text, const char *why, duet_error *error)
{
    return duet_error_set(error, DUET_E_USAGE,
                          "%s '%.60s' cannot be written as DOT: %s; expected another name, or json",
                          what, text, why);
}

// Whether tasks have something else of that name.
static bool is_taken(const duet_instance *instance, const char *type)
{
    bool groups = false;
    for (size_t kind = 0; kind < instance->kinds && !groups; kind++) {
        groups = duet_instance_group(instance, kind) != NULL;
    }
    return (groups && strcmp(type, "group") == 0) ||
           (instance->release != NULL && strcmp(type, "release") == 0) ||
           (instance->deadline != NULL && strcmp(type, "deadline") == 0) ||
           (instance->priority != NULL && strcmp(type, "priority") == 0);
}

duet_code duet_check_instance_dot(const duet_instance *instance, duet_error *error)
{
    if (duet_has_busy(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "DOT has no place for busy processors; expected json");
    }
    if (instance->pins != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "DOT has no place for what is fixed; expected json");
    }
    if (instance->moldable != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "DOT has no place for moldable tasks; expected json or csv");
    }
    static const char why[] = "a backslash stands before a quote, a line break or its end";
    if (!can_quote(instance->name)) {
        return refuse("the name", instance->name, why, error);
    }
    if (!can_quote(instance->time_unit)) {
        return refuse("the unit", instance->time_unit, why, error);
    }
    for (size_t t = 0; t < instance->types; t++) {
        const char *name = instance->type_names[t];
        if (!can_quote(name) || strpbrk(name, ",=") != NULL) {
            return refuse("the type", name,
                          can_quote(name) ? "it has a comma or an equals sign" : why, error);
        }
        if (is_taken(instance, name)) {
            return refuse("the type", name, "what else the tasks have is called so", error);
        }
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        if (!can_quote(id)) {
            return refuse("the task", id, why, error);
        }
        const char *group = duet_instance_group(instance, kind);
        if (group != NULL && !can_quote(group)) {
            return refuse("the group", group, why, error);
        }
    }
    return DUET_OK;
}

// --- writing -------------------------------------------------------------------------------------

static void write_inside(FILE *stream, const char *text)
{
    duet_output_quoted(stream, text, '\\');
}

static void write_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    write_inside(stream, text);
    fputc('"', stream);
}

// The name of an attribute, in quotes where it needs them.
static void write_name(FILE *stream, const char *name)
{
    static const char *const keywords[] = {"node",    "edge",     "graph",
                                           "digraph", "subgraph", "strict"};
    bool plain = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c != '\0' && plain; c++) {
        plain = (unsigned char)*c < 0x80 && (isalnum((unsigned char)*c) || *c == '_');
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords && plain; i++) {
        plain = strcmp(name, keywords[i]) != 0;
    }
    if (plain) {
        fputs(name, stream);
    } else {
        write_text(stream, name);
    }
}

static void write_task_id(FILE *stream, const duet_instance *instance, int64_t task)
{
    size_t kind = duet_instance_kind_of(instance, task);
    fputc('"', stream);
    write_inside(stream, duet_instance_kind_id(instance, kind));
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, "#%" PRId64, task - instance->first[kind]);
    }
    fputc('"', stream);
}

static void write_platform(FILE *stream, const duet_instance *instance)
{
    fputs("  platform=\"", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputs(t == 0 ? "" : ",", stream);
        write_inside(stream, instance->type_names[t]);
        if (instance->has_platform) {
            fprintf(stream, "=%" PRId64, instance->processors[t]);
        }
    }
    fputs("\";\n", stream);
    if (instance->time_unit[0] != '\0') {
        fputs("  time_unit=", stream);
        write_text(stream, instance->time_unit);
        fputs(";\n", stream);
    }
}

// What a task has beside times.
static void write_own(FILE *stream, const duet_instance *instance, size_t kind)
{
    char buffer[32];
    if (duet_release(instance, kind) != 0) {
        fprintf(stream, ", release=%s",
                duet_instance_format_time(instance, duet_release(instance, kind), buffer));
    }
    if (duet_has_deadline(instance, kind)) {
        duet_decimal due = instance->deadline[kind];
        fprintf(stream, ", deadline=%s", duet_decimal_format(due.mantissa, due.places, buffer));
    }
    if (instance->priority != NULL && instance->priority[kind].mantissa != 0) {
        duet_decimal priority = instance->priority[kind];
        fprintf(stream, ", priority=%s",
                duet_decimal_format(priority.mantissa, priority.places, buffer));
    }
}

static void write_task(FILE *stream, const duet_instance *instance, int64_t task)
{
    char buffer[32];
    size_t kind = duet_instance_kind_of(instance, task);
    bool first = true;
    fputs("  ", stream);
    write_task_id(stream, instance, task);
    for (size_t t = 0; t < instance->types; t++) {
        int64_t time = duet_time(instance, kind, t);
        if (time == DUET_FORBIDDEN) {
            continue;
        }
        fputs(first ? " [" : ", ", stream);
        write_name(stream, instance->type_names[t]);
        fprintf(stream, "=%s", duet_instance_format_time(instance, time, buffer));
        first = false;
    }
    write_own(stream, instance, kind);
    const char *group = duet_instance_group(instance, kind);
    if (group != NULL) {
        fputs(", group=", stream);
        write_text(stream, group);
    }
    fputs("];\n", stream);
}

static void write_edge(FILE *stream, const duet_instance *instance, int64_t edge)
{
    char buffer[32];
    const duet_graph *graph = instance->graph;
    const int64_t *table = duet_graph_costs(graph, edge);
    fputs("  ", stream);
    write_task_id(stream, instance, graph->tail[edge]);
    fputs(" -> ", stream);
    write_task_id(stream, instance, graph->head[edge]);
    if (table != NULL && duet_graph_is_uniform(graph, table)) {
        if (table[0] != 0) {
            fprintf(stream, " [cost=%s]", duet_instance_format_time(instance, table[0], buffer));
        }
    } else if (table != NULL) {
        fputs(" [costs=\"", stream);
        for (size_t i = 0; i < graph->types * graph->types; i++) {
            fputs(i == 0 ? "" : i % graph->types == 0 ? "; " : " ", stream);
            fputs(duet_instance_format_time(instance, table[i], buffer), stream);
        }
        fputs("\"]", stream);
    }
    fputs(";\n", stream);
}

void duet_write_instance_dot(FILE *stream, const duet_instance *instance)
{
    fputs("digraph ", stream);
    write_text(stream, duet_instance_name(instance));
    fputs(" {\n", stream);
    write_platform(stream, instance);
    for (int64_t task = 0; task < duet_tasks(instance); task++) {
        write_task(stream, instance, task);
    }
    for (int64_t edge = 0; edge < duet_instance_edges(instance); edge++) {
        write_edge(stream, instance, edge);
    }
    fputs("}\n", stream);
}
