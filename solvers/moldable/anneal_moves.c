// SPDX-License-Identifier: Apache-2.0
// Moves of the annealing of independent moldable tasks.
#include <string.h>

#include "core/number/minmax.h"
#include "solvers/moldable/anneal.h"

// A size on a type, or that of least area where it is longer than the due time.
static void set_within(const duet_anneal *a, int32_t task, size_t type, int64_t size)
{
    size = duet_moldable_near_size(a->instance, (size_t)a->kind[task], type, size);
    if (duet_moldable_time(a->instance, (size_t)a->kind[task], type, size) > a->due) {
        size = duet_anneal_least_size(a, task, type);
    }
    if (size > 0) {
        duet_anneal_set(a, &a->now.choice[task], task, type, size);
    }
}

// Another size near the one that a task has, or a size on another type.
static void resize(duet_anneal *a, int32_t task)
{
    const duet_moldable_choice *c = &a->now.choice[task];
    size_t kind = (size_t)a->kind[task];
    size_t type = (size_t)c->type;
    int64_t size = c->size;
    if (a->instance->types > 1 && duet_random_between(&a->random, 0, 3) == 0) {
        type = (size_t)duet_random_between(&a->random, 0, (int64_t)a->instance->types - 1);
        int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
        if (sizes == 0) {
            return;
        }
        int64_t most = duet_min(sizes, size + 2);
        set_within(a, task, type, duet_random_between(&a->random, 1, most));
        return;
    }
    int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
    set_within(a, task, type, duet_draw_near_size(&a->random, size, sizes));
}

static void move_to(int32_t *order, int64_t from, int64_t to)
{
    int32_t task = order[from];
    if (from < to) {
        memmove(order + from, order + from + 1, (size_t)(to - from) * sizeof *order);
    } else {
        memmove(order + to + 1, order + to, (size_t)(from - to) * sizeof *order);
    }
    order[to] = task;
}

static void apply_order(duet_moldable_choices *s, const duet_anneal_move *made, bool back)
{
    if (made->exchanges) {
        int32_t kept = s->order[made->from];
        s->order[made->from] = s->order[made->to];
        s->order[made->to] = kept;
    } else if (back) {
        move_to(s->order, made->to, made->from);
    } else {
        move_to(s->order, made->from, made->to);
    }
}

// The task that has a place in the order and one on another type, that of a random place: each goes
// to the type of the other, at the least area within the due time. False where they cannot.
static bool exchange_types(duet_anneal *a, duet_anneal_move *made)
{
    int32_t task = a->now.order[made->from];
    int32_t other = a->now.order[duet_random_between(&a->random, 0, a->tasks - 1)];
    duet_moldable_choice *one = &a->now.choice[task];
    duet_moldable_choice *two = &a->now.choice[other];
    if (one->type == two->type) {
        return false;
    }
    size_t type[] = {(size_t)two->type, (size_t)one->type};
    int64_t size[] = {duet_anneal_least_size(a, task, type[0]),
                      duet_anneal_least_size(a, other, type[1])};
    if (size[0] == 0 || size[1] == 0) {
        return false;
    }
    made->task = task;
    made->before = *one;
    made->other = other;
    made->other_before = *two;
    duet_anneal_set(a, one, task, type[0], size[0]);
    duet_anneal_set(a, two, other, type[1], size[1]);
    return true;
}

duet_anneal_move duet_anneal_propose(duet_anneal *a)
{
    duet_anneal_move made = {.task = -1, .other = -1};
    int64_t kind = duet_random_between(&a->random, 0, 9);
    made.from = duet_random_between(&a->random, 0, a->tasks - 1);
    made.to = made.from;
    bool exchanges = a->instance->types > 1 && duet_random_between(&a->random, 0, 2) == 0;
    if (exchanges && exchange_types(a, &made)) {
        return made;
    }
    if (kind < 6) {
        made.task = a->now.order[made.from];
        made.before = a->now.choice[made.task];
        resize(a, made.task);
    }
    if (kind >= 4) {
        made.to = duet_random_between(&a->random, 0, a->tasks - 1);
        made.exchanges = kind == 9;
        apply_order(&a->now, &made, false);
    }
    return made;
}

void duet_anneal_take_back(duet_anneal *a, const duet_anneal_move *made)
{
    apply_order(&a->now, made, true);
    if (made->task >= 0) {
        a->now.choice[made->task] = made->before;
    }
    if (made->other >= 0) {
        a->now.choice[made->other] = made->other_before;
    }
}
