// SPDX-License-Identifier: Apache-2.0
// Dominance lists of the knapsack: after each free class, the pairs (CPU work, GPU work) that some
// allocation of the classes so far reaches and no other one beats on both types.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack_state.h"

enum {
    MAX_STATES = 1000000, // of all lists together, beyond which the answer is left open
    FEW = 64, // tasks that leave their type at once, up to which merging is faster than sorting
};

int duet_knapsack_by_work(const void *left, const void *right)
{
    const work_state *a = left;
    const work_state *b = right;
    for (size_t t = 0; t < 2; t++) {
        if (a->work[t] != b->work[t]) {
            return a->work[t] < b->work[t] ? -1 : 1;
        }
    }
    return 0;
}

// How many tasks of a class may leave their type from a state. False: not even none, since later
// classes cannot make it fit any more.
static bool range(const duet_knapsack *problem, const free_class *f, const work_state *from,
                  int64_t *least, int64_t *most)
{
    const duet_classes *classes = problem->classes;
    size_t away = 1 - f->cheaper;
    duet_int128 over =
        from->work[f->cheaper] - f->movable[f->cheaper] - problem->capacity[f->cheaper];
    duet_int128 room = problem->capacity[away] + f->movable[away] - from->work[away];
    int64_t step = classes->time[f->cheaper][f->class];
    *least = over <= 0 ? 0 : duet_knapsack_clamp((over + step - 1) / step, 0, f->most + 1);
    if (room < 0) {
        return false;
    }
    *most = duet_knapsack_clamp(room / classes->time[away][f->class], 0, f->most);
    if (f->reduced_cost > 0) {
        duet_int128 left = problem->limit - duet_knapsack_weighted(problem, from);
        *most = duet_knapsack_clamp(left / f->reduced_cost, 0, *most);
    }
    return *least <= *most;
}

// Room for as many more states.
static duet_code reserve(duet_knapsack *problem, size_t more, duet_error *error)
{
    while (problem->room - problem->count < more) {
        size_t room = 2 * problem->room + more;
        work_state *grown = duet_resize(problem->states, room, sizeof *grown, error);
        DUET_NEED(grown);
        problem->states = grown;
        problem->room = room;
    }
    return DUET_OK;
}

// Drops the dominated states of a sorted list: those for which another has no more work on either
// type. Returns how many are left.
static size_t prune(work_state *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || list[i].work[1] < list[kept - 1].work[1]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

// Merges two sorted lists into `to` and prunes; returns how many states are left.
static size_t merge(const work_state *left, size_t lefts, const work_state *right, size_t rights,
                    work_state *to)
{
    const work_state *left_end = left + lefts;
    const work_state *right_end = right + rights;
    size_t kept = 0;
    while (left < left_end || right < right_end) {
        bool first =
            right == right_end || (left < left_end && duet_knapsack_by_work(left, right) <= 0);
        const work_state *next = first ? left++ : right++;
        if (kept == 0 || next->work[1] < to[kept - 1].work[1]) {
            to[kept++] = *next;
        }
    }
    return kept;
}

// Whether the CPU work of a list grows and its GPU work falls.
static bool is_undominated(const work_state *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (list[i].work[0] <= list[i - 1].work[0] || list[i].work[1] >= list[i - 1].work[1]) {
            return false;
        }
    }
    return true;
}

// One class: the work that each of its tasks moves, and the list that it extends.
typedef struct extension {
    const free_class *f;
    int64_t step[2];
    size_t begin, end;
    size_t count; // states that come of it
    int64_t most; // tasks that leave their type, of all states
} extension;

// Finds how many tasks may leave from every state, and how many states come of it. False in *within
// where there are too many.
static duet_code measure(duet_knapsack *problem, extension *e, bool *within, duet_error *error)
{
    size_t states = e->end - e->begin;
    if (problem->span_room < states) {
        span *grown = duet_resize(problem->spans, 2 * states, sizeof *grown, error);
        DUET_NEED(grown);
        problem->spans = grown;
        problem->span_room = 2 * states;
    }
    *within = false;
    for (size_t i = 0; i < states; i++) {
        span *s = &problem->spans[i];
        if (!range(problem, e->f, &problem->states[e->begin + i], &s->least, &s->most)) {
            *s = (span){0, -1};
            continue;
        }
        if ((uint64_t)(s->most - s->least) >= MAX_STATES || e->end + e->count > MAX_STATES) {
            return DUET_OK;
        }
        e->count += (size_t)(s->most - s->least) + 1;
        e->most = duet_max(s->most, e->most);
    }
    *within = true;
    return DUET_OK;
}

static void append(duet_knapsack *problem, const extension *e, size_t from, int64_t tasks)
{
    DUET_ASSERT(problem->count < problem->room);
    work_state next = problem->states[e->begin + from];
    next.work[0] += e->step[0] * tasks;
    next.work[1] += e->step[1] * tasks;
    problem->states[problem->count++] = next;
}

// With the same number of tasks leaving, states keep the order of the list that they come from. So
// there is a sorted list for each number, and these are merged two by two, back and forth between
// the end of the lists and the room behind them.
static void extend_by_merging(duet_knapsack *problem, const extension *e)
{
    size_t length[FEW + 1] = {0};
    size_t lists = (size_t)e->most + 1;
    for (size_t y = 0; y < lists; y++) {
        size_t before = problem->count;
        for (size_t i = 0; i < e->end - e->begin; i++) {
            const span *s = &problem->spans[i];
            if (s->least <= (int64_t)y && (int64_t)y <= s->most) {
                append(problem, e, i, (int64_t)y);
            }
        }
        length[y] = prune(problem->states + before, problem->count - before);
        problem->count = before + length[y];
    }
    work_state *from = problem->states + e->end;
    work_state *to = from + e->count;
    for (; lists > 1; lists = (lists + 1) / 2) {
        size_t read = 0;
        size_t written = 0;
        for (size_t i = 0; i < lists; i += 2) {
            size_t second = i + 1 < lists ? length[i + 1] : 0;
            size_t kept =
                merge(from + read, length[i], from + read + length[i], second, to + written);
            read += length[i] + second;
            length[i / 2] = kept;
            written += kept;
        }
        work_state *other = from;
        from = to;
        to = other;
    }
    memmove(problem->states + e->end, from, length[0] * sizeof *from);
    problem->count = e->end + length[0];
}

static void extend_by_sorting(duet_knapsack *problem, const extension *e)
{
    for (size_t i = 0; i < e->end - e->begin; i++) {
        for (int64_t y = problem->spans[i].least; y <= problem->spans[i].most; y++) {
            append(problem, e, i, y);
        }
    }
    work_state *list = problem->states + e->end;
    qsort(list, problem->count - e->end, sizeof *list, duet_knapsack_by_work);
    problem->count = e->end + prune(list, problem->count - e->end);
}

// The list after one more class. False in *within where there are too many states.
static duet_code extend(duet_knapsack *problem, size_t index, bool *within, duet_error *error)
{
    const free_class *f = &problem->free[index];
    extension e = {.f = f, .begin = problem->begin[index], .end = problem->count};
    e.step[f->cheaper] = -problem->classes->time[f->cheaper][f->class];
    e.step[1 - f->cheaper] = problem->classes->time[1 - f->cheaper][f->class];
    duet_code code = measure(problem, &e, within, error);
    if (code == DUET_OK && *within) {
        code = reserve(problem, 2 * e.count, error);
    }
    if (code != DUET_OK || !*within) {
        return code;
    }
    if (e.most <= FEW) {
        extend_by_merging(problem, &e);
    } else {
        extend_by_sorting(problem, &e);
    }
    problem->begin[index + 1] = e.end;
    DUET_ASSERT(is_undominated(problem->states + e.end, problem->count - e.end));
    return DUET_OK;
}

duet_code duet_knapsack_extend_all(duet_knapsack *problem, const work_state *root, bool *within,
                                   duet_error *error)
{
    *within = true;
    duet_code code = reserve(problem, 1, error);
    if (code != DUET_OK) {
        return code;
    }
    problem->states[problem->count++] = *root;
    for (size_t i = 0; i < problem->free_count && code == DUET_OK && *within; i++) {
        code = extend(problem, i, within, error);
        *within = *within && !(problem->context != NULL && duet_context_stop(problem->context));
    }
    enum { state = 10 }; // nanoseconds
    duet_count_work(state * (int64_t)problem->count);
    return code;
}
