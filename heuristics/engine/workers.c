// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/workers.h"

#include "core/assert.h"
#include "core/heap.h"
#include "core/memory.h"

static bool earlier(const void *none, duet_worker_event a, duet_worker_event b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.worker < b.worker;
}

DUET_HEAP(completions, duet_worker_event, void, earlier)

static size_t useful_processors(const duet_instance *instance, size_t type)
{
    int64_t count = instance->processors[type];
    return (size_t)(count < duet_tasks(instance) ? count : duet_tasks(instance));
}

duet_code duet_workers_create(const duet_instance *instance, duet_solution *solution,
                              duet_workers *workers, duet_error *error)
{
    *workers = (duet_workers){.instance = instance, .solution = solution};
    workers->gpus = useful_processors(instance, DUET_GPU);
    workers->count = workers->gpus + useful_processors(instance, DUET_CPU);
    workers->worker = duet_alloc(workers->count, sizeof *workers->worker, error);
    return workers->worker == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_workers_free(duet_workers *workers)
{
    duet_free(workers->worker);
    duet_free(workers->completions);
    *workers = (duet_workers){.count = 0};
}

static int32_t processor_of(const duet_workers *workers, size_t index)
{
    return (int32_t)(index < workers->gpus ? index : index - workers->gpus);
}

duet_code duet_workers_start(duet_workers *workers, size_t index, size_t kind, int64_t task,
                             duet_error *error)
{
    DUET_ASSERT(!workers->worker[index].busy);
    size_t type = duet_workers_type(workers, index);
    DUET_ASSERT(duet_allowed(workers->instance, kind, type));
    int64_t end = workers->now + duet_time(workers->instance, kind, type);
    workers->worker[index] = (duet_worker){end, task, kind, true};
    workers->solution->placement[task] =
        (duet_placement){workers->now, processor_of(workers, index), (int32_t)type};
    duet_code code = duet_grow(&workers->completions, workers->completion_count,
                               &workers->completion_capacity, sizeof(duet_worker_event), error);
    if (code == DUET_OK) {
        completions_push(NULL, workers->completions, &workers->completion_count,
                         (duet_worker_event){end, index});
    }
    return code;
}

duet_code duet_workers_abort(duet_workers *workers, size_t index, duet_error *error)
{
    duet_worker *worker = &workers->worker[index];
    DUET_ASSERT(worker->busy && worker->end > workers->now);
    worker->busy = false;
    duet_aborted run = {worker->task, workers->solution->placement[worker->task].start,
                        workers->now, processor_of(workers, index),
                        (int32_t)duet_workers_type(workers, index)};
    return duet_solution_add_aborted(workers->solution, run, error);
}

duet_code duet_workers_run(duet_workers *workers, duet_workers_serve *serve, void *rule,
                           duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t w = 0; w < workers->count && code == DUET_OK; w++) {
        code = serve(rule, w, error);
    }
    while (workers->completion_count > 0 && code == DUET_OK) {
        duet_worker_event next =
            completions_pop(NULL, workers->completions, &workers->completion_count);
        duet_worker *done = &workers->worker[next.worker];
        if (done->busy && done->end == next.time) {
            DUET_ASSERT(next.time >= workers->now);
            workers->now = next.time;
            done->busy = false;
            code = serve(rule, next.worker, error);
        }
    }
    return code;
}
