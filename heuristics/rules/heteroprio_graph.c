// SPDX-License-Identifier: Apache-2.0
// heteroprio on task graphs, on two types.
//
// Method:    at each instant idle processors act, GPUs first, the lowest index first. A GPU takes
//            the ready task of largest acceleration factor, a CPU that of smallest, where these are
//            equal the one of highest rank, then of lowest index. Where there is none that it may
//            run it spoliates: of the tasks that run on the other type and that it would end
//            strictly earlier, the one of highest rank, then the one that ends last, then that of
//            lowest index. The processor that lost its task acts in the same round.
// Guarantee: none: three tasks (H, 1), (H, 1), (1, H) on one CPU and one GPU, the second before the
//            third, take H + 1 against 2, since the GPU, free at 1, takes the third one.
// Cost:      O(e + n log n) time beside spoliation, which looks at the m processors of the other
//            type at most once for every task that starts there and for every aborted run; O(n + m)
//            memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6.2.
//
// Ready tasks of equal acceleration are in one queue by rank, and both types take from its front:
// so a task is in one queue only. A processor that finds nothing to spoliate will find nothing
// later either, until a task starts on the other type: what runs there ends no later, and it would
// itself end later.
#include "heuristics/rules/heteroprio_graph.h"

#include "core/heap.h"
#include "core/instance/acceleration.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/crew.h"

// A ready task: its place in the upper half, its index in the lower.
static uint64_t key_of(const int32_t *place, int64_t task)
{
    return (uint64_t)place[task] << 32 | (uint64_t)task;
}

static bool lower(const void *none, uint64_t a, uint64_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(keys, uint64_t, void, lower)

// The ready tasks of equal acceleration.
typedef struct queue {
    uint64_t *heap;
    size_t count;
} queue;

typedef struct heteroprio {
    const duet_instance *instance;
    duet_crew crew;
    int32_t *place; // of a task, by falling rank

    // Queues by falling acceleration. Those before `cpu_begin` are for GPUs alone, those from
    // `gpu_end` on for CPUs alone.
    size_t *queue_of; // of a kind
    queue *queues;
    size_t count;
    size_t cpu_begin;
    size_t gpu_end;
    // Which queue has tasks, 0: it has, seen from the front and from the back.
    duet_tournament front;
    duet_tournament back;

    // Tasks started on each type, and how many of the other type's had been when a processor of
    // this type last found nothing to spoliate.
    int64_t started[2];
    int64_t barren[2];
} heteroprio;

// --- queues --------------------------------------------------------------------------------------

static bool same_acceleration(const duet_instance *instance, size_t a, size_t b)
{
    int64_t p_a = duet_time(instance, a, DUET_CPU);
    int64_t q_a = duet_time(instance, a, DUET_GPU);
    int64_t p_b = duet_time(instance, b, DUET_CPU);
    int64_t q_b = duet_time(instance, b, DUET_GPU);
    if (p_a == 0 && q_a == 0) { // acceleration 1, as in the order of kinds
        return p_b == q_b;
    }
    if (p_b == 0 && q_b == 0) {
        return p_a == q_a;
    }
    return (duet_int128)p_a * q_b == (duet_int128)p_b * q_a;
}

static void assign_queues(heteroprio *h, const duet_acceleration_order *order)
{
    for (size_t at = 0; at < order->count; at++) {
        size_t kind = order->items[at].kind;
        bool begins = at == 0 || at == order->flexible_begin || at == order->flexible_end;
        if (!begins && at > order->flexible_begin && at < order->flexible_end) {
            begins = !same_acceleration(h->instance, order->items[at - 1].kind, kind);
        }
        h->cpu_begin = at < order->flexible_begin ? 1 : h->cpu_begin;
        h->count += begins;
        h->gpu_end = at < order->flexible_end ? h->count : h->gpu_end;
        h->queue_of[kind] = h->count - 1;
    }
}

static duet_code create_queues(heteroprio *h, duet_error *error)
{
    duet_acceleration_order order;
    duet_code code = duet_acceleration_order_create(h->instance, &order, error);
    h->queue_of = duet_alloc(h->instance->kinds, sizeof *h->queue_of, error);
    if (code == DUET_OK && h->queue_of != NULL) {
        assign_queues(h, &order);
    }
    duet_acceleration_order_free(&order);
    h->queues = duet_alloc(h->count, sizeof *h->queues, error);
    if (code != DUET_OK || h->queue_of == NULL || h->queues == NULL) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(duet_tournament_create(h->count, &h->front, error));
    DUET_TRY(duet_tournament_create(h->count, &h->back, error));
    for (size_t i = 0; i < h->count; i++) {
        duet_tournament_set(&h->front, i, 1);
        duet_tournament_set(&h->back, i, 1);
    }
    return DUET_OK;
}

static void mark_queue(heteroprio *h, size_t index)
{
    int64_t empty = h->queues[index].count == 0;
    duet_tournament_set(&h->front, index, empty);
    duet_tournament_set(&h->back, h->count - 1 - index, empty);
}

static duet_code join(void *rule, int64_t task, duet_error *error)
{
    heteroprio *h = rule;
    size_t index = h->queue_of[h->crew.kind[task]];
    queue *q = &h->queues[index];
    DUET_TRY(duet_vec_grow(q->heap, q->count, error));
    keys_push(NULL, q->heap, &q->count, key_of(h->place, task));
    if (q->count == 1) {
        mark_queue(h, index);
    }
    return DUET_OK;
}

// The next task for a type; -1 where no ready task may run there.
static int64_t take(heteroprio *h, size_t type)
{
    const duet_tournament *seen = type == DUET_GPU ? &h->front : &h->back;
    if (duet_tournament_least(seen) != 0) {
        return -1;
    }
    size_t index = duet_tournament_first(seen, 0);
    index = type == DUET_GPU ? index : h->count - 1 - index;
    if (index < h->cpu_begin ? type == DUET_CPU : index >= h->gpu_end && type == DUET_GPU) {
        return -1;
    }
    queue *q = &h->queues[index];
    int64_t task = (int64_t)(keys_pop(NULL, q->heap, &q->count) & UINT32_MAX);
    if (q->count == 0) {
        mark_queue(h, index);
    }
    return task;
}

// --- spoliation ----------------------------------------------------------------------------------

// Whether worker a is robbed rather than worker b.
static bool robbed_before(const heteroprio *h, const duet_worker *a, const duet_worker *b)
{
    if (h->place[a->task] != h->place[b->task]) {
        return h->place[a->task] < h->place[b->task];
    }
    return a->end != b->end ? a->end > b->end : a->task < b->task;
}

// The worker of the other type that loses its task to an idle processor of this one; SIZE_MAX:
// none.
static size_t find_victim(heteroprio *h, size_t type)
{
    const duet_workers *workers = &h->crew.workers;
    size_t other = 1 - type;
    if (h->barren[type] == h->started[other]) {
        return SIZE_MAX;
    }
    size_t found = SIZE_MAX;
    size_t begin = h->crew.worker_at[other];
    for (size_t w = begin; w < begin + h->crew.busy[other].count; w++) {
        const duet_worker *held = &workers->worker[w];
        if (held->busy && duet_allowed(h->instance, held->kind, type) &&
            workers->now + duet_time(h->instance, held->kind, type) < held->end &&
            (found == SIZE_MAX || robbed_before(h, held, &workers->worker[found]))) {
            found = w;
        }
    }
    h->barren[type] = found == SIZE_MAX ? h->started[other] : h->barren[type];
    return found;
}

// --- rounds --------------------------------------------------------------------------------------

static duet_code start(heteroprio *h, size_t type, int64_t task, duet_error *error)
{
    h->started[type]++;
    return duet_crew_start(&h->crew, type, task, error);
}

// The lowest idle processor of a type acts. *acted: it found something to do.
static duet_code serve(heteroprio *h, size_t type, bool *acted, duet_error *error)
{
    int64_t task = take(h, type);
    *acted = task >= 0;
    if (*acted) {
        return start(h, type, task, error);
    }
    size_t victim = find_victim(h, type);
    *acted = victim != SIZE_MAX;
    if (!*acted) {
        return DUET_OK;
    }
    task = h->crew.workers.worker[victim].task;
    DUET_TRY(duet_crew_abort(&h->crew, victim, error));
    return start(h, type, task, error);
}

// Idle processors of a type are alike, so that one that finds nothing speaks for all of them.
static duet_code act(void *rule, duet_error *error)
{
    heteroprio *h = rule;
    for (bool acted = true; acted;) {
        acted = false;
        for (size_t t = 2; t-- > 0 && !acted;) {
            if (duet_crew_is_idle(&h->crew, t)) {
                DUET_TRY(serve(h, t, &acted, error));
            }
        }
    }
    return DUET_OK;
}

static void destroy(heteroprio *h)
{
    for (size_t i = 0; h->queues != NULL && i < h->count; i++) {
        duet_free(h->queues[i].heap);
    }
    duet_free(h->queues);
    duet_free(h->queue_of);
    duet_free(h->place);
    duet_tournament_free(&h->front);
    duet_tournament_free(&h->back);
    duet_crew_free(&h->crew);
}

// Without edges ranks do not count.
static duet_code create_places(heteroprio *h, duet_level rank, duet_error *error)
{
    if (h->instance->graph != NULL) {
        return duet_places_by_bottom_level(h->instance, rank, &h->place, error);
    }
    h->place = duet_alloc((size_t)duet_tasks(h->instance), sizeof *h->place, error);
    return h->place == NULL ? DUET_E_MEMORY : DUET_OK;
}

duet_code duet_heteroprio_graph(const duet_instance *instance, const duet_context *context,
                                duet_level rank, duet_solution *solution, duet_error *error)
{
    DUET_ASSERT(instance->types == 2);
    static const duet_crew_rule functions = {.join = join, .act = act};
    heteroprio h = {.instance = instance, .barren = {-1, -1}};
    duet_code code = duet_crew_create(instance, context, solution, &h.crew, error);
    DUET_THEN(code, create_places(&h, rank, error));
    DUET_THEN(code, create_queues(&h, error));
    DUET_THEN(code, duet_crew_run(&h.crew, &functions, &h, error));
    destroy(&h);
    return code;
}
