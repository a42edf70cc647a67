// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of graphs of moldable tasks.
//
// Method:    a state is a type and a size for each task, and a topological order; its schedule
//            places the tasks in that order, each on the processors that are released last by the
//            time its data are there, or on a predecessor's (clusters.h). A move gives a task
//            another size or type, or another place in the order between its neighbours in the
//            graph. It begins with the schedule that is there.
// Cost:      O(tasks times processors + squares of the numbers of predecessors) at worst for a
//            move.
// Memory:    O(n + processors + sizes of the sets).
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#include <math.h>
#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/improve/cooling.h"
#include "heuristics/moldable/rows.h"
#include "solvers/moldable/choices.h"
#include "solvers/moldable/search.h"

typedef struct anneal {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    int32_t tasks;
    int32_t *kind; // of each task
    int64_t target;
    duet_random random;

    // States: tasks are placed in the order, predecessors first.
    duet_moldable_choices now, best;
    int32_t *at; // of each task, where it is in the order
    double now_cost;
    int64_t best_makespan;
    duet_clusters clusters;
} anneal;

// --- a schedule ----------------------------------------------------------------------------------

// Places all tasks. `*makespan` is one from `limit` on where it is no less than that.
static duet_code place_all(anneal *a, const duet_moldable_choices *s, int64_t limit,
                           int64_t *makespan, duet_error *error)
{
    *makespan = 0;
    duet_clusters_clear(&a->clusters);
    for (int32_t i = 0; i < a->tasks && *makespan < limit; i++) {
        int32_t task = s->order[i];
        const duet_moldable_choice *c = &s->choice[task];
        duet_trial trial = duet_clusters_try(&a->clusters, task, (size_t)c->type, c->size, c->time);
        DUET_TRY(duet_clusters_place(&a->clusters, task, &trial, error));
        *makespan = duet_max(trial.finish, *makespan);
    }
    return DUET_OK;
}

// What the annealing makes small: the makespan and, where that stays, the mean of the ends.
static double find_cost(const anneal *a, int64_t makespan)
{
    static const double share = 0.1;
    double sum = 0.0;
    for (int32_t j = 0; j < a->tasks; j++) {
        const duet_planned *task = &a->clusters.plan.task[j];
        sum += (double)(task->start + task->time);
    }
    return (double)makespan + share * sum / (double)a->tasks;
}

// --- moves ---------------------------------------------------------------------------------------

static void choose(const anneal *a, duet_moldable_choice *c, int32_t task, size_t type,
                   int64_t size)
{
    size = duet_moldable_near_size(a->instance, (size_t)a->kind[task], type, size);
    int64_t time = duet_moldable_time(a->instance, (size_t)a->kind[task], type, size);
    *c = (duet_moldable_choice){time, (int32_t)size, (int32_t)type};
}

// Another size near the one that a task has, or one of half to twice as many on another type.
static void resize(anneal *a, int32_t task)
{
    duet_moldable_choice *c = &a->now.choice[task];
    size_t kind = (size_t)a->kind[task];
    size_t type = (size_t)c->type;
    if (a->instance->types > 1 && duet_random_between(&a->random, 0, 3) == 0) {
        type = (size_t)duet_random_between(&a->random, 0, (int64_t)a->instance->types - 1);
        int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
        if (sizes == 0) {
            return;
        }
        int64_t low = duet_max(c->size / 2, 1);
        low = duet_min(low, sizes);
        int64_t high = duet_min((int64_t)2 * c->size, sizes);
        choose(a, c, task, type, duet_random_between(&a->random, low, high));
        return;
    }
    int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
    choose(a, c, task, type, duet_draw_near_size(&a->random, c->size, sizes));
}

static void move_to(anneal *a, int32_t from, int32_t to)
{
    int32_t *order = a->now.order;
    int32_t task = order[from];
    int32_t step = from < to ? 1 : -1;
    for (int32_t i = from; i != to; i += step) {
        order[i] = order[i + step];
        a->at[order[i]] = i;
    }
    order[to] = task;
    a->at[task] = to;
}

// A place in the order behind a task's predecessors and before its successors.
static int32_t draw_place(anneal *a, int32_t task)
{
    const duet_graph *graph = a->instance->graph;
    int32_t low = 0;
    int32_t high = a->tasks - 1;
    for (int64_t e = graph->enter_at[task]; e < graph->enter_at[task + 1]; e++) {
        int32_t before = a->at[graph->tail[graph->entering[e]]];
        low = duet_max(before + 1, low);
    }
    for (int64_t e = graph->leave_at[task]; e < graph->leave_at[task + 1]; e++) {
        int32_t behind = a->at[graph->head[graph->leaving[e]]];
        high = duet_min(behind - 1, high);
    }
    return (int32_t)duet_random_between(&a->random, low, high);
}

static duet_code try_move(anneal *a, double heat, duet_error *error)
{
    double allowed = duet_cooling_threshold(heat, &a->random) * (double)a->best_makespan;
    double limit = a->now_cost + allowed;
    int32_t from = (int32_t)duet_random_between(&a->random, 0, a->tasks - 1);
    int32_t task = a->now.order[from];
    int64_t kind = duet_random_between(&a->random, 0, 9);
    duet_moldable_choice before = a->now.choice[task];
    if (kind < 7) {
        resize(a, task);
    }
    int32_t to = kind >= 5 ? draw_place(a, task) : from;
    move_to(a, from, to);
    int64_t makespan = 0;
    int64_t useless = limit < 0x1p62 ? (int64_t)limit + 1 : INT64_MAX;
    duet_code code = place_all(a, &a->now, useless, &makespan, error);
    double cost = makespan < useless ? find_cost(a, makespan) : INFINITY; // all are placed
    if (code == DUET_OK && cost <= limit) {
        a->now_cost = cost;
        if (makespan < a->best_makespan) {
            a->best_makespan = makespan;
            duet_moldable_choices_copy(&a->best, &a->now, a->tasks);
        }
    } else {
        move_to(a, to, from);
        a->now.choice[task] = before;
    }
    return code;
}

// Cools from some part of the makespan to next to nothing. Looks at the clock before every `look`
// moves.
static duet_code cool(anneal *a, int64_t moves, int64_t look, duet_error *error)
{
    static const double hottest = 0.01;
    static const double coldest = 0.0001;
    const duet_cooling run = {hottest, coldest / hottest, moves, look};
    for (int64_t i = 0; a->best_makespan > a->target && duet_cooling_goes_on(&run, i, a->context);
         i++) {
        DUET_TRY(try_move(a, duet_cooling_of_move(&run, i), error));
    }
    return DUET_OK;
}

// --- from a schedule to a schedule -----------------------------------------------------------

// A task by its start.
typedef struct entry {
    int64_t start;
    int32_t place; // in topological order
    int32_t task;
} entry;

static int by_start(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    int order = duet_order(a->start, b->start);
    return order != 0 ? order : duet_order(a->place, b->place);
}

static duet_code take_solution(anneal *a, const duet_solution *solution, duet_error *error)
{
    entry *list = duet_alloc_raw((size_t)a->tasks, sizeof *list, error);
    int32_t *order = duet_graph_order(a->instance->graph, error);
    duet_code code = list == NULL || order == NULL ? DUET_E_MEMORY : DUET_OK;
    for (int32_t i = 0; i < a->tasks && code == DUET_OK; i++) {
        duet_processor_range one;
        int32_t task = order[i];
        duet_processor_set set = duet_solution_set(solution, task, &one);
        choose(a, &a->best.choice[task], task, (size_t)set.range[0].type, duet_set_size(set));
        list[i] = (entry){solution->placement[task].start, i, task};
    }
    if (code == DUET_OK) {
        qsort(list, (size_t)a->tasks, sizeof *list, by_start);
        for (int32_t i = 0; i < a->tasks; i++) {
            a->best.order[i] = list[i].task;
        }
    }
    duet_free(list);
    duet_free(order);
    return code;
}

static duet_code begin(anneal *a, duet_error *error)
{
    int64_t makespan;
    duet_moldable_choices_copy(&a->now, &a->best, a->tasks);
    for (int32_t i = 0; i < a->tasks; i++) {
        a->at[a->now.order[i]] = i;
    }
    DUET_TRY(place_all(a, &a->now, INT64_MAX, &makespan, error));
    a->now_cost = find_cost(a, makespan);
    a->best_makespan = duet_min(makespan, a->best_makespan);
    return DUET_OK;
}

static duet_code write_best(anneal *a, duet_solution *solution, duet_error *error)
{
    int64_t makespan;
    duet_code code = place_all(a, &a->best, INT64_MAX, &makespan, error);
    if (code == DUET_OK && makespan < solution->makespan) {
        code = duet_plan_write(&a->clusters.plan, solution, error);
        solution->makespan = code == DUET_OK ? makespan : solution->makespan;
    }
    return code;
}

static duet_code create(anneal *a, duet_error *error)
{
    size_t tasks = (size_t)a->tasks;
    a->kind = duet_kinds_of_tasks(a->instance, error);
    a->at = duet_alloc_raw(tasks, sizeof *a->at, error);
    duet_code code = duet_moldable_choices_create(tasks, &a->now, error);
    DUET_THEN(code, duet_moldable_choices_create(tasks, &a->best, error));
    DUET_THEN(code, duet_clusters_of_instance(a->instance, &a->clusters, error));
    return a->kind == NULL || a->at == NULL ? DUET_E_MEMORY : code;
}

// What a move looks at, about.
static double effort_of_move(const duet_instance *instance)
{
    const duet_graph *graph = instance->graph;
    double processors = 0.0;
    for (size_t t = 0; t < instance->types; t++) {
        processors += (double)instance->processors[t];
    }
    double pairs = 0.0; // a task that may stay on a predecessor's processors looks at the others
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        double before = (double)(graph->enter_at[j + 1] - graph->enter_at[j]);
        pairs += before * before;
    }
    return (double)duet_tasks(instance) * (100.0 + processors) + pairs;
}

duet_code duet_moldable_improve_graph(const duet_instance *instance, const duet_context *context,
                                      duet_solution *solution, duet_error *error)
{
    static const double effort = 1e9; // of a descent
    int64_t tasks = duet_tasks(instance);
    anneal a = {.instance = instance, .context = context, .tasks = (int32_t)tasks};
    a.target = duet_context_target(context, solution->lower_bound);
    a.best_makespan = solution->makespan;
    double moves = effort / effort_of_move(instance);
    if (tasks == 0 || tasks > DUET_ANNEAL_TASKS || moves < 100 || solution->makespan <= a.target) {
        return DUET_OK;
    }
    int64_t most = moves > 1e6 ? 1000000 : (int64_t)moves;
    duet_random_seed(&a.random, context->seed);
    duet_code code = create(&a, error);
    DUET_THEN(code, take_solution(&a, solution, error));
    do {
        DUET_THEN(code, begin(&a, error));
        code = code == DUET_OK ? cool(&a, most, moves < 1e4 ? 1 : 16, error) : code;
    } while (code == DUET_OK && context->deadline_ns != INT64_MAX && !duet_context_stop(context) &&
             a.best_makespan > a.target);
    DUET_THEN(code, write_best(&a, solution, error));
    duet_moldable_choices_free(&a.now);
    duet_moldable_choices_free(&a.best);
    duet_clusters_free(&a.clusters);
    duet_free(a.kind);
    duet_free(a.at);
    return code;
}
