// SPDX-License-Identifier: Apache-2.0
// List scheduling of rigid tasks, whose numbers of processors are given, on identical processors.
//
// Method:    at 0 and whenever tasks end, every task of the list that fits on the idle processors
//            starts, the first of the list first, on those of lowest number.
// Guarantee: with tasks of at most λ and an area of at most mλ it ends by 2λ: what runs at x + λ
//            did not fit at x, so more than m processors are busy at x and x + λ together.
// Cost:      O(n log n + sizes of the sets log m).
// Memory:    O(n + m).
// Reference: Garey, Graham, "Bounds for multiprocessor scheduling with resource constraints", SIAM
//            J. Computing 4(2), 1975.
#include "heuristics/moldable/plan.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A task of the list that runs.
typedef struct running {
    int64_t end;
    size_t at; // in the list
} running;

static bool ends_earlier(const void *unused, running a, running b)
{
    (void)unused;
    return a.end != b.end ? a.end < b.end : a.at < b.at;
}
DUET_HEAP(ends, running, void, ends_earlier)

static bool is_lower(const void *unused, int32_t a, int32_t b)
{
    (void)unused;
    return a < b;
}
DUET_HEAP(idle, int32_t, void, is_lower)

typedef struct rigid_list {
    // Inputs.
    const duet_rigid_task *list;
    size_t count;
    duet_plan *plan;
    int32_t type;

    // The narrowest task of the list below a node of a tournament tree: node i is above 2 i and
    // 2 i + 1, task j is node leaves + j; INT32_MAX where all have started.
    int32_t *narrowest;
    size_t leaves;

    // State.
    int64_t now;
    running *run;
    size_t runs;
    int32_t *idle; // processors
    size_t idle_count;
} rigid_list;

static duet_code create(rigid_list *state, size_t processors, duet_error *error)
{
    state->leaves = 1;
    while (state->leaves < state->count) {
        state->leaves *= 2;
    }
    state->narrowest = duet_alloc_raw(2 * state->leaves, sizeof *state->narrowest, error);
    state->run = duet_alloc_raw(state->count, sizeof *state->run, error);
    state->idle = duet_alloc_raw(processors, sizeof *state->idle, error);
    DUET_NEED(state->narrowest != NULL && state->run != NULL && state->idle != NULL);
    int32_t *tree = state->narrowest;
    for (size_t j = 0; j < state->leaves; j++) {
        tree[state->leaves + j] = j < state->count ? state->list[j].size : INT32_MAX;
    }
    for (size_t node = state->leaves - 1; node > 0; node--) {
        tree[node] = duet_min(tree[2 * node], tree[2 * node + 1]);
    }
    for (size_t p = 0; p < processors; p++) {
        state->idle[p] = (int32_t)p; // ascending is a heap
    }
    state->idle_count = processors;
    return DUET_OK;
}

static void destroy(rigid_list *state)
{
    duet_free(state->narrowest);
    duet_free(state->run);
    duet_free(state->idle);
}

// Takes the first task of the list that fits on the idle processors; `count` where none does.
static size_t take_first(rigid_list *state)
{
    int32_t *tree = state->narrowest;
    if ((size_t)tree[1] > state->idle_count) {
        return state->count;
    }
    size_t node = 1;
    while (node < state->leaves) {
        node *= 2;
        node += (size_t)tree[node] > state->idle_count;
    }
    size_t taken = node - state->leaves;
    tree[node] = INT32_MAX;
    for (node /= 2; node > 0; node /= 2) {
        tree[node] = duet_min(tree[2 * node], tree[2 * node + 1]);
    }
    return taken;
}

static duet_code start(rigid_list *state, size_t at, duet_error *error)
{
    const duet_rigid_task *begun = &state->list[at];
    int32_t *set = duet_plan_add(state->plan, begun->task, begun->size, error);
    DUET_NEED(set);
    for (int32_t p = 0; p < begun->size; p++) {
        set[p] = idle_pop(NULL, state->idle, &state->idle_count);
    }
    duet_planned *planned = &state->plan->task[begun->task];
    planned->start = state->now;
    planned->time = begun->time;
    planned->type = state->type;
    ends_push(NULL, state->run, &state->runs, (running){state->now + begun->time, at});
    return DUET_OK;
}

// Goes on to the next time at which tasks end.
static void release(rigid_list *state)
{
    state->now = state->run[0].end;
    while (state->runs > 0 && state->run[0].end == state->now) {
        const duet_rigid_task *ended = &state->list[ends_pop(NULL, state->run, &state->runs).at];
        const int32_t *set = duet_plan_set(state->plan, ended->task);
        for (int32_t p = 0; p < ended->size; p++) {
            idle_push(NULL, state->idle, &state->idle_count, set[p]);
        }
    }
}

static int by_length(const void *left, const void *right)
{
    const duet_rigid_task *a = left;
    const duet_rigid_task *b = right;
    int order = duet_order(b->time, a->time);
    order = order != 0 ? order : duet_order(b->size, a->size);
    return order != 0 ? order : duet_order((duet_int128)a->task, (duet_int128)b->task);
}

void duet_rigid_sort(duet_rigid_task *list, size_t count)
{
    qsort(list, count, sizeof *list, by_length);
}

duet_code duet_rigid_list(const duet_rigid_task *list, size_t count, int32_t type,
                          size_t processors, duet_plan *plan, duet_error *error)
{
    rigid_list state = {.list = list, .count = count, .plan = plan, .type = type};
    duet_code code = create(&state, processors, error);
    for (size_t started = 0; started < count && code == DUET_OK;) {
        size_t at = take_first(&state);
        if (at < count) {
            code = start(&state, at, error);
            started++;
        } else {
            DUET_ASSERT(state.runs > 0);
            release(&state);
        }
    }
    destroy(&state);
    return code;
}
