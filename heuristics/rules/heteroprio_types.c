// SPDX-License-Identifier: Apache-2.0
// heteroprio on any number of types: by best alternative.
//
// Method: each type has a queue of the kinds that may run there, by decreasing acceleration against
// the best alternative: the shortest time on another type divided by the time on this one. Kinds
// without an alternative come first. An idle processor takes the first task of its type's queue
// that is left. Where the queue is empty it spoliates: of the tasks that run on other types and
// that it would finish earlier, the one that ends last.
//
// A processor that finds neither stays idle for good: whatever it may run has started, and what it
// cannot finish earlier now it can never later on. A task never returns to a type that it has run
// on, since it ends earlier each time; so it is spoliated at most once for each other type.
#include "heuristics/rules/heteroprio_types.h"

#include "core/instance/order.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/workers.h"

// The kinds that may run on a type, in the order in which it takes them.
typedef struct queue {
    size_t *kind;
    size_t count;
    size_t next;
} queue;

typedef struct simulation {
    const duet_instance *instance;
    bool keeps; // without spoliation
    duet_workers workers;
    queue queues[DUET_MAX_TYPES];
    // Of each kind, how many tasks are taken. The first type takes them from the high end, all
    // others from the low one, as CPUs and GPUs do.
    int64_t *taken_low;
    int64_t *taken_high;
} simulation;

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
    q->kind = duet_alloc(instance->kinds, sizeof *q->kind, error);
    bool complete = order != NULL && q->kind != NULL;
    if (complete) {
        append(instance, type, order, false, q);
        append(instance, type, order, true, q);
    }
    duet_free(order);
    return complete ? DUET_OK : DUET_E_MEMORY;
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

// The worker whose task ends last among those of other types that worker `index` would finish
// earlier, the lower task where they end together; SIZE_MAX if it would finish none earlier.
static size_t find_victim(const simulation *s, size_t index)
{
    size_t type = duet_workers_type(&s->workers, index);
    size_t found = SIZE_MAX;
    for (size_t w = 0; w < s->workers.count; w++) {
        const duet_worker *held = &s->workers.worker[w];
        if (!held->busy || held->end <= s->workers.now ||
            duet_workers_type(&s->workers, w) == type ||
            !duet_allowed(s->instance, held->kind, type) ||
            s->workers.now + duet_time(s->instance, held->kind, type) >= held->end) {
            continue;
        }
        const duet_worker *best = found == SIZE_MAX ? NULL : &s->workers.worker[found];
        if (best == NULL || held->end > best->end ||
            (held->end == best->end && held->task < best->task)) {
            found = w;
        }
    }
    return found;
}

// An idle worker takes from its queue, or spoliates; then so does the one that it robbed.
static duet_code serve(void *rule, size_t index, duet_error *error)
{
    simulation *s = rule;
    duet_code code = DUET_OK;
    while (index != SIZE_MAX && code == DUET_OK) {
        size_t kind;
        int64_t task;
        if (take(s, duet_workers_type(&s->workers, index), &kind, &task)) {
            return duet_workers_start(&s->workers, index, kind, task, error);
        }
        size_t victim = s->keeps ? SIZE_MAX : find_victim(s, index);
        if (victim != SIZE_MAX) {
            duet_worker lost = s->workers.worker[victim];
            code = duet_workers_abort(&s->workers, victim, error);
            DUET_THEN(code, duet_workers_start(&s->workers, index, lost.kind, lost.task, error));
        }
        index = victim;
    }
    return code;
}

duet_code duet_heteroprio_types(const duet_instance *instance, bool keeps, duet_solution *solution,
                                duet_error *error)
{
    simulation s = {.instance = instance, .keeps = keeps};
    duet_code code = duet_workers_create(instance, NULL, solution, &s.workers, error);
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        code = create_queue(instance, t, &s.queues[t], error);
    }
    s.taken_low = duet_alloc(instance->kinds, sizeof *s.taken_low, error);
    s.taken_high = duet_alloc(instance->kinds, sizeof *s.taken_high, error);
    if (code == DUET_OK && (s.taken_low == NULL || s.taken_high == NULL)) {
        code = DUET_E_MEMORY;
    }
    DUET_THEN(code, duet_workers_run(&s.workers, serve, &s, error));
    for (size_t t = 0; t < instance->types; t++) {
        duet_free(s.queues[t].kind);
    }
    duet_workers_free(&s.workers);
    duet_free(s.taken_low);
    duet_free(s.taken_high);
    return code;
}
