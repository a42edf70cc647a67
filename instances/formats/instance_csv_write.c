// SPDX-License-Identifier: Apache-2.0
// Instances as CSV, written so that the reader takes every column and every task for what it is.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include <duet/graph.h>

#include "instances/formats/csv.h"
#include "instances/formats/formats.h"

// A type called like a column with a meaning of its own would pass for it. The first such column is
// the one with the meaning, so it is then written too.
static bool has_type(const duet_instance *instance, const char *name)
{
    bool found = false;
    for (size_t t = 0; t < instance->types; t++) {
        found = found || strcasecmp(instance->type_names[t], name) == 0;
    }
    return found;
}

// What a column of predecessors cannot say.
duet_code duet_check_instance_csv(const duet_instance *instance, duet_error *error)
{
    unsigned features = duet_instance_features(instance);
    if ((features & DUET_HANDLES_COMMUNICATION) != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for what edges cost; expected json or dot");
    }
    for (size_t kind = 0; kind < instance->kinds && duet_instance_edges(instance) > 0; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        if (strchr(id, ';') != NULL || id[0] == ' ' || id[strlen(id) - 1] == ' ') {
            return duet_error_set(error, DUET_E_USAGE,
                                  "the task '%.60s' cannot be a predecessor in CSV: it has a "
                                  "semicolon, or a blank at an end; expected another id, json or "
                                  "dot",
                                  id);
        }
    }
    return DUET_OK;
}

typedef struct csv_shape {
    bool counts; // there is a column for them
    bool after;
} csv_shape;

static void write_header(FILE *stream, const duet_instance *instance, csv_shape shape)
{
    fprintf(stream, "id%s%s", shape.counts ? ",count" : "", shape.after ? ",after" : "");
    for (size_t t = 0; t < instance->types; t++) {
        fputc(',', stream);
        duet_csv_put_field(stream, instance->type_names[t]);
    }
    fputc('\n', stream);
}

static void write_times(FILE *stream, const duet_instance *instance, size_t kind)
{
    char buffer[32];
    for (size_t t = 0; t < instance->types; t++) {
        int64_t time = duet_time(instance, kind, t);
        fputc(',', stream);
        fputs(time == DUET_FORBIDDEN ? "" : duet_instance_format_time(instance, time, buffer),
              stream);
    }
    fputc('\n', stream);
}

// The task's id as part of a field in quotes.
static void write_quoted_id(FILE *stream, const duet_instance *instance, int64_t task)
{
    size_t kind = duet_instance_kind_of(instance, task);
    for (const char *c = duet_instance_kind_id(instance, kind); *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", stream);
        fputc(*c, stream);
    }
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, "#%" PRId64, task - instance->first[kind]);
    }
}

// A record a task: edges are between tasks, not kinds.
static void write_graph(FILE *stream, const duet_instance *instance, csv_shape shape)
{
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        size_t count;
        const int32_t *edges = duet_instance_edges_to(instance, j, &count);
        fputc('"', stream);
        write_quoted_id(stream, instance, j);
        fprintf(stream, "\"%s,", shape.counts ? ",1" : "");
        for (size_t i = 0; i < count; i++) {
            fputs(i == 0 ? "\"" : ";", stream);
            write_quoted_id(stream, instance, duet_instance_edge(instance, edges[i]).from);
        }
        fputs(count > 0 ? "\"" : "", stream);
        write_times(stream, instance, duet_instance_kind_of(instance, j));
    }
}

void duet_write_instance_csv(FILE *stream, const duet_instance *instance)
{
    bool graph = duet_instance_edges(instance) > 0;
    bool single = graph || duet_tasks(instance) == (int64_t)instance->kinds;
    const csv_shape shape = {.counts = has_type(instance, "count") || !single,
                             .after = graph || has_type(instance, "after")};
    write_header(stream, instance, shape);
    if (graph) {
        write_graph(stream, instance, shape);
        return;
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        duet_csv_put_field(stream, duet_instance_kind_id(instance, kind));
        if (shape.counts) {
            fprintf(stream, ",%" PRId64, duet_count(instance, kind));
        }
        fputs(shape.after ? "," : "", stream);
        write_times(stream, instance, kind);
    }
}
