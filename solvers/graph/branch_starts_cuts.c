// SPDX-License-Identifier: Apache-2.0
#include "core/fraction.h"
#include "solvers/graph/branch_starts_state.h"

// Whether some way through what has not started is too long.
static bool path_exceeds(const duet_start_search *s, int64_t last)
{
    const duet_graph_model *model = s->model;
    int64_t end[DUET_BRANCH_STARTS_TASKS];
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t j = s->order[i];
        if ((s->started & duet_task_bit(j)) != 0) {
            end[j] = s->end[j];
            continue;
        }
        int64_t ready = duet_later(last, s->from[j]);
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            ready = duet_later(ready, end[model->before[at]]);
        }
        end[j] = ready + s->shortest[j];
        if (end[j] + s->tail[j] >= s->upper) {
            return true;
        }
    }
    return false;
}

// Whether the work that has not started, and has at least so much behind it, does not fit.
static bool area_exceeds(const duet_start_search *s, int64_t last, int64_t behind)
{
    const duet_graph_model *model = s->model;
    duet_int128 work = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        bool counts = (s->started & duet_task_bit(j)) == 0 && s->tail[j] >= behind;
        work += counts ? s->weighted[j] : 0;
    }
    duet_int128 room = 0;
    int64_t limit = s->upper - 1 - behind;
    for (size_t t = 0; t < model->types; t++) {
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            int64_t from = duet_later(s->free_at[p], last);
            room += from < limit ? (duet_int128)(limit - from) * s->weight[t] : 0;
        }
    }
    return work > room;
}

// What is free and there, no earlier than the next start, in an order that does not depend on how
// it came about: by type, sorted, and then the data that are still needed.
static bool was_seen(duet_start_search *s, int64_t last)
{
    const duet_graph_model *model = s->model;
    int64_t *state = duet_seen_states_next(s->seen);
    size_t count = 0;
    for (size_t t = 0; t < model->types; t++) {
        size_t begin = count;
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            int64_t from = duet_later(s->free_at[p], last);
            size_t at = count++;
            for (; at > begin && state[at - 1] > from; at--) {
                state[at] = state[at - 1];
            }
            state[at] = from;
        }
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        if ((s->started & duet_task_bit(j)) != 0 && (s->behind[j] & ~s->started) != 0) {
            state[count++] = duet_later(s->end[j], last);
        }
    }
    return duet_seen_states_visit(s->seen, s->started, count);
}

bool duet_start_search_leads_nowhere(duet_start_search *s, int64_t last)
{
    if (path_exceeds(s, last)) {
        return true;
    }
    for (size_t i = 0; i < s->thresholds; i++) {
        if (area_exceeds(s, last, s->threshold[i])) {
            return true;
        }
    }
    return s->seen != NULL && was_seen(s, last);
}
