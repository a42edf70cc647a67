// SPDX-License-Identifier: Apache-2.0
// The Chrome trace-event format ("Trace Event Format", JSON object form), which Perfetto,
// Speedscope and chrome://tracing read: one process per processor type, one thread per processor,
// one complete event ("X") per interval. Events are named by kind, so that viewers colour and sum
// them by kind. The edges of a task graph are flow events ("s", "f"), which viewers draw as arrows.
#include <string.h>

#include "core/instance/clock.h"
#include "core/instance/unit.h"
#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "report/trace/trace.h"

// What one tick is in microseconds: factor * 10^exponent. Units that are no measure of time are
// shown as microseconds.
typedef struct clock_scale {
    int factor;
    int exponent;
    bool known;
} clock_scale;

static clock_scale scale_of(const duet_instance *instance)
{
    duet_unit unit = {1, 0};
    bool known = duet_unit_find(instance->time_unit, &unit);
    return (clock_scale){unit.factor, unit.exponent - instance->decimals, known};
}

// Exact: whole numbers are multiplied, and the decimal point moves.
static void put_time(FILE *stream, int64_t ticks, clock_scale scale)
{
    enum { most = 64 };
    char digits[most];
    uint64_t size = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks; // a file may claim anything
    fputs(ticks < 0 ? "-" : "", stream);
    duet_uint128_format((duet_uint128)size * (unsigned)scale.factor, digits);
    size_t length = strlen(digits);
    size_t places = scale.exponent < 0 ? (size_t)-scale.exponent : 0;
    size_t whole = length > places ? length - places : 0;
    fprintf(stream, "%.*s", (int)whole, digits);
    if (whole == 0) {
        fputc('0', stream);
    }
    size_t end = length; // zeros that end the fraction are left out
    while (end > whole && digits[end - 1] == '0') {
        end--;
    }
    if (end > whole) {
        fputc('.', stream);
        for (size_t zeros = length; zeros < places; zeros++) {
            fputc('0', stream);
        }
        fprintf(stream, "%.*s", (int)(end - whole), digits + whole);
    }
    for (int i = 0; ticks != 0 && i < scale.exponent; i++) {
        fputc('0', stream);
    }
}

static void put_process(FILE *stream, const duet_instance *instance, size_t type)
{
    fprintf(stream, "%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%zu,\"args\":{\"name\":",
            type > 0 ? "," : "", type);
    duet_output_json_string(stream, instance->type_names[type]);
    fprintf(stream,
            "}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%zu,"
            "\"args\":{\"sort_index\":%zu}}",
            type, type);
}

static void put_thread(FILE *stream, const duet_instance *instance, size_t type, int64_t processor)
{
    char number[48];
    const char *name = duet_processor_name(instance, type, processor);
    snprintf(number, sizeof number, "processor %lld", (long long)processor);
    fprintf(stream,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%zu,\"tid\":%lld,"
            "\"args\":{\"name\":",
            type, (long long)processor);
    duet_output_json_string(stream, name == NULL ? number : name);
    fprintf(stream,
            "}},\n"
            "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%zu,\"tid\":%lld,"
            "\"args\":{\"sort_index\":%lld}}",
            type, (long long)processor, (long long)processor);
}

static void put_task_id(FILE *stream, const duet_instance *instance, const duet_interval *interval)
{
    char small[256];
    size_t needed = duet_instance_task_id(instance, interval->task, small, sizeof small);
    char *large = needed < sizeof small ? NULL : duet_alloc_raw(needed + 1, 1, NULL);
    if (large != NULL) {
        duet_instance_task_id(instance, interval->task, large, needed + 1);
    }
    duet_output_json_string(stream, large != NULL ? large : small);
    duet_free(large);
}

static void put_interval(FILE *stream, const duet_instance *instance, const duet_interval *interval,
                         clock_scale scale)
{
    const char *kind = duet_instance_kind_id(instance, interval->kind);
    fputs(",\n{\"name\":", stream);
    duet_output_json_string(stream, kind);
    // "terrible" is the viewer's name for a glaring red.
    fputs(interval->aborted ? ",\"cat\":\"aborted\",\"cname\":\"terrible\"" : ",\"cat\":\"task\"",
          stream);
    fprintf(stream, ",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":", (int)interval->type,
            (int)interval->processor);
    put_time(stream, interval->start, scale);
    fputs(",\"dur\":", stream);
    put_time(stream, interval->end - interval->start, scale);
    fputs(",\"args\":{\"task\":", stream);
    put_task_id(stream, instance, interval);
    fputs(",\"kind\":", stream);
    duet_output_json_string(stream, kind);
    if (duet_clock_is_known(instance)) {
        char text[DUET_CLOCK_TEXT];
        fprintf(stream, ",\"start\":\"%s\"", duet_clock_format(instance, interval->start, text));
        fprintf(stream, ",\"end\":\"%s\"", duet_clock_format(instance, interval->end, text));
    }
    fputs("}}", stream);
}

// One end of an edge's arrow. It binds to the interval that begins then, whatever its length.
static void put_flow_end(FILE *stream, int64_t edge, bool begins, duet_placement placed,
                         clock_scale scale)
{
    fprintf(
        stream,
        ",\n{\"name\":\"edge\",\"cat\":\"edge\",\"ph\":\"%s\",\"id\":%lld,\"pid\":%d,\"tid\":%d,"
        "\"ts\":",
        begins ? "s" : "f\",\"bp\":\"e", (long long)edge, (int)placed.type, (int)placed.processor);
    put_time(stream, placed.start, scale);
    fputc('}', stream);
}

static void put_edges(FILE *stream, const duet_instance *instance, const duet_solution *solution,
                      clock_scale scale)
{
    const duet_graph *graph = instance->graph;
    size_t at = 0;
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        put_flow_end(stream, e, true, duet_solution_place(solution, graph->tail[e], &at), scale);
        put_flow_end(stream, e, false, duet_solution_place(solution, graph->head[e], &at), scale);
    }
}

// A flag across all processes at that time.
static void put_flag(FILE *stream, const char *name, int64_t ticks, clock_scale scale)
{
    fprintf(stream,
            ",\n{\"name\":\"%s\",\"cat\":\"bound\",\"ph\":\"i\",\"s\":\"g\",\"pid\":0,\"tid\":0,"
            "\"ts\":",
            name);
    put_time(stream, ticks, scale);
    fputc('}', stream);
}

static void put_text_field(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, ",\n\"%s\":", name);
    duet_output_json_string(stream, text);
}

static void put_other_data(FILE *stream, const duet_instance *instance,
                           const duet_solution *solution, clock_scale scale)
{
    char text[32];
    fputs("\n],\n\"displayTimeUnit\":\"ms\",\n\"otherData\":{\n\"producer\":\"duet\"", stream);
    put_text_field(stream, "instance", instance->name);
    put_text_field(stream, "algorithm", solution->algorithm);
    put_text_field(stream, "status", duet_status_name(solution->status));
    put_text_field(stream, "time_unit", instance->time_unit);
    if (duet_clock_is_known(instance)) {
        char clock[DUET_CLOCK_TEXT];
        put_text_field(stream, "start", duet_clock_format(instance, 0, clock));
    }
    if (!scale.known) {
        put_text_field(stream, "time_conversion",
                       "the instance's unit is none a viewer knows: one unit is shown as one "
                       "microsecond");
    }
    // In the instance's unit, as in a solution file.
    fprintf(stream, ",\n\"makespan\":%s",
            duet_instance_format_time(instance, solution->makespan, text));
    fprintf(stream, ",\n\"lower_bound\":%s",
            duet_instance_format_time(instance, solution->lower_bound, text));
    put_text_field(stream, "bound", solution->bound_name);
    fputs("\n}\n}\n", stream);
}

duet_code duet_trace_chrome(FILE *stream, const duet_instance *instance,
                            const duet_solution *solution, const duet_intervals *intervals,
                            duet_error *error)
{
    (void)error;
    clock_scale scale = scale_of(instance);
    fputs("{\"traceEvents\":[", stream);
    for (size_t type = 0; type < instance->types; type++) {
        put_process(stream, instance, type);
    }
    duet_trace_processors(instance, intervals, put_thread, stream);
    for (size_t i = 0; i < intervals->count; i++) {
        put_interval(stream, instance, &intervals->interval[i], scale);
    }
    put_edges(stream, instance, solution, scale);
    if (solution->lower_bound > 0) {
        put_flag(stream, "lower bound", solution->lower_bound, scale);
    }
    put_flag(stream, "makespan", solution->makespan, scale);
    put_other_data(stream, instance, solution, scale);
    return DUET_OK;
}
