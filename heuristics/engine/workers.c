// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/workers.h"

#include "core/heap.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static bool earlier(const void *none, duet_worker_event a, duet_worker_event b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.worker < b.worker;
}

DUET_HEAP(completions, duet_worker_event, void, earlier)

duet_code duet_workers_create(const duet_instance *instance, duet_reality *reality,
                              duet_solution *solution, duet_workers *workers, duet_error *error)
{
    *workers = (duet_workers){.instance = instance, .solution = solution, .reality = reality};
    size_t count = 0;
    for (size_t t = 0; t < instance->types; t++) {
        count += duet_useful_processors(instance, reality, t);
    }
    workers->worker = duet_alloc(count, sizeof *workers->worker, error);
    DUET_NEED(workers->worker);
    for (size_t t = instance->types; t-- > 0;) {
        size_t processors = duet_useful_processors(instance, reality, t);
        for (size_t p = 0; p < processors; p++) {
            workers->worker[workers->count++] =
                (duet_worker){.type = (int32_t)t, .processor = (int32_t)p};
        }
    }
    return DUET_OK;
}

void duet_workers_free(duet_workers *workers)
{
    duet_free(workers->worker);
    duet_free(workers->completions);
    *workers = (duet_workers){.count = 0};
}

duet_code duet_workers_start_at(duet_workers *workers, size_t index, size_t kind, int64_t task,
                                int64_t start, duet_error *error)
{
    duet_worker *worker = &workers->worker[index];
    size_t type = duet_workers_type(workers, index);
    DUET_ASSERT(!worker->busy);
    DUET_ASSERT(duet_allowed(workers->instance, kind, type));
    int64_t end = start + duet_time(workers->instance, kind, type);
    int64_t due = workers->reality == NULL
                      ? end
                      : duet_reality_run(workers->reality, task, type, worker->processor, start);
    *worker = (duet_worker){end, due, task, kind, true, worker->type, worker->processor};
    workers->solution->placement[task] = (duet_placement){start, worker->processor, worker->type};
    DUET_TRY(duet_vec_grow(workers->completions, workers->completion_count, error));
    completions_push(NULL, workers->completions, &workers->completion_count,
                     (duet_worker_event){due, index});
    return DUET_OK;
}

duet_code duet_workers_abort(duet_workers *workers, size_t index, duet_error *error)
{
    duet_worker *worker = &workers->worker[index];
    DUET_ASSERT(worker->busy && worker->due > workers->now);
    worker->busy = false;
    duet_aborted run = {worker->task, workers->solution->placement[worker->task].start,
                        workers->now, worker->processor, worker->type};
    if (workers->reality != NULL && run.start >= run.end) {
        return DUET_OK;
    }
    return duet_solution_add_aborted(workers->solution, run, error);
}

size_t duet_workers_complete(duet_workers *workers, int64_t until)
{
    while (workers->completion_count > 0 && workers->completions[0].time <= until) {
        duet_worker_event next =
            completions_pop(NULL, workers->completions, &workers->completion_count);
        duet_worker *done = &workers->worker[next.worker];
        if (done->busy && done->due == next.time) {
            DUET_ASSERT(next.time >= workers->now);
            workers->now = next.time;
            done->busy = false;
            return next.worker;
        }
    }
    return SIZE_MAX;
}

duet_code duet_workers_run(duet_workers *workers, duet_workers_serve *serve, void *rule,
                           duet_error *error)
{
    for (size_t w = 0; w < workers->count; w++) {
        DUET_TRY(serve(rule, w, error));
    }
    size_t idle = 0;
    while (idle != SIZE_MAX) {
        idle = duet_workers_complete(workers, INT64_MAX);
        if (idle != SIZE_MAX) {
            DUET_TRY(serve(rule, idle, error));
        }
    }
    return DUET_OK;
}
