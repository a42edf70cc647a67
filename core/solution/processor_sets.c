// SPDX-License-Identifier: Apache-2.0
// The sets of processors of a schedule of moldable tasks. Their ranges are in one block, in the
// order in which tasks were placed.
#include "core/instance/instance.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_solution_hold_sets(duet_solution *solution, duet_error *error)
{
    DUET_TRY(duet_solution_hold_placements(solution, error));
    DUET_TRY(duet_memory_check((uint64_t)solution->tasks,
                               sizeof *solution->set_at + sizeof *solution->set_count +
                                   sizeof *solution->range,
                               0, "the processors of all tasks", error));
    size_t tasks = (size_t)solution->tasks;
    size_t *set_at = duet_alloc(tasks, sizeof *set_at, error);
    uint32_t *set_count = duet_alloc(tasks, sizeof *set_count, error);
    if (set_at == NULL || set_count == NULL) { // the sets that are there stay
        duet_free(set_at);
        duet_free(set_count);
        return DUET_E_MEMORY;
    }
    duet_free(solution->set_at);
    duet_free(solution->set_count);
    solution->set_at = set_at;
    solution->set_count = set_count;
    solution->ranges = 0;
    return DUET_OK;
}

// Writes the ranges to `out`, those that touch as one. Returns how many these are.
static uint32_t join_ranges(duet_processor_set set, duet_processor_range *out)
{
    uint32_t count = 0;
    for (size_t i = 0; i < set.count; i++) {
        const duet_processor_range *next = &set.range[i];
        if (count > 0 && out[count - 1].type == next->type &&
            out[count - 1].last + 1 == next->first) {
            out[count - 1].last = next->last;
        } else {
            out[count++] = *next;
        }
    }
    return count;
}

// Drops the ranges of sets that others have replaced. *before receives the old block, which the
// caller frees: the set that is placed next may be in it.
static duet_code compact(duet_solution *solution, size_t room, duet_processor_range **before,
                         duet_error *error)
{
    size_t capacity = 2 * ((size_t)solution->tasks + room);
    for (int64_t j = 0; j < solution->tasks; j++) {
        capacity += 2 * (size_t)solution->set_count[j];
    }
    duet_processor_range *kept = duet_alloc_raw(capacity, sizeof *kept, error);
    DUET_NEED(kept);
    size_t used = 0;
    for (int64_t j = 0; j < solution->tasks; j++) {
        size_t from = solution->set_at[j];
        solution->set_at[j] = used;
        for (uint32_t i = 0; i < solution->set_count[j]; i++) {
            kept[used++] = solution->range[from + i];
        }
    }
    *before = solution->range;
    solution->range = kept;
    solution->ranges = used;
    return DUET_OK;
}

duet_code duet_solution_place_set(duet_solution *solution, int64_t task, int64_t start,
                                  duet_processor_set set, duet_error *error)
{
    DUET_ASSERT(solution->set_at != NULL && set.count > 0 && set.count <= UINT32_MAX);
    duet_processor_range *before = NULL;
    solution->placement[task] = (duet_placement){start, set.range[0].first, set.range[0].type};
    if (set.count <= solution->set_count[task]) {
        solution->set_count[task] = join_ranges(set, solution->range + solution->set_at[task]);
        return DUET_OK;
    }
    if (solution->ranges + set.count > duet_vec_room(solution->range)) {
        DUET_TRY(compact(solution, set.count, &before, error));
    }
    solution->set_at[task] = solution->ranges;
    solution->set_count[task] = join_ranges(set, solution->range + solution->ranges);
    solution->ranges += solution->set_count[task];
    duet_free(before);
    return DUET_OK;
}

duet_processor_set duet_solution_set(const duet_solution *solution, int64_t task,
                                     duet_processor_range *one)
{
    if (solution->set_at != NULL && solution->set_count[task] == 0) {
        return (duet_processor_set){one, 0};
    }
    if (solution->set_at != NULL) {
        return (duet_processor_set){solution->range + solution->set_at[task],
                                    solution->set_count[task]};
    }
    size_t at = 0;
    duet_placement placed = duet_solution_place(solution, task, &at);
    *one = (duet_processor_range){placed.type, placed.processor, placed.processor};
    return (duet_processor_set){one, 1};
}

int64_t duet_solution_end(const duet_solution *solution, const duet_instance *instance,
                          int64_t task)
{
    size_t kind = duet_instance_kind_of(instance, task);
    size_t at = 0;
    duet_placement placed = duet_solution_place(solution, task, &at);
    duet_processor_range one;
    return placed.start +
           duet_finer_scale(solution->finer) *
               duet_moldable_duration(instance, kind, duet_solution_set(solution, task, &one));
}

const duet_processor_range *duet_solution_processors(const duet_solution *solution, int64_t task,
                                                     size_t *count)
{
    *count = solution->set_at == NULL ? 0 : solution->set_count[task];
    return *count == 0 ? NULL : solution->range + solution->set_at[task];
}
