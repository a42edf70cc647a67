// SPDX-License-Identifier: Apache-2.0
// Whether a change of a list still has an effect; settled.h says when it has not.
#include "heuristics/graph_search/settled.h"

#include <string.h>

#include "core/number/minmax.h"
#include "heuristics/graph_search/tuning.h"

// Whether few numbers are the same as others but for their order.
static bool are_permuted(const int64_t *some, const int64_t *others, int32_t count)
{
    uint32_t taken = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t j = 0;
        while (j < count && (others[j] != some[i] || (taken >> j & 1U) != 0)) {
            j++;
        }
        if (j == count) {
            return false;
        }
        taken |= UINT32_C(1) << j;
    }
    return true;
}

// Where data take no time it does not matter which processor is which; many are sorted.
static bool is_free_as_before(const duet_activity_list *list, const int64_t *before)
{
    const duet_graph_search_model *model = list->model;
    for (size_t t = 0; t < model->types; t++) {
        const int64_t *old = before + model->begin[t];
        const int64_t *now = list->free_at + model->begin[t];
        int32_t count = model->begin[t + 1] - model->begin[t];
        if (memcmp(old, now, (size_t)count * sizeof *now) != 0 &&
            (list->host != NULL || count > DUET_ACTIVITY_FEW || !are_permuted(old, now, count))) {
            return false;
        }
    }
    return true;
}

// When the predecessors of a task ended before the change, which has been read up to `to`.
static int64_t ready_before(const duet_activity_list *list, int32_t task, int32_t to)
{
    const duet_graph_search_model *model = list->model;
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t place = list->place[model->before[at]];
        bool read = place >= list->begin && place < to;
        int64_t end = read ? list->end_before[place] : list->end[model->before[at]];
        ready = duet_max(end, ready);
    }
    return ready;
}

static int64_t ready_now(const duet_activity_list *list, int32_t task)
{
    const duet_graph_search_model *model = list->model;
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int64_t end = list->end[model->before[at]];
        ready = duet_max(end, ready);
    }
    return ready;
}

// Whether a task behind position `to` may be placed elsewhere than before, the processors being
// free as before. One that waits for a processor takes the first, whatever else it waits for.
static bool is_affected(const duet_activity_list *list, int32_t task, int32_t to)
{
    if (list->host != NULL) {
        return true;
    }
    int64_t before = ready_before(list, task, to);
    int64_t now = ready_now(list, task);
    int64_t start =
        list->end[task] - duet_graph_search_model_time(list->model, task, list->type[task]);
    return before != now && (before >= start || now >= start);
}

// The last position, from `to` on, of a task that is affected by one of those at `from` .. `to` - 1
// that has another end or processor than before; -1: there is none.
static int32_t last_affected(const duet_activity_list *list, int32_t from, int32_t to)
{
    const duet_graph_search_model *model = list->model;
    int32_t last = -1;
    for (int32_t position = from; position < to; position++) {
        int32_t task = list->task[position];
        if (list->end[task] == list->end_before[position] &&
            (list->host == NULL || list->host[task] == list->host_before[position])) {
            continue;
        }
        for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
            int32_t place = list->place[model->behind[at]];
            if (place >= to && place > last && is_affected(list, model->behind[at], to)) {
                last = place;
            }
        }
    }
    return last;
}

// A makespan so far that is shorter than it was may be that of any task: what is reached later is
// then unknown. The farther a change reaches, the more seldom its end is looked for.
bool duet_activity_list_has_settled(duet_activity_list *list, int32_t position, duet_settling *s)
{
    int32_t checkpoint = position / list->stride;
    unsigned which = list->current[checkpoint];
    list->before = list->reached_then[2 * (size_t)checkpoint + which];
    list->after = list->reached;
    s->next = position + (position - list->begin) / DUET_ACTIVITY_SETTLING_SHARE;
    if (list->after.makespan < list->before.makespan ||
        !is_free_as_before(list, duet_activity_list_saved(list, checkpoint, which))) {
        return false;
    }
    int32_t last = last_affected(list, s->looked, position);
    s->looked = position;
    s->last = duet_max(last, s->last);
    s->next = duet_max(s->last, s->next);
    return s->last < position;
}

duet_activity_reached duet_activity_list_carry_on(const duet_activity_list *list,
                                                  duet_activity_reached old)
{
    int64_t makespan = duet_max(list->after.makespan, old.makespan);
    return (duet_activity_reached){old.cost + list->after.cost - list->before.cost, makespan};
}
