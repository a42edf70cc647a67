// SPDX-License-Identifier: Apache-2.0
// A schedule as a table, a line for each run of a task: processor by processor, in the order in
// which each runs them.
#include <inttypes.h>
#include <stdlib.h>

#include "core/instance/clock.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/solution/writer.h"

typedef struct writer {
    FILE *stream;
    const duet_instance *instance;
    const duet_solution *solution;
    char *id;
    size_t id_size;
    bool names; // some processor has one
} writer;

// What the lines are sorted by: all that a large schedule holds of each.
typedef struct line {
    int64_t run; // a task; from the number of tasks on, an aborted run
    int64_t start;
    int32_t type;
    int32_t processor; // the first one of a moldable task
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

// The processors of a moldable task are ranges of one type: "0-3;6".
static void put_set(const writer *out, duet_processor_set set)
{
    for (size_t i = 0; i < set.count; i++) {
        fprintf(out->stream, "%s%" PRId32, i == 0 ? "" : ";", set.range[i].first);
        if (set.range[i].last > set.range[i].first) {
            fprintf(out->stream, "-%" PRId32, set.range[i].last);
        }
    }
}

// How long a task takes where it is placed; 0 where it may not run there.
static int64_t time_of(const writer *out, line at, duet_processor_set set)
{
    size_t kind = duet_instance_kind_of(out->instance, at.run);
    int64_t time = out->instance->moldable != NULL
                       ? duet_moldable_duration(out->instance, kind, set)
                       : duet_time(out->instance, kind, (size_t)at.type);
    return time == DUET_FORBIDDEN ? 0 : time;
}

static void put_line(const writer *out, line at)
{
    const duet_solution *solution = out->solution;
    bool aborted = at.run >= solution->tasks;
    const duet_aborted *given_up = aborted ? &solution->aborted[at.run - solution->tasks] : NULL;
    duet_processor_range one = {at.type, at.processor, at.processor};
    duet_processor_set set = {&one, 1};
    char start[32];
    char end[32];
    if (!aborted) {
        set = duet_solution_set(solution, at.run, &one);
    }
    duet_instance_task_id(out->instance, aborted ? given_up->task : at.run, out->id, out->id_size);
    duet_csv_put_field(out->stream, out->id);
    fputc(',', out->stream);
    duet_csv_put_field(out->stream, out->instance->type_names[at.type]);
    fputc(',', out->stream);
    put_set(out, set);
    int64_t ends = aborted ? given_up->end : at.start + time_of(out, at, set);
    fprintf(out->stream, ",%s,%s", duet_instance_format_time(out->instance, at.start, start),
            duet_instance_format_time(out->instance, ends, end));
    fputs(aborted ? ",yes" : solution->aborted_count > 0 ? "," : "", out->stream);
    put_names(out, set);
    put_times_of_day(out, at.start, ends);
}

static int in_order(const void *left, const void *right)
{
    const line *a = left;
    const line *b = right;
    int order = duet_order(a->type, b->type);
    order = order != 0 ? order : duet_order(a->processor, b->processor);
    order = order != 0 ? order : duet_order(a->start, b->start);
    return order != 0 ? order : duet_order(a->run, b->run);
}

// All runs, in their order; a task without a place is left out. Gives their number.
static size_t list_lines(const duet_solution *solution, line *lines)
{
    size_t count = 0;
    size_t near = 0;
    for (int64_t j = 0; j < solution->tasks; j++) {
        duet_processor_range one;
        duet_placement at = duet_solution_place(solution, j, &near);
        if (at.type >= 0 && duet_solution_set(solution, j, &one).count > 0) {
            lines[count++] = (line){j, at.start, at.type, at.processor};
        }
    }
    for (size_t i = 0; i < solution->aborted_count; i++) {
        const duet_aborted *run = &solution->aborted[i];
        lines[count++] =
            (line){solution->tasks + (int64_t)i, run->start, run->type, run->processor};
    }
    qsort(lines, count, sizeof *lines, in_order);
    return count;
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

duet_code duet_solution_write_csv(FILE *stream, const duet_instance *instance,
                                  const duet_solution *solution, char *id, size_t id_size,
                                  duet_error *error)
{
    const writer out = {stream, instance, solution, id, id_size, has_names(instance)};
    line *lines =
        duet_alloc((size_t)solution->tasks + solution->aborted_count + 1, sizeof *lines, error);
    DUET_NEED(lines);
    size_t count = list_lines(solution, lines);
    fprintf(stream, "task,type,%s,start,end%s",
            instance->moldable == NULL ? "processor" : "processors",
            solution->aborted_count > 0 ? ",aborted" : "");
    put_more_columns(&out);
    for (size_t i = 0; i < count; i++) {
        put_line(&out, lines[i]);
    }
    duet_free(lines);
    return DUET_OK;
}
