// SPDX-License-Identifier: Apache-2.0
// heteroprio on task graphs, on two types.
//
// Method:    at each instant idle processors act, GPUs first, the lowest index first. A GPU takes
//            the ready task of largest acceleration factor, a CPU that of smallest, where these are
//            equal the one of highest rank, then of lowest index. With published ties (the paper's
//            section 2.2) tasks of equal acceleration stand in the one queue from which GPUs take
//            the first and CPUs the last: by falling rank, then by index, from acceleration 1 on,
//            the other way round below; so a CPU takes the lowest of the accelerated tasks. Where
//            there is none that it may run it spoliates: of the tasks that run on the other type
//            and that it would end strictly earlier, the one of highest rank, then the one that
//            ends last, then that of lowest index. The processor that lost its task acts in the
//            same round.
// Guarantee: none: three tasks (H, 1), (H, 1), (1, H) on one CPU and one GPU, the second before the
//            third, take H + 1 against 2, since the GPU, free at 1, takes the third one.
// Cost:      O(e + n log n) time beside spoliation, which looks at the m processors of the other
//            type at most once for every task that starts there and for every aborted run; O(n + m)
//            memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, sections 2.2 and 6.2.
//
// Ready tasks of equal acceleration are in one queue, which has a heap by falling rank. With
// published ties it has a second one by rising rank, and a task that was taken from one of them is
// skipped in the other. A processor that finds nothing to spoliate will find nothing
// later either, until a task starts on the other type: what runs there ends no later, and it would
// itself end later.
#include "heuristics/rules/heteroprio_graph.h"

#include "core/heap.h"
#include "core/instance/acceleration.h"
#include "core/instance/priority.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/crew.h"

// Which task of a queue comes first.
typedef enum end { HIGHEST, LOWEST, ENDS } end;

// A ready task: its place in the upper half, its index in the lower, both counted from this end.
static uint64_t key_of(const int32_t *place, int64_t task, end from)
{
    uint64_t key = (uint64_t)place[task] << 32 | (uint64_t)task;
    return from == HIGHEST ? key : ~key;
}

static int64_t task_of(uint64_t key, end from)
{
    return (int64_t)((from == HIGHEST ? key : ~key) & UINT32_MAX);
}

static bool lower(const void *none, uint64_t a, uint64_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(keys, uint64_t, void, lower)

// The ready tasks of equal acceleration, and some that have been taken.
typedef struct heap {
    uint64_t *key;
    size_t count;
} heap;

typedef struct queue {
    heap by[ENDS];
    size_t ready;
} queue;

typedef struct heteroprio {
    const duet_instance *instance;
    duet_crew crew;
    int32_t *place; // of a task, by falling rank
    bool *waits;    // a task is in its queue
    duet_heteroprio_choices choices;

    // Queues by falling acceleration. Those before `cpu_begin` are for GPUs alone, those from
    // `gpu_end` on for CPUs alone.
    size_t *queue_of; // of a kind
    queue *queues;
    size_t count;
    size_t cpu_begin;
    size_t gpu_end;
    size_t slow_begin; // the first queue of an acceleration below 1
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

static bool is_accelerated(const duet_instance *instance, size_t kind)
{
    return !duet_allowed(instance, kind, DUET_CPU) ||
           (duet_allowed(instance, kind, DUET_GPU) &&
            duet_time(instance, kind, DUET_CPU) >= duet_time(instance, kind, DUET_GPU));
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
        h->slow_begin = is_accelerated(h->instance, kind) ? h->count : h->slow_begin;
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
    int64_t empty = h->queues[index].ready == 0;
    duet_tournament_set(&h->front, index, empty);
    duet_tournament_set(&h->back, h->count - 1 - index, empty);
}

static duet_code add_from(heteroprio *h, heap *by, int64_t task, end from, duet_error *error)
{
    DUET_TRY(duet_vec_grow(by->key, by->count, error));
    keys_push(NULL, by->key, &by->count, key_of(h->place, task, from));
    return DUET_OK;
}

static duet_code join(void *rule, int64_t task, duet_error *error)
{
    heteroprio *h = rule;
    size_t index = h->queue_of[h->crew.kind[task]];
    queue *q = &h->queues[index];
    DUET_TRY(add_from(h, &q->by[HIGHEST], task, HIGHEST, error));
    if (h->choices.ties == DUET_HETEROPRIO_PUBLISHED) {
        DUET_TRY(add_from(h, &q->by[LOWEST], task, LOWEST, error));
    }
    h->waits[task] = true;
    q->ready++;
    if (q->ready == 1) {
        mark_queue(h, index);
    }
    return DUET_OK;
}

// The end of a queue from which a type takes.
static end end_of(const heteroprio *h, size_t index, size_t type)
{
    bool accelerated = index < h->slow_begin;
    return h->choices.ties == DUET_HETEROPRIO_PUBLISHED && accelerated == (type == DUET_CPU)
               ? LOWEST
               : HIGHEST;
}

static int64_t take_from(heteroprio *h, size_t index, end from)
{
    queue *q = &h->queues[index];
    heap *by = &q->by[from];
    int64_t task;
    do {
        task = task_of(keys_pop(NULL, by->key, &by->count), from);
    } while (!h->waits[task]);
    h->waits[task] = false;
    q->ready--;
    if (q->ready == 0) {
        q->by[HIGHEST].count = 0;
        q->by[LOWEST].count = 0;
        mark_queue(h, index);
    }
    return task;
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
    return take_from(h, index, end_of(h, index, type));
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
    if (h->choices.keeps || h->barren[type] == h->started[other]) {
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
        duet_free(h->queues[i].by[HIGHEST].key);
        duet_free(h->queues[i].by[LOWEST].key);
    }
    duet_free(h->queues);
    duet_free(h->queue_of);
    duet_free(h->place);
    duet_free(h->waits);
    duet_tournament_free(&h->front);
    duet_tournament_free(&h->back);
    duet_crew_free(&h->crew);
}

static duet_code create_given(heteroprio *h, duet_error *error)
{
    int64_t tasks = duet_tasks(h->instance);
    int32_t *of_kind = NULL;
    h->place = duet_alloc((size_t)tasks, sizeof *h->place, error);
    duet_code code = h->place == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, duet_priority_places(h->instance, &of_kind, error));
    for (int64_t j = 0; j < tasks && code == DUET_OK; j++) {
        h->place[j] = of_kind[h->crew.kind[j]];
    }
    duet_free(of_kind);
    return code;
}

// Without edges, and where a source tells no bottom levels, ranks do not count.
static duet_code create_places(heteroprio *h, duet_error *error)
{
    h->waits = duet_alloc((size_t)duet_tasks(h->instance), sizeof *h->waits, error);
    DUET_NEED(h->waits);
    const duet_task_source *source = h->choices.source;
    if (source != NULL && source->bottom != NULL) {
        return duet_places_of_levels(duet_tasks(h->instance), source->bottom, &h->place, error);
    }
    if (h->choices.given && source == NULL && h->instance->priority != NULL) {
        return create_given(h, error);
    }
    if (h->instance->graph != NULL && source == NULL && !h->choices.given) {
        return duet_places_by_bottom_level(h->instance, h->choices.rank, &h->place, error);
    }
    h->place = duet_alloc((size_t)duet_tasks(h->instance), sizeof *h->place, error);
    return h->place == NULL ? DUET_E_MEMORY : DUET_OK;
}

duet_code duet_heteroprio_graph(const duet_instance *instance, const duet_context *context,
                                const duet_heteroprio_choices *choices, duet_solution *solution,
                                duet_error *error)
{
    DUET_ASSERT(instance->types == 2);
    static const duet_crew_rule functions = {.join = join, .act = act};
    heteroprio h = {.instance = instance, .choices = *choices, .barren = {-1, -1}};
    duet_code code = duet_crew_create(instance, context, choices->source, solution, &h.crew, error);
    DUET_THEN(code, create_places(&h, error));
    DUET_THEN(code, create_queues(&h, error));
    DUET_THEN(code, duet_crew_run(&h.crew, &functions, &h, error));
    destroy(&h);
    return code;
}
