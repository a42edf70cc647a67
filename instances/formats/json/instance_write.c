// SPDX-License-Identifier: Apache-2.0
// Instances written in the native JSON format, one kind a line.
#include <inttypes.h>
#include <string.h>

#include <duet/graph.h>

#include "core/instance/available.h"
#include "core/instance/clock.h"
#include "core/instance/lateness.h"
#include "core/instance/moldable.h"
#include "core/instance/pins.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/output.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/parts.h"

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

static void write_number(FILE *stream, const char *member, duet_decimal value)
{
    char buffer[32];
    fputs(member, stream);
    fputs(duet_decimal_format(value.mantissa, value.places, buffer), stream);
}

static void write_links(FILE *stream, const duet_instance *instance, size_t type)
{
    const duet_moldable *m = instance->moldable;
    if (m == NULL) {
        return;
    }
    if (m->speed_given) {
        write_number(stream, ", \"speed\": ", m->speed[type]);
    }
    if (m->bandwidth[type].mantissa > 0) {
        write_number(stream, ", \"bandwidth\": ", m->bandwidth[type]);
    }
}

static void write_watts(FILE *stream, const duet_instance *instance, size_t type)
{
    static const char *const members[] = {", \"watts\": ", ", \"idle_watts\": "};
    for (size_t i = 0; i < 2; i++) {
        if (instance->watts_given[i] == instance->types) {
            write_number(stream, members[i], instance->watts[i][type]);
        }
    }
}

static void write_busy(FILE *stream, const duet_instance *instance, size_t type)
{
    char buffer[32];
    for (int64_t p = 0; p < instance->busy_count[type]; p++) {
        fputs(p == 0 ? ", \"busy\": [" : ", ", stream);
        fputs(duet_instance_format_time(instance, instance->busy[type][p], buffer), stream);
    }
    fputs(instance->busy_count[type] > 0 ? "]" : "", stream);
}

static void write_without(FILE *stream, const duet_instance *instance, size_t type)
{
    size_t count = instance->pins == NULL ? 0 : instance->pins->lost_count[type];
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%" PRId64, i == 0 ? ", \"without\": [" : ", ",
                instance->pins->lost[type][i]);
    }
    fputs(count > 0 ? "]" : "", stream);
}

// No more names than there are processors.
static void write_names(FILE *stream, const duet_instance *instance, size_t type)
{
    int64_t count = (int64_t)instance->names[type].count;
    count = instance->has_platform ? duet_min(instance->processors[type], count) : count;
    for (int64_t p = 0; p < count; p++) {
        fputs(p == 0 ? ", \"names\": [" : ", ", stream);
        duet_output_json_string(stream, duet_processor_name(instance, type, p));
    }
    fputs(count > 0 ? "]" : "", stream);
}

static bool has_names(const duet_instance *instance)
{
    bool some = false;
    for (size_t t = 0; t < instance->types; t++) {
        some = some || instance->names[t].count > 0;
    }
    return some;
}

static void write_network(FILE *stream, const duet_instance *instance)
{
    const duet_moldable *m = instance->moldable;
    if (m == NULL) {
        return;
    }
    write_number(stream, " \"tick\": ", (duet_decimal){1, instance->decimals});
    fputs(instance->mixed_sets ? ", \"mixed_sets\": true" : "", stream);
    if (m->network) {
        write_number(stream, ", \"network\": {\"latency\": ", m->read_latency);
        write_number(stream, ", \"inter_latency\": ", m->read_inter_latency);
        if (m->inter_bandwidth.mantissa > 0) {
            write_number(stream, ", \"inter_bandwidth\": ", m->inter_bandwidth);
        }
        fputs("}", stream);
    }
    fputs(",\n", stream);
}

// If the counts are unknown, the platform is left out, or its counts are null if a type has a name
// of its own.
static void write_platform(FILE *stream, const duet_instance *instance)
{
    if (!instance->has_platform && instance->moldable == NULL && !duet_has_busy(instance) &&
        instance->pins == NULL && !has_names(instance) && has_default_types(instance)) {
        return;
    }
    fputs(" \"platform\": [", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputs(t == 0 ? "{\"type\": " : ", {\"type\": ", stream);
        duet_output_json_string(stream, instance->type_names[t]);
        if (instance->has_platform) {
            fprintf(stream, ", \"count\": %" PRId64, instance->processors[t]);
        } else {
            fputs(", \"count\": null", stream);
        }
        write_links(stream, instance, t);
        write_watts(stream, instance, t);
        write_busy(stream, instance, t);
        write_names(stream, instance, t);
        write_without(stream, instance, t);
        fputs("}", stream);
    }
    fputs("],\n", stream);
}

// The law that a kind follows on all types; NULL if it follows none, or several.
static const duet_law *common_law(const duet_instance *instance, size_t kind)
{
    const duet_law *law = duet_moldable_law(instance, kind, 0);
    for (size_t t = 1; t < instance->types; t++) {
        law = duet_moldable_law(instance, kind, t) == law ? law : NULL;
    }
    return law;
}

static void write_law(FILE *stream, const duet_law *law)
{
    char work[32];
    char alpha[32];
    fprintf(stream, "\"work\": %s, \"alpha\": %s",
            duet_decimal_format(law->work.mantissa, law->work.places, work),
            duet_decimal_format(law->alpha.mantissa, law->alpha.places, alpha));
}

// A time, null, a table or a law; `sized`: the one time of a kind of one size, which stands beside
// it. A table is no longer than the platform has processors, and a
// table also where that is one, so that it is read as one.
static void write_entry(FILE *stream, const duet_instance *instance, size_t kind, size_t type,
                        bool sized)
{
    char buffer[32];
    int64_t sizes = duet_moldable_sizes(instance, kind, type);
    const duet_law *law = duet_moldable_law(instance, kind, type);
    int64_t length = duet_moldable_length(instance, kind, type);
    length = !sized && instance->has_platform && sizes < length ? sizes : length;
    if (sized && duet_moldable_has_table(instance, kind, type)) {
        int64_t time = duet_moldable_table_time(instance, kind, type, length);
        fputs(duet_instance_format_time(instance, time, buffer), stream);
    } else if (duet_time(instance, kind, type) == DUET_FORBIDDEN) {
        fputs("null", stream);
    } else if (law != NULL) {
        fputs("{", stream);
        write_law(stream, law);
        fputs("}", stream);
    } else if (!duet_moldable_has_table(instance, kind, type)) {
        fputs(duet_instance_format_time(instance, duet_time(instance, kind, type), buffer), stream);
    } else {
        for (int64_t p = 1; p <= length; p++) {
            int64_t time = duet_moldable_table_time(instance, kind, type, p);
            bool none = time == DUET_FORBIDDEN;
            fputs(p == 1 ? "[" : ", ", stream);
            fputs(none ? "null" : duet_instance_format_time(instance, time, buffer), stream);
        }
        fputs("]", stream);
    }
}

// What a task has beside its times: when it may start and is to end, how it is ranked, its group.
static void write_own(FILE *stream, const duet_instance *instance, size_t kind)
{
    if (duet_release(instance, kind) > 0) {
        char buffer[32];
        fprintf(stream, ", \"release\": %s",
                duet_instance_format_time(instance, duet_release(instance, kind), buffer));
    }
    if (duet_has_deadline(instance, kind)) {
        write_number(stream, ", \"deadline\": ", instance->deadline[kind]);
    }
    if (instance->priority != NULL) {
        write_number(stream, ", \"priority\": ", instance->priority[kind]);
    }
    const char *group = duet_instance_group(instance, kind);
    if (group != NULL) {
        fputs(", \"group\": ", stream);
        duet_output_json_string(stream, group);
    }
    int64_t cores = duet_moldable_cores(instance, kind);
    if (cores > 1 && common_law(instance, kind) == NULL) {
        fprintf(stream, ", \"size\": %" PRId64, cores);
    }
}

static void write_times(FILE *stream, const duet_instance *instance, size_t kind)
{
    const duet_law *law = common_law(instance, kind);
    if (law != NULL) {
        fputs(", ", stream);
        write_law(stream, law);
        return;
    }
    fputs(", \"times\": [", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputs(t == 0 ? "" : ", ", stream);
        write_entry(stream, instance, kind, t, duet_moldable_cores(instance, kind) > 1);
    }
    fputs("]", stream);
}

// Whether a type is called as a member of tasks may be: the times of a task then come first, so
// that it is known of the member that it is none of them.
static bool times_come_first(const duet_instance *instance)
{
    bool first = false;
    for (size_t t = 0; t < instance->types; t++) {
        first = first || duet_field_meaning(instance->type_names[t]) != DUET_MEANS_NOTHING;
    }
    return first;
}

static void write_kind(FILE *stream, const duet_instance *instance, size_t kind)
{
    bool first = times_come_first(instance);
    fputs("{\"id\": ", stream);
    duet_output_json_string(stream, duet_instance_kind_id(instance, kind));
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, ", \"count\": %" PRId64, duet_count(instance, kind));
    }
    if (first) {
        write_times(stream, instance, kind);
    }
    write_own(stream, instance, kind);
    if (!first) {
        write_times(stream, instance, kind);
    }
    fputs("}", stream);
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

// What an edge between moldable tasks carries; NULL for nothing.
static const duet_decimal *data_of(const duet_instance *instance, int64_t edge)
{
    const duet_moldable *m = instance->moldable;
    bool some = m != NULL && m->amount_of != NULL && m->amount_of[edge] != 0;
    return some ? &m->amount[m->amount_of[edge]] : NULL;
}

// What an edge carries where costs follow from it; -1: nothing.
static int64_t amount_of(const duet_instance *instance, int64_t edge)
{
    const duet_graph *graph = instance->graph;
    uint32_t table = graph->amount == NULL ? 0 : graph->transfer[edge];
    return table == 0 ? -1 : graph->amount[table];
}

// What an edge costs by types; NULL for nothing.
static const int64_t *costs_of(const duet_instance *instance, int64_t edge)
{
    const duet_moldable *m = instance->moldable;
    size_t cells = instance->types * instance->types;
    return m != NULL && m->cost_of != NULL ? m->cost + m->cost_of[edge] * cells
                                           : duet_graph_costs(instance->graph, edge);
}

// ["a", "b"], ["a", "b", 2.5] or {"from": "a", "to": "b", "costs": [[0, 3], [3, 3]]}, or "data" in
// their place
static void write_edge(FILE *stream, const duet_instance *instance, int64_t edge)
{
    const duet_graph *graph = instance->graph;
    const int64_t *table = costs_of(instance, edge);
    const duet_decimal *data = data_of(instance, edge);
    int64_t amount = amount_of(instance, edge);
    bool uniform =
        data == NULL && amount < 0 && (table == NULL || duet_graph_is_uniform(graph, table));
    fputs(uniform ? "[\"" : "{\"from\": \"", stream);
    write_task_id(stream, instance, graph->tail[edge]);
    fputs(uniform ? "\", \"" : "\", \"to\": \"", stream);
    write_task_id(stream, instance, graph->head[edge]);
    fputs("\"", stream);
    if (data != NULL) {
        write_number(stream, ", \"data\": ", *data);
    } else if (amount >= 0) {
        fprintf(stream, ", \"data\": %" PRId64, amount);
    } else if (!uniform) {
        fputs(", \"costs\": ", stream);
        write_costs(stream, instance, table);
    } else if (table != NULL && table[0] != 0) {
        char buffer[32];
        fprintf(stream, ", %s", duet_instance_format_time(instance, table[0], buffer));
    }
    fputs(uniform ? "]" : "}", stream);
}

static void write_rates(FILE *stream, const char *name, size_t types, const duet_decimal *rate)
{
    fprintf(stream, "\"%s\": [", name);
    for (size_t i = 0; i < types * types; i++) {
        write_number(stream, i % types > 0 ? ", " : i > 0 ? "], [" : "[", rate[i]);
    }
    fputs("]]", stream);
}

// How long data take.
static void write_transfer(FILE *stream, const duet_instance *instance)
{
    const duet_graph *graph = instance->graph;
    if (graph == NULL || graph->amount == NULL) {
        return;
    }
    fputs(",\n \"transfer\": {", stream);
    write_rates(stream, "latency", graph->types, graph->rate);
    fputs(", ", stream);
    write_rates(stream, "per_unit", graph->types, graph->rate + graph->types * graph->types);
    fputs("}", stream);
}

static void write_edges(FILE *stream, const duet_instance *instance)
{
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        fputs(e == 0 ? ",\n \"edges\": [" : ",\n           ", stream);
        write_edge(stream, instance, e);
    }
    fputs(duet_instance_edges(instance) > 0 ? "]" : "", stream);
}

// [[0, 3], [6, 6]] of the ranges of one type.
static void write_ranges(FILE *stream, duet_processor_set set, size_t from, size_t end)
{
    for (size_t r = from; r < end; r++) {
        fprintf(stream, "%s[%" PRId32 ", %" PRId32 "]", r == from ? "[" : ", ", set.range[r].first,
                set.range[r].last);
    }
    fputs("]", stream);
}

static void write_parts(FILE *stream, const duet_instance *instance, duet_processor_set set)
{
    for (size_t r = 0; r < set.count;) {
        size_t end = r + 1;
        while (end < set.count && set.range[end].type == set.range[r].type) {
            end++;
        }
        fputs(r == 0 ? ", \"parts\": [{\"type\": " : ", {\"type\": ", stream);
        duet_output_json_string(stream, instance->type_names[set.range[r].type]);
        fputs(", \"processors\": ", stream);
        write_ranges(stream, set, r, end);
        fputs("}", stream);
        r = end;
    }
    fputs("]", stream);
}

// {"task": "a", "type": "gpu", "processor": 0, "start": 3, "end": 7}
static void write_pin(FILE *stream, const duet_instance *instance, size_t kind)
{
    char buffer[32];
    const duet_pin *pin = duet_pin_of(instance, kind);
    duet_processor_set set = duet_pin_set(instance, pin);
    fputs("{\"task\": \"", stream);
    write_task_id(stream, instance, instance->first[kind]);
    fputs("\"", stream);
    if (set.count > 0 && duet_set_is_mixed(set)) {
        write_parts(stream, instance, set);
    } else if (set.count > 0) {
        fputs(", \"type\": ", stream);
        duet_output_json_string(stream, instance->type_names[set.range[0].type]);
        if (instance->moldable == NULL) {
            fprintf(stream, ", \"processor\": %" PRId32, set.range[0].first);
        } else {
            fputs(", \"processors\": ", stream);
            write_ranges(stream, set, 0, set.count);
        }
    }
    if (pin->start != DUET_FORBIDDEN) {
        fprintf(stream, ", \"start\": %s", duet_instance_format_time(instance, pin->start, buffer));
    }
    if (pin->end != DUET_FORBIDDEN) {
        fprintf(stream, ", \"end\": %s", duet_instance_format_time(instance, pin->end, buffer));
    }
    fputs("}", stream);
}

static void write_pins(FILE *stream, const duet_instance *instance)
{
    bool some = false;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_pin_of(instance, i) != NULL) {
            fputs(some ? ",\n           " : ",\n \"fixed\": [", stream);
            write_pin(stream, instance, i);
            some = true;
        }
    }
    fputs(some ? "]" : "", stream);
}

static void write_now(FILE *stream, const duet_instance *instance)
{
    char buffer[32];
    if (instance->now.mantissa > 0) {
        fprintf(stream, ",\n \"now\": %s",
                duet_decimal_format(instance->now.mantissa, instance->now.places, buffer));
    }
}

void duet_write_instance_json(FILE *stream, const duet_instance *instance)
{
    fputs("{\"format\": \"duet-instance\", \"version\": 1, \"name\": ", stream);
    duet_output_json_string(stream, duet_instance_name(instance));
    fputs(", \"time_unit\": ", stream);
    duet_output_json_string(stream, duet_instance_time_unit(instance));
    if (duet_clock_is_known(instance)) {
        char start[DUET_CLOCK_TEXT];
        fprintf(stream, ", \"start\": \"%s\"", duet_clock_format(instance, 0, start));
    }
    fputs(",\n", stream);
    write_platform(stream, instance);
    write_network(stream, instance);
    duet_write_claim_json(stream, instance);
    fputs(" \"tasks\": [", stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        fputs(kind == 0 ? "" : ",\n           ", stream);
        write_kind(stream, instance, kind);
    }
    fputs("]", stream);
    write_edges(stream, instance);
    write_transfer(stream, instance);
    write_pins(stream, instance);
    write_now(stream, instance);
    duet_write_origin_json(stream, instance);
    fputs("}\n", stream);
}
