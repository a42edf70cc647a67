// SPDX-License-Identifier: Apache-2.0
// The tasks that are left change their order, their types and their sizes around what is given.
//
// Method:    threshold accepting over topological orders. A move gives one task another type or
//            size, or another place in the order; the order is carried out (carry.h).
// Cost:      that of carry.h for a move.
// Memory:    O(tasks).
// Reference: Dueck, Scheuer, "Threshold accepting", J. Computational Physics 90(1), 1990.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"
#include "solvers/fixed/fixed.h"

enum { STEPS = 30, TRIES = 200, BARREN = 30 };

// --- the order of a schedule ---------------------------------------------------------------------

typedef struct plan {
    int32_t *order; // of tasks of the rest
    duet_fixed_choice *choice;
    duet_processor_range *own; // of a task: its one processor
} plan;

typedef struct ranked {
    int64_t start;
    int32_t rank; // in a topological order
    int32_t task;
} ranked;

static int by_start(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    return 2 * duet_order(a->start, b->start) + duet_order(a->rank, b->rank);
}

// Brings an order into one in which predecessors come first, with as few changes as that takes.
static void repair_order(const duet_fixed_model *m, ranked *list)
{
    const duet_graph *graph = m->rest->instance->graph;
    for (int64_t i = 0; graph != NULL && i < m->tasks; i++) {
        int32_t task = m->order[i];
        for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
            int32_t before = graph->tail[graph->entering[at]];
            list[task].start = duet_max(list[before].start, list[task].start);
        }
    }
}

// Tasks that the plan does not place come last, where they take least.
static void choose_freely(const duet_fixed_model *m, int64_t task, duet_fixed_choice *choice)
{
    const duet_instance *whole = m->whole;
    size_t kind = (size_t)m->kind[task];
    int64_t least = DUET_FORBIDDEN;
    *choice = (duet_fixed_choice){.size = 1};
    for (size_t t = 0; t < whole->types; t++) {
        int64_t sizes = m->first[t] < m->first[t + 1] ? duet_moldable_sizes(whole, kind, t) : 0;
        sizes = duet_min(sizes, (int64_t)(m->first[t + 1] - m->first[t]));
        for (int64_t q = 1; q <= sizes; q++) {
            int64_t time = duet_moldable_time(whole, kind, t, q);
            if (time < least) {
                least = time;
                choice->type = (int32_t)t;
                choice->size = q;
            }
        }
    }
}

// Whether the processors of a set are all there.
static bool is_there(const duet_fixed_model *m, duet_processor_set set)
{
    bool there = set.count > 0;
    for (size_t r = 0; r < set.count && there; r++) {
        for (int64_t n = set.range[r].first; n <= set.range[r].last && there; n++) {
            there = duet_fixed_find(m, (size_t)set.range[r].type, n) != SIZE_MAX;
        }
    }
    return there;
}

// The type and the size that a task of a plan has, and its processors, as far as they are there.
static void choose_as_planned(const duet_fixed_model *m, int64_t task, duet_processor_set set,
                              duet_fixed_choice *choice)
{
    size_t kind = (size_t)m->kind[task];
    size_t type = (size_t)set.range[0].type;
    int64_t size = duet_set_size(set);
    choose_freely(m, task, choice);
    if (is_there(m, set)) {
        *choice = (duet_fixed_choice){(int32_t)type, size, set};
    } else if (!duet_set_is_mixed(set) && size <= (int64_t)(m->first[type + 1] - m->first[type]) &&
               size <= duet_moldable_sizes(m->whole, kind, type) &&
               duet_moldable_time(m->whole, kind, type, size) != DUET_FORBIDDEN) {
        *choice = (duet_fixed_choice){.type = (int32_t)type, .size = size};
    }
}

static duet_code take_plan(const duet_fixed_model *m, const duet_solution *from, plan *to,
                           duet_error *error)
{
    ranked *list = duet_alloc((size_t)m->tasks, sizeof *list, error);
    DUET_NEED(list);
    size_t at = 0;
    for (int64_t i = 0; i < m->tasks; i++) {
        list[m->order[i]].rank = (int32_t)i;
    }
    for (int64_t i = 0; i < m->tasks; i++) {
        int64_t j = m->rest->task[i];
        duet_placement placed = duet_solution_place(from, j, &at);
        bool allowed =
            placed.type >= 0 && duet_allowed(m->whole, (size_t)m->kind[i], (size_t)placed.type);
        list[i].task = (int32_t)i;
        list[i].start = placed.type < 0 ? DUET_FORBIDDEN : placed.start;
        to->own[i] = (duet_processor_range){placed.type, placed.processor, placed.processor};
        if (allowed) {
            duet_processor_set set = from->set_at == NULL ? (duet_processor_set){&to->own[i], 1}
                                                          : duet_solution_set(from, j, &to->own[i]);
            choose_as_planned(m, i, set, &to->choice[i]);
        } else {
            choose_freely(m, i, &to->choice[i]);
        }
    }
    repair_order(m, list);
    if (m->tasks > 0) {
        qsort(list, (size_t)m->tasks, sizeof *list, by_start);
    }
    for (int64_t i = 0; i < m->tasks; i++) {
        to->order[i] = list[i].task;
    }
    duet_free(list);
    return DUET_OK;
}

static duet_code plan_create(const duet_fixed_model *m, plan *out, duet_arena *arena,
                             duet_error *error)
{
    size_t tasks = (size_t)m->tasks;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(out->order, tasks),
                                       DUET_ARENA_ARRAY(out->choice, tasks),
                                       DUET_ARENA_ARRAY(out->own, tasks)};
    return duet_arena_create(arena, arrays, sizeof arrays / sizeof *arrays, error);
}

duet_code duet_fixed_carry_on(duet_carry *carry, const duet_solution *from, duet_carry_way way,
                              duet_solution *solution, bool *found, duet_error *error)
{
    duet_arena arena;
    plan p;
    int64_t makespan = DUET_FORBIDDEN;
    int64_t limit = *found ? solution->makespan : DUET_FORBIDDEN;
    duet_code code = plan_create(carry->m, &p, &arena, error);
    DUET_THEN(code, take_plan(carry->m, from, &p, error));
    DUET_THEN(code, duet_carry_out(carry, p.order, p.choice, way, limit, &makespan));
    if (code == DUET_OK && makespan < limit) {
        code = duet_carry_write(carry, solution, error);
        solution->makespan = makespan;
        *found = code == DUET_OK;
    }
    duet_arena_free(&arena);
    return code;
}

// --- the search ----------------------------------------------------------------------------------

typedef struct search {
    const duet_fixed_model *m;
    duet_carry *carry;
    duet_watch watch;
    duet_random random;
    duet_arena arena_now, arena_best;
    plan now, best;
    int64_t shortest; // makespan so far
    int64_t cost;     // units of work of a move
} search;

static size_t draw(search *s, size_t count)
{
    return (size_t)duet_random_between(&s->random, 0, (int64_t)count - 1);
}

static bool is_edge(const search *s, int32_t from, int32_t to)
{
    const duet_graph *graph = s->m->rest->instance->graph;
    bool found = false;
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[to];
         graph != NULL && at < graph->enter_at[to + 1] && !found; at++) {
        found = graph->tail[graph->entering[at]] == from;
    }
    return found;
}

// Moves the task at a place towards another one; as far as edges let it where it is `bound` to
// them. Returns where it came to.
static size_t shift(search *s, size_t at, size_t to, bool bound)
{
    int32_t *order = s->now.order;
    int32_t task = order[at];
    while (at > to && !(bound && is_edge(s, order[at - 1], task))) {
        order[at] = order[at - 1];
        order[--at] = task;
    }
    while (at < to && !(bound && is_edge(s, task, order[at + 1]))) {
        order[at] = order[at + 1];
        order[++at] = task;
    }
    return at;
}

// Another type or size of a task; false: it has none, or the drawn one is none.
static bool draw_choice(search *s, int32_t task, duet_fixed_choice *choice)
{
    const duet_fixed_model *m = s->m;
    size_t kind = (size_t)m->kind[task];
    size_t type = draw(s, m->whole->types);
    int64_t count = (int64_t)(m->first[type + 1] - m->first[type]);
    int64_t sizes = count == 0 ? 0 : duet_moldable_sizes(m->whole, kind, type);
    sizes = duet_min(sizes, count);
    if (sizes == 0 || m->whole->mixed_sets) {
        return false;
    }
    int64_t size = 1 + (int64_t)draw(s, (size_t)sizes);
    bool same = choice->type == (int32_t)type && choice->size == size;
    *choice = (duet_fixed_choice){.type = (int32_t)type, .size = size};
    return !same && duet_moldable_time(m->whole, kind, type, size) != DUET_FORBIDDEN;
}

static void keep_plan(const search *s, const plan *from, plan *to)
{
    memcpy(to->order, from->order, (size_t)s->m->tasks * sizeof *to->order);
    memcpy(to->choice, from->choice, (size_t)s->m->tasks * sizeof *to->choice);
}

static duet_code move(search *s, int64_t threshold, int64_t *makespan)
{
    size_t tasks = (size_t)s->m->tasks;
    size_t at = draw(s, tasks);
    int32_t task = s->now.order[at];
    duet_fixed_choice before = s->now.choice[task];
    duet_fixed_choice drawn = before;
    size_t to = at;
    if (draw(s, 3) == 0 && draw_choice(s, task, &drawn)) {
        s->now.choice[task] = drawn;
    } else {
        to = shift(s, at, draw(s, tasks), true);
    }
    int64_t limit = *makespan + (threshold > 0 ? duet_random_between(&s->random, 0, threshold) : 0);
    int64_t found;
    DUET_TRY(
        duet_carry_out(s->carry, s->now.order, s->now.choice, DUET_CARRY_TYPES, limit, &found));
    if (found > limit) {
        s->now.choice[task] = before;
        (void)shift(s, to, at, false);
        return DUET_OK;
    }
    *makespan = found;
    if (found < s->shortest) {
        s->shortest = found;
        keep_plan(s, &s->now, &s->best);
    }
    return DUET_OK;
}

static duet_code cool(search *s, int64_t target)
{
    int64_t makespan;
    keep_plan(s, &s->best, &s->now);
    DUET_TRY(duet_carry_out(s->carry, s->now.order, s->now.choice, DUET_CARRY_TYPES, DUET_FORBIDDEN,
                            &makespan));
    s->shortest = duet_min(makespan, s->shortest);
    makespan = makespan == DUET_FORBIDDEN ? s->shortest : makespan;
    int64_t moves = TRIES + 4 * s->m->tasks;
    for (int64_t step = STEPS; step >= 0; step--) {
        int64_t threshold = (s->shortest - s->m->rest->origin) / 20 * step / STEPS * step / STEPS;
        for (int64_t i = 0; i < moves && s->shortest > target; i++) {
            if (duet_watch_spend(&s->watch, s->cost)) {
                return DUET_OK;
            }
            DUET_TRY(move(s, threshold, &makespan));
        }
    }
    return DUET_OK;
}

static duet_code run(search *s, int64_t rounds, int64_t target)
{
    int64_t barren = 0; // rounds in a row
    for (int64_t i = 0; s->m->tasks > 0 && s->shortest > target && !s->watch.stopped &&
                        barren < BARREN && (rounds == 0 || i < rounds);
         i++) {
        int64_t before = s->shortest;
        DUET_TRY(cool(s, target));
        barren = s->shortest < before ? 0 : barren + 1;
    }
    return DUET_OK;
}

duet_code duet_fixed_search(const duet_fixed_model *model, duet_carry *carry,
                            const duet_context *context, int64_t rounds, int64_t target,
                            duet_solution *solution, duet_error *error)
{
    search s = {.m = model,
                .carry = carry,
                .watch = {.context = context},
                .shortest = solution->makespan,
                .cost = model->tasks * (30 + 6 * (int64_t)model->processors)};
    duet_random_seed(&s.random, context->seed);
    duet_code code = plan_create(model, &s.now, &s.arena_now, error);
    s.arena_best = (duet_arena){NULL};
    DUET_THEN(code, plan_create(model, &s.best, &s.arena_best, error));
    DUET_THEN(code, take_plan(model, solution, &s.best, error));
    DUET_THEN(code, run(&s, rounds, target));
    if (code == DUET_OK && s.shortest < solution->makespan) {
        int64_t makespan;
        code = duet_carry_out(carry, s.best.order, s.best.choice, DUET_CARRY_TYPES, DUET_FORBIDDEN,
                              &makespan);
        DUET_THEN(code, duet_carry_write(carry, solution, error));
        solution->makespan = makespan;
    }
    duet_arena_free(&s.arena_now);
    duet_arena_free(&s.arena_best);
    return code;
}
