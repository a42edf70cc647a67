// SPDX-License-Identifier: Apache-2.0
// Solutions written as JSON, one placement a line; or, by the path's ending, the schedule as a
// table.
#include <duet/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/instance.h"
#include "core/instance/lateness.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/path.h"
#include "core/system/try.h"
#include "instances/formats/solution/writer.h"

static void write_platform(const duet_solution_writer *writer)
{
    fputs(" \"platform\": [", writer->stream);
    for (size_t t = 0; t < writer->instance->types; t++) {
        fputs(t == 0 ? "{\"type\": " : ", {\"type\": ", writer->stream);
        duet_output_json_string(writer->stream, writer->instance->type_names[t]);
        fprintf(writer->stream, ", \"count\": %" PRId64 "}", writer->instance->processors[t]);
    }
    fputs("],\n", writer->stream);
}

static void write_run(const duet_solution_writer *writer, int64_t task, int32_t type,
                      int32_t processor, int64_t start, int64_t end)
{
    duet_solution_write_task(writer, "{\"task\": ", task);
    duet_solution_write_name(writer, ", \"type\": ", writer->instance->type_names[type]);
    fprintf(writer->stream, ", \"processor\": %" PRId32, processor);
    duet_solution_write_time(writer, ", \"start\": ", start);
    duet_solution_write_time(writer, ", \"end\": ", end);
    fputc('}', writer->stream);
}

static void write_ranges(const duet_solution_writer *writer, const duet_processor_range *range,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(writer->stream, "%s[%" PRId32 ", %" PRId32 "]", i == 0 ? "[" : ", ", range[i].first,
                range[i].last);
    }
    fputc(']', writer->stream);
}

// The type and the ranges of a set, or its parts by type where it has several.
static void write_set(const duet_solution_writer *writer, duet_processor_set set)
{
    char *const *names = writer->instance->type_names;
    if (!duet_set_is_mixed(set)) {
        duet_solution_write_name(writer, ", \"type\": ", names[set.range[0].type]);
        fputs(", \"processors\": ", writer->stream);
        write_ranges(writer, set.range, set.count);
        return;
    }
    for (size_t first = 0, next = 0; first < set.count; first = next) {
        while (next < set.count && set.range[next].type == set.range[first].type) {
            next++;
        }
        fputs(first == 0 ? ", \"parts\": [" : ", ", writer->stream);
        duet_solution_write_name(writer, "{\"type\": ", names[set.range[first].type]);
        fputs(", \"processors\": ", writer->stream);
        write_ranges(writer, set.range + first, next - first);
        fputc('}', writer->stream);
    }
    fputc(']', writer->stream);
}

static void write_moldable(const duet_solution_writer *writer, const duet_solution *solution)
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
        duet_solution_write_task(writer, "{\"task\": ", j);
        write_set(writer, set);
        duet_solution_write_time(writer, ", \"start\": ", place.start);
        duet_solution_write_time(writer,
                                 ", \"end\": ", place.start + (time == DUET_FORBIDDEN ? 0 : time));
        fputc('}', writer->stream);
        separator = ",\n              ";
    }
    fputs("],\n", writer->stream);
}

// A task without a place is left out.
static void write_schedule(const duet_solution_writer *writer, const duet_solution *solution)
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

static void write_aborted(const duet_solution_writer *writer, const duet_solution *solution)
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

// Seconds go through integers: printf's decimal point depends on the program's locale.
static void write_seconds(const duet_solution_writer *writer, double seconds)
{
    int64_t micros = seconds > 0 && seconds < 1e12 ? (int64_t)(seconds * 1e6 + 0.5) : 0;
    fprintf(writer->stream, " \"seconds\": %" PRId64 ".%06" PRId64, micros / 1000000,
            micros % 1000000);
}

static void write_summary(const duet_solution_writer *writer, const duet_solution *solution)
{
    FILE *stream = writer->stream;
    duet_solution_write_name(writer, ", \"instance\": ", duet_instance_name(writer->instance));
    duet_solution_write_name(writer, ", \"algorithm\": ", solution->algorithm);
    if (solution->found_by[0] != '\0') {
        duet_solution_write_name(writer, ", \"found_by\": ", solution->found_by);
    }
    fputs(",\n", stream);
    write_platform(writer);
    duet_solution_write_name(writer, " \"status\": ", duet_status_name(solution->status));
    duet_solution_write_time(writer, ", \"makespan\": ", solution->makespan);
    duet_solution_write_time(writer, ", \"lower_bound\": ", solution->lower_bound);
    duet_solution_write_name(writer, ", \"bound\": ", solution->bound_name);
    fputs(", \"time_unit\": ", stream);
    duet_output_json_string(stream, duet_instance_time_unit(writer->instance));
    duet_solution_write_name(writer, ",\n \"guarantee\": ", solution->guarantee);
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

// What was asked for, and whether it is met: true, false or null.
static void write_deadline(const duet_solution_writer *writer, const duet_solution *solution)
{
    static const char *const words[] = {
        [DUET_NO] = "false", [DUET_YES] = "true", [DUET_UNDECIDED] = "null"};
    if (solution->deadline_text[0] != '\0') {
        fprintf(writer->stream, " \"deadline\": {\"value\": %s, \"met\": %s},\n",
                solution->deadline_text, words[duet_solution_meets(solution, solution->deadline)]);
    }
}

// The tasks that end after their deadlines.
static void write_late(const duet_solution_writer *writer, const duet_solution *solution)
{
    const duet_instance *instance = writer->instance;
    const char *separator = "";
    if (instance->deadline == NULL && solution->deadline_text[0] == '\0') {
        return;
    }
    fputs(" \"late\": [", writer->stream);
    for (int64_t j = 0; j < solution->tasks && instance->deadline != NULL; j++) {
        char digits[32];
        duet_decimal by;
        if (duet_solution_late(instance, solution, j, &by)) {
            fputs(separator, writer->stream);
            duet_solution_write_task(writer, "{\"task\": ", j);
            fprintf(writer->stream, ", \"by\": %s}",
                    duet_decimal_format(by.mantissa, by.places, digits));
            separator = ", ";
        }
    }
    fputs("],\n", writer->stream);
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

// The certificate of the lower bound, and the best bound that has one where that has none.
static void write_certificates(const duet_solution_writer *writer, const duet_solution *solution)
{
    if (solution->certified.certificate.proof != DUET_PROOF_NONE) {
        duet_solution_write_time(writer, " \"certified\": {\"value\": ", solution->certified.value);
        duet_solution_write_name(writer, ", \"bound\": ", solution->certified.name);
        fputs(",\n  ", writer->stream);
        duet_solution_write_certificate(writer, &solution->certified.certificate);
        fputs("},\n", writer->stream);
    }
    fputs(" ", writer->stream);
    duet_solution_write_certificate(writer, &solution->certificate);
    fputs("}\n", writer->stream);
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
    DUET_TRY(duet_solution_require_ticks(solution, error));
    DUET_TRY(check_entries(solution, error));
    duet_solution_writer writer = {.instance = instance, .id_size = longest_id(instance) + 1};
    writer.id = duet_alloc(writer.id_size, 1, error);
    DUET_NEED(writer.id);
    duet_output output;
    bool table = duet_path_ends(path, ".csv");
    duet_code code = table ? duet_solution_check_csv(instance, solution, error) : DUET_OK;
    DUET_THEN(code, duet_output_open(&output, path, error));
    if (code == DUET_OK && table) {
        code = duet_solution_write_csv(output.stream, instance, solution, writer.id, writer.id_size,
                                       error);
        DUET_THEN(code, duet_output_commit(&output, error));
        duet_output_abandon(&output);
    } else if (code == DUET_OK) {
        writer.stream = output.stream;
        fputs("{\"format\": \"duet-solution\", \"version\": 1", output.stream);
        write_summary(&writer, solution);
        write_deadline(&writer, solution);
        write_late(&writer, solution);
        (instance->moldable == NULL ? write_schedule : write_moldable)(&writer, solution);
        write_aborted(&writer, solution);
        write_certificates(&writer, solution);
        code = duet_output_commit(&output, error);
    }
    duet_free(writer.id);
    return code;
}
