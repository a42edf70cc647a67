// SPDX-License-Identifier: Apache-2.0
// The two forms of a schedule: one placement a task, or runs of equal tasks. Ten million tasks of
// four kinds on 24 processors are 160 MB of placements, or a hundred runs.
#include <stdlib.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_solution_create_blank(int64_t tasks, duet_solution **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    (*out)->tasks = tasks;
    return DUET_OK;
}

static void drop_runs(duet_solution *solution)
{
    duet_free(solution->run);
    solution->run = NULL;
    solution->runs = 0;
}

// An array of placements, none of them made yet.
static duet_code make_placements(const duet_solution *solution, duet_placement **out,
                                 duet_error *error)
{
    DUET_TRY(duet_memory_check((uint64_t)solution->tasks, sizeof **out, 0,
                               "the schedule of all tasks", error));
    *out = duet_alloc((size_t)solution->tasks, sizeof **out, error);
    DUET_NEED(*out);
    for (int64_t j = 0; j < solution->tasks; j++) {
        (*out)[j].type = -1;
    }
    return DUET_OK;
}

duet_code duet_solution_hold_placements(duet_solution *solution, duet_error *error)
{
    duet_code code = DUET_OK;
    if (solution->placement == NULL) {
        code = make_placements(solution, &solution->placement, error);
    }
    if (code == DUET_OK) {
        drop_runs(solution);
    }
    return code;
}

duet_code duet_solution_hold_runs(duet_solution *solution, size_t most, duet_error *error)
{
    drop_runs(solution);
    duet_free(solution->placement);
    solution->placement = NULL;
    solution->run = duet_alloc(most, sizeof *solution->run, error);
    return solution->run == NULL ? DUET_E_MEMORY : DUET_OK;
}

static int by_first(const void *left, const void *right)
{
    const duet_task_run *a = left;
    const duet_task_run *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

void duet_solution_sort_runs(duet_solution *solution)
{
    if (solution->runs > 1) {
        qsort(solution->run, solution->runs, sizeof *solution->run, by_first);
    }
}

static bool holds(const duet_task_run *run, int64_t task)
{
    return task >= run->first && task - run->first < run->count;
}

// The run that a task may be in, by bisection.
static size_t find_run(const duet_solution *solution, int64_t task)
{
    size_t low = 0;
    size_t high = solution->runs;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (solution->run[middle].first <= task) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

duet_placement duet_solution_place(const duet_solution *solution, int64_t task, size_t *at)
{
    static const duet_placement nowhere = {.type = -1};
    if (solution->placement != NULL) {
        return solution->placement[task];
    }
    if (solution->runs == 0) {
        return nowhere;
    }
    if (!holds(&solution->run[*at], task)) {
        bool next = *at + 1 < solution->runs && holds(&solution->run[*at + 1], task);
        *at = next ? *at + 1 : find_run(solution, task);
    }
    const duet_task_run *run = &solution->run[*at];
    if (!holds(run, task)) {
        return nowhere;
    }
    return (duet_placement){run->start + (task - run->first) * run->time, run->processor,
                            run->type};
}

static void expand(const duet_solution *solution, duet_placement *placement)
{
    for (size_t r = 0; r < solution->runs; r++) {
        const duet_task_run *run = &solution->run[r];
        for (int64_t i = 0; i < run->count; i++) {
            placement[run->first + i] =
                (duet_placement){run->start + i * run->time, run->processor, run->type};
        }
    }
}

const duet_placement *duet_solution_placements(const duet_solution *solution)
{
    if (solution->placement == NULL) {
        duet_placement *placement = NULL;
        if (make_placements(solution, &placement, NULL) == DUET_OK) {
            expand(solution, placement);
        }
        // No solution is ever made const: only its readers see it so.
        ((duet_solution *)solution)->placement = placement;
    }
    return solution->placement;
}

const duet_task_run *duet_solution_runs(const duet_solution *solution, size_t *count)
{
    *count = solution->runs;
    return solution->run;
}

void duet_solution_swap_schedules(duet_solution *a, duet_solution *b)
{
    duet_solution kept = *a;
    a->placement = b->placement;
    a->run = b->run;
    a->runs = b->runs;
    a->set_at = b->set_at;
    a->set_count = b->set_count;
    a->range = b->range;
    a->ranges = b->ranges;
    a->aborted = b->aborted;
    a->aborted_count = b->aborted_count;
    a->finer = b->finer;
    a->makespan = b->makespan;
    b->placement = kept.placement;
    b->run = kept.run;
    b->runs = kept.runs;
    b->set_at = kept.set_at;
    b->set_count = kept.set_count;
    b->range = kept.range;
    b->ranges = kept.ranges;
    b->aborted = kept.aborted;
    b->aborted_count = kept.aborted_count;
    b->finer = kept.finer;
    b->makespan = kept.makespan;
}
