// SPDX-License-Identifier: Apache-2.0
#include "heuristics/rules/balanced.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"

// 2M/(M+1) (1 + 1/(m+k)), M = max(m, k): always below 2, and 2 where its terms grow too large.
bool duet_balanced_ratio(size_t types, const int64_t *counts, const duet_options *options,
                         duet_ratio *ratio)
{
    static const int64_t largest = INT64_C(1) << 29;
    if (duet_ratio_lpt(types, counts, options, ratio)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t sum = counts[0] + counts[1];
    int64_t many = duet_max(counts[0], counts[1]);
    *ratio = many > largest ? (duet_ratio){2, 0, 0, 1}
                            : (duet_ratio){2 * many * (sum + 1), 0, 0, (many + 1) * sum};
    return true;
}

// Whether the work per processor of `type` is more than that of the other.
static bool is_later(const duet_instance *instance, const int64_t *work, size_t type)
{
    return (duet_int128)work[type] * instance->processors[1 - type] >
           (duet_int128)work[1 - type] * instance->processors[type];
}

// All tasks on their faster type, GPU where they take the same time.
static void start(duet_balanced *b)
{
    const duet_instance *instance = b->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type = duet_allocate_quickest(instance, i);
        b->work[type] += duet_time(instance, i, type) * duet_count(instance, i);
    }
    bool no_gpus = instance->processors[DUET_GPU] == 0;
    b->from = no_gpus || is_later(instance, b->work, DUET_CPU) ? DUET_CPU : DUET_GPU;
    b->to = 1 - b->from;
}

// Orders the kinds that may move, least loss first; at equal loss in the order of their
// acceleration.
static void order_kinds(duet_balanced *b, const duet_acceleration_order *order)
{
    const duet_instance *instance = b->instance;
    for (size_t step = 0; step < order->count; step++) {
        size_t at = b->from == DUET_CPU ? step : order->count - 1 - step;
        size_t kind = order->items[at].kind;
        size_t type = duet_allocate_quickest(instance, kind);
        if (type == b->from && duet_allowed(instance, kind, b->to)) {
            b->movable[b->count++] = kind;
        } else {
            b->fixed_longest[type] =
                duet_max(b->fixed_longest[type], duet_time(instance, kind, type));
        }
    }
    for (size_t at = b->count; at-- > 0;) {
        b->stay_longest[at] =
            duet_max(b->stay_longest[at + 1], duet_time(instance, b->movable[at], b->from));
        b->returned[at] = SIZE_MAX;
    }
}

duet_code duet_balanced_create(const duet_instance *instance, duet_balanced *balanced,
                               duet_error *error)
{
    size_t kinds = instance->kinds;
    *balanced = (duet_balanced){.instance = instance, .limit = INT64_MAX};
    balanced->movable = duet_alloc(kinds, sizeof *balanced->movable, error);
    balanced->returned = duet_alloc(kinds, sizeof *balanced->returned, error);
    balanced->stay_longest = duet_alloc(kinds + 1, sizeof *balanced->stay_longest, error);
    balanced->heap = duet_alloc(kinds, sizeof *balanced->heap, error);
    DUET_NEED(balanced->movable != NULL && balanced->returned != NULL &&
              balanced->stay_longest != NULL && balanced->heap != NULL);
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    start(balanced);
    order_kinds(balanced, &order);
    duet_acceleration_order_free(&order);
    return DUET_OK;
}

void duet_balanced_free(duet_balanced *balanced)
{
    duet_free(balanced->movable);
    duet_free(balanced->returned);
    duet_free(balanced->stay_longest);
    duet_free(balanced->heap);
    *balanced = (duet_balanced){.count = 0};
}

static int64_t time_there(const duet_balanced *b, size_t at)
{
    return duet_time(b->instance, b->movable[at], b->to);
}

static int64_t time_here(const duet_balanced *b, size_t at)
{
    return duet_time(b->instance, b->movable[at], b->from);
}

// Longer first, then earlier in the order.
static bool above(const duet_balanced *b, size_t at, size_t other)
{
    int64_t time = time_there(b, at);
    int64_t against = time_there(b, other);
    return time != against ? time > against : at < other;
}

DUET_HEAP(moved, size_t, duet_balanced, above)

// How many tasks of a movable kind are moved now.
static int64_t tasks_there(const duet_balanced *b, size_t at)
{
    if (at > b->now.moved || b->returned[at] != SIZE_MAX) {
        return 0;
    }
    return at == b->now.moved ? b->now.part : duet_count(b->instance, b->movable[at]);
}

static int64_t longest_here(const duet_balanced *b)
{
    int64_t longest = duet_max(b->fixed_longest[b->from], b->back_longest);
    // The next kind is here unless all of it is there: then `moved` is past it.
    longest = duet_max(longest, b->stay_longest[b->now.moved]);
    return b->now.undo ? duet_max(longest, time_here(b, b->now.last)) : longest;
}

static int64_t longest_there(const duet_balanced *b)
{
    int64_t longest = b->fixed_longest[b->to];
    if (b->heaped == 0) {
        return longest;
    }
    size_t top = b->heap[0];
    if (!b->now.undo || top != b->now.last || tasks_there(b, top) > 1) {
        return duet_max(longest, time_there(b, top));
    }
    for (size_t child = 1; child < 3 && child < b->heaped; child++) {
        longest = duet_max(longest, time_there(b, b->heap[child]));
    }
    return longest;
}

// The largest of: work over processors on each type, the longest task on each.
static duet_fraction estimate(const duet_balanced *b)
{
    int64_t work[2] = {b->work[0], b->work[1]};
    if (b->now.undo) {
        work[b->from] += time_here(b, b->now.last);
        work[b->to] -= time_there(b, b->now.last);
    }
    duet_fraction most = {(uint64_t)duet_max(longest_here(b), longest_there(b)), 1};
    for (size_t t = 0; t < 2; t++) {
        duet_fraction mean = {(uint64_t)work[t], (uint64_t)b->instance->processors[t]};
        if (mean.den > 0 && duet_fraction_compare(mean, most) > 0) {
            most = mean;
        }
    }
    return most;
}

typedef struct visitor {
    duet_balanced_visit *visit;
    void *user;
} visitor;

static duet_code show(duet_balanced *b, const visitor *to, bool undo, duet_error *error)
{
    b->now.undo = undo;
    b->now.estimate = estimate(b);
    duet_code code = to->visit(to->user, &b->now, error);
    b->now.undo = false;
    return code;
}

// Moves tasks of the next kind.
static void move(duet_balanced *b, int64_t tasks)
{
    size_t at = b->now.moved;
    DUET_ASSERT(tasks > 0 && b->now.part + tasks <= duet_count(b->instance, b->movable[at]));
    if (b->now.part == 0) {
        moved_push(b, b->heap, &b->heaped, at);
    }
    b->work[b->from] -= tasks * time_here(b, at);
    b->work[b->to] += tasks * time_there(b, at);
    b->now.part += tasks;
    b->now.last = at;
    if (b->now.part == duet_count(b->instance, b->movable[at])) {
        b->now.moved++;
        b->now.part = 0;
    }
}

// How many tasks of the next kind it takes until the other type is the later one; all that are left
// where they are too few.
static int64_t needed(const duet_balanced *b)
{
    const int64_t *processors = b->instance->processors;
    size_t at = b->now.moved;
    int64_t left = duet_count(b->instance, b->movable[at]) - b->now.part;
    duet_int128 gap = (duet_int128)b->work[b->from] * processors[b->to] -
                      (duet_int128)b->work[b->to] * processors[b->from];
    duet_int128 step = (duet_int128)time_there(b, at) * processors[b->from] +
                       (duet_int128)time_here(b, at) * processors[b->to];
    return step == 0 || gap / step >= left ? left : (int64_t)(gap / step) + 1;
}

// Moves tasks of the next kind until the other type is the later one. Of the allocations on the way
// the estimate is least at the last one before that, or at the first one after.
static duet_code advance(duet_balanced *b, const visitor *to, duet_error *error)
{
    int64_t tasks = needed(b);
    duet_code code = DUET_OK;
    if (tasks > 1) {
        move(b, tasks - 1);
        code = show(b, to, false, error);
    }
    move(b, 1);
    return code == DUET_OK ? show(b, to, false, error) : code;
}

// A movable kind that has moved, whole or in part, goes back.
static void bring_back(duet_balanced *b, size_t at)
{
    int64_t tasks = tasks_there(b, at);
    DUET_ASSERT(b->returned[at] == SIZE_MAX);
    b->work[b->from] += tasks * time_here(b, at);
    b->work[b->to] -= tasks * time_there(b, at);
    b->back_longest = duet_max(b->back_longest, time_here(b, at));
    b->returned[at] = b->now.returns;
}

// Passes over kinds whose tasks are as long as one that went back: they stay where they are.
static void skip(duet_balanced *b)
{
    for (; b->now.moved < b->count && time_there(b, b->now.moved) >= b->limit; b->now.moved++) {
        size_t at = b->now.moved;
        b->back_longest = duet_max(b->back_longest, time_here(b, at));
        if (b->returned[at] == SIZE_MAX) {
            b->returned[at] = 0; // as if it had gone back before all others
        }
        b->now.part = 0;
    }
}

// The longest tasks that have moved go back, all of that length.
static duet_code give_back(duet_balanced *b, const visitor *to, duet_error *error)
{
    b->limit = time_there(b, b->heap[0]);
    while (b->heaped > 0 && time_there(b, b->heap[0]) == b->limit) {
        bring_back(b, moved_pop(b, b->heap, &b->heaped));
    }
    b->now.returns++;
    skip(b);
    duet_code code = show(b, to, false, error);
    bool later = is_later(b->instance, b->work, b->to);
    if (code == DUET_OK && later && tasks_there(b, b->now.last) > 0) {
        code = show(b, to, true, error);
    }
    return code;
}

duet_code duet_balanced_sweep(duet_balanced *balanced, duet_balanced_visit *visit, void *user,
                              duet_error *error)
{
    visitor to = {visit, user};
    duet_code code = show(balanced, &to, false, error);
    while (code == DUET_OK) {
        skip(balanced);
        bool later = is_later(balanced->instance, balanced->work, balanced->to);
        if (balanced->now.moved < balanced->count && !later) {
            code = advance(balanced, &to, error);
        } else if (balanced->heaped > 0) {
            code = give_back(balanced, &to, error);
        } else {
            break;
        }
    }
    return code;
}

void duet_balanced_allocate(const duet_balanced *balanced, const duet_balanced_state *state,
                            duet_allocation *allocation)
{
    const duet_instance *instance = balanced->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type = duet_allocate_quickest(instance, i);
        allocation->share[2 * i + type] = duet_count(instance, i);
        allocation->share[2 * i + 1 - type] = 0;
    }
    for (size_t at = 0; at < balanced->count; at++) {
        size_t kind = balanced->movable[at];
        int64_t there = at < state->moved ? duet_count(instance, kind) : 0;
        there = at == state->moved ? state->part : there;
        there = balanced->returned[at] < state->returns ? 0 : there;
        there -= state->undo && at == state->last;
        allocation->share[2 * kind + balanced->to] = there;
        allocation->share[2 * kind + balanced->from] = duet_count(instance, kind) - there;
    }
}
