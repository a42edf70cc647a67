// SPDX-License-Identifier: Apache-2.0
// A schedule as a table, one task a line.
#include <inttypes.h>

#include "instances/formats/csv/csv.h"
#include "instances/formats/solution/csv_write.h"

typedef struct writer {
    FILE *stream;
    const duet_instance *instance;
    char *id;
    size_t id_size;
} writer;

// What one line says.
typedef struct line {
    int64_t task;
    int64_t start;
    int64_t end;
    int32_t type;
    int32_t processor;
} line;

static void put_line(const writer *out, line at, const char *more)
{
    char start[32];
    char end[32];
    duet_instance_task_id(out->instance, at.task, out->id, out->id_size);
    duet_csv_put_field(out->stream, out->id);
    fputc(',', out->stream);
    duet_csv_put_field(out->stream, out->instance->type_names[at.type]);
    fprintf(out->stream, ",%" PRId32 ",%s,%s%s\n", at.processor,
            duet_instance_format_time(out->instance, at.start, start),
            duet_instance_format_time(out->instance, at.end, end), more);
}

// A line per moldable task; its processors are ranges of one type: "0-3;6".
static void write_sets(const writer *out, const duet_solution *solution)
{
    const duet_instance *instance = out->instance;
    fputs("task,type,processors,start,end\n", out->stream);
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
        fprintf(out->stream, ",%s,%s\n", duet_instance_format_time(instance, at.start, start),
                duet_instance_format_time(instance, at.start + (time == DUET_FORBIDDEN ? 0 : time),
                                          end));
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
    const writer out = {stream, instance, id, id_size};
    bool aborted = solution->aborted_count > 0;
    size_t last = 0;
    if (instance->moldable != NULL) {
        write_sets(&out, solution);
        return;
    }
    fprintf(stream, "task,type,processor,start,end%s\n", aborted ? ",aborted" : "");
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
