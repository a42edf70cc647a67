// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/allocation.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/critical_path.h"

// A gain as a fraction, below 0 where the task gets longer.
typedef struct gain_value {
    duet_fraction size;
    bool negative;
} gain_value;

typedef struct allocation {
    // Inputs.
    const duet_growth *growth;
    int64_t processors;
    const duet_allocation_choice *choice;
    duet_critical_path path;

    // The allocation.
    duet_allocated *out;
    int64_t *next;    // the time on one processor more; -1: the task may not grow
    duet_int128 area; // of all tasks

    // MCPA: the level of each place, and the processors of each level. NULL: there is no limit.
    int32_t *level;
    int64_t *width;

    // A tournament of the places on the path that may grow, by their gains: node i is above 2 i and
    // 2 i + 1, place p is node leaves + p. -1: no place below may grow.
    int32_t *winner;
    size_t leaves;
    gain_value *value; // of each place on the path
} allocation;

static gain_value find_gain(const allocation *state, int32_t task)
{
    int64_t time = state->out->time[task];
    int64_t next = state->next[task];
    int64_t size = state->out->size[task];
    duet_int128 less = (duet_int128)time - next;
    duet_uint128 den = 1;
    if (state->choice->gain == DUET_GAIN_AREA) {
        less = (duet_int128)time * (size + 1) - (duet_int128)next * size;
        den = (duet_uint128)(uint64_t)size * (uint64_t)(size + 1);
    } else if (state->choice->gain == DUET_GAIN_RELATIVE) {
        den = (uint64_t)time;
    }
    bool negative = less < 0;
    return (gain_value){{(duet_uint128)(negative ? -less : less), den}, negative};
}

static bool gains_more(const gain_value *a, const gain_value *b)
{
    if (a->negative != b->negative) {
        return b->negative;
    }
    int order = duet_fraction_compare(a->size, b->size);
    return a->negative ? order < 0 : order > 0;
}

// Plays the matches above a place again.
static void replay(allocation *state, int32_t place, bool takes_part)
{
    size_t node = state->leaves + (size_t)place;
    state->winner[node] = takes_part ? place : -1;
    for (node /= 2; node > 0; node /= 2) {
        int32_t left = state->winner[2 * node];
        int32_t right = state->winner[2 * node + 1];
        bool right_wins =
            left < 0 || (right >= 0 && gains_more(&state->value[right], &state->value[left]));
        state->winner[node] = right_wins ? right : left;
    }
}

// Whether a place on the path may get one processor more. No other place of the path is on its
// level.
static bool may_grow(const allocation *state, int32_t place)
{
    return state->next[state->path.id[place]] >= 0 &&
           (state->width == NULL || state->width[state->level[place]] < state->processors);
}

// A place joins the path or leaves it.
static void change(void *user, int32_t place, bool joins)
{
    allocation *state = user;
    bool takes_part = joins && may_grow(state, place);
    if (takes_part) {
        state->value[place] = find_gain(state, state->path.id[place]);
    }
    if (takes_part || state->winner[state->leaves + (size_t)place] >= 0) {
        replay(state, place, takes_part);
    }
}

// MCPA: levels from the entries on, and what their tasks have with one processor each.
static duet_code find_levels(allocation *state, duet_error *error)
{
    const duet_critical_path *path = &state->path;
    size_t tasks = (size_t)path->tasks;
    state->level = duet_alloc(tasks, sizeof *state->level, error);
    state->width = duet_alloc(tasks, sizeof *state->width, error);
    DUET_NEED(state->level != NULL && state->width != NULL);
    for (size_t at = 0; at < tasks; at++) {
        state->width[state->level[at]]++;
        for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
            int32_t *next = &state->level[path->successor[e]];
            *next = *next > state->level[at] ? *next : state->level[at] + 1;
        }
    }
    return DUET_OK;
}

static duet_code create(allocation *state, duet_error *error)
{
    const duet_instance *instance = state->growth->instance;
    size_t tasks = (size_t)duet_tasks(instance);
    duet_allocated *out = state->out;
    out->size = duet_alloc_raw(tasks, sizeof *out->size, error);
    out->time = duet_alloc_raw(tasks, sizeof *out->time, error);
    state->next = duet_alloc_raw(tasks, sizeof *state->next, error);
    state->value = duet_alloc_raw(tasks, sizeof *state->value, error);
    state->leaves = 1;
    while (state->leaves < tasks) {
        state->leaves *= 2;
    }
    state->winner = duet_alloc_raw(2 * state->leaves, sizeof *state->winner, error);
    DUET_NEED(out->size != NULL && out->time != NULL && state->next != NULL &&
              state->value != NULL && state->winner != NULL);
    memset(state->winner, -1, 2 * state->leaves * sizeof *state->winner);
    for (size_t j = 0; j < tasks; j++) {
        out->size[j] = 1;
        out->time[j] = duet_growth_first(state->growth, (int32_t)j);
        state->next[j] = duet_growth_next(state->growth, (int32_t)j, 1, out->time[j]);
        state->area += out->time[j];
    }
    DUET_TRY(
        duet_critical_path_create(instance->graph, (int64_t)tasks, out->time, &state->path, error));
    if (state->choice->rule == DUET_ALLOCATE_MCPA) {
        DUET_TRY(find_levels(state, error));
    }
    state->path.changed = change;
    state->path.user = state;
    duet_critical_path_find(&state->path);
    return DUET_OK;
}

// One processor more for the task that gains most. False where none may grow.
static bool grow(allocation *state)
{
    int32_t place = state->winner[1];
    if (place < 0) {
        return false;
    }
    int32_t task = state->path.id[place];
    int64_t *size = &state->out->size[task];
    int64_t *time = &state->out->time[task];
    state->area -= (duet_int128)*size * *time;
    (*size)++;
    *time = state->next[task];
    state->area += (duet_int128)*size * *time;
    state->next[task] = duet_growth_next(state->growth, task, *size, *time);
    if (state->width != NULL) {
        state->width[state->level[place]]++;
    }
    bool grows_on = may_grow(state, place);
    if (grows_on) {
        state->value[place] = find_gain(state, task);
    }
    replay(state, place, grows_on);
    duet_critical_path_set(&state->path, place, *time);
    state->out->steps++;
    return true;
}

// Grows until the path is no longer than the area on `processors` processors. False where none may
// grow before, or the context stops it.
static bool grow_for(allocation *state, int64_t processors, const duet_context *context)
{
    while ((duet_int128)state->path.length * processors > state->area) {
        if (duet_context_stop(context) || !grow(state)) {
            return false;
        }
    }
    return true;
}

// The best allocation so far of biCPA.
typedef struct best_allocation {
    int64_t *size;
    int64_t *time;
    int64_t makespan; // INT64_MAX: none
    duet_int128 area;
} best_allocation;

static duet_code offer(const allocation *state, best_allocation *best, duet_error *error)
{
    duet_allocated *out = state->out;
    size_t bytes = (size_t)state->path.tasks * sizeof *out->size;
    int64_t makespan = 0;
    duet_code code = state->choice->schedule(state->choice->user, &makespan, error);
    bool better =
        makespan < best->makespan || (makespan == best->makespan && state->area < best->area);
    out->tried++;
    if (code == DUET_OK && better) {
        memcpy(best->size, out->size, bytes);
        memcpy(best->time, out->time, bytes);
        best->makespan = makespan;
        best->area = state->area;
    }
    return code;
}

// biCPA: an allocation for each number of processors that changes it.
static duet_code try_all(allocation *state, const duet_context *context, duet_error *error)
{
    duet_allocated *out = state->out;
    size_t tasks = (size_t)state->path.tasks;
    duet_context half = duet_context_part(context, 2);
    best_allocation best = {.makespan = INT64_MAX};
    best.size = duet_alloc_raw(tasks, sizeof *best.size, error);
    best.time = duet_alloc_raw(tasks, sizeof *best.time, error);
    duet_code code = best.size == NULL || best.time == NULL ? DUET_E_MEMORY : DUET_OK;
    duet_int128 processors = 1;
    bool grows = true;
    while (code == DUET_OK && grows && processors <= state->processors) {
        grows = grow_for(state, (int64_t)processors, &half);
        code = offer(state, &best, error);
        processors = state->area / state->path.length + 1; // the fewest on which the path is longer
    }
    if (code == DUET_OK) {
        memcpy(out->size, best.size, tasks * sizeof *out->size);
        memcpy(out->time, best.time, tasks * sizeof *out->time);
    }
    duet_free(best.size);
    duet_free(best.time);
    return code;
}

duet_code duet_allocate_by_path(const duet_growth *growth, int64_t processors,
                                const duet_allocation_choice *choice, const duet_context *context,
                                duet_allocated *out, duet_error *error)
{
    *out = (duet_allocated){.size = NULL};
    if (duet_tasks(growth->instance) == 0) {
        return DUET_OK;
    }
    allocation state = {.growth = growth, .processors = processors, .choice = choice, .out = out};
    duet_code code = create(&state, error);
    if (code == DUET_OK && choice->rule == DUET_ALLOCATE_BICPA) {
        code = try_all(&state, context, error);
    } else if (code == DUET_OK) {
        (void)grow_for(&state, processors, context);
    }
    duet_critical_path_free(&state.path);
    duet_free(state.next);
    duet_free(state.value);
    duet_free(state.winner);
    duet_free(state.level);
    duet_free(state.width);
    return code;
}

void duet_allocated_free(duet_allocated *allocated)
{
    duet_free(allocated->size);
    duet_free(allocated->time);
}

duet_code duet_allocated_levels(const duet_instance *instance, const int64_t *time, int64_t *level,
                                duet_error *error)
{
    memcpy(level, time, (size_t)duet_tasks(instance) * sizeof *level);
    if (instance->graph == NULL) {
        return DUET_OK;
    }
    int32_t *order = duet_graph_order(instance->graph, error);
    DUET_NEED(order);
    duet_graph_raise(instance->graph, order, level);
    duet_free(order);
    return DUET_OK;
}
