// SPDX-License-Identifier: Apache-2.0
// Instances written in the native JSON format, one kind a line.
#include <inttypes.h>
#include <string.h>

#include <duet/graph.h>

#include "core/output.h"
#include "instances/formats/claim_json.h"
#include "instances/formats/formats.h"

// Whether the types have the names that a reader gives them by default.
static bool has_default_types(const duet_instance *instance)
{
    for (size_t t = 0; t < instance->types; t++) {
        char name[32] = "cpu";
        if (t == 1) {
            snprintf(name, sizeof name, "gpu");
        } else if (t > 1) {
            snprintf(name, sizeof name, "gpu%zu", t);
        }
        if (strcmp(name, instance->type_names[t]) != 0) {
            return false;
        }
    }
    return instance->kinds > 0 || instance->types == 2;
}

// If the counts are unknown, the platform is left out, or its counts are null if a type has a name
// of its own.
static void write_platform(FILE *stream, const duet_instance *instance)
{
    if (!instance->has_platform && has_default_types(instance)) {
        return;
    }
    fputs(" \"platform\": [", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputs(t == 0 ? "{\"type\": " : ", {\"type\": ", stream);
        duet_output_json_string(stream, instance->type_names[t]);
        if (instance->has_platform) {
            fprintf(stream, ", \"count\": %" PRId64 "}", instance->processors[t]);
        } else {
            fputs(", \"count\": null}", stream);
        }
    }
    fputs("],\n", stream);
}

static void write_kind(FILE *stream, const duet_instance *instance, size_t kind)
{
    char buffer[32];
    fputs("{\"id\": ", stream);
    duet_output_json_string(stream, duet_instance_kind_id(instance, kind));
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, ", \"count\": %" PRId64, duet_count(instance, kind));
    }
    fputs(", \"times\": [", stream);
    for (size_t t = 0; t < instance->types; t++) {
        int64_t time = duet_time(instance, kind, t);
        fputs(t == 0 ? "" : ", ", stream);
        fputs(time == DUET_FORBIDDEN ? "null" : duet_instance_format_time(instance, time, buffer),
              stream);
    }
    fputs("]}", stream);
}

static void write_costs(FILE *stream, const duet_instance *instance, const int64_t *table)
{
    char buffer[32];
    size_t types = instance->types;
    fputs("[", stream);
    for (size_t a = 0; a < types; a++) {
        for (size_t b = 0; b < types; b++) {
            fputs(b > 0 ? ", " : a > 0 ? ", [" : "[", stream);
            fputs(duet_instance_format_time(instance, table[a * types + b], buffer), stream);
        }
        fputs("]", stream);
    }
    fputs("]", stream);
}

static void write_task_id(FILE *stream, const duet_instance *instance, int64_t task)
{
    size_t kind = duet_instance_kind_of(instance, task);
    duet_output_json_text(stream, duet_instance_kind_id(instance, kind));
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, "#%" PRId64, task - instance->first[kind]);
    }
}

// ["a", "b"], ["a", "b", 2.5] or {"from": "a", "to": "b", "costs": [[0, 3], [3, 3]]}
static void write_edge(FILE *stream, const duet_instance *instance, int64_t edge)
{
    const duet_graph *graph = instance->graph;
    const int64_t *table = duet_graph_costs(graph, edge);
    bool uniform = table == NULL || duet_graph_is_uniform(graph, table);
    fputs(uniform ? "[\"" : "{\"from\": \"", stream);
    write_task_id(stream, instance, graph->tail[edge]);
    fputs(uniform ? "\", \"" : "\", \"to\": \"", stream);
    write_task_id(stream, instance, graph->head[edge]);
    fputs("\"", stream);
    if (!uniform) {
        fputs(", \"costs\": ", stream);
        write_costs(stream, instance, table);
    } else if (table != NULL && table[0] != 0) {
        char buffer[32];
        fprintf(stream, ", %s", duet_instance_format_time(instance, table[0], buffer));
    }
    fputs(uniform ? "]" : "}", stream);
}

static void write_edges(FILE *stream, const duet_instance *instance)
{
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        fputs(e == 0 ? ",\n \"edges\": [" : ",\n           ", stream);
        write_edge(stream, instance, e);
    }
    fputs(duet_instance_edges(instance) > 0 ? "]" : "", stream);
}

void duet_write_instance_json(FILE *stream, const duet_instance *instance)
{
    fputs("{\"format\": \"duet-instance\", \"version\": 1, \"name\": ", stream);
    duet_output_json_string(stream, duet_instance_name(instance));
    fputs(", \"time_unit\": ", stream);
    duet_output_json_string(stream, duet_instance_time_unit(instance));
    fputs(",\n", stream);
    write_platform(stream, instance);
    duet_write_claim_json(stream, instance);
    fputs(" \"tasks\": [", stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        fputs(kind == 0 ? "" : ",\n           ", stream);
        write_kind(stream, instance, kind);
    }
    fputs("]", stream);
    write_edges(stream, instance);
    fputs("}\n", stream);
}
