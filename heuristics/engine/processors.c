// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/processors.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"

// How many processors of a type can be of use: one for each task, and those that are busy, which
// may be worse than any of these.
static size_t useful(const duet_instance *instance, size_t type, bool busy)
{
    int64_t most = duet_tasks(instance) + (busy ? instance->busy_count[type] : 0);
    return (size_t)duet_min(instance->processors[type], most);
}

static duet_code create(const duet_instance *instance, bool busy, duet_all_processors *all,
                        duet_error *error)
{
    *all = (duet_all_processors){.types = instance->types};
    for (size_t t = 0; t < instance->types; t++) {
        duet_processors *processors = &all->of[t];
        size_t count = useful(instance, t, busy);
        *processors = (duet_processors){duet_alloc(count, sizeof *processors->heap, error), count,
                                        (int32_t)t};
        if (processors->heap == NULL) {
            duet_all_processors_free(all);
            return DUET_E_MEMORY;
        }
        for (size_t i = 0; i < processors->count; i++) {
            processors->heap[i].index = (int32_t)i; // equal loads in index order: a heap already
        }
    }
    return DUET_OK;
}

duet_code duet_all_processors_create(const duet_instance *instance, duet_all_processors *all,
                                     duet_error *error)
{
    return create(instance, false, all, error);
}

void duet_all_processors_free(duet_all_processors *all)
{
    for (size_t t = 0; t < all->types; t++) {
        duet_free(all->of[t].heap);
        all->of[t].heap = NULL;
    }
}

static bool less_loaded(const void *none, duet_processor a, duet_processor b)
{
    (void)none;
    return a.load != b.load ? a.load < b.load : a.index < b.index;
}

DUET_HEAP(processors, duet_processor, void, less_loaded)

duet_code duet_all_processors_create_busy(const duet_instance *instance, duet_all_processors *all,
                                          duet_error *error)
{
    duet_code code = create(instance, true, all, error);
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        duet_processors *processors = &all->of[t];
        for (size_t i = 0; i < processors->count; i++) {
            processors->heap[i].load = duet_busy_until(instance, t, (int64_t)i);
        }
        processors_heapify(NULL, processors->heap, processors->count);
    }
    return code;
}

int64_t duet_processors_start(duet_processors *processors, int64_t time, duet_placement *placement)
{
    DUET_ASSERT(processors->count > 0 && time >= 0 && time != DUET_FORBIDDEN);
    duet_processor *least = &processors->heap[0];
    *placement = (duet_placement){least->load, least->index, processors->type};
    least->load += time;
    int64_t completion = least->load;
    processors_sift_down(NULL, processors->heap, processors->count, 0);
    return completion;
}

int64_t duet_processors_start_from(duet_processors *processors, int64_t release, int64_t time,
                                   duet_placement *placement)
{
    processors->heap[0].load = duet_max(release, processors->heap[0].load);
    return duet_processors_start(processors, time, placement);
}

// The highest whole level below which `work` more can be poured on the processors: the largest W
// with sum of max(0, W - load) <= work. Newton's method from above on a convex, piecewise linear
// function: each step halves the excess or the number of processors below the level.
static int64_t water_level(const duet_processors *processors, int64_t work)
{
    int64_t level = duet_processors_least(processors) + work;
    for (;;) {
        int64_t below = 0;
        duet_int128 poured = 0;
        for (size_t i = 0; i < processors->count; i++) {
            int64_t room = level - processors->heap[i].load;
            below += room > 0;
            poured += duet_max(room, 0);
        }
        if (poured <= work || below == 0) { // the second is part of the first
            return level;
        }
        // The excess is taken off all processors below the level alike. It is rounded up, so the
        // level does not fall below W.
        duet_int128 excess = poured - work;
        level -= (int64_t)((excess + below - 1) / below);
    }
}

// Starts the tasks that begin below `level` and returns how many there are; given[] counts them by
// processor. One by one, tasks would start at the least of all load + i * time (i = 0, 1, ...; the
// lowest index at equal values). Those below a level that leaves some over may start at once, in
// any order.
static int64_t start_below(duet_processors *processors, int64_t time, int64_t level, int64_t *given)
{
    int64_t started = 0;
    for (size_t i = 0; i < processors->count; i++) {
        int64_t room = level - processors->heap[i].load;
        int64_t tasks = room > 0 ? (room - 1) / time + 1 : 0;
        processors->heap[i].load += tasks * time;
        given[processors->heap[i].index] = tasks;
        started += tasks;
    }
    processors_heapify(NULL, processors->heap, processors->count);
    return started;
}

static void add_run(duet_solution *solution, const duet_processors *processors,
                    const duet_processor *at, duet_task_run run)
{
    run.start = at->load - run.count * run.time;
    run.processor = at->index;
    run.type = processors->type;
    solution->run[solution->runs++] = run;
}

void duet_processors_start_many(duet_processors *processors, int64_t time, int64_t first,
                                int64_t count, int64_t *given, duet_solution *solution)
{
    duet_task_run run = {.first = first, .count = 1, .time = time};
    if (time == 0) { // the least loaded processor stays the least loaded
        run.count = count;
        add_run(solution, processors, &processors->heap[0], run);
        return;
    }
    if (count <= (int64_t)processors->count) {
        for (int64_t i = 0; i < count; i++, run.first++) {
            duet_processor at = processors->heap[0];
            at.load += time;
            add_run(solution, processors, &at, run);
            processors->heap[0].load += time;
            processors_sift_down(NULL, processors->heap, processors->count, 0);
        }
        return;
    }
    int64_t level = water_level(processors, count * time) - time + 1;
    for (int64_t left = count - start_below(processors, time, level, given); left > 0; left--) {
        given[processors->heap[0].index]++;
        processors->heap[0].load += time;
        processors_sift_down(NULL, processors->heap, processors->count, 0);
    }
    for (size_t i = 0; i < processors->count; i++) {
        run.count = given[processors->heap[i].index];
        if (run.count > 0) {
            add_run(solution, processors, &processors->heap[i], run);
            run.first += run.count;
        }
    }
}

void duet_processors_start_kind(duet_processors *processors, const duet_instance *instance,
                                size_t kind, duet_solution *solution)
{
    int64_t time = duet_time(instance, kind, (size_t)processors->type);
    for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
        duet_processors_start(processors, time, &solution->placement[j]);
    }
}
