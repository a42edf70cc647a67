// SPDX-License-Identifier: Apache-2.0
// A plan on a machine with a bus, and the relocation of its tasks.
//
// Method:    list scheduling in the order of planned starts. A task starts when its predecessors
//            have ended, its data are on its node (copies.c) and its processor is free. Its
//            processor is the planned one (DUET_BUS_PLACES), or the one of the planned type where
//            it ends first (DUET_BUS_TYPES), its transfers counted on top with a weight, since
//            links are shared; of several weights the one that makes the run shortest.
// Guarantee: none. With DUET_BUS_PLACES it is what the machine does; that later transfers fill gaps
//            supposes that data are fetched as soon as they exist.
// Cost:      O(n log n + (accesses + edges) x nodes) beside the looks at links.
// Memory:    O(n + data x nodes + transfers).
// Reference: the relocation is the allocation step of HEFT (Topcuoglu, Hariri, Wu, IEEE TPDS 13(3),
//            2002) within the type, on the one-port links of Sinnen, Sousa, IEEE TPDS 16(6), 2005.
#include <stdlib.h>

#include <duet/bus.h>

#include "core/instance/bus.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/bus/carried.h"
#include "heuristics/bus/tuning.h"

static int compare(const void *a, const void *b)
{
    const duet_keyed *x = a;
    const duet_keyed *y = b;
    int by_start = (x->start > y->start) - (x->start < y->start);
    return by_start != 0 ? by_start : (x->place > y->place) - (x->place < y->place);
}

static duet_code check_plan(const duet_carried *c, int64_t task, duet_error *error)
{
    const duet_placement *p = &c->plan[task];
    if (p->type < 0 || (size_t)p->type >= c->bus->types || p->processor < 0 ||
        (int64_t)p->processor >= c->instance->processors[p->type] ||
        duet_time(c->instance, duet_instance_kind_of(c->instance, task), (size_t)p->type) ==
            DUET_FORBIDDEN) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the plan has no processor for task %lld that can run it",
                              (long long)task);
    }
    return DUET_OK;
}

static duet_code sort_tasks(duet_carried *c, duet_error *error)
{
    const duet_graph *graph = c->instance->graph;
    for (int64_t task = 0; task < c->bus->tasks; task++) {
        DUET_TRY(check_plan(c, task, error));
        c->order[task] = (duet_keyed){c->plan[task].start, (int32_t)task, (int32_t)task};
    }
    if (graph != NULL) {
        int32_t *topological = duet_graph_order(graph, error);
        DUET_NEED(topological);
        for (int32_t i = 0; i < (int32_t)c->bus->tasks; i++) {
            c->order[topological[i]].place = i;
        }
        duet_free(topological);
    }
    qsort(c->order, (size_t)c->bus->tasks, sizeof *c->order, compare);
    return DUET_OK;
}

static duet_code find_release(const duet_carried *c, int64_t task, int64_t *release,
                              duet_error *error)
{
    const duet_graph *graph = c->instance->graph;
    *release = duet_release(c->instance, duet_instance_kind_of(c->instance, task));
    for (int64_t i = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && i < graph->enter_at[task + 1]; i++) {
        int64_t end = c->end[graph->tail[graph->entering[i]]];
        if (end < 0) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "the plan starts task %lld before one that it waits for",
                                  (long long)task);
        }
        *release = duet_max(*release, end);
    }
    return DUET_OK;
}

// The processor of the planned type where the task ends first. Of those of a node the one that is
// free first counts, and it alone.
static size_t choose(const duet_carried *c, int64_t task, int64_t release)
{
    size_t type = (size_t)c->plan[task].type;
    size_t best = duet_carried_processor(c, &c->plan[task]);
    duet_int128 least = 0;
    int32_t last_node = -1;
    int64_t last_free = INT64_MAX;
    bool found = false;
    for (size_t i = c->bus->first_of[type]; i < c->bus->first_of[type + 1]; i++) {
        int32_t node = c->bus->node_of[i];
        if (duet_carried_is_lost(c, type, i) || (node == last_node && c->free_at[i] >= last_free)) {
            continue; // or of the same node, and later
        }
        last_node = node;
        last_free = c->free_at[i];
        if (!duet_copies_fit(&c->copies, task, (size_t)node)) {
            continue;
        }
        duet_copies_arrival data = duet_copies_look(&c->copies, task, (size_t)node);
        int64_t start = duet_max(duet_max(data.at, release), c->free_at[i]);
        duet_int128 key = (duet_int128)c->weight * data.carried + start;
        if (!found || key < least) {
            found = true;
            least = key;
            best = i;
        }
    }
    return best;
}

static duet_code run_task(duet_carried *c, int64_t task, duet_error *error)
{
    int64_t release;
    DUET_TRY(find_release(c, task, &release, error));
    size_t processor = c->keep == DUET_BUS_TYPES ? choose(c, task, release)
                                                 : duet_carried_processor(c, &c->plan[task]);
    return duet_carried_run(c, task, processor, duet_max(release, c->free_at[processor]), error);
}

static duet_code run_all(duet_carried *c, duet_error *error)
{
    size_t tasks = (size_t)c->bus->tasks;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(c->order, tasks), DUET_ARENA_ARRAY(c->free_at, c->bus->processors),
        DUET_ARENA_ARRAY(c->placed, tasks), DUET_ARENA_ARRAY(c->end, tasks)};
    DUET_TRY(duet_arena_create(&c->arena, arrays, 4, error));
    for (size_t i = 0; i < tasks; i++) {
        c->end[i] = -1;
    }
    for (size_t type = 0; type < c->bus->types; type++) {
        for (size_t i = c->bus->first_of[type]; i < c->bus->first_of[type + 1]; i++) {
            c->free_at[i] =
                duet_busy_until(c->instance, type, (int64_t)(i - c->bus->first_of[type]));
        }
    }
    DUET_TRY(duet_copies_create(&c->copies, c->bus, c->instance, error));
    DUET_TRY(sort_tasks(c, error));
    if (c->keep == DUET_BUS_PRIORITIES || c->keep == DUET_BUS_NODES) {
        return duet_carried_run_queues(c, error);
    }
    for (size_t i = 0; i < tasks; i++) {
        DUET_TRY(run_task(c, c->order[i].task, error));
    }
    return DUET_OK;
}

static void release(duet_carried *c)
{
    duet_copies_free(&c->copies);
    duet_arena_free(&c->arena);
}

static int64_t makespan_of(const duet_carried *c)
{
    int64_t makespan = 0;
    for (int64_t task = 0; task < c->bus->tasks; task++) {
        makespan = duet_max(makespan, c->end[task]);
    }
    return makespan;
}

// `*best`, which was not run yet, becomes the run with the weight that makes it shortest.
static duet_code run_best(duet_carried *best, duet_error *error)
{
    static const int64_t weights[] = DUET_BUS_WEIGHTS;
    size_t count = best->keep == DUET_BUS_TYPES ? sizeof weights / sizeof *weights : 1;
    duet_carried first = *best;
    for (size_t i = 0; i < count; i++) {
        duet_carried next = first;
        next.weight = weights[i];
        duet_code code = run_all(&next, error);
        if (code != DUET_OK) {
            release(&next);
            return code;
        }
        if (i > 0 && makespan_of(&next) >= makespan_of(best)) {
            release(&next);
        } else {
            release(best);
            *best = next;
        }
    }
    return DUET_OK;
}

static duet_code hand_over(const duet_carried *c, duet_solution **out, duet_error *error)
{
    DUET_TRY(duet_solution_create_blank(c->bus->tasks, out, error));
    DUET_TRY(duet_solution_hold_placements(*out, error));
    for (int64_t task = 0; task < c->bus->tasks; task++) {
        (*out)->placement[task] = c->placed[task];
    }
    duet_solution_finish(*out, c->instance);
    return DUET_OK;
}

duet_code duet_bus_carry_out(const duet_bus *bus, const duet_instance *instance,
                             const duet_solution *plan, duet_bus_keep keep, duet_solution **out,
                             duet_bus_run *run, duet_error *error)
{
    *run = (duet_bus_run){.makespan = 0};
    if (out != NULL) {
        *out = NULL;
    }
    duet_carried c = {.bus = bus, .instance = instance, .keep = keep};
    if (duet_solution_tasks(plan) != bus->tasks || duet_instance_tasks(instance) != bus->tasks) {
        return duet_error_set(error, DUET_E_USAGE, "the plan is of other tasks than the machine");
    }
    c.plan = duet_solution_placements(plan);
    if (c.plan == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_code code = run_best(&c, error);
    run->makespan = code == DUET_OK ? makespan_of(&c) : 0;
    run->waiting = c.waiting;
    run->moved = c.copies.moved;
    run->transfers = c.copies.transfers;
    run->evictions = c.copies.evictions;
    if (code == DUET_OK && out != NULL) {
        code = hand_over(&c, out, error);
        if (code != DUET_OK) {
            duet_solution_free(*out);
            *out = NULL;
        }
    }
    release(&c);
    return code;
}
