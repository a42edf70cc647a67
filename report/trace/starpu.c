// SPDX-License-Identifier: Apache-2.0
// A static schedule for StarPU ("sched.rec", which starpu_replay applies): a record per task.
//
// Usually it says which type runs the task, by all its workers, and the priority, which falls with
// the planned start: StarPU chooses the worker, and so avoids transfers that the plan knows nothing
// of. A type of one or two workers has SpecificWorker in place of Workers, whose list of less than
// three words starpu_replay copies beyond its end.
//
// DUET_SCHED_NODES leaves StarPU those workers alone that have the memory node of the planned one.
// Where these are few their list is repeated, which means the same and is long enough.
//
// DUET_SCHED_STRICT says which worker runs the task, its place in that worker's order, and in a
// record of its own which parameter is to be prefetched: the one that the task writes back, where
// another memory has it. Where tasks wait for others that the instance leaves out, only
// the worker is fixed: an order that contradicts them would stop StarPU for ever. Else the order is
// that of the schedule, which starts no task before those that it waits for have ended.
//
// Workers have the numbers that the file says. Where it does not, or with other counts, StarPU
// numbers them type by type: where the instance came from StarPU, in the order of that file; else
// accelerators in the platform's order, then CPUs (the first type). A worker that is lost keeps its
// number, and no list names it.
#include <inttypes.h>
#include <stdlib.h>

#include "core/instance/pins.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/texts.h"
#include "report/trace/trace.h"

// About as many bytes of a comment's text: starpu_replay reads lines into a buffer of 128.
enum { COMMENT = 60 };

// With so few workers of a type, or more than StarPU has by far, each task names its own.
enum { FEW_WORKERS = 2, MANY_WORKERS = 1024 };

// As many words as StarPU has bits of workers in, for more of them than it has.
enum { MANY_WORDS = 8 };

typedef struct starpu_trace {
    FILE *stream;
    const duet_instance *instance;
    duet_sched_form form;
    bool known;                    // the origin knows the workers
    int64_t first[DUET_MAX_TYPES]; // per type: the number of its first worker, unless these are
                                   // known
} starpu_trace;

static size_t rank_of(const duet_instance *instance, size_t type)
{
    if (instance->origin != NULL) {
        return instance->origin->worker_rank[type];
    }
    return type == 0 ? instance->types - 1 : type - 1;
}

// Numbers are those of the file where the platform has as many workers as there.
static void number_workers(starpu_trace *t)
{
    const duet_instance *instance = t->instance;
    const duet_origin *origin = instance->origin;
    t->known = origin != NULL && origin->worker != NULL;
    for (size_t type = 0; type < instance->types; type++) {
        t->first[type] = 0;
        for (size_t other = 0; other < instance->types; other++) {
            bool before = rank_of(instance, other) < rank_of(instance, type);
            t->first[type] += before ? instance->processors[other] : 0;
        }
        t->known = t->known && origin->worker_first[type + 1] - origin->worker_first[type] ==
                                   (size_t)instance->processors[type];
    }
}

static int64_t worker_of(const starpu_trace *t, size_t type, int64_t processor)
{
    const duet_origin *origin = t->instance->origin;
    return t->known ? origin->worker[origin->worker_first[type] + (size_t)processor]
                    : t->first[type] + processor;
}

static bool is_there(const starpu_trace *t, size_t type, int64_t processor)
{
    return !duet_is_lost(t->instance, type, processor);
}

// The workers of a type without those that are lost.
static int64_t count_there(const starpu_trace *t, size_t type)
{
    const duet_pins *pins = t->instance->pins;
    return t->instance->processors[type] - (pins == NULL ? 0 : (int64_t)pins->lost_count[type]);
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

static void put_type(const starpu_trace *t, size_t type)
{
    int64_t count = t->instance->processors[type];
    for (int64_t from = 0; from < count;) {
        int64_t to = from + 1;
        if (!is_there(t, type, from)) {
            from++;
            continue;
        }
        while (to < count && is_there(t, type, to) &&
               worker_of(t, type, to) == worker_of(t, type, to - 1) + 1) {
            to++;
        }
        fprintf(t->stream, "# workers %" PRId64 " to %" PRId64 ": ", worker_of(t, type, from),
                worker_of(t, type, to - 1));
        put_text(t->stream, t->instance->type_names[type]);
        fputc('\n', t->stream);
        from = to;
    }
}

static void put_workers(const starpu_trace *t)
{
    for (size_t rank = 0; rank < t->instance->types; rank++) {
        for (size_t type = 0; type < t->instance->types; type++) {
            if (rank_of(t->instance, type) == rank) {
                put_type(t, type);
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
    if (solution->sched != DUET_SCHED_ANY) {
        fputs("# ", stream);
        put_text(stream, solution->note);
        fputc('\n', stream);
    }
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

// --- types and priorities ------------------------------------------------------------------------

// Those that start earlier come first.
static int compare_starts(const void *left, const void *right)
{
    const duet_interval *const *a = left;
    const duet_interval *const *b = right;
    if ((*a)->start != (*b)->start) {
        return (*a)->start < (*b)->start ? -1 : 1;
    }
    return (*a > *b) - (*a < *b);
}

static int64_t node_of(const starpu_trace *t, int32_t type, int64_t processor)
{
    const duet_origin *origin = t->instance->origin;
    return origin->node[origin->worker_first[(size_t)type] + (size_t)processor];
}

static void put_node(const starpu_trace *t, const duet_interval *interval)
{
    int64_t count = t->instance->processors[interval->type];
    int64_t node = node_of(t, interval->type, interval->processor);
    fputs("Workers:", t->stream);
    for (int put = 0; put < MANY_WORDS;) {
        for (int64_t i = 0; i < count; i++) {
            if (node_of(t, interval->type, i) == node && is_there(t, (size_t)interval->type, i)) {
                fprintf(t->stream, " %" PRId64, worker_of(t, (size_t)interval->type, i));
                put++;
            }
        }
    }
    fputc('\n', t->stream);
}

static void put_choice(const starpu_trace *t, const duet_interval *interval)
{
    if (t->form == DUET_SCHED_NODES && t->known &&
        node_of(t, interval->type, interval->processor) >= 0) {
        put_node(t, interval);
        return;
    }
    size_t type = (size_t)interval->type;
    int64_t count = count_there(t, type);
    if (count <= FEW_WORKERS || count > MANY_WORKERS) {
        fprintf(t->stream, "SpecificWorker: %" PRId64 "\n",
                worker_of(t, type, interval->processor));
        return;
    }
    fputs("Workers:", t->stream);
    for (int64_t i = 0; i < t->instance->processors[type]; i++) {
        if (is_there(t, type, i)) {
            fprintf(t->stream, " %" PRId64, worker_of(t, type, i));
        }
    }
    fputc('\n', t->stream);
}

static duet_code put_types(const starpu_trace *t, const duet_intervals *intervals,
                           duet_error *error)
{
    const duet_interval **sorted = duet_alloc(intervals->count, sizeof *sorted, error);
    size_t count = 0;
    DUET_NEED(sorted);
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted && submit_order(t->instance, interval->task) > 0) {
            sorted[count++] = interval;
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_starts);
    for (size_t i = 0; i < count; i++) {
        fprintf(t->stream, "\nSubmitOrder: %" PRId64 "\nPriority: %zu\n",
                submit_order(t->instance, sorted[i]->task), count - i);
        put_choice(t, sorted[i]);
    }
    duet_free(sorted);
    return DUET_OK;
}

// --- workers and their orders --------------------------------------------------------------------

// What a task writes back comes from another memory than that of its worker. `node`: of each task.
static void put_prefetch(const starpu_trace *t, const duet_interval *interval, const int64_t *node)
{
    const duet_origin_tile *tile = &t->instance->origin->tile[interval->task];
    int64_t from = tile->from < 0 ? 0 : node[tile->from];
    int64_t order = tile->from < 0 ? 0 : submit_order(t->instance, tile->from);
    if (tile->parameter < 0 || from == node[interval->task] || node[interval->task] < 0 ||
        (tile->from >= 0 && (from < 0 || order == 0))) {
        return;
    }
    fprintf(t->stream, "\nPrefetch: %" PRId64 "\n", submit_order(t->instance, interval->task));
    if (tile->from >= 0) {
        fprintf(t->stream, "DependsOn: %" PRId64 "\n", order);
    }
    fprintf(t->stream, "MemoryNode: %" PRId64 "\nParameters: %d\n", node[interval->task],
            tile->parameter);
}

static duet_code put_prefetches(const starpu_trace *t, const duet_intervals *intervals,
                                duet_error *error)
{
    int64_t tasks = duet_tasks(t->instance);
    if (!t->known || t->instance->origin->tile == NULL) {
        return DUET_OK;
    }
    int64_t *node = duet_alloc((size_t)tasks, sizeof *node, error);
    DUET_NEED(node);
    for (int64_t i = 0; i < tasks; i++) {
        node[i] = -1;
    }
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted) {
            node[interval->task] = node_of(t, interval->type, interval->processor);
        }
    }
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted && submit_order(t->instance, interval->task) > 0) {
            put_prefetch(t, interval, node);
        }
    }
    duet_free(node);
    return DUET_OK;
}

static duet_code put_orders(const starpu_trace *t, const duet_intervals *intervals,
                            duet_error *error)
{
    const duet_instance *instance = t->instance;
    bool ordered = instance->origin == NULL || !instance->origin->dependent;
    int64_t last = -1;
    int64_t position = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        int64_t order = submit_order(instance, interval->task);
        int64_t worker = worker_of(t, (size_t)interval->type, interval->processor);
        if (interval->aborted || order == 0) {
            continue;
        }
        position = worker == last ? position + 1 : 1;
        last = worker;
        fprintf(t->stream, "\nSubmitOrder: %" PRId64 "\nSpecificWorker: %" PRId64 "\n", order,
                worker);
        if (ordered) {
            fprintf(t->stream, "Workerorder: %" PRId64 "\n", position);
        }
    }
    return put_prefetches(t, intervals, error);
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
    starpu_trace trace = {.stream = stream, .instance = instance};
    trace.form = instance->sched != DUET_SCHED_ANY ? instance->sched : solution->sched;
    number_workers(&trace);
    put_comments(stream, instance, solution);
    put_workers(&trace);
    put_left_out(stream, "aborted runs", (int64_t)solution->aborted_count);
    put_left_out(stream, "tasks without a SubmitOrder", tasks - numbered);
    return (trace.form == DUET_SCHED_STRICT ? put_orders : put_types)(&trace, intervals, error);
}
