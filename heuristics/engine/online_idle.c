// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for idle processors.
//
// Placed in order on a copy of the processors, the tasks that start now are the first ones of their
// type, as many as processors of it are idle. So where types do not depend on the processors, each
// type has a queue. Else the copy is made anew at each instant, as far as it matters: up to the
// last task whose type is to be chosen, or until no processor of the copy is idle.
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/online_state.h"

static bool types_are_fixed(const duet_simulation *s)
{
    return s->rule->allocate != NULL || s->rule->fixed;
}

duet_code duet_idle_begin(duet_simulation *s, duet_error *error)
{
    if (types_are_fixed(s)) {
        return DUET_OK;
    }
    return duet_queues_create(s->list.instance, s->kind, s->reality, s->solution->placement,
                              &s->copy, error);
}

void duet_idle_end(duet_simulation *s)
{
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_ready_free(&s->waiting_on[t]);
    }
    duet_queues_free(&s->copy);
    duet_free(s->waiting);
}

duet_code duet_idle_lose(duet_simulation *s, size_t type, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_ready *waiting = &s->waiting_on[type];
    while (waiting->count > 0 && code == DUET_OK) {
        code = duet_ready_put(&s->ready, waiting->heap[0], error);
        duet_ready_take(waiting);
    }
    for (size_t i = 0; i < s->waiting_count; i++) {
        s->waiting[i].type = s->waiting[i].type == type ? SIZE_MAX : s->waiting[i].type;
    }
    return code;
}

// --- queues of types -----------------------------------------------------------------------------

static duet_code queue_by_type(duet_simulation *s, duet_error *error)
{
    while (s->ready.count > 0) {
        duet_ready_task task = s->ready.heap[0];
        size_t type = 0;
        duet_spot spot = {0, 0};
        duet_ready_take(&s->ready);
        DUET_TRY(duet_simulation_choose(s, &s->queues, task.task, &type, &spot, error));
        DUET_TRY(duet_ready_put(&s->waiting_on[type], task, error));
    }
    return DUET_OK;
}

static duet_code start_by_type(duet_simulation *s, duet_error *error)
{
    DUET_TRY(queue_by_type(s, error));
    for (size_t t = 0; t < s->list.instance->types; t++) {
        const duet_tournament *free_from = &s->queues.of[t];
        duet_ready *waiting = &s->waiting_on[t];
        while (waiting->count > 0 && duet_tournament_least(free_from) <= s->now) {
            duet_spot spot = {s->now, duet_tournament_first(free_from, s->now)};
            duet_simulation_bind(s, duet_ready_take(waiting), t, spot);
        }
    }
    return DUET_OK;
}

// --- placed anew ---------------------------------------------------------------------------------

// Brings the tasks that are ready into the order of those that wait.
static duet_code merge_ready(duet_simulation *s, duet_error *error)
{
    size_t added = s->ready.count;
    DUET_TRY(duet_vec_reserve(s->waiting, s->waiting_count + added, error));
    // The new ones stand behind the others, in order; then both are merged from the back.
    size_t old = s->waiting_count;
    duet_ready_task *fresh = duet_alloc_raw(added, sizeof *fresh, error);
    DUET_NEED(fresh);
    for (size_t i = 0; i < added; i++) {
        fresh[i] = s->ready.heap[0];
        duet_ready_take(&s->ready);
    }
    for (size_t at = old + added; added > 0; at--) {
        if (old > 0 && duet_ready_before(fresh[added - 1], s->waiting[old - 1].task)) {
            s->waiting[at - 1] = s->waiting[--old];
        } else {
            s->waiting[at - 1] = (duet_waiting){fresh[--added], SIZE_MAX, true};
            s->waiting_count++;
        }
    }
    duet_free(fresh);
    return DUET_OK;
}

static bool any_idle(const duet_simulation *s, const duet_queues *queues)
{
    bool idle = false;
    for (size_t t = 0; t < s->list.instance->types && !idle; t++) {
        idle = duet_tournament_least(&queues->of[t]) <= s->now;
    }
    return idle;
}

// Places one task on the copy. *starts says whether it started.
static duet_code place(duet_simulation *s, duet_waiting *w, bool *starts, duet_error *error)
{
    duet_spot spot = {0, 0};
    duet_code code = DUET_OK;
    size_t type = w->type;
    int64_t task = w->task.task;
    if (type == SIZE_MAX) {
        code = duet_simulation_choose(s, &s->copy, task, &type, &spot, error);
        w->type = s->rule->anew ? SIZE_MAX : type;
        w->fresh = false;
    } else {
        spot = duet_queues_spot(&s->copy, task, type, s->now);
    }
    if (code == DUET_OK) {
        int64_t end = duet_queues_put(&s->copy, task, type, spot);
        *starts = spot.start == s->now;
        DUET_ASSERT(end >= s->now);
        (void)end;
        if (*starts) {
            duet_simulation_bind(s, task, type, spot);
        }
    }
    return code;
}

// Whether a task has to be asked for even where no processor is idle.
static bool is_undecided(const duet_simulation *s, const duet_waiting *w)
{
    return s->rule->anew ? s->rule->at_once && w->fresh : w->type == SIZE_MAX;
}

static size_t count_undecided(const duet_simulation *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->waiting_count; i++) {
        count += is_undecided(s, &s->waiting[i]);
    }
    return count;
}

static duet_code start_anew(duet_simulation *s, duet_error *error)
{
    DUET_TRY(s->ready.count > 0 ? merge_ready(s, error) : DUET_OK);
    size_t undecided = count_undecided(s);
    if (duet_context_stop(s->context)) {
        DUET_TRY(duet_context_stop_error(s->context, error));
    }
    duet_queues_copy(&s->copy, &s->queues);
    size_t kept = 0;
    size_t at = 0;
    duet_code code = DUET_OK;
    for (; at < s->waiting_count && code == DUET_OK; at++) {
        if (undecided == 0 && !any_idle(s, &s->copy)) {
            break;
        }
        bool starts = false;
        undecided -= is_undecided(s, &s->waiting[at]);
        code = place(s, &s->waiting[at], &starts, error);
        if (!starts) {
            s->waiting[kept++] = s->waiting[at];
        }
    }
    size_t behind = s->waiting_count - at;
    memmove(&s->waiting[kept], &s->waiting[at], behind * sizeof *s->waiting);
    s->waiting_count = kept + behind;
    return code;
}

duet_code duet_idle_start(duet_simulation *s, duet_error *error)
{
    return types_are_fixed(s) ? start_by_type(s, error) : start_anew(s, error);
}
