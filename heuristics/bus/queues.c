// SPDX-License-Identifier: Apache-2.0
// A plan as a runtime carries it out that knows of it who may run a task, and its priority.
//
// Method:    events in the order of time. A task whose predecessors have ended goes to the queue of
//            the processor where it is expected to end first, of those of its planned type, or of
//            these on the planned node: after all that stands there, and after its transfers, which
//            are also added, twice for each node beside the main memory, since links are shared.
//            From then on its data are on their way. A processor that becomes free takes from its
//            queue what starts first in the plan; beside an accelerator's task the next one is
//            taken already, so that its data come meanwhile.
// Guarantee: none. It is what StarPU's policy dmdas does, whose expectations these are.
// Cost:      O(n log n + n processors + (accesses + edges) x nodes) beside the looks at links.
// Memory:    O(n + processors).
// Reference: Augonnet, Clet-Ortega, Thibault, Namyst, "Data-aware task scheduling on
//            multi-accelerator based platforms", ICPADS 2010.
#include "heuristics/bus/carried.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct event {
    int64_t at;
    int32_t task;      // that is ready; -1: the processor becomes free
    int32_t processor; // -1: none
} event;

static inline bool is_earlier(const void *none, event a, event b)
{
    (void)none;
    return a.at != b.at                 ? a.at < b.at
           : a.processor != b.processor ? a.processor < b.processor
                                        : a.task < b.task;
}

// Ranks of tasks: places in the order of the plan.
static inline bool is_before(const void *none, int32_t a, int32_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(events, event, void, is_earlier)
DUET_HEAP(ranks, int32_t, void, is_before)

typedef struct queue {
    int32_t *rank; // a heap
    size_t count;
    int64_t length; // how long all of it takes, and `next`
    int32_t next;   // rank of what is taken already; -1: none
    int32_t runs;   // the task that runs; -1: none
    bool busy;
} queue;

typedef struct queues {
    duet_carried *c;
    duet_arena arena;
    queue *queue; // of each processor
    event *event; // a heap; at most one of a task and one of a processor
    size_t events;
    int32_t *rank_of; // of each task
    int32_t *missing; // of each task: predecessors that have not ended
    int32_t *ready;   // ranks of what has become ready now
    size_t ready_count;
    int64_t now;
} queues;

static int64_t time_of(const duet_carried *c, int64_t task)
{
    return duet_time(c->instance, duet_instance_kind_of(c->instance, task),
                     (size_t)c->plan[task].type);
}

// --- choices -------------------------------------------------------------------------------------

static size_t choose(const queues *q, int64_t task)
{
    const duet_carried *c = q->c;
    const duet_bus *bus = c->bus;
    size_t type = (size_t)c->plan[task].type;
    size_t planned = duet_carried_processor(c, &c->plan[task]);
    size_t best = planned;
    duet_int128 least = 0;
    duet_int128 transfers = 0;
    int32_t last_node = -1;
    bool found = false;
    for (size_t i = bus->first_of[type]; i < bus->first_of[type + 1]; i++) {
        int32_t node = bus->node_of[i];
        if ((c->keep == DUET_BUS_NODES && node != bus->node_of[planned]) ||
            duet_carried_is_lost(c, type, i) || !duet_copies_fit(&c->copies, task, (size_t)node)) {
            continue;
        }
        if (node != last_node) {
            transfers = (duet_int128)duet_copies_look(&c->copies, task, (size_t)node).carried *
                        (duet_int128)(2 * (bus->nodes - 1));
            last_node = node;
        }
        duet_int128 start = duet_max(c->free_at[i], q->now) + q->queue[i].length;
        duet_int128 fetched = q->now + transfers;
        duet_int128 key = duet_max(start, fetched) + transfers;
        if (!found || key < least) {
            found = true;
            least = key;
            best = i;
        }
    }
    return best;
}

static duet_code push(queues *q, int32_t rank, duet_error *error)
{
    duet_carried *c = q->c;
    int64_t task = c->order[rank].task;
    size_t processor = choose(q, task);
    queue *to = &q->queue[processor];
    int64_t there;
    DUET_TRY(
        duet_copies_bring(&c->copies, task, (size_t)c->bus->node_of[processor], &there, error));
    DUET_TRY(duet_vec_grow(to->rank, to->count, error));
    ranks_push(NULL, to->rank, &to->count, rank);
    to->length += time_of(c, task);
    return DUET_OK;
}

// --- processors ----------------------------------------------------------------------------------

static int32_t take(queue *from)
{
    int32_t next = from->next;
    from->next = -1;
    return next >= 0 ? next : ranks_pop(NULL, from->rank, &from->count);
}

static duet_code serve(queues *q, size_t processor, duet_error *error)
{
    duet_carried *c = q->c;
    queue *from = &q->queue[processor];
    if (!from->busy && (from->next >= 0 || from->count > 0)) {
        int32_t task = c->order[take(from)].task;
        from->length -= time_of(c, task);
        from->busy = true;
        from->runs = task;
        DUET_TRY(duet_carried_run(c, task, processor, q->now, error));
        events_push(NULL, q->event, &q->events,
                    (event){c->free_at[processor], -1, (int32_t)processor});
    }
    if (from->busy && from->next < 0 && from->count > 0 && c->bus->node_of[processor] != 0) {
        from->next = ranks_pop(NULL, from->rank, &from->count);
    }
    return DUET_OK;
}

// --- events --------------------------------------------------------------------------------------

static void release(queues *q, int64_t task)
{
    int64_t at = duet_release(q->c->instance, duet_instance_kind_of(q->c->instance, task));
    if (at <= q->now) {
        q->ready[q->ready_count++] = q->rank_of[task];
    } else {
        events_push(NULL, q->event, &q->events, (event){at, (int32_t)task, -1});
    }
}

static void end(queues *q, size_t processor)
{
    const duet_graph *graph = q->c->instance->graph;
    queue *of = &q->queue[processor];
    int32_t task = of->runs;
    of->busy = false;
    of->runs = -1;
    if (task < 0 || graph == NULL) {
        return;
    }
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        int32_t head = graph->head[graph->leaving[at]];
        if (--q->missing[head] == 0) {
            release(q, head);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const int32_t *x = a;
    const int32_t *y = b;
    return (*x > *y) - (*x < *y);
}

static duet_code step(queues *q, duet_error *error)
{
    while (q->events > 0 && q->event[0].at <= q->now) {
        event next = events_pop(NULL, q->event, &q->events);
        if (next.task >= 0) {
            q->ready[q->ready_count++] = q->rank_of[next.task];
        } else {
            end(q, (size_t)next.processor);
        }
    }
    qsort(q->ready, q->ready_count, sizeof *q->ready, compare);
    q->c->copies.now = q->now;
    for (size_t i = 0; i < q->ready_count; i++) {
        DUET_TRY(push(q, q->ready[i], error));
    }
    q->ready_count = 0;
    for (size_t i = 0; i < q->c->bus->processors; i++) {
        DUET_TRY(serve(q, i, error));
    }
    return DUET_OK;
}

static void begin(queues *q)
{
    const duet_carried *c = q->c;
    const duet_graph *graph = c->instance->graph;
    for (size_t i = 0; i < c->bus->processors; i++) {
        q->queue[i] = (queue){.next = -1, .runs = -1, .busy = c->free_at[i] > 0};
        if (q->queue[i].busy) {
            events_push(NULL, q->event, &q->events, (event){c->free_at[i], -1, (int32_t)i});
        }
    }
    for (int64_t i = 0; i < c->bus->tasks; i++) {
        q->rank_of[c->order[i].task] = (int32_t)i;
    }
    for (int64_t task = 0; task < c->bus->tasks; task++) {
        q->missing[task] =
            graph == NULL ? 0 : (int32_t)(graph->enter_at[task + 1] - graph->enter_at[task]);
        if (q->missing[task] == 0) {
            release(q, task);
        }
    }
}

duet_code duet_carried_run_queues(duet_carried *c, duet_error *error)
{
    queues q = {.c = c};
    size_t tasks = (size_t)c->bus->tasks;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(q.queue, c->bus->processors),
        DUET_ARENA_ARRAY(q.event, tasks + c->bus->processors), DUET_ARENA_ARRAY(q.rank_of, tasks),
        DUET_ARENA_ARRAY(q.missing, tasks), DUET_ARENA_ARRAY(q.ready, tasks)};
    DUET_TRY(duet_arena_create(&q.arena, arrays, 5, error));
    begin(&q);
    duet_code code = step(&q, error);
    while (code == DUET_OK && q.events > 0) {
        q.now = q.event[0].at;
        code = step(&q, error);
    }
    for (size_t i = 0; i < c->bus->processors; i++) {
        duet_free(q.queue[i].rank);
    }
    duet_arena_free(&q.arena);
    return code;
}
