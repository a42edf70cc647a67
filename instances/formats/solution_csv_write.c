// SPDX-License-Identifier: Apache-2.0
// A schedule as a table, one task a line.
#include <inttypes.h>

#include "instances/formats/csv.h"
#include "instances/formats/solution_csv_write.h"

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

void duet_solution_write_csv(FILE *stream, const duet_instance *instance,
                             const duet_solution *solution, char *id, size_t id_size)
{
    const writer out = {stream, instance, id, id_size};
    bool aborted = solution->aborted_count > 0;
    size_t last = 0;
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
