// SPDX-License-Identifier: Apache-2.0
// dualhp on task graphs, and dual-2 and dual-4-3.
//
// Method:    whenever tasks become ready, all that have not started are assigned anew, as dualhp
//            assigns independent tasks at a guess that it accepts while it refuses the next smaller
//            one; loads begin with what is left of the running tasks. The guess is found by
//            doubling steps up from the longest task, then by halving. That is the smallest guess
//            but where a task that overshoots the GPUs' share made a smaller one fit by chance. In
//            place of dualhp another algorithm for independent tasks may divide them (ready_set.h).
//            Tasks are assigned by kind: of a kind that is split the first ones by rank go to the
//            GPUs. Then idle processors take from the tasks of their type, by rank, then by index.
// Guarantee: none.
// Cost:      O(m + K log L) at each instant with new ready tasks, K kinds of which tasks wait and L
//            ticks of work; O(log n) for each task that starts or is assigned to another type than
//            before: O(n log n) where tasks become ready at few instants. O(n + m) memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6.2; Bleuse, Kedad-Sidhoum, Monna,
//            Mounie, Trystram, CCPE 27(6), 2015, section 5.3, for the others.
//
// Of a kind the tasks for the GPUs are those before the tasks for the CPUs. Where more or fewer of
// them are for the GPUs than before, tasks move from one heap to another; entries that have moved
// or started are left behind and dropped when they come up, or when they are more than the others.
// Each type has a heap of its tasks of all kinds, too, from which its processors take the first.
#include "solvers/dual/dualhp_graph.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/instance/acceleration.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/crew.h"
#include "heuristics/engine/places.h"
#include "solvers/dual/ready_set.h"
#include "solvers/dual/two_types.h"

// A waiting task: its place in the upper half, its index in the lower.
static bool lower(const void *none, uint64_t a, uint64_t b)
{
    (void)none;
    return a < b;
}

static bool higher(const void *none, uint64_t a, uint64_t b)
{
    (void)none;
    return a > b;
}

DUET_HEAP(lowest, uint64_t, void, lower)
DUET_HEAP(highest, uint64_t, void, higher)

typedef struct heap {
    uint64_t *key;
    size_t count;
} heap;

// The waiting tasks of a kind.
typedef struct queue {
    heap first[2];     // of each type, the first one on top
    heap last_gpu;     // those of the GPUs, the last one on top
    int64_t waits[2];  // tasks of each type
    int64_t gpu_share; // how many are to be the GPUs'
    bool active;       // it is in the list of active kinds
} queue;

typedef enum state { BEFORE, WAITS_FOR_CPU, WAITS_FOR_GPU, STARTED } state;

typedef struct dualhp {
    const duet_instance *instance;
    const duet_context *context;
    duet_crew crew;
    int32_t *place; // of a task; with fifo the round in which it became ready
    bool fifo;
    int32_t round;
    bool changed; // tasks have become ready in this round, or a processor has gone

    duet_acceleration_order order;
    size_t *position; // of a kind in the order
    queue *queues;    // of a kind
    uint8_t *state;   // of a task
    // The kinds of which tasks wait, or have waited since the last assignment: the first ones by
    // falling acceleration, behind them those that have come since then.
    size_t *active;
    size_t active_count;
    size_t sorted_count;
    size_t *merged;            // room for as many
    uint64_t *position_of;     // room for positions of as many
    heap next[2];              // waiting tasks of a type, the first one on top
    int64_t waits[2];          // how many these are
    duet_run_function *divide; // NULL: dualhp
    int64_t cells;             // that it looked at
    duet_int128 running[2];    // what is planned to be left of the running tasks of a type
} dualhp;

// --- queues --------------------------------------------------------------------------------------

static state waiting_for(size_t type)
{
    return type == DUET_GPU ? WAITS_FOR_GPU : WAITS_FOR_CPU;
}

static int64_t task_of(uint64_t key)
{
    return (int64_t)(key & UINT32_MAX);
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static int descending(const void *left, const void *right)
{
    return ascending(right, left);
}

// Drops what has moved or started, and the second entry of what came back. A sorted array is a
// heap.
static void sweep(const dualhp *d, heap *h, size_t type, bool lowest_first)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (d->state[task_of(h->key[i])] == waiting_for(type)) {
            h->key[kept++] = h->key[i];
        }
    }
    qsort(h->key, kept, sizeof *h->key, lowest_first ? ascending : descending);
    h->count = 0;
    for (size_t i = 0; i < kept; i++) {
        if (i == 0 || h->key[i] != h->key[i - 1]) {
            h->key[h->count++] = h->key[i];
        }
    }
}

// Room for one more of `waiting` entries that count. Others are at most as many: each sweep is paid
// by those that have come since the last one.
static duet_code make_room(const dualhp *d, heap *h, size_t type, int64_t waiting,
                           bool lowest_first, duet_error *error)
{
    enum { FEW = 16 };
    if (h->count > 2 * (size_t)waiting + FEW) {
        sweep(d, h, type, lowest_first);
    }
    return duet_vec_grow(h->key, h->count, error);
}

// A task, which waits for no type or for the other one, is for this type now.
static duet_code put(dualhp *d, queue *q, size_t type, uint64_t key, duet_error *error)
{
    DUET_TRY(make_room(d, &q->first[type], type, q->waits[type], true, error));
    DUET_TRY(make_room(d, &d->next[type], type, d->waits[type], true, error));
    if (type == DUET_GPU) {
        DUET_TRY(make_room(d, &q->last_gpu, type, q->waits[type], false, error));
    }
    lowest_push(NULL, q->first[type].key, &q->first[type].count, key);
    lowest_push(NULL, d->next[type].key, &d->next[type].count, key);
    if (type == DUET_GPU) {
        highest_push(NULL, q->last_gpu.key, &q->last_gpu.count, key);
    }
    d->state[task_of(key)] = (uint8_t)waiting_for(type);
    q->waits[type]++;
    d->waits[type]++;
    return DUET_OK;
}

// The first task of a heap of a type, which has one.
static uint64_t first_of(const dualhp *d, heap *h, size_t type)
{
    while (d->state[task_of(h->key[0])] != waiting_for(type)) {
        lowest_pop(NULL, h->key, &h->count);
    }
    return h->key[0];
}

// The last task of the GPUs, which have one.
static uint64_t last_of_gpu(const dualhp *d, queue *q)
{
    heap *h = &q->last_gpu;
    while (d->state[task_of(h->key[0])] != WAITS_FOR_GPU) {
        highest_pop(NULL, h->key, &h->count);
    }
    return h->key[0];
}

// A task of a type starts, or goes to the other one.
static void leave(dualhp *d, queue *q, size_t type)
{
    q->waits[type]--;
    d->waits[type]--;
}

static duet_code join(void *rule, int64_t task, duet_error *error)
{
    dualhp *d = rule;
    size_t kind = (size_t)d->crew.kind[task];
    queue *q = &d->queues[kind];
    if (d->fifo) {
        d->place[task] = d->round;
    }
    if (!q->active) {
        q->active = true;
        d->active[d->active_count++] = kind;
    }
    d->changed = true;
    uint64_t key = (uint64_t)d->place[task] << 32 | (uint64_t)task;
    // Tasks of the GPUs stay before those of the CPUs.
    bool before = q->waits[DUET_GPU] > 0 && key < last_of_gpu(d, q);
    return put(d, q, before ? DUET_GPU : DUET_CPU, key, error);
}

// --- assignment ----------------------------------------------------------------------------------

static int64_t waiting_of(const dualhp *d, size_t kind)
{
    return d->queues[kind].waits[0] + d->queues[kind].waits[1];
}

// What the tasks that only fit on one type within the guess take there, beside what runs. False:
// the guess is refused.
static bool fix(const dualhp *d, int64_t lambda, duet_int128 work[2])
{
    const duet_instance *instance = d->instance;
    for (size_t i = 0; i < d->active_count; i++) {
        size_t kind = d->active[i];
        bool on_cpu = duet_fits_within(instance, kind, DUET_CPU, lambda);
        bool on_gpu = duet_fits_within(instance, kind, DUET_GPU, lambda);
        d->queues[kind].gpu_share = on_cpu ? 0 : waiting_of(d, kind);
        if (!on_cpu && !on_gpu) {
            return false;
        }
        if (!on_cpu || !on_gpu) {
            size_t type = on_cpu ? DUET_CPU : DUET_GPU;
            work[type] += (duet_int128)duet_time(instance, kind, type) * waiting_of(d, kind);
        }
    }
    return work[DUET_GPU] <= (duet_int128)lambda * instance->processors[DUET_GPU];
}

// Whether a guess is accepted; sets gpu_share of the active kinds.
static bool guess(const dualhp *d, int64_t lambda)
{
    const duet_instance *instance = d->instance;
    duet_int128 work[2] = {d->running[0], d->running[1]};
    if (!fix(d, lambda, work)) {
        return false;
    }
    duet_int128 gpu_room = (duet_int128)lambda * instance->processors[DUET_GPU];
    for (size_t i = 0; i < d->active_count; i++) {
        size_t kind = d->active[i];
        if (!duet_fits_within(instance, kind, DUET_CPU, lambda) ||
            !duet_fits_within(instance, kind, DUET_GPU, lambda)) {
            continue;
        }
        int64_t count = waiting_of(d, kind);
        int64_t q = duet_time(instance, kind, DUET_GPU);
        int64_t on_gpu = duet_start_below(gpu_room - work[DUET_GPU], q, count);
        work[DUET_GPU] += (duet_int128)q * on_gpu;
        work[DUET_CPU] += (duet_int128)duet_time(instance, kind, DUET_CPU) * (count - on_gpu);
        d->queues[kind].gpu_share = on_gpu;
    }
    return work[DUET_CPU] <= (duet_int128)lambda * instance->processors[DUET_CPU];
}

// The longest of the tasks where they are shortest: no smaller guess is accepted.
static int64_t longest_waiting(const dualhp *d)
{
    int64_t longest = 0;
    for (size_t i = 0; i < d->active_count; i++) {
        int64_t least = DUET_FORBIDDEN;
        for (size_t t = 0; t < 2; t++) {
            int64_t time = duet_time(d->instance, d->active[i], t);
            least = duet_allowed(d->instance, d->active[i], t) && time < least ? time : least;
        }
        longest = duet_max(least, longest);
    }
    return longest;
}

// Sets gpu_share of the active kinds at a guess that is accepted, the one below it being refused.
static void find_guess(const dualhp *d)
{
    int64_t refused = longest_waiting(d) - 1;
    int64_t accepted = refused + 1;
    for (int64_t step = 1; !guess(d, accepted); step *= 2) {
        refused = accepted;
        accepted += step;
    }
    while (accepted - refused > 1) {
        int64_t middle = refused + (accepted - refused) / 2;
        if (guess(d, middle)) {
            accepted = middle;
        } else {
            refused = middle;
        }
    }
    bool holds = guess(d, accepted);
    DUET_ASSERT(holds);
    (void)holds;
}

// The same by the other algorithm.
static duet_code ask(dualhp *d, duet_error *error)
{
    int64_t *count = duet_alloc_raw(2 * d->active_count, sizeof *count, error);
    DUET_NEED(count);
    int64_t *on_gpu = count + d->active_count;
    const duet_ready_set set = {&d->crew.workers, d->active, count, d->active_count};
    for (size_t i = 0; i < d->active_count; i++) {
        count[i] = waiting_of(d, d->active[i]);
    }
    duet_code code = duet_ready_set_divide(&set, d->divide, d->context, on_gpu, &d->cells, error);
    for (size_t i = 0; i < d->active_count && code == DUET_OK; i++) {
        d->queues[d->active[i]].gpu_share = on_gpu[i];
    }
    duet_free(count);
    return code;
}

static void measure_running(dualhp *d)
{
    const duet_workers *workers = &d->crew.workers;
    d->running[0] = d->running[1] = 0;
    for (size_t w = 0; w < workers->count; w++) {
        const duet_worker *held = &workers->worker[w];
        if (held->busy && held->end > workers->now) {
            d->running[held->type] += held->end - workers->now;
        }
    }
}

// Moves tasks of a kind until its share is the GPUs'.
static duet_code move(dualhp *d, queue *q, duet_error *error)
{
    while (q->waits[DUET_GPU] < q->gpu_share) {
        uint64_t key = first_of(d, &q->first[DUET_CPU], DUET_CPU);
        leave(d, q, DUET_CPU);
        DUET_TRY(put(d, q, DUET_GPU, key, error));
    }
    while (q->waits[DUET_GPU] > q->gpu_share) {
        uint64_t key = last_of_gpu(d, q);
        leave(d, q, DUET_GPU);
        DUET_TRY(put(d, q, DUET_CPU, key, error));
    }
    return DUET_OK;
}

// Sorts the kinds that have become active into the others, and drops those of which none waits.
static void order_active(dualhp *d)
{
    size_t fresh = d->active_count - d->sorted_count;
    size_t kept = 0;
    for (size_t i = 0; i < fresh; i++) {
        d->position_of[i] = d->position[d->active[d->sorted_count + i]];
    }
    qsort(d->position_of, fresh, sizeof *d->position_of, ascending);
    for (size_t i = 0, j = 0; i < d->sorted_count || j < fresh;) {
        bool first =
            j == fresh || (i < d->sorted_count && d->position[d->active[i]] < d->position_of[j]);
        size_t kind = first ? d->active[i++] : d->order.items[d->position_of[j++]].kind;
        d->queues[kind].active = waiting_of(d, kind) > 0;
        if (d->queues[kind].active) {
            d->merged[kept++] = kind;
        }
    }
    size_t *merged = d->merged;
    d->merged = d->active;
    d->active = merged;
    d->active_count = d->sorted_count = kept;
}

static duet_code assign(dualhp *d, duet_error *error)
{
    duet_code code = DUET_OK;
    order_active(d);
    if (d->divide != NULL) {
        code = ask(d, error);
    } else {
        measure_running(d);
        find_guess(d);
    }
    for (size_t i = 0; i < d->active_count && code == DUET_OK; i++) {
        code = move(d, &d->queues[d->active[i]], error);
    }
    d->changed = false;
    return code;
}

// --- rounds --------------------------------------------------------------------------------------

// An idle processor of the type takes its first task. *took: there was one.
static duet_code serve(dualhp *d, size_t type, bool *took, duet_error *error)
{
    *took = d->waits[type] > 0;
    if (!*took) {
        return DUET_OK;
    }
    int64_t task = task_of(first_of(d, &d->next[type], type));
    d->state[task] = STARTED;
    leave(d, &d->queues[d->crew.kind[task]], type);
    return duet_crew_start(&d->crew, type, task, error);
}

// What waited for the processor may have to go elsewhere.
static duet_code lose(void *rule, size_t type, size_t processor, duet_error *error)
{
    dualhp *d = rule;
    (void)type;
    (void)processor;
    (void)error;
    d->changed = true;
    return DUET_OK;
}

static duet_code act(void *rule, duet_error *error)
{
    dualhp *d = rule;
    duet_code code =
        duet_context_stop(d->context) ? duet_context_stop_error(d->context, error) : DUET_OK;
    if (code == DUET_OK && d->changed) {
        code = assign(d, error);
    }
    for (size_t t = 0; t < 2; t++) {
        bool took = true;
        while (took && code == DUET_OK && duet_crew_is_idle(&d->crew, t)) {
            code = serve(d, t, &took, error);
        }
    }
    d->round++;
    return code;
}

// --- beginning and end ---------------------------------------------------------------------------

static duet_code create_places(dualhp *d, duet_dualhp_rank rank, duet_error *error)
{
    d->fifo = rank == DUET_DUALHP_FIFO;
    if (d->fifo) {
        d->place = duet_alloc((size_t)duet_tasks(d->instance), sizeof *d->place, error);
        return d->place == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    duet_level level = rank == DUET_DUALHP_AVG ? DUET_LEVEL_MEAN : DUET_LEVEL_LEAST;
    return duet_places_by_bottom_level(d->instance, level, &d->place, error);
}

static duet_code create(dualhp *d, duet_error *error)
{
    size_t kinds = d->instance->kinds;
    duet_code code = duet_acceleration_order_create(d->instance, &d->order, error);
    d->position = duet_alloc(kinds, sizeof *d->position, error);
    d->queues = duet_alloc(kinds, sizeof *d->queues, error);
    d->active = duet_alloc(kinds, sizeof *d->active, error);
    d->merged = duet_alloc(kinds, sizeof *d->merged, error);
    d->position_of = duet_alloc(kinds, sizeof *d->position_of, error);
    d->state = duet_alloc((size_t)duet_tasks(d->instance), sizeof *d->state, error);
    if (code != DUET_OK || d->position == NULL || d->queues == NULL || d->active == NULL ||
        d->merged == NULL || d->position_of == NULL || d->state == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t at = 0; at < d->order.count; at++) {
        d->position[d->order.items[at].kind] = at;
    }
    return DUET_OK;
}

static void destroy(dualhp *d)
{
    for (size_t i = 0; d->queues != NULL && i < d->instance->kinds; i++) {
        duet_free(d->queues[i].first[0].key);
        duet_free(d->queues[i].first[1].key);
        duet_free(d->queues[i].last_gpu.key);
    }
    duet_free(d->queues);
    duet_free(d->position);
    duet_free(d->active);
    duet_free(d->merged);
    duet_free(d->position_of);
    for (size_t t = 0; t < 2; t++) {
        duet_free(d->next[t].key);
    }
    duet_free(d->state);
    duet_free(d->place);
    duet_acceleration_order_free(&d->order);
    duet_crew_free(&d->crew);
}

duet_code duet_dualhp_graph(const duet_instance *instance, const duet_context *context,
                            duet_dualhp_rank rank, duet_run_function *divide,
                            duet_solution *solution, duet_error *error)
{
    static const duet_crew_rule functions = {.join = join, .act = act, .lose = lose};
    dualhp d = {.instance = instance, .context = context, .divide = divide};
    duet_code code = duet_solution_hold_placements(solution, error);
    DUET_THEN(code, duet_crew_create(instance, context, NULL, solution, &d.crew, error));
    DUET_THEN(code, create_places(&d, rank, error));
    DUET_THEN(code, create(&d, error));
    DUET_THEN(code, duet_crew_run(&d.crew, &functions, &d, error));
    if (divide != NULL) {
        duet_solution_count(solution, "cells", d.cells);
    }
    destroy(&d);
    return code;
}
