// SPDX-License-Identifier: Apache-2.0
// Solutions written as JSON, one placement a line; or, by the path's ending, the schedule as a
// table.
#include <duet/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/path.h"
#include "instances/formats/solution/csv_write.h"

typedef struct solution_writer {
    FILE *stream;
    const duet_instance *instance;
    char *id; // of a task, with room for the longest
    size_t id_size;
} solution_writer;

static void write_time(const solution_writer *writer, const char *member, int64_t ticks)
{
    char buffer[32];
    fprintf(writer->stream, "%s%s", member,
            duet_instance_format_time(writer->instance, ticks, buffer));
}

static void write_task(const solution_writer *writer, const char *member, int64_t task)
{
    fputs(member, writer->stream);
    duet_instance_task_id(writer->instance, task, writer->id, writer->id_size);
    duet_output_json_string(writer->stream, writer->id);
}

static void write_platform(const solution_writer *writer)
{
    fputs(" \"platform\": [", writer->stream);
    for (size_t t = 0; t < writer->instance->types; t++) {
        fputs(t == 0 ? "{\"type\": " : ", {\"type\": ", writer->stream);
        duet_output_json_string(writer->stream, writer->instance->type_names[t]);
        fprintf(writer->stream, ", \"count\": %" PRId64 "}", writer->instance->processors[t]);
    }
    fputs("],\n", writer->stream);
}

static void write_name(const solution_writer *writer, const char *member, const char *text)
{
    fputs(member, writer->stream);
    if (text == NULL || text[0] == '\0') {
        fputs("null", writer->stream);
    } else {
        duet_output_json_string(writer->stream, text);
    }
}

static void write_run(const solution_writer *writer, int64_t task, int32_t type, int32_t processor,
                      int64_t start, int64_t end)
{
    write_task(writer, "{\"task\": ", task);
    write_name(writer, ", \"type\": ", writer->instance->type_names[type]);
    fprintf(writer->stream, ", \"processor\": %" PRId32, processor);
    write_time(writer, ", \"start\": ", start);
    write_time(writer, ", \"end\": ", end);
    fputc('}', writer->stream);
}

static void write_ranges(const solution_writer *writer, const duet_processor_range *range,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(writer->stream, "%s[%" PRId32 ", %" PRId32 "]", i == 0 ? "[" : ", ", range[i].first,
                range[i].last);
    }
    fputc(']', writer->stream);
}

// The type and the ranges of a set, or its parts by type where it has several.
static void write_set(const solution_writer *writer, duet_processor_set set)
{
    char *const *names = writer->instance->type_names;
    if (!duet_set_is_mixed(set)) {
        write_name(writer, ", \"type\": ", names[set.range[0].type]);
        fputs(", \"processors\": ", writer->stream);
        write_ranges(writer, set.range, set.count);
        return;
    }
    for (size_t first = 0, next = 0; first < set.count; first = next) {
        while (next < set.count && set.range[next].type == set.range[first].type) {
            next++;
        }
        fputs(first == 0 ? ", \"parts\": [" : ", ", writer->stream);
        write_name(writer, "{\"type\": ", names[set.range[first].type]);
        fputs(", \"processors\": ", writer->stream);
        write_ranges(writer, set.range + first, next - first);
        fputc('}', writer->stream);
    }
    fputc(']', writer->stream);
}

static void write_moldable(const solution_writer *writer, const duet_solution *solution)
{
    const duet_instance *instance = writer->instance;
    const char *separator = "";
    fputs(" \"schedule\": [", writer->stream);
    for (int64_t j = 0; j < solution->tasks; j++) {
        duet_processor_range one;
        size_t at = 0;
        duet_placement place = duet_solution_place(solution, j, &at);
        if (place.type < 0) {
            continue;
        }
        duet_processor_set set = duet_solution_set(solution, j, &one);
        size_t kind = duet_instance_kind_of(instance, j);
        int64_t time = duet_moldable_duration(instance, kind, set);
        fputs(separator, writer->stream);
        write_task(writer, "{\"task\": ", j);
        write_set(writer, set);
        write_time(writer, ", \"start\": ", place.start);
        write_time(writer, ", \"end\": ", place.start + (time == DUET_FORBIDDEN ? 0 : time));
        fputc('}', writer->stream);
        separator = ",\n              ";
    }
    fputs("],\n", writer->stream);
}

// A task without a place is left out.
static void write_schedule(const solution_writer *writer, const duet_solution *solution)
{
    const duet_instance *instance = writer->instance;
    const char *separator = "";
    size_t at = 0;
    fputs(" \"schedule\": [", writer->stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
            duet_placement place = duet_solution_place(solution, j, &at);
            if (place.type < 0) {
                continue;
            }
            int64_t time = duet_time(instance, kind, (size_t)place.type);
            fputs(separator, writer->stream);
            write_run(writer, j, place.type, place.processor, place.start,
                      place.start + (time == DUET_FORBIDDEN ? 0 : time));
            separator = ",\n              ";
        }
    }
    fputs("],\n", writer->stream);
}

static void write_aborted(const solution_writer *writer, const duet_solution *solution)
{
    if (solution->aborted_count == 0) {
        return;
    }
    fputs(" \"aborted\": [", writer->stream);
    for (size_t i = 0; i < solution->aborted_count; i++) {
        const duet_aborted *run = &solution->aborted[i];
        fputs(i == 0 ? "" : ",\n             ", writer->stream);
        write_run(writer, run->task, run->type, run->processor, run->start, run->end);
    }
    fputs("],\n", writer->stream);
}

static void write_weights(const solution_writer *writer, const duet_certificate *certificate)
{
    // A knapsack is about two types, whether or not the certificate counts them.
    size_t types = certificate->proof == DUET_PROOF_KNAPSACK ? 2 : certificate->types;
    fputs(", \"weights\": [", writer->stream);
    for (size_t t = 0; t < types; t++) {
        fprintf(writer->stream, "%s%" PRId64, t == 0 ? "" : ", ", certificate->weight[t]);
    }
    fputc(']', writer->stream);
}

static void write_counts(const solution_writer *writer, const duet_certificate *certificate)
{
    fputs(", \"counts\": [", writer->stream);
    for (size_t t = 0; t < certificate->types; t++) {
        char digits[40];
        duet_uint128 count = ((duet_uint128)certificate->count_weight_high[t] << 62) +
                             (duet_uint128)certificate->count_weight[t];
        // Readers that stop at 64 bits get what is larger as a string.
        const char *quote = certificate->count_weight_high[t] == 0 ? "" : "\"";
        fprintf(writer->stream, "%s%s%s%s", t == 0 ? "" : ", ", quote,
                duet_uint128_format(count, digits), quote);
    }
    fprintf(writer->stream, "], \"parts\": %d", certificate->parts);
}

// Two for each type, four at least.
static void write_multipliers(const solution_writer *writer, const duet_certificate *certificate)
{
    fputs(", \"multipliers\": [", writer->stream);
    for (size_t t = 0; t < certificate->types || t < 2; t++) {
        bool there = t < certificate->types;
        fprintf(writer->stream, "%s%" PRId64 ", %" PRId64, t == 0 ? "" : ", ",
                there ? certificate->weight[t] : 0, there ? certificate->count_weight[t] : 0);
    }
    fputc(']', writer->stream);
}

// A row of numbers, one per type.
static void write_row(const solution_writer *writer, const int64_t *row, size_t types)
{
    for (size_t t = 0; t < types; t++) {
        fprintf(writer->stream, "%s%" PRId64, t == 0 ? "[" : ", ", row[t]);
    }
    fputc(']', writer->stream);
}

static void write_prices(const solution_writer *writer, const duet_price_list *list)
{
    if (list == NULL) {
        return; // the checker says what is missing
    }
    size_t types = duet_price_list_types(list);
    const int64_t *prices = duet_price_list_prices(list);
    int64_t limits[DUET_MAX_TYPES] = {0};
    fputs(",\n  \"modes\": [", writer->stream);
    for (size_t t = 0; t < types; t++) {
        bool area = duet_price_list_mode(list, t) == DUET_PRICE_AREA;
        fprintf(writer->stream, "%s\"%s\"", t == 0 ? "" : ", ", area ? "area" : "set");
        limits[t] = duet_price_list_limit(list, t);
    }
    fputs("], \"limits\": ", writer->stream);
    write_row(writer, limits, types);
    fputs(", \"prices\": [", writer->stream);
    for (size_t c = 0; c < duet_price_list_classes(list); c++) {
        fputs(c == 0 ? "" : c % 10 == 0 ? ",\n   " : ", ", writer->stream);
        write_row(writer, prices + types * c, types);
    }
    fputc(']', writer->stream);
}

static void write_terms(const solution_writer *writer, const char *member,
                        const duet_flow_term *terms, size_t count)
{
    fprintf(writer->stream, ",\n  \"%s\": [", member);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : i % 10 == 0 ? ",\n   " : ", ", writer->stream);
        fprintf(writer->stream, "[%" PRId64 ", %" PRId64 "]", terms[i].at, terms[i].value);
    }
    fputc(']', writer->stream);
}

// What is empty is left out, but for the flow.
static void write_flow(const solution_writer *writer, const duet_flow *flow)
{
    if (flow == NULL) {
        return; // the checker says what is missing
    }
    size_t count;
    const duet_flow_term *terms = duet_flow_edges(flow, &count);
    write_terms(writer, "flow", terms, count);
    terms = duet_flow_tasks(flow, &count);
    if (count > 0) {
        write_terms(writer, "tasks", terms, count);
    }
    terms = duet_flow_crosses(flow, &count);
    if (count > 0) {
        write_terms(writer, "cross", terms, count);
    }
}

// A string for each line. A proof is made of words and numbers, its comments of anything.
static void write_lines(const solution_writer *writer, const duet_proof_lines *lines)
{
    size_t length;
    const char *text = duet_proof_lines_text(lines, &length);
    fputs(",\n  \"lines\": [\"", writer->stream);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n') {
            fputs(i + 1 < length ? "\",\n   \"" : "", writer->stream);
        } else if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\') {
            fputc(byte, writer->stream);
        } else {
            fprintf(writer->stream, "\\u%04x", byte);
        }
    }
    fputs("\"]", writer->stream);
}

static void write_certificate(const solution_writer *writer, const duet_certificate *certificate)
{
    fputs(" \"certificate\": {", writer->stream);
    switch (certificate->proof) {
    case DUET_PROOF_LONGEST:
        write_time(writer, "\"proof\": \"longest\", \"lambda\": ", certificate->lambda);
        write_task(writer, ", \"task\": ", certificate->task);
        break;
    case DUET_PROOF_AREA:
        write_time(writer, "\"proof\": \"area\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        break;
    case DUET_PROOF_SHELF:
        write_time(writer, "\"proof\": \"shelf\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        write_counts(writer, certificate);
        break;
    case DUET_PROOF_TABLE:
        write_time(writer, "\"proof\": \"table\", \"lambda\": ", certificate->lambda);
        write_name(writer, ", \"rounded\": ", writer->instance->type_names[certificate->rounded]);
        fprintf(writer->stream, ", \"grid\": %" PRId64, certificate->grid);
        break;
    case DUET_PROOF_KNAPSACK:
        write_time(writer, "\"proof\": \"knapsack\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        break;
    case DUET_PROOF_PRICES:
        write_time(writer, "\"proof\": \"prices\", \"lambda\": ", certificate->lambda);
        write_prices(writer, certificate->prices);
        break;
    case DUET_PROOF_FLOW:
        write_time(writer, "\"proof\": \"flow\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        write_flow(writer, certificate->flow);
        break;
    case DUET_PROOF_HEAD_TAIL:
        write_time(writer, "\"proof\": \"head-tail\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        write_time(writer, ", \"head\": ", certificate->head);
        write_time(writer, ", \"tail\": ", certificate->tail);
        break;
    case DUET_PROOF_LINES:
        write_time(writer, "\"proof\": \"lines\", \"lambda\": ", certificate->lambda);
        write_lines(writer, certificate->lines);
        break;
    case DUET_PROOF_MOLDABLE_PRICES:
        write_time(writer, "\"proof\": \"moldable-prices\", \"lambda\": ", certificate->lambda);
        write_multipliers(writer, certificate);
        break;
    case DUET_PROOF_MOLDABLE_KNAPSACK:
        write_time(writer, "\"proof\": \"moldable-knapsack\", \"lambda\": ", certificate->lambda);
        break;
    case DUET_PROOF_MOLDABLE_STEPS:
        write_time(writer, "\"proof\": \"moldable-steps\", \"lambda\": ", certificate->lambda);
        write_weights(writer, certificate);
        write_lines(writer, certificate->lines);
        break;
    case DUET_PROOF_NONE:
        break;
    }
    fputs("}}\n", writer->stream);
}

// Seconds go through integers: printf's decimal point depends on the program's locale.
static void write_seconds(const solution_writer *writer, double seconds)
{
    int64_t micros = seconds > 0 && seconds < 1e12 ? (int64_t)(seconds * 1e6 + 0.5) : 0;
    fprintf(writer->stream, " \"seconds\": %" PRId64 ".%06" PRId64, micros / 1000000,
            micros % 1000000);
}

static void write_summary(const solution_writer *writer, const duet_solution *solution)
{
    FILE *stream = writer->stream;
    write_name(writer, ", \"instance\": ", duet_instance_name(writer->instance));
    write_name(writer, ", \"algorithm\": ", solution->algorithm);
    if (solution->found_by[0] != '\0') {
        write_name(writer, ", \"found_by\": ", solution->found_by);
    }
    fputs(",\n", stream);
    write_platform(writer);
    write_name(writer, " \"status\": ", duet_status_name(solution->status));
    write_time(writer, ", \"makespan\": ", solution->makespan);
    write_time(writer, ", \"lower_bound\": ", solution->lower_bound);
    write_name(writer, ", \"bound\": ", solution->bound_name);
    fputs(", \"time_unit\": ", stream);
    duet_output_json_string(stream, duet_instance_time_unit(writer->instance));
    write_name(writer, ",\n \"guarantee\": ", solution->guarantee);
    fputs(",", stream);
    write_seconds(writer, solution->seconds);
    if (solution->interrupted) {
        fputs(", \"interrupted\": true", stream);
    }
    if (duet_solution_ending(solution) != NULL) {
        fprintf(stream, ", \"ending\": \"%s\"", duet_solution_ending(solution));
    }
    fputs(", \"counters\": {", stream);
    for (size_t i = 0; i < solution->counters; i++) {
        fputs(i == 0 ? "" : ", ", stream);
        duet_output_json_string(stream, solution->counter[i].name);
        fprintf(stream, ": %" PRId64, solution->counter[i].value);
    }
    fputs("},\n", stream);
}

static size_t longest_id(const duet_instance *instance)
{
    size_t longest = 0;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        int64_t last = instance->first[kind + 1] - 1;
        size_t length = duet_instance_task_id(instance, last, NULL, 0);
        longest = duet_max(length, longest);
    }
    return longest;
}

// A file has an entry for each task, of some 60 to 70 bytes: more of them than this are not what
// anyone wants on a disk, and are refused before the first is written.
static duet_code check_entries(const duet_solution *solution, duet_error *error)
{
    static const int64_t most = 100000000;
    if (solution->tasks <= most) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_LIMIT,
                          "a schedule of %" PRId64 " tasks is not written task by task: expected "
                          "at most %" PRId64,
                          solution->tasks, most);
}

duet_code duet_write_solution(const char *path, const duet_instance *instance,
                              const duet_solution *solution, duet_error *error)
{
    if (solution->tasks != duet_tasks(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the solution has %" PRId64
                              " tasks; expected the instance's %" PRId64,
                              solution->tasks, duet_tasks(instance));
    }
    duet_code code = duet_solution_require_ticks(solution, error);
    if (code == DUET_OK) {
        code = check_entries(solution, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    solution_writer writer = {.instance = instance, .id_size = longest_id(instance) + 1};
    writer.id = duet_alloc(writer.id_size, 1, error);
    if (writer.id == NULL) {
        return DUET_E_MEMORY;
    }
    duet_output output;
    bool table = duet_path_ends(path, ".csv");
    code = table ? duet_solution_check_csv(instance, solution, error) : DUET_OK;
    code = code == DUET_OK ? duet_output_open(&output, path, error) : code;
    if (code == DUET_OK && table) {
        duet_solution_write_csv(output.stream, instance, solution, writer.id, writer.id_size);
        code = duet_output_commit(&output, error);
    } else if (code == DUET_OK) {
        writer.stream = output.stream;
        fputs("{\"format\": \"duet-solution\", \"version\": 1", output.stream);
        write_summary(&writer, solution);
        (instance->moldable == NULL ? write_schedule : write_moldable)(&writer, solution);
        write_aborted(&writer, solution);
        write_certificate(&writer, &solution->certificate);
        code = duet_output_commit(&output, error);
    }
    duet_free(writer.id);
    return code;
}
