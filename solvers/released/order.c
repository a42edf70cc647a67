// SPDX-License-Identifier: Apache-2.0
// The tasks of a graph, with releases and busy processors, change their order and their types.
//
// Method:    threshold accepting over topological orders and types. An order is placed task by
//            task, each on the processor of its type where it starts first, behind what is there. A
//            move gives one task another type or another place in the order.
// Cost:      O((tasks + edges) processors of a type) for a move.
// Memory:    O(tasks + processors).
// Reference: Dueck, Scheuer, "Threshold accepting", J. Computational Physics 90(1), 1990.
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"
#include "solvers/released/model.h"

enum { STEPS = 30, TRIES = 300 };

typedef struct plan {
    int32_t *order; // of tasks
    int32_t *type;  // of a task
} plan;

typedef struct ordering {
    duet_arena arena; // It holds the arrays.
    const duet_released_model *m;
    duet_watch watch;
    duet_random random;
    plan now, best;
    int32_t *place;   // of a task in the order
    int64_t *free_at; // of a processor
    int64_t *start;   // of a task
    int64_t *end;
    int32_t *on;
    int64_t shortest; // makespan so far
} ordering;

static int64_t arrival(const ordering *o, int32_t task, size_t type, size_t processor)
{
    const duet_graph *graph = o->m->graph;
    int64_t latest = o->m->release[task];
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int32_t before = graph->tail[edge];
        bool here = o->on[before] == (int32_t)processor;
        int64_t cost =
            here || graph->transfer == NULL
                ? 0
                : duet_graph_cost(graph, edge, (size_t)o->m->processor[o->on[before]].type, type);
        latest = duet_max(o->end[before] + cost, latest);
    }
    return latest;
}

static void place_task(ordering *o, int32_t task, size_t type)
{
    const duet_released_model *m = o->m;
    int64_t best = INT64_MAX;
    size_t chosen = m->first[type];
    bool costs = m->graph->transfer != NULL;
    int64_t there = costs ? 0 : arrival(o, task, type, SIZE_MAX);
    for (size_t p = m->first[type]; p < m->first[type + 1]; p++) {
        int64_t data = costs ? arrival(o, task, type, p) : there;
        int64_t start = duet_max(o->free_at[p], data);
        // Of those where it starts as early the one that waits the least.
        bool later = start == best && o->free_at[p] > o->free_at[chosen];
        if (start < best || later) {
            best = start;
            chosen = p;
        }
    }
    o->on[task] = (int32_t)chosen;
    o->start[task] = best;
    o->end[task] = best + duet_time(m->instance, (size_t)m->kind[task], type);
    o->free_at[chosen] = o->end[task];
}

// The makespan of a plan; beyond `limit` any number that is.
static int64_t place_all(ordering *o, const plan *of, int64_t limit)
{
    const duet_released_model *m = o->m;
    int64_t makespan = 0;
    for (size_t p = 0; p < m->processors; p++) {
        o->free_at[p] = m->processor[p].from;
    }
    for (size_t i = 0; i < m->tasks && makespan <= limit; i++) {
        int32_t task = of->order[i];
        place_task(o, task, (size_t)of->type[task]);
        makespan = duet_max(o->end[task] + m->tail[task], makespan);
    }
    return makespan;
}

static size_t draw(ordering *o, size_t count)
{
    return (size_t)duet_random_between(&o->random, 0, (int64_t)count - 1);
}

static bool is_edge(const ordering *o, int32_t from, int32_t to)
{
    const duet_graph *graph = o->m->graph;
    bool found = false;
    for (int64_t at = graph->enter_at[to]; at < graph->enter_at[to + 1] && !found; at++) {
        found = graph->tail[graph->entering[at]] == from;
    }
    return found;
}

// Moves the task at place `at` towards place `to`, as far as edges let it. Returns where it came
// to.
static size_t shift(ordering *o, size_t at, size_t to)
{
    int32_t *order = o->now.order;
    int32_t task = order[at];
    while (at > to && !is_edge(o, order[at - 1], task)) {
        order[at] = order[at - 1];
        order[--at] = task;
    }
    while (at < to && !is_edge(o, task, order[at + 1])) {
        order[at] = order[at + 1];
        order[++at] = task;
    }
    return at;
}

// Puts the task at a place back to another one, whatever edges there are between.
static void shift_back(ordering *o, size_t at, size_t to)
{
    int32_t *order = o->now.order;
    int32_t task = order[at];
    while (at > to) {
        order[at] = order[at - 1];
        order[--at] = task;
    }
    while (at < to) {
        order[at] = order[at + 1];
        order[++at] = task;
    }
}

static void keep(const ordering *o, const plan *from, plan *to)
{
    memcpy(to->order, from->order, o->m->tasks * sizeof *to->order);
    memcpy(to->type, from->type, o->m->tasks * sizeof *to->type);
}

static void move(ordering *o, int64_t threshold, int64_t *makespan)
{
    size_t at = draw(o, o->m->tasks);
    int32_t task = o->now.order[at];
    int32_t type = o->now.type[task];
    size_t types = o->m->instance->types;
    size_t to = at;
    int32_t other = (int32_t)draw(o, types);
    bool types_change = draw(o, 3) == 0 && other != type &&
                        duet_allowed(o->m->instance, (size_t)o->m->kind[task], (size_t)other);
    if (types_change) {
        o->now.type[task] = other;
    } else {
        to = shift(o, at, draw(o, o->m->tasks));
    }
    int64_t limit = *makespan + (threshold > 0 ? duet_random_between(&o->random, 0, threshold) : 0);
    int64_t found = place_all(o, &o->now, limit);
    if (found > limit) {
        o->now.type[task] = type;
        shift_back(o, to, at);
        return;
    }
    *makespan = found;
    if (found < o->shortest) {
        o->shortest = found;
        keep(o, &o->now, &o->best);
    }
}

static void cool(ordering *o, int64_t target)
{
    keep(o, &o->best, &o->now);
    int64_t makespan = place_all(o, &o->now, INT64_MAX);
    o->shortest = duet_min(makespan, o->shortest);
    int64_t moves = TRIES + 4 * (int64_t)o->m->tasks;
    int64_t cost = (int64_t)o->m->tasks * (20 + 5 * (int64_t)o->m->processors);
    for (int64_t step = STEPS; step >= 0; step--) {
        int64_t threshold = (o->shortest - o->m->begin) / 20 * step / STEPS * step / STEPS;
        for (int64_t i = 0; i < moves && o->shortest > target; i++) {
            if (duet_watch_spend(&o->watch, cost)) {
                return;
            }
            move(o, threshold, &makespan);
        }
    }
}

// The order of starts, of those that start together as the graph has them.
static duet_code take_solution(ordering *o, const duet_solution *solution, duet_error *error)
{
    size_t tasks = o->m->tasks;
    size_t at = 0;
    int64_t *start = duet_alloc(tasks, sizeof *start, error);
    DUET_NEED(start);
    for (size_t j = 0; j < tasks; j++) {
        duet_placement placed = duet_solution_place(solution, (int64_t)j, &at);
        o->best.type[j] = placed.type;
        start[j] = placed.start;
    }
    for (size_t i = 0; i < tasks; i++) {
        int32_t task = o->m->order[i];
        size_t to = i;
        for (; to > 0 && start[o->best.order[to - 1]] > start[task]; to--) {
            o->best.order[to] = o->best.order[to - 1];
        }
        o->best.order[to] = task;
    }
    duet_free(start);
    return DUET_OK;
}

static duet_code write_best(ordering *o, duet_solution *solution, duet_error *error)
{
    const duet_released_model *m = o->m;
    DUET_TRY(duet_solution_hold_placements(solution, error));
    (void)place_all(o, &o->best, INT64_MAX);
    for (size_t j = 0; j < m->tasks; j++) {
        const duet_released_processor *p = &m->processor[o->on[j]];
        solution->placement[j] = (duet_placement){o->start[j], p->number, p->type};
    }
    solution->makespan = o->shortest;
    return DUET_OK;
}

duet_code duet_released_order(const duet_released_model *model, const duet_context *context,
                              const duet_released_effort *effort, duet_solution *solution,
                              duet_error *error)
{
    int64_t rounds = effort->rounds;
    int64_t target = effort->target;
    ordering o = {.m = model, .watch = {.context = context}, .shortest = solution->makespan};
    size_t tasks = model->tasks;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(o.now.order, tasks),  DUET_ARENA_ARRAY(o.now.type, tasks),
        DUET_ARENA_ARRAY(o.best.order, tasks), DUET_ARENA_ARRAY(o.best.type, tasks),
        DUET_ARENA_ARRAY(o.place, tasks),      DUET_ARENA_ARRAY(o.free_at, model->processors),
        DUET_ARENA_ARRAY(o.start, tasks),      DUET_ARENA_ARRAY(o.end, tasks),
        DUET_ARENA_ARRAY(o.on, tasks)};
    duet_random_seed(&o.random, context->seed + (uint64_t)effort->pass);
    duet_code code = duet_arena_create(&o.arena, arrays, sizeof arrays / sizeof *arrays, error);
    DUET_THEN(code, take_solution(&o, solution, error));
    int64_t barren = 0; // rounds in a row
    for (int64_t i = 0; code == DUET_OK && tasks > 0 && o.shortest > target && !o.watch.stopped &&
                        barren < DUET_RELEASED_BARREN && (rounds == 0 || i < rounds);
         i++) {
        int64_t before = o.shortest;
        cool(&o, target);
        barren = o.shortest < before ? 0 : barren + 1;
    }
    if (code == DUET_OK && o.shortest < solution->makespan) {
        code = write_best(&o, solution, error);
    }
    duet_arena_free(&o.arena);
    return code;
}
