// SPDX-License-Identifier: Apache-2.0
// How a task of an online simulation gets its processor: the rule chooses, and the task joins the
// line of that processor.
#include "core/number/minmax.h"
#include "heuristics/engine/online_state.h"

int64_t duet_real_time(const duet_simulation *s, int32_t task)
{
    return duet_time(s->list.instance, (size_t)s->kind[task],
                     (size_t)s->solution->placement[task].type);
}

// When the data of a task are on its processor.
int64_t duet_real_arrival(const duet_simulation *s, int32_t task)
{
    const duet_placement *placed = &s->solution->placement[task];
    return duet_queues_arrival(&s->queues, task, (size_t)placed->type, (size_t)placed->processor);
}

int64_t duet_real_start(duet_simulation *s, size_t line)
{
    int32_t task = s->line[line].first;
    duet_placement *placed = &s->solution->placement[task];
    int64_t busy = duet_busy_until(s->list.instance, (size_t)placed->type, placed->processor);
    placed->start = duet_max(duet_max(s->now, busy), duet_real_arrival(s, task));
    s->real[line].end = placed->start + duet_real_time(s, task);
    return duet_reality_run(s->reality, task, (size_t)placed->type, placed->processor,
                            placed->start);
}

static size_t ask(duet_simulation *s, const duet_queues *queues, int64_t task)
{
    const duet_instance *instance = s->list.instance;
    size_t kind = (size_t)s->kind[task];
    if (s->rule->allocate != NULL) {
        return s->rule->allocate(instance, kind);
    }
    s->list.task = task;
    s->list.now = s->now;
    for (size_t t = 0; t < instance->types && !s->rule->fixed; t++) {
        if (duet_allowed(instance, kind, t)) {
            s->spot[t] = duet_queues_spot(queues, task, t, s->now);
        }
    }
    return s->rule->choose(&s->list, kind);
}

duet_code duet_simulation_choose(duet_simulation *s, const duet_queues *queues, int64_t task,
                                 size_t *type, duet_spot *spot, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    *type = ask(s, queues, task);
    bool refuge = s->reality != NULL && *type < instance->types && instance->processors[*type] == 0;
    if (refuge) {
        *type = duet_reality_refuge(s->reality, (size_t)s->kind[task]);
    }
    if (*type >= instance->types || !duet_allowed(instance, (size_t)s->kind[task], *type)) {
        char id[64];
        duet_instance_task_id(instance, task, id, sizeof id);
        return *type == SIZE_MAX
                   ? duet_error_set(error, DUET_E_USAGE, "rule '%s' chose no type for task '%s'",
                                    s->rule->name, id)
                   : duet_error_set(
                         error, DUET_E_USAGE,
                         "rule '%s' put task '%s' on type %zu: expected one where it may run",
                         s->rule->name, id, *type);
    }
    bool seen = s->rule->allocate == NULL && !s->rule->fixed && !refuge;
    *spot = seen ? s->spot[*type] : duet_queues_spot(queues, task, *type, s->now);
    return DUET_OK;
}

void duet_simulation_bind(duet_simulation *s, int64_t task, size_t type, duet_spot spot)
{
    int64_t end = duet_queues_put(&s->queues, task, type, spot);
    if (s->line == NULL) {
        return; // nobody waits for its completion
    }
    size_t at = s->line_at[type] + spot.processor;
    duet_line *line = &s->line[at];
    s->next[task] = -1;
    if (line->first < 0) {
        line->first = (int32_t)task;
        end = s->reality == NULL ? end : duet_real_start(s, at);
        duet_line_events_push(NULL, s->events, &s->event_count, (duet_line_event){end, at});
    } else {
        s->next[line->last] = (int32_t)task;
        if (s->reality != NULL) {
            s->real[at].behind += duet_time(s->list.instance, (size_t)s->kind[task], type);
        }
    }
    line->last = (int32_t)task;
}
