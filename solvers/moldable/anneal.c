// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of independent moldable tasks.
//
// Method:    a state is a type and a size for each task, and an order; its schedule starts,
// whenever
//            tasks end, the first ones of the order that fit. A move gives a task another size or
//            type, or another place in the order, or exchanges two, in the order or between types.
//            It begins with the schedule that is there and with the least areas within guesses
//            from the bound on, at the bound's prices of the types, longest first.
// Cost:      O(n^2) for a move at worst, mostly O(n log n).
// Memory:    O(n).
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/time_table.h"
#include "heuristics/moldable/rigid_list.h"
#include "solvers/moldable/search.h"

// What a task is in a state.
typedef struct choice {
    int64_t time;
    int32_t size;
    int32_t type;
} choice;

typedef struct state {
    choice *choice; // of each task
    int32_t *order; // tasks
} state;

typedef struct running {
    int64_t end;
    int32_t type;
    int32_t size;
} running;

static bool ends_earlier(const void *unused, running a, running b)
{
    (void)unused;
    return a.end < b.end;
}
DUET_HEAP(ends, running, void, ends_earlier)

// What a state is worth: its makespan, and the mean time at which processors are released for good
// or, earlier ones, the last task starts.
typedef struct worth {
    int64_t makespan;
    double mean;
} worth;

typedef struct anneal {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    int32_t tasks;
    int32_t *kind;  // of each task
    bool *monotone; // of each kind
    int64_t target;
    duet_int128 price[DUET_MAX_TYPES]; // of area on each type
    duet_random random;

    // States.
    state now, best;
    worth now_worth;
    int64_t best_makespan;

    // Workspace of a schedule.
    running *run;
    int32_t *waiting;
    int64_t idle[DUET_MAX_TYPES];
} anneal;

static duet_code create_state(state *s, size_t tasks, duet_error *error)
{
    s->choice = duet_alloc_raw(tasks, sizeof *s->choice, error);
    s->order = duet_alloc_raw(tasks, sizeof *s->order, error);
    return s->choice == NULL || s->order == NULL ? DUET_E_MEMORY : DUET_OK;
}

static void free_state(state *s)
{
    duet_free(s->choice);
    duet_free(s->order);
}

static void copy_state(state *to, const state *from, int32_t tasks)
{
    memcpy(to->choice, from->choice, (size_t)tasks * sizeof *to->choice);
    memcpy(to->order, from->order, (size_t)tasks * sizeof *to->order);
}

// Starts what fits, in order. Returns how many still wait.
static int32_t start_waiting(anneal *a, const state *s, int64_t now, int32_t waiting, size_t *runs)
{
    int32_t kept = 0;
    int64_t idle = 0; // of all types
    for (size_t t = 0; t < a->instance->types; t++) {
        idle += a->idle[t];
    }
    int32_t at = 0;
    for (; at < waiting && idle > 0; at++) {
        const choice *c = &s->choice[a->waiting[at]];
        if (c->size <= a->idle[c->type]) {
            a->idle[c->type] -= c->size;
            idle -= c->size;
            ends_push(NULL, a->run, runs, (running){now + c->time, c->type, c->size});
        } else {
            a->waiting[kept++] = a->waiting[at];
        }
    }
    memmove(a->waiting + kept, a->waiting + at, (size_t)(waiting - at) * sizeof *a->waiting);
    return kept + waiting - at;
}

// Of a schedule whose last task starts `now`.
static worth find_worth(const anneal *a, int64_t now, size_t runs)
{
    double sum = 0.0;
    double processors = 0.0;
    int64_t makespan = now;
    for (size_t t = 0; t < a->instance->types; t++) {
        sum += (double)a->idle[t] * (double)now;
        processors += (double)a->instance->processors[t];
    }
    for (size_t i = 0; i < runs; i++) {
        makespan = a->run[i].end > makespan ? a->run[i].end : makespan;
        sum += (double)a->run[i].size * (double)a->run[i].end;
    }
    return (worth){makespan, sum / processors};
}

// The worth of a state; some makespan from `limit` on where it is no less than that.
static worth evaluate(anneal *a, const state *s, int64_t limit)
{
    int32_t waiting = a->tasks;
    size_t runs = 0;
    int64_t now = 0;
    memcpy(a->waiting, s->order, (size_t)a->tasks * sizeof *a->waiting);
    memcpy(a->idle, a->instance->processors, a->instance->types * sizeof *a->idle);
    while (waiting > 0 && now < limit) {
        waiting = start_waiting(a, s, now, waiting, &runs);
        if (waiting > 0) {
            now = a->run[0].end;
            while (runs > 0 && a->run[0].end == now) {
                running ended = ends_pop(NULL, a->run, &runs);
                a->idle[ended.type] += ended.size;
            }
        }
    }
    return find_worth(a, now, runs);
}

static void set_size(const anneal *a, choice *c, int32_t task, size_t type, int64_t size)
{
    c->type = (int32_t)type;
    c->size = (int32_t)size;
    c->time = duet_moldable_time(a->instance, (size_t)a->kind[task], type, size);
}

// Another size near the one that a task has, or a size on another type.
static void resize(anneal *a, choice *c, int32_t task)
{
    size_t kind = (size_t)a->kind[task];
    size_t type = (size_t)c->type;
    int64_t size = c->size;
    if (a->instance->types > 1 && duet_random_between(&a->random, 0, 3) == 0) {
        type = (size_t)duet_random_between(&a->random, 0, (int64_t)a->instance->types - 1);
        int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
        if (sizes == 0) {
            return;
        }
        int64_t most = sizes < size + 2 ? sizes : size + 2;
        set_size(a, c, task, type, duet_random_between(&a->random, 1, most));
        return;
    }
    int64_t sizes = duet_moldable_sizes(a->instance, kind, type);
    int64_t reach = 1 + size / 4;
    int64_t low = size > reach ? size - reach : 1;
    int64_t high = size + reach < sizes ? size + reach : sizes;
    set_size(a, c, task, type, duet_random_between(&a->random, low, high));
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

// A move and how it is taken back.
typedef struct change {
    int32_t task; // that had `before`; -1: none
    choice before;
    int32_t other; // likewise
    choice other_before;
    int64_t from, to; // in the order
    bool exchanges;
} change;

static void apply_order(state *s, const change *made, bool back)
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
// to the type of the other, at the least area within the makespan. False where they cannot.
static bool exchange_types(anneal *a, change *made)
{
    int32_t task = a->now.order[made->from];
    int32_t other = a->now.order[duet_random_between(&a->random, 0, a->tasks - 1)];
    choice *one = &a->now.choice[task];
    choice *two = &a->now.choice[other];
    if (one->type == two->type) {
        return false;
    }
    size_t kind[] = {(size_t)a->kind[task], (size_t)a->kind[other]};
    size_t type[] = {(size_t)two->type, (size_t)one->type};
    int64_t size[2];
    for (int i = 0; i < 2; i++) {
        size[i] = duet_cheapest_size(duet_table_of(a->instance, kind[i], type[i]),
                                     a->monotone[kind[i]], a->best_makespan);
    }
    if (size[0] == 0 || size[1] == 0) {
        return false;
    }
    made->task = task;
    made->before = *one;
    made->other = other;
    made->other_before = *two;
    set_size(a, one, task, type[0], size[0]);
    set_size(a, two, other, type[1], size[1]);
    return true;
}

static change propose(anneal *a)
{
    change made = {.task = -1, .other = -1};
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
        resize(a, &a->now.choice[made.task], made.task);
    }
    if (kind >= 4) {
        made.to = duet_random_between(&a->random, 0, a->tasks - 1);
        made.exchanges = kind == 9;
        apply_order(&a->now, &made, false);
    }
    return made;
}

static void take_back(anneal *a, const change *made)
{
    apply_order(&a->now, made, true);
    if (made->task >= 0) {
        a->now.choice[made->task] = made->before;
    }
    if (made->other >= 0) {
        a->now.choice[made->other] = made->other_before;
    }
}

static void keep_best(anneal *a)
{
    if (a->now_worth.makespan < a->best_makespan) {
        a->best_makespan = a->now_worth.makespan;
        copy_state(&a->best, &a->now, a->tasks);
    }
}

// What the annealing makes small. The mean leads on where the makespan does not change.
static double cost(worth w)
{
    static const double share = 0.5;
    return (double)w.makespan + share * w.mean;
}

// Cools from a part of the makespan to next to nothing. No part serves all instances: it is drawn.
static void cool(anneal *a, int64_t moves)
{
    static const double coldest = 0.00002;
    double hottest = 0.01 * pow(2.0, -6.0 * duet_random_unit(&a->random));
    for (int64_t i = 0; i < moves && a->best_makespan > a->target; i++) {
        if (i % 64 == 0 && duet_context_stop(a->context)) {
            return;
        }
        double heat = hottest * pow(coldest / hottest, (double)i / (double)moves);
        double allowed = -heat * log(duet_random_unit(&a->random)) * (double)a->best_makespan;
        double limit = cost(a->now_worth) + allowed;
        change made = propose(a);
        worth w = evaluate(a, &a->now, limit < 0x1p62 ? (int64_t)limit + 1 : INT64_MAX);
        if (cost(w) <= limit) {
            a->now_worth = w;
            keep_best(a);
        } else {
            take_back(a, &made);
        }
    }
}

// --- where it starts -----------------------------------------------------------------------------

// A task by what decides where it is in the order.
typedef struct entry {
    int64_t key;
    int32_t task;
} entry;

static int by_key(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    int order = duet_order(a->key, b->key);
    return order != 0 ? order : duet_order(a->task, b->task);
}

static void sort_order(state *s, entry *list, int32_t tasks)
{
    qsort(list, (size_t)tasks, sizeof *list, by_key);
    for (int32_t i = 0; i < tasks; i++) {
        s->order[i] = list[i].task;
    }
}

// The state of a schedule.
static void take_solution(anneal *a, const duet_solution *solution, entry *list)
{
    for (int32_t j = 0; j < a->tasks; j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        set_size(a, &a->now.choice[j], j, (size_t)set.range[0].type, duet_set_size(set));
        list[j] = (entry){solution->placement[j].start, j};
    }
    sort_order(&a->now, list, a->tasks);
    a->now_worth = evaluate(a, &a->now, INT64_MAX);
}

// What area costs on each type: as the bound has it, else as much as a part of the processors.
static void find_prices(anneal *a, const duet_solution *solution)
{
    const duet_certificate *certificate = &solution->certificate;
    duet_int128 all = 0;
    bool priced = certificate->proof == DUET_PROOF_MOLDABLE_PRICES;
    for (size_t t = 0; t < a->instance->types; t++) {
        all += a->instance->processors[t];
        priced = priced && (certificate->weight[t] > 0 || a->instance->processors[t] == 0);
    }
    for (size_t t = 0; t < a->instance->types; t++) {
        int64_t processors = a->instance->processors[t];
        a->price[t] = priced           ? certificate->weight[t]
                      : processors > 0 ? (all << 31) / processors
                                       : 0;
    }
}

// The least areas at their prices within a guess. False where a task fits nowhere.
static bool take_guess(anneal *a, int64_t guess, entry *list)
{
    const duet_instance *instance = a->instance;
    for (int32_t j = 0; j < a->tasks; j++) {
        size_t kind = (size_t)a->kind[j];
        duet_int128 least = -1;
        size_t best = 0;
        int64_t best_size = 0;
        for (size_t t = 0; t < instance->types; t++) {
            duet_time_table table = duet_table_of(instance, kind, t);
            int64_t size = duet_cheapest_size(table, a->monotone[kind], guess);
            duet_int128 cost = size == 0 ? -1 : a->price[t] * duet_area_at(table, size);
            if (size > 0 && (least < 0 || cost < least)) {
                least = cost;
                best = t;
                best_size = size;
            }
        }
        if (best_size == 0) {
            return false;
        }
        set_size(a, &a->now.choice[j], j, best, best_size);
        list[j] = (entry){-a->now.choice[j].time, j};
    }
    sort_order(&a->now, list, a->tasks);
    a->now_worth = evaluate(a, &a->now, INT64_MAX);
    return true;
}

static void try_guesses(anneal *a, int64_t bound, entry *list)
{
    enum { guesses = 32 };
    int64_t upper = a->best_makespan;
    for (int i = 0; i < guesses && bound < upper && !duet_context_stop(a->context); i++) {
        int64_t guess = bound + (int64_t)((duet_int128)(upper - bound) * i / guesses);
        if (take_guess(a, guess, list)) {
            keep_best(a);
        }
    }
}

// --- the schedule of the best state --------------------------------------------------------------

static duet_code write_best(const anneal *a, duet_solution *solution, duet_error *error)
{
    size_t tasks = (size_t)a->tasks;
    duet_plan plan;
    duet_rigid_task *list = duet_alloc_raw(tasks, sizeof *list, error);
    duet_code code = duet_plan_create(tasks, &plan, error);
    code = list == NULL ? DUET_E_MEMORY : code;
    for (size_t t = 0; t < a->instance->types && code == DUET_OK; t++) {
        size_t count = 0;
        for (size_t i = 0; i < tasks; i++) {
            int32_t task = a->best.order[i];
            const choice *c = &a->best.choice[task];
            if ((size_t)c->type == t) {
                list[count++] = (duet_rigid_task){c->time, (size_t)task, c->size};
            }
        }
        if (count > 0) {
            code = duet_rigid_list(list, count, (int32_t)t, (size_t)a->instance->processors[t],
                                   &plan, error);
        }
    }
    if (code == DUET_OK) {
        code = duet_plan_write(&plan, solution, error);
    }
    duet_free(list);
    duet_plan_free(&plan);
    return code;
}

static duet_code create(anneal *a, duet_error *error)
{
    size_t tasks = (size_t)a->tasks;
    a->kind = duet_kinds_of_tasks(a->instance, error);
    a->monotone = duet_alloc_raw(a->instance->kinds, sizeof *a->monotone, error);
    for (size_t i = 0; a->monotone != NULL && i < a->instance->kinds; i++) {
        a->monotone[i] = duet_moldable_is_monotone(a->instance, i);
    }
    a->run = duet_alloc_raw(tasks, sizeof *a->run, error);
    a->waiting = duet_alloc_raw(tasks, sizeof *a->waiting, error);
    duet_code code = create_state(&a->now, tasks, error);
    code = code == DUET_OK ? create_state(&a->best, tasks, error) : code;
    return a->kind == NULL || a->monotone == NULL || a->run == NULL || a->waiting == NULL
               ? DUET_E_MEMORY
               : code;
}

duet_code duet_moldable_improve(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    static const double effort = 4e7; // tasks looked at in all evaluations of a descent, about
    int descents = 8;                 // where there is no deadline
    int64_t tasks = duet_tasks(instance);
    anneal a = {.instance = instance, .context = context, .tasks = (int32_t)tasks};
    a.target = duet_context_target(context, solution->lower_bound);
    a.best_makespan = solution->makespan;
    if (tasks == 0 || tasks > DUET_ANNEAL_TASKS || solution->makespan <= a.target) {
        return DUET_OK;
    }
    duet_random_seed(&a.random, context->seed);
    entry *list = duet_alloc_raw((size_t)tasks, sizeof *list, error);
    duet_code code = create(&a, error);
    code = list == NULL ? DUET_E_MEMORY : code;
    if (code == DUET_OK) {
        find_prices(&a, solution);
        take_solution(&a, solution, list);
        copy_state(&a.best, &a.now, a.tasks);
        keep_best(&a);
        try_guesses(&a, solution->lower_bound, list);
        double moves = effort / ((double)tasks * (double)tasks + 500.0);
        do {
            copy_state(&a.now, &a.best, a.tasks);
            a.now_worth = evaluate(&a, &a.now, INT64_MAX);
            cool(&a, moves > 1e6 ? 1000000 : moves < 100 ? 100 : (int64_t)moves);
            descents--;
        } while ((descents > 0 || context->deadline_ns != INT64_MAX) &&
                 !duet_context_stop(context) && a.best_makespan > a.target);
        if (a.best_makespan < solution->makespan) {
            code = write_best(&a, solution, error);
            solution->makespan = duet_solution_measure(solution, instance);
        }
    }
    free_state(&a.now);
    free_state(&a.best);
    duet_free(a.kind);
    duet_free(a.monotone);
    duet_free(a.run);
    duet_free(a.waiting);
    duet_free(list);
    return code;
}
