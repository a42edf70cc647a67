// SPDX-License-Identifier: Apache-2.0
// Algorithm: heteroprio.
// Method:    discrete-event simulation. Each type has a queue of the kinds that may run there, by
//            decreasing acceleration against the best alternative: the shortest time on another
//            type divided by the time on this one. Kinds without an alternative come first. An idle
//            processor takes the first task that is left; on two types a GPU so takes the most
//            accelerated, a CPU the least. When its queue is empty, it *spoliates*: among the tasks
//            running on other types, latest completion first, it restarts one that it would finish
//            earlier; the work done there is lost and recorded as aborted. At equal times GPUs act
//            before CPUs, lower processors first. On task graphs: heteroprio_graph.c.
// Guarantee: (1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1) and (1,k); 2+sqrt(2) elsewhere; 2 - 1/m
//            on identical processors, where it is list scheduling. None on more than two types,
//            none on task graphs.
// Cost:      O(Q^2 kinds log kinds + (n + Q m) log m) time on Q types with m processors in all, and
//            O(Q (kinds + m)) memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, algorithm 1, section 5.
//
// A processor that finds nothing stays idle for good: whatever it may run has started, and what it
// cannot finish earlier now it can never later on. A task never returns to a type that it has run
// on, since it ends earlier each time; so it is spoliated at most once for each other type.

#include "core/heap.h"
#include "core/instance/order.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/workers.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/heteroprio_graph.h"

static const duet_option_spec options[] = {
    {.name = "rank",
     .type = DUET_OPTION_CHOICE,
     .fallback = "min",
     .choices = "min|avg",
     .unit = "",
     .text = "on task graphs: rank by bottom levels of shortest or of mean times"},
    {.name = NULL}};

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    if (counts[0] == 1 && counts[1] == 1) {
        *out = (duet_ratio){1, 1, 5, 2};
    } else if (counts[0] == 1 || counts[1] == 1) {
        *out = (duet_ratio){3, 1, 5, 2};
    } else {
        *out = (duet_ratio){2, 1, 2, 1};
    }
    return true;
}

// A task that runs on a worker.
typedef struct running {
    int64_t end;
    int64_t task;
    size_t worker;
} running;

// Latest completion first; the lower task index breaks ties.
static bool later(const void *none, running a, running b)
{
    (void)none;
    return a.end != b.end ? a.end > b.end : a.task < b.task;
}

DUET_HEAP(victims, running, void, later)

// What a type may still do.
typedef struct side {
    // The kinds that may run on the type, in the order in which it takes them.
    size_t *kind;
    size_t count;
    size_t next;
    // Once they are all taken: the tasks that run on other types, latest completion on top. What a
    // processor cannot finish earlier now is dropped for good, and so is what no longer runs there.
    bool spoliates;
    running *victims;
    size_t victim_count;
} side;

typedef struct heteroprio {
    const duet_instance *instance;
    duet_workers workers;
    side side[DUET_MAX_TYPES];
    // Of each kind, how many tasks are taken. The first type takes them from the high end, all
    // others from the low one, as CPUs and GPUs do.
    int64_t *taken_low;
    int64_t *taken_high;
} heteroprio;

// --- queues --------------------------------------------------------------------------------------

// The shortest time on another type than `type`; DUET_FORBIDDEN where there is none.
static int64_t alternative(const duet_instance *instance, size_t kind, size_t type)
{
    int64_t shortest = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        if (t != type && duet_allowed(instance, kind, t) &&
            duet_time(instance, kind, t) < shortest) {
            shortest = duet_time(instance, kind, t);
        }
    }
    return shortest;
}

// Acceleration on the type; on the first its inverse, since that queue is read backwards. 1 where
// both times are 0, so that the comparison of fractions stays an order, and where there is no
// choice.
static duet_fraction value(const duet_instance *instance, size_t kind, size_t type)
{
    int64_t other = alternative(instance, kind, type);
    int64_t here = duet_time(instance, kind, type);
    if (!duet_allowed(instance, kind, type) || other == DUET_FORBIDDEN ||
        (here == 0 && other == 0)) {
        return (duet_fraction){1, 1};
    }
    duet_uint128 above = (duet_uint128)(type == 0 ? here : other);
    return (duet_fraction){above, (duet_uint128)(type == 0 ? other : here)};
}

// Appends the kinds that may run on the type and have an alternative, or have none.
static void append(const duet_instance *instance, size_t type, const duet_ordered *order,
                   bool choice, side *of)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t kind = order[type == 0 ? instance->kinds - 1 - i : i].kind;
        bool has_choice = alternative(instance, kind, type) != DUET_FORBIDDEN;
        if (duet_allowed(instance, kind, type) && has_choice == choice) {
            of->kind[of->count++] = kind;
        }
    }
}

static duet_code create_queue(const duet_instance *instance, size_t type, side *of,
                              duet_error *error)
{
    duet_ordered *order = duet_order_by_value_on(instance, value, type, error);
    of->kind = duet_alloc(instance->kinds, sizeof *of->kind, error);
    bool complete = order != NULL && of->kind != NULL;
    if (complete) {
        append(instance, type, order, false, of);
        append(instance, type, order, true, of);
    }
    duet_free(order);
    return complete ? DUET_OK : DUET_E_MEMORY;
}

// The next task for a type, or false where its queue has none.
static bool take(heteroprio *h, size_t type, size_t *kind, int64_t *task)
{
    const duet_instance *instance = h->instance;
    side *of = &h->side[type];
    for (; of->next < of->count; of->next++) {
        size_t i = of->kind[of->next];
        if (h->taken_low[i] + h->taken_high[i] == duet_count(instance, i)) {
            continue;
        }
        *kind = i;
        *task = type == 0 ? instance->first[i + 1] - 1 - h->taken_high[i]++
                          : instance->first[i] + h->taken_low[i]++;
        return true;
    }
    return false;
}

// --- spoliation ----------------------------------------------------------------------------------

static duet_code add_victim(heteroprio *h, size_t type, size_t worker, duet_error *error)
{
    side *of = &h->side[type];
    const duet_worker *busy = &h->workers.worker[worker];
    DUET_TRY(duet_vec_grow(of->victims, of->victim_count, error));
    victims_push(NULL, of->victims, &of->victim_count, (running){busy->end, busy->task, worker});
    return DUET_OK;
}

// Collects what runs on other types when the queue of a type becomes empty.
static duet_code collect_victims(heteroprio *h, size_t type, duet_error *error)
{
    h->side[type].spoliates = true;
    for (size_t w = 0; w < h->workers.count; w++) {
        if (h->workers.worker[w].busy && duet_workers_type(&h->workers, w) != type) {
            DUET_TRY(add_victim(h, type, w, error));
        }
    }
    return DUET_OK;
}

// The worker whose task ends last among those of other types that a processor of the type would
// finish earlier; SIZE_MAX where there is none.
static size_t find_victim(heteroprio *h, size_t type)
{
    side *of = &h->side[type];
    while (of->victim_count > 0) {
        running top = victims_pop(NULL, of->victims, &of->victim_count);
        const duet_worker *held = &h->workers.worker[top.worker];
        bool runs = held->busy && held->task == top.task && top.end > h->workers.now;
        if (runs && duet_allowed(h->instance, held->kind, type) &&
            h->workers.now + duet_time(h->instance, held->kind, type) < top.end) {
            return top.worker;
        }
    }
    return SIZE_MAX;
}

static duet_code start(heteroprio *h, size_t index, size_t kind, int64_t task, duet_error *error)
{
    size_t type = duet_workers_type(&h->workers, index);
    DUET_TRY(duet_workers_start(&h->workers, index, kind, task, error));
    for (size_t t = 0; t < h->instance->types; t++) {
        if (t != type && h->side[t].spoliates) {
            DUET_TRY(add_victim(h, t, index, error));
        }
    }
    return DUET_OK;
}

// Takes over a task of another type. *victim is the worker that lost it, or SIZE_MAX.
static duet_code spoliate(heteroprio *h, size_t index, size_t *victim, duet_error *error)
{
    size_t type = duet_workers_type(&h->workers, index);
    if (!h->side[type].spoliates) {
        DUET_TRY(collect_victims(h, type, error));
    }
    *victim = find_victim(h, type);
    if (*victim == SIZE_MAX) {
        return DUET_OK;
    }
    duet_worker lost = h->workers.worker[*victim];
    DUET_TRY(duet_workers_abort(&h->workers, *victim, error));
    return start(h, index, lost.kind, lost.task, error);
}

// An idle worker takes from its queue, or spoliates; then so does the one that it robbed.
static duet_code serve(void *rule, size_t index, duet_error *error)
{
    heteroprio *h = rule;
    while (index != SIZE_MAX) {
        size_t kind;
        int64_t task;
        if (take(h, duet_workers_type(&h->workers, index), &kind, &task)) {
            return start(h, index, kind, task, error);
        }
        DUET_TRY(spoliate(h, index, &index, error));
    }
    return DUET_OK;
}

static duet_code simulate(const duet_instance *instance, duet_solution *solution, duet_error *error)
{
    heteroprio h = {.instance = instance};
    duet_code code = duet_workers_create(instance, NULL, solution, &h.workers, error);
    for (size_t t = 0; t < instance->types; t++) {
        DUET_THEN(code, create_queue(instance, t, &h.side[t], error));
    }
    h.taken_low = duet_alloc(2 * instance->kinds, sizeof *h.taken_low, error);
    h.taken_high = h.taken_low == NULL ? NULL : h.taken_low + instance->kinds;
    DUET_THEN(code, h.taken_low == NULL ? DUET_E_MEMORY : DUET_OK);
    DUET_THEN(code, duet_workers_run(&h.workers, serve, &h, error));
    for (size_t t = 0; t < instance->types; t++) {
        duet_free(h.side[t].kind);
        duet_free(h.side[t].victims);
    }
    duet_workers_free(&h.workers);
    duet_free(h.taken_low);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_code code;
    if (instance->graph != NULL || context->reality != NULL) {
        bool mean = duet_option_choice(context->options, options, "rank") != 0;
        duet_level level = mean ? DUET_LEVEL_MEAN : DUET_LEVEL_LEAST;
        code = duet_heteroprio_graph(instance, context, level, solution, error);
    } else {
        code = simulate(instance, solution, error);
    }
    duet_solution_count(solution, "spoliations", (int64_t)solution->aborted_count);
    return code;
}

const duet_algorithm duet_algorithm_heteroprio = {
    .entry = {.name = "heteroprio",
              .summary = "each type takes what it accelerates most; then spoliation",
              .guarantee = "(1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1); else 2+sqrt(2)",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017",
              .needs = DUET_NEEDS_TWO_TYPES_WITH_EDGES,
              .handles = DUET_FEATURE_ANY_TYPES | DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = ratio,
    .run = run,
    .online = true,
};
