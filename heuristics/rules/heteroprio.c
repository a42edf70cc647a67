// SPDX-License-Identifier: Apache-2.0
// Algorithm: heteroprio.
// Method:    discrete-event simulation. Tasks queue by decreasing acceleration factor, of equal
//            ones by falling priority from factor 1 on, by rising one below; an idle GPU takes the
//            first, an idle CPU the last. When the queue is empty, an idle
//            processor *spoliates*: among the tasks running on the other type, latest completion
//            first, it restarts one that it would finish earlier; the work done there is lost and
//            recorded as aborted. At equal times GPUs act before CPUs, lower processors first.
//            With spoliation=false nothing is taken over: S_NS of the paper, with T_FirstIdle as
//            the counter first_idle, in ticks.
//            On other numbers of types each has a queue of its own, by acceleration against the
//            best alternative (heteroprio_types.c). On task graphs: heteroprio_graph.c.
// Guarantee: with spoliation (1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1) and (1,k); 2+sqrt(2)
//            elsewhere. 2 - 1/m on identical processors, where it is list scheduling. None on more
//            than two types, none on task graphs.
// Cost:      O(kinds log kinds + (n + m + k) log(m + k)) time, O(kinds + m + k) memory. On Q types
//            with m processors O(Q^2 kinds log kinds + n log m + m^2) time, O(Q kinds + m) memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, algorithm 1, section 5.

#include "core/heap.h"
#include "core/instance/acceleration.h"
#include "core/instance/available.h"
#include "core/instance/priority.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/workers.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/heteroprio_graph.h"
#include "heuristics/rules/heteroprio_types.h"

static const duet_option_spec options[] = {
    {.name = "rank",
     .type = DUET_OPTION_CHOICE,
     .fallback = "min",
     .choices = "min|avg|given",
     .unit = "",
     .text = "on task graphs: rank by bottom levels of shortest or of mean times, or by the "
             "priorities of the instance"},
    {.name = "ties",
     .type = DUET_OPTION_CHOICE,
     .fallback = "highest",
     .choices = "highest|published",
     .unit = "",
     .text = "on task graphs, at equal acceleration: all take the highest rank, or as published, "
             "GPUs the first and CPUs the last of one queue"},
    {.name = "spoliation",
     .type = DUET_OPTION_BOOLEAN,
     .fallback = "true",
     .unit = "",
     .text = "whether an idle processor takes over a task that another type runs"},
    {.name = NULL}};

enum { RANK_MIN, RANK_AVG, RANK_GIVEN };

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2 || !duet_option_boolean(given, options, "spoliation")) {
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

typedef struct heteroprio {
    const duet_instance *instance;
    duet_workers workers;
    duet_acceleration_order order;
    // What is left of the queue: kinds front .. back-1 of the order, and of those at its ends the
    // tasks not yet taken. GPUs take a kind's tasks from its low end, CPUs from its high end.
    size_t front, back;
    int64_t *taken_low; // by kind
    int64_t *taken_high;
    // Once the queue is empty: the running tasks of each type, latest completion on top. A task
    // that a processor cannot finish earlier now can never be later on, so it is dropped for good;
    // and a spoliated task never goes back (the paper's lemma 5), so none is ever added.
    duet_worker_event *running[2];
    size_t running_count[2];
    bool queue_was_empty;
    bool keeps;         // no spoliation
    int64_t first_idle; // when a processor first finds no task in the queue; -1: not yet
} heteroprio;

// Latest completion first; the lower task index breaks ties.
static bool later(const duet_worker *worker, duet_worker_event a, duet_worker_event b)
{
    if (a.time != b.time) {
        return a.time > b.time;
    }
    return worker[a.worker].task < worker[b.worker].task;
}

DUET_HEAP(running, duet_worker_event, duet_worker, later)

static void pop_running(heteroprio *h, size_t type)
{
    running_pop(h->workers.worker, h->running[type], &h->running_count[type]);
}

// Collects what runs when the queue becomes empty.
static void collect_running(heteroprio *h)
{
    for (size_t w = 0; w < h->workers.count; w++) {
        const duet_worker *worker = &h->workers.worker[w];
        if (worker->busy) {
            size_t type = duet_workers_type(&h->workers, w);
            running_push(h->workers.worker, h->running[type], &h->running_count[type],
                         (duet_worker_event){worker->end, w});
        }
    }
    h->queue_was_empty = true;
}

static int64_t left_of_kind(const heteroprio *h, size_t kind)
{
    return duet_count(h->instance, kind) - h->taken_low[kind] - h->taken_high[kind];
}

// The next task for a type, or false where the queue holds none it may run.
static bool take(heteroprio *h, size_t type, size_t *kind, int64_t *task)
{
    while (h->front < h->back && left_of_kind(h, h->order.items[h->front].kind) == 0) {
        h->front++;
    }
    while (h->front < h->back && left_of_kind(h, h->order.items[h->back - 1].kind) == 0) {
        h->back--;
    }
    if (h->front == h->back) {
        return false;
    }
    if (type == DUET_GPU) {
        *kind = h->order.items[h->front].kind;
        *task = h->instance->first[*kind] + h->taken_low[*kind];
        bool may = h->front < h->order.flexible_end;
        h->taken_low[*kind] += may;
        return may;
    }
    *kind = h->order.items[h->back - 1].kind;
    *task = h->instance->first[*kind + 1] - 1 - h->taken_high[*kind];
    bool may = h->back > h->order.flexible_begin;
    h->taken_high[*kind] += may;
    return may;
}

// The worker of the other type whose task ends last among those that worker `index` would finish
// earlier; SIZE_MAX if it would finish none earlier.
static size_t find_victim(heteroprio *h, size_t index)
{
    size_t type = duet_workers_type(&h->workers, index);
    size_t other = 1 - type;
    for (; h->running_count[other] > 0; pop_running(h, other)) {
        duet_worker_event top = h->running[other][0];
        const duet_worker *held = &h->workers.worker[top.worker];
        bool gone = !held->busy || top.time <= h->workers.now;
        DUET_ASSERT(gone || held->end == top.time);
        if (gone || !duet_allowed(h->instance, held->kind, type) ||
            h->workers.now + duet_time(h->instance, held->kind, type) >= top.time) {
            continue;
        }
        pop_running(h, other);
        return top.worker;
    }
    return SIZE_MAX;
}

// Takes over a task of the other type. *victim is the worker that lost it, or SIZE_MAX.
static duet_code spoliate(heteroprio *h, size_t index, size_t *victim, duet_error *error)
{
    *victim = find_victim(h, index);
    if (*victim == SIZE_MAX) {
        return DUET_OK;
    }
    duet_worker lost = h->workers.worker[*victim];
    DUET_TRY(duet_workers_abort(&h->workers, *victim, error));
    return duet_workers_start(&h->workers, index, lost.kind, lost.task, error);
}

// An idle worker takes from the queue, or spoliates; then so does the one that it robbed.
static duet_code serve(void *rule, size_t index, duet_error *error)
{
    heteroprio *h = rule;
    while (index != SIZE_MAX) {
        size_t kind;
        int64_t task;
        if (take(h, duet_workers_type(&h->workers, index), &kind, &task)) {
            return duet_workers_start(&h->workers, index, kind, task, error);
        }
        h->first_idle = h->first_idle < 0 ? h->workers.now : h->first_idle;
        if (h->keeps || h->front < h->back) {
            return DUET_OK; // what is left may only run on the other type, and so does all it runs
        }
        if (!h->queue_was_empty) {
            collect_running(h);
        }
        DUET_TRY(spoliate(h, index, &index, error));
    }
    return DUET_OK;
}

static duet_code prepare(heteroprio *h, duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = h->instance;
    DUET_TRY(duet_acceleration_order_create(instance, &h->order, error));
    if (instance->priority != NULL) {
        duet_ordered *room = duet_alloc_raw(instance->kinds, sizeof *room, error);
        DUET_NEED(room);
        duet_acceleration_order_rank(instance, &h->order, room);
        duet_free(room);
    }
    DUET_TRY(duet_workers_create(instance, NULL, solution, &h->workers, error));
    h->back = h->order.count;
    h->taken_low = duet_alloc(instance->kinds, sizeof *h->taken_low, error);
    h->taken_high = duet_alloc(instance->kinds, sizeof *h->taken_high, error);
    h->running[DUET_CPU] = duet_alloc(h->workers.count, sizeof *h->running[0], error);
    h->running[DUET_GPU] = duet_alloc(h->workers.count, sizeof *h->running[0], error);
    bool complete = h->taken_low != NULL && h->taken_high != NULL && h->running[DUET_CPU] != NULL &&
                    h->running[DUET_GPU] != NULL;
    return complete ? DUET_OK : DUET_E_MEMORY;
}

static duet_code run_two_types(const duet_instance *instance, bool keeps, duet_solution *solution,
                               duet_error *error)
{
    heteroprio h = {.instance = instance, .keeps = keeps, .first_idle = -1};
    duet_code code = prepare(&h, solution, error);
    DUET_THEN(code, duet_workers_run(&h.workers, serve, &h, error));
    if (keeps) {
        duet_solution_count(solution, "first_idle", h.first_idle);
    }
    duet_acceleration_order_free(&h.order);
    duet_workers_free(&h.workers);
    duet_free(h.taken_low);
    duet_free(h.taken_high);
    duet_free(h.running[DUET_CPU]);
    duet_free(h.running[DUET_GPU]);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_code code;
    bool keeps = !duet_option_boolean(context->options, options, "spoliation");
    if (instance->graph != NULL || context->reality != NULL || !duet_is_available(instance)) {
        int rank = duet_option_choice(context->options, options, "rank");
        duet_heteroprio_choices choices = {
            .rank = rank == RANK_AVG ? DUET_LEVEL_MEAN : DUET_LEVEL_LEAST,
            .given = rank == RANK_GIVEN || instance->graph == NULL,
            .ties = (duet_heteroprio_ties)duet_option_choice(context->options, options, "ties"),
            .keeps = keeps};
        code = duet_heteroprio_graph(instance, context, &choices, solution, error);
    } else if (instance->types == 2) {
        code = run_two_types(instance, keeps, solution, error);
    } else {
        code = duet_heteroprio_types(instance, keeps, solution, error);
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
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = ratio,
    .run = run,
    .online = true,
};
