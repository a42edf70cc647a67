// SPDX-License-Identifier: Apache-2.0
// heteroprio on any number of types: by best alternative.
//
// Method: each type has a queue of the kinds that may run there, by decreasing acceleration against
// the best alternative: the shortest time on another type divided by the time on this one. Kinds
// without an alternative come first. An idle processor takes the first task of its type's queue
// that is left. Where the queue is empty it spoliates: of the tasks that run on other types and
// that it would finish earlier, the one that ends last.
//
// A processor that finds neither stays idle: what it cannot finish earlier now it can never later
// on. So each type that looks for such tasks has a heap of those that run elsewhere, and drops what
// it finds too late on top. A task never returns to a type that it has run on, since it ends
// earlier each time; so it is spoliated at most once for each other type.
//
// On two types both read one queue, the first from its end, in which priorities order kinds of
// equal acceleration: by falling priority from acceleration 1 on, by rising one below.
#include "heuristics/rules/heteroprio_types.h"

#include "core/heap.h"
#include "core/instance/acceleration.h"
#include "core/instance/order.h"
#include "core/instance/priority.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/workers.h"

// The kinds that may run on a type, in the order in which it takes them.
typedef struct queue {
    size_t *kind;
    size_t count;
    size_t next;
} queue;

// A task that a worker runs, or ran: it may have been taken over.
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

DUET_HEAP(runs, running, void, later)

// What a type may spoliate: a heap of tasks that run on others, once it has found its queue empty.
typedef struct prey {
    running *run;
    size_t count;
    bool watched;
} prey;

typedef struct simulation {
    const duet_instance *instance;
    bool keeps; // without spoliation
    duet_workers workers;
    queue queues[DUET_MAX_TYPES];
    prey prey[DUET_MAX_TYPES];
    // Of each kind, how many tasks are taken. The first type takes them from the high end, all
    // others from the low one, as CPUs and GPUs do.
    int64_t *taken_low;
    int64_t *taken_high;
    int64_t first_idle; // when a processor first finds no task in its queue; -1: not yet
} simulation;

// --- queues --------------------------------------------------------------------------------------

// The shortest time on another type than `type`; DUET_FORBIDDEN if no other runs it.
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
                   bool choice, queue *q)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t kind = order[type == 0 ? instance->kinds - 1 - i : i].kind;
        bool has_choice = alternative(instance, kind, type) != DUET_FORBIDDEN;
        if (duet_allowed(instance, kind, type) && has_choice == choice) {
            q->kind[q->count++] = kind;
        }
    }
}

static duet_code create_queue(const duet_instance *instance, size_t type, queue *q,
                              duet_error *error)
{
    duet_ordered *order = duet_order_by_value_on(instance, value, type, error);
    if (order != NULL) {
        append(instance, type, order, false, q);
        append(instance, type, order, true, q);
    }
    duet_free(order);
    return order == NULL ? DUET_E_MEMORY : DUET_OK;
}

// The queues of two types, from one order of kinds.
static duet_code create_both(const duet_instance *instance, queue *queues, duet_error *error)
{
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    duet_ordered *room = duet_alloc_raw(instance->kinds, sizeof *room, error);
    if (room != NULL && instance->priority != NULL) {
        duet_acceleration_order_rank(instance, &order, room);
    }
    for (size_t i = 0; i < order.flexible_end; i++) {
        queues[DUET_GPU].kind[queues[DUET_GPU].count++] = order.items[i].kind;
    }
    for (size_t i = order.count; i-- > order.flexible_begin;) {
        queues[DUET_CPU].kind[queues[DUET_CPU].count++] = order.items[i].kind;
    }
    duet_acceleration_order_free(&order);
    duet_free(room);
    return room == NULL ? DUET_E_MEMORY : DUET_OK;
}

static duet_code create_queues(simulation *s, duet_error *error)
{
    const duet_instance *instance = s->instance;
    for (size_t t = 0; t < instance->types; t++) {
        s->queues[t].kind = duet_alloc(instance->kinds, sizeof *s->queues[t].kind, error);
        DUET_NEED(s->queues[t].kind);
    }
    if (instance->types == 2) {
        return create_both(instance, s->queues, error);
    }
    duet_code code = DUET_OK;
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        code = create_queue(instance, t, &s->queues[t], error);
    }
    return code;
}

// The next task for a type, or false where its queue has none.
static bool take(simulation *s, size_t type, size_t *kind, int64_t *task)
{
    const duet_instance *instance = s->instance;
    queue *q = &s->queues[type];
    for (; q->next < q->count; q->next++) {
        size_t i = q->kind[q->next];
        if (s->taken_low[i] + s->taken_high[i] == duet_count(instance, i)) {
            continue;
        }
        *kind = i;
        *task = type == 0 ? instance->first[i + 1] - 1 - s->taken_high[i]++
                          : instance->first[i] + s->taken_low[i]++;
        return true;
    }
    return false;
}

// --- spoliation ----------------------------------------------------------------------------------

// Shows a type what a worker of another one runs.
static duet_code show(simulation *s, size_t type, size_t index, duet_error *error)
{
    prey *p = &s->prey[type];
    const duet_worker *held = &s->workers.worker[index];
    if ((size_t)held->type == type || !duet_allowed(s->instance, held->kind, type)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_grow(p->run, p->count, error));
    runs_push(NULL, p->run, &p->count, (running){held->end, held->task, index});
    return DUET_OK;
}

static duet_code start(simulation *s, size_t index, size_t kind, int64_t task, duet_error *error)
{
    DUET_TRY(duet_workers_start(&s->workers, index, kind, task, error));
    for (size_t t = 0; t < s->instance->types; t++) {
        DUET_TRY(s->prey[t].watched ? show(s, t, index, error) : DUET_OK);
    }
    return DUET_OK;
}

// From now on the type knows what runs on others.
static duet_code watch(simulation *s, size_t type, duet_error *error)
{
    for (size_t w = 0; w < s->workers.count && !s->prey[type].watched; w++) {
        DUET_TRY(s->workers.worker[w].busy ? show(s, type, w, error) : DUET_OK);
    }
    s->prey[type].watched = true;
    return DUET_OK;
}

// The worker whose task ends last among those of other types that worker `index` would finish
// earlier, the lower task where they end together; SIZE_MAX if it would finish none earlier.
static size_t find_victim(simulation *s, size_t index)
{
    size_t type = duet_workers_type(&s->workers, index);
    prey *p = &s->prey[type];
    while (p->count > 0) {
        running top = runs_pop(NULL, p->run, &p->count);
        const duet_worker *held = &s->workers.worker[top.worker];
        bool runs = held->busy && held->task == top.task && top.end > s->workers.now;
        if (runs && s->workers.now + duet_time(s->instance, held->kind, type) < top.end) {
            return top.worker;
        }
    }
    return SIZE_MAX;
}

// An idle worker takes from its queue, or spoliates; then so does the one that it robbed.
static duet_code serve(void *rule, size_t index, duet_error *error)
{
    simulation *s = rule;
    while (index != SIZE_MAX) {
        size_t type = duet_workers_type(&s->workers, index);
        size_t kind;
        int64_t task;
        if (take(s, type, &kind, &task)) {
            return start(s, index, kind, task, error);
        }
        s->first_idle = s->first_idle < 0 ? s->workers.now : s->first_idle;
        if (s->keeps) {
            return DUET_OK;
        }
        DUET_TRY(watch(s, type, error));
        size_t victim = find_victim(s, index);
        if (victim != SIZE_MAX) {
            duet_worker lost = s->workers.worker[victim];
            DUET_TRY(duet_workers_abort(&s->workers, victim, error));
            DUET_TRY(start(s, index, lost.kind, lost.task, error));
        }
        index = victim;
    }
    return DUET_OK;
}

duet_code duet_heteroprio_types(const duet_instance *instance, bool keeps, duet_solution *solution,
                                duet_error *error)
{
    simulation s = {.instance = instance, .keeps = keeps, .first_idle = -1};
    duet_code code = duet_workers_create(instance, NULL, solution, &s.workers, error);
    DUET_THEN(code, create_queues(&s, error));
    s.taken_low = duet_alloc(instance->kinds, sizeof *s.taken_low, error);
    s.taken_high = duet_alloc(instance->kinds, sizeof *s.taken_high, error);
    if (code == DUET_OK && (s.taken_low == NULL || s.taken_high == NULL)) {
        code = DUET_E_MEMORY;
    }
    DUET_THEN(code, duet_workers_run(&s.workers, serve, &s, error));
    if (keeps) {
        duet_solution_count(solution, "first_idle", s.first_idle);
    }
    for (size_t t = 0; t < instance->types; t++) {
        duet_free(s.queues[t].kind);
        duet_free(s.prey[t].run);
    }
    duet_workers_free(&s.workers);
    duet_free(s.taken_low);
    duet_free(s.taken_high);
    return code;
}
