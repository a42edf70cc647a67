// SPDX-License-Identifier: Apache-2.0
// A static schedule for StarPU ("sched.rec", which starpu_replay applies): a record per task with
// the worker that must run it and its place in that worker's order.
//
// StarPU numbers workers type by type. Where the instance came from StarPU, in the order of that
// file; else accelerators in the platform's order, then CPUs (the first type), as StarPU does.
// Where tasks wait for others that the instance leaves out, only the worker is fixed: an order that
// contradicts them would stop StarPU for ever. Else the order is that of the schedule, which starts
// no task before those that it waits for have ended.
#include <inttypes.h>

#include "report/clean_text.h"
#include "report/trace/trace.h"

// About as many bytes of a comment's text: starpu_replay reads lines into a buffer of 128.
enum { COMMENT = 60 };

static size_t rank_of(const duet_instance *instance, size_t type)
{
    if (instance->origin != NULL) {
        return instance->origin->worker_rank[type];
    }
    return type == 0 ? instance->types - 1 : type - 1;
}

// The number of the first worker of each type.
static void number_workers(const duet_instance *instance, int64_t *first)
{
    for (size_t type = 0; type < instance->types; type++) {
        first[type] = 0;
        for (size_t other = 0; other < instance->types; other++) {
            bool before = rank_of(instance, other) < rank_of(instance, type);
            first[type] += before ? instance->processors[other] : 0;
        }
    }
}

// StarPU counts the tasks that are submitted from 1.
static int64_t submit_order(const duet_instance *instance, int64_t task)
{
    const duet_origin *origin = instance->origin;
    return origin == NULL || origin->submit_order == NULL ? task + 1 : origin->submit_order[task];
}

static void put_text(FILE *stream, const char *text)
{
    char room[DUET_CLEAN_CHARACTER];
    for (const char *from = text; *text != '\0' && text - from < COMMENT;) {
        fputs(duet_clean_character(&text, room), stream);
    }
}

static void put_workers(FILE *stream, const duet_instance *instance, const int64_t *first)
{
    for (size_t rank = 0; rank < instance->types; rank++) {
        for (size_t type = 0; type < instance->types; type++) {
            if (rank_of(instance, type) == rank && instance->processors[type] > 0) {
                fprintf(stream, "# workers %" PRId64 " to %" PRId64 ": ", first[type],
                        first[type] + instance->processors[type] - 1);
                put_text(stream, instance->type_names[type]);
                fputc('\n', stream);
            }
        }
    }
}

static void put_comments(FILE *stream, const duet_instance *instance, const duet_solution *solution)
{
    char time[32];
    fputs("# static schedule for StarPU\n# instance: ", stream);
    put_text(stream, instance->name);
    fputs("\n# algorithm: ", stream);
    put_text(stream, solution->algorithm);
    fprintf(stream, "\n# makespan: %s%s",
            duet_instance_format_time(instance, solution->makespan, time),
            instance->time_unit[0] == '\0' ? "" : " ");
    put_text(stream, instance->time_unit);
    fputc('\n', stream);
}

static void put_left_out(FILE *stream, const char *what, int64_t count)
{
    if (count > 0) {
        fprintf(stream, "# %s, left out: %" PRId64 "\n", what, count);
    }
}

static int64_t count_numbered(const duet_instance *instance, const duet_intervals *intervals)
{
    int64_t count = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        count += !intervals->interval[i].aborted &&
                 submit_order(instance, intervals->interval[i].task) > 0;
    }
    return count;
}

duet_code duet_trace_starpu(FILE *stream, const duet_instance *instance,
                            const duet_solution *solution, const duet_intervals *intervals,
                            duet_error *error)
{
    if (instance->moldable != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "StarPU's static schedules have one worker for each task, and these "
                              "tasks are moldable; expected .json or .paje");
    }
    int64_t tasks = duet_tasks(instance);
    int64_t numbered = count_numbered(instance, intervals);
    if (numbered == 0 && tasks > 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "no task has a SubmitOrder; expected one, by which StarPU knows it");
    }
    int64_t first[DUET_MAX_TYPES];
    number_workers(instance, first);
    put_comments(stream, instance, solution);
    put_workers(stream, instance, first);
    put_left_out(stream, "aborted runs", (int64_t)solution->aborted_count);
    put_left_out(stream, "tasks without a SubmitOrder", tasks - numbered);
    bool ordered = instance->origin == NULL || !instance->origin->dependent;
    int64_t last = -1;
    int64_t position = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        int64_t order = submit_order(instance, interval->task);
        int64_t worker = first[interval->type] + interval->processor;
        if (interval->aborted || order == 0) {
            continue;
        }
        position = worker == last ? position + 1 : 1;
        last = worker;
        fprintf(stream, "\nSubmitOrder: %" PRId64 "\nSpecificWorker: %" PRId64 "\n", order, worker);
        if (ordered) {
            fprintf(stream, "Workerorder: %" PRId64 "\n", position);
        }
    }
    return DUET_OK;
}
