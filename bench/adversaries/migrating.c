// SPDX-License-Identifier: Apache-2.0
// A rule that moves tasks while they run: at each tick the GPUs run the ready tasks of which most
// is left, and the CPUs those that follow.
//
// The lower half of RR-9150's table 1 speaks of any such rule. On w equal tasks (tau, 1) and enough
// CPUs this one is as fast as a rule can be, but for the rounding to ticks: it takes
// w tau / (w + k (tau - 1)), where the parts on CPU and GPU of a task do not overlap.
//
// A processor advances a task by the time that the task takes on the other type, so that it is done
// at the product of both times. A task that needs less than a whole tick occupies all of it.
#include "bench/adversaries/game.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct ready_task {
    int64_t task;
    int64_t left;
    int64_t speed[2]; // per tick on a CPU, on a GPU
} ready_task;

typedef struct migrating {
    const duet_instance *instance;
    const duet_task_source *source;
    duet_ready revealed;
    ready_task *ready;
    size_t count;
    int32_t *done; // in this tick
    size_t done_count;
    int64_t now;
    int64_t cpus;
    int64_t gpus;
} migrating;

static bool before(const ready_task *a, const ready_task *b)
{
    return a->left != b->left ? a->left > b->left : a->task < b->task;
}

// Most left first; those of the tick before are nearly in order.
static void sort(migrating *m)
{
    for (size_t i = 1; i < m->count; i++) {
        ready_task moved = m->ready[i];
        size_t at = i;
        for (; at > 0 && before(&moved, &m->ready[at - 1]); at--) {
            m->ready[at] = m->ready[at - 1];
        }
        m->ready[at] = moved;
    }
}

static duet_code reveal(migrating *m, duet_error *error)
{
    size_t last = m->instance->types - 1;
    DUET_TRY(
        m->source->reveal(m->source->user, m->done, m->done_count, m->now, &m->revealed, error));
    m->done_count = 0;
    while (m->revealed.count > 0) {
        int64_t task = duet_ready_take(&m->revealed);
        size_t kind = duet_instance_kind_of(m->instance, task);
        int64_t cpu = duet_time(m->instance, kind, 0);
        int64_t gpu = duet_time(m->instance, kind, last);
        DUET_ASSERT(cpu != DUET_FORBIDDEN && gpu != DUET_FORBIDDEN);
        ready_task added = {task, cpu * gpu, {gpu, cpu}};
        DUET_TRY(duet_vec_push(m->ready, m->count, error, added));
    }
    return DUET_OK;
}

// One tick: the processors run the first tasks, each its own.
static duet_code run_tick(migrating *m, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t kept = 0;
    sort(m);
    m->now++;
    for (size_t i = 0; i < m->count && code == DUET_OK; i++) {
        ready_task at = m->ready[i];
        bool on_gpu = (int64_t)i < m->gpus;
        at.left -= (int64_t)i < m->gpus + m->cpus ? at.speed[on_gpu] : 0;
        if (at.left <= 0) {
            code = duet_vec_push(m->done, m->done_count, error, (int32_t)at.task);
        } else {
            m->ready[kept++] = at;
        }
    }
    m->count = kept;
    return code == DUET_OK && m->done_count > 0 ? reveal(m, error) : code;
}

duet_code duet_game_play_migrating(const duet_instance *instance, const duet_context *context,
                                   const duet_task_source *source, duet_solution *solution,
                                   int64_t *makespan, duet_error *error)
{
    (void)context;
    (void)solution; // it has no place for a task that is on several processors
    migrating m = {.instance = instance, .source = source};
    m.gpus = instance->processors[instance->types - 1];
    m.cpus = duet_all_counts(instance) - m.gpus;
    duet_code code = reveal(&m, error);
    while (m.count > 0 && code == DUET_OK) {
        code = run_tick(&m, error);
    }
    *makespan = m.now;
    duet_ready_free(&m.revealed);
    duet_free(m.ready);
    duet_free(m.done);
    return code;
}
