// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/online.h"

#include "core/assert.h"
#include "core/heap.h"
#include "core/memory.h"

typedef struct completion {
    int64_t time;
    int64_t task;
} completion;

static bool earlier(const void *none, completion a, completion b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.task < b.task;
}

DUET_HEAP(completions, completion, void, earlier)

typedef struct simulation {
    const duet_rule *rule;
    const duet_task_source *source;
    duet_list list;
    duet_ready ready;
    completion *pending; // a heap of the tasks that run or wait on a processor
    size_t pending_count;
    size_t pending_capacity;
    duet_solution *solution;
} simulation;

static duet_code reveal_all(simulation *s, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1] && code == DUET_OK; j++) {
            code = duet_ready_add(&s->ready, j, i, error);
        }
    }
    return code;
}

static duet_code reveal(simulation *s, int64_t completed, duet_error *error)
{
    return s->source == NULL ? reveal_all(s, error)
                             : s->source->reveal(s->source->user, completed, &s->ready, error);
}

// Gives a task its type and its processor.
static duet_code bind(simulation *s, int64_t task, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    size_t kind = duet_instance_kind_of(instance, task);
    size_t type = s->rule->allocate != NULL ? s->rule->allocate(instance, kind)
                                            : s->rule->choose(&s->list, kind);
    DUET_ASSERT(duet_allowed(instance, kind, type));
    int64_t end = duet_processors_start(&s->list.all.of[type], duet_time(instance, kind, type),
                                        &s->solution->placement[task]);
    if (s->source == NULL) {
        return DUET_OK; // nothing waits for its completion
    }
    duet_code code =
        duet_grow(&s->pending, s->pending_count, &s->pending_capacity, sizeof *s->pending, error);
    if (code == DUET_OK) {
        completions_push(NULL, s->pending, &s->pending_count, (completion){end, task});
    }
    return code;
}

static duet_code bind_ready(simulation *s, duet_error *error)
{
    duet_code code = DUET_OK;
    while (s->ready.count > 0 && code == DUET_OK) {
        code = bind(s, duet_ready_take(&s->ready), error);
    }
    return code;
}

// All completions of the next instant, and what they reveal.
static duet_code advance(simulation *s, duet_error *error)
{
    int64_t now = s->pending[0].time;
    duet_code code = DUET_OK;
    while (s->pending_count > 0 && s->pending[0].time == now && code == DUET_OK) {
        code = reveal(s, completions_pop(NULL, s->pending, &s->pending_count).task, error);
    }
    for (size_t t = 0; t < s->list.all.types; t++) {
        duet_processors_wait(&s->list.all.of[t], now);
    }
    return code;
}

static duet_code simulate(simulation *s, duet_error *error)
{
    duet_code code = reveal(s, -1, error);
    if (code == DUET_OK) {
        code = bind_ready(s, error);
    }
    while (s->pending_count > 0 && code == DUET_OK) {
        code = advance(s, error);
        if (code == DUET_OK) {
            code = bind_ready(s, error);
        }
    }
    return code;
}

duet_code duet_online_run(const duet_rule *rule, const duet_instance *instance,
                          const duet_context *context, const duet_task_source *source,
                          duet_solution *solution, duet_error *error)
{
    simulation s = {.rule = rule, .source = source, .solution = solution};
    duet_code code = duet_list_begin(rule, instance, context, &s.list, error);
    if (code == DUET_OK && rule->priority != NULL) {
        code = duet_ready_rank(&s.ready, instance, rule->priority, error);
    }
    if (code == DUET_OK) {
        code = simulate(&s, error);
    }
    duet_free(s.pending);
    duet_ready_free(&s.ready);
    duet_list_end(rule, &s.list, solution);
    return code;
}
