// SPDX-License-Identifier: Apache-2.0
// A schedule as a table, one task a line.
#include <inttypes.h>

#include "core/instance/clock.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/solution/csv_write.h"

typedef struct writer {
    FILE *stream;
    const duet_instance *instance;
    char *id;
    size_t id_size;
    bool names; // some processor has one
} writer;

// What one line says.
typedef struct line {
    int64_t task;
    int64_t start;
    int64_t end;
    int32_t type;
    int32_t processor;
} line;

static bool has_names(const duet_instance *instance)
{
    bool some = false;
    for (size_t t = 0; t < instance->types; t++) {
        some = some || instance->names[t].count > 0;
    }
    return some;
}

// The names of the columns that are there where processors have names, and times of day are known.
static void put_more_columns(const writer *out)
{
    fputs(out->names ? ",host" : "", out->stream);
    fputs(duet_clock_is_known(out->instance) ? ",start_time,end_time\n" : "\n", out->stream);
}

static void put_times_of_day(const writer *out, int64_t start, int64_t end)
{
    char text[DUET_CLOCK_TEXT];
    if (duet_clock_is_known(out->instance)) {
        fprintf(out->stream, ",%s", duet_clock_format(out->instance, start, text));
        fprintf(out->stream, ",%s", duet_clock_format(out->instance, end, text));
    }
    fputc('\n', out->stream);
}

// The names of a set's processors, with semicolons between; those without a name are left out.
static void put_names(const writer *out, duet_processor_set set)
{
    bool first = true;
    fputs(out->names ? "," : "", out->stream);
    for (size_t i = 0; out->names && i < set.count; i++) {
        size_t type = (size_t)set.range[i].type;
        int64_t named = (int64_t)out->instance->names[type].count;
        for (int64_t p = set.range[i].first; p <= set.range[i].last && p < named; p++) {
            const char *name = duet_processor_name(out->instance, type, p);
            fputs(first || name == NULL ? "" : ";", out->stream);
            duet_csv_put_field(out->stream, name == NULL ? "" : name);
            first = false;
        }
    }
}

static void put_line(const writer *out, line at, const char *more)
{
    char start[32];
    char end[32];
    duet_instance_task_id(out->instance, at.task, out->id, out->id_size);
    duet_csv_put_field(out->stream, out->id);
    fputc(',', out->stream);
    duet_csv_put_field(out->stream, out->instance->type_names[at.type]);
    fprintf(out->stream, ",%" PRId32 ",%s,%s%s", at.processor,
            duet_instance_format_time(out->instance, at.start, start),
            duet_instance_format_time(out->instance, at.end, end), more);
    const duet_processor_range one = {at.type, at.processor, at.processor};
    put_names(out, (duet_processor_set){&one, 1});
    put_times_of_day(out, at.start, at.end);
}

// A line per moldable task; its processors are ranges of one type: "0-3;6".
static void write_sets(const writer *out, const duet_solution *solution)
{
    const duet_instance *instance = out->instance;
    fputs("task,type,processors,start,end", out->stream);
    put_more_columns(out);
    for (int64_t j = 0; j < solution->tasks; j++) {
        char start[32];
        char end[32];
        duet_processor_range one;
        size_t near = 0;
        duet_placement at = duet_solution_place(solution, j, &near);
        duet_processor_set set = duet_solution_set(solution, j, &one);
        if (at.type < 0 || set.count == 0) {
            continue; // a task without a place is left out
        }
        int64_t time = duet_moldable_duration(instance, duet_instance_kind_of(instance, j), set);
        duet_instance_task_id(instance, j, out->id, out->id_size);
        duet_csv_put_field(out->stream, out->id);
        fputc(',', out->stream);
        duet_csv_put_field(out->stream, instance->type_names[at.type]);
        for (size_t i = 0; i < set.count; i++) {
            fprintf(out->stream, "%c%" PRId32, i == 0 ? ',' : ';', set.range[i].first);
            if (set.range[i].last > set.range[i].first) {
                fprintf(out->stream, "-%" PRId32, set.range[i].last);
            }
        }
        int64_t ends = at.start + (time == DUET_FORBIDDEN ? 0 : time);
        fprintf(out->stream, ",%s,%s", duet_instance_format_time(instance, at.start, start),
                duet_instance_format_time(instance, ends, end));
        put_names(out, set);
        put_times_of_day(out, at.start, ends);
    }
}

duet_code duet_solution_check_csv(const duet_instance *instance, const duet_solution *solution,
                                  duet_error *error)
{
    for (int64_t j = 0; j < solution->tasks && instance->moldable != NULL; j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        if (set.count > 0 && duet_set_is_mixed(set)) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "CSV has no place for tasks on processors of several types; "
                                  "expected a name that ends in .json");
        }
    }
    return DUET_OK;
}

void duet_solution_write_csv(FILE *stream, const duet_instance *instance,
                             const duet_solution *solution, char *id, size_t id_size)
{
    const writer out = {stream, instance, id, id_size, has_names(instance)};
    bool aborted = solution->aborted_count > 0;
    size_t last = 0;
    if (instance->moldable != NULL) {
        write_sets(&out, solution);
        return;
    }
    fprintf(stream, "task,type,processor,start,end%s", aborted ? ",aborted" : "");
    put_more_columns(&out);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
            duet_placement at = duet_solution_place(solution, j, &last);
            if (at.type < 0) {
                continue; // a task without a place is left out
            }
            int64_t time = duet_time(instance, kind, (size_t)at.type);
            int64_t end = at.start + (time == DUET_FORBIDDEN ? 0 : time);
            put_line(&out, (line){j, at.start, end, at.type, at.processor}, aborted ? "," : "");
        }
    }
    for (size_t i = 0; i < solution->aborted_count; i++) {
        const duet_aborted *run = &solution->aborted[i];
        put_line(&out, (line){run->task, run->start, run->end, run->type, run->processor}, ",yes");
    }
}
