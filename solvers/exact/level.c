// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/level.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/improve/improve.h"
#include "heuristics/improve/task_lists.h"
#include "heuristics/packing/packing.h"
#include "solvers/exact/guess_schedule.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/tuning.h"

// The tasks of one type as items of a packing, which levels them from where they are.
static duet_code level_items(const duet_exact *s, duet_task_lists *lists, size_t type,
                             int64_t target, duet_packing *packing, int64_t *task,
                             duet_error *error)
{
    size_t begin = lists->begin[type];
    size_t item = 0;
    for (size_t l = begin; l < lists->begin[type + 1]; l++) {
        for (size_t i = 0; i < lists->at[l].count; i++) {
            task[item] = lists->at[l].task[i];
            packing->time[item] = duet_task_lists_time(lists, task[item], type);
            packing->processor[item++] = l - begin;
        }
        lists->at[l].count = 0;
    }
    duet_packing_link(packing);
    duet_random random; // of its own: where this is in vain, later searches go as they would
    duet_random_seed(&random, s->level_seed + (uint64_t)s->level_effort);
    duet_packing_level(packing, target, DUET_LEVEL_PAIRS, &random, s->context);
    bool fits = duet_packing_longest(packing) <= target;
    duet_code code = DUET_OK;
    if (!fits) {
        code =
            duet_packing_fill(packing, target, s->level_effort, &random, s->context, &fits, error);
    }
    for (size_t j = 0; j < packing->items && code == DUET_OK; j++) {
        duet_task_list *to = &lists->at[begin + packing->processor[j]];
        code = duet_vec_push(to->task, to->count, error, task[j]);
    }
    for (size_t l = begin; l < lists->begin[type + 1]; l++) {
        lists->at[l].load = packing->load[l - begin];
    }
    return code;
}

// Levels the processors of one type, where one of them ends after the target.
static duet_code level_type(const duet_exact *s, duet_task_lists *lists, size_t type,
                            int64_t target, duet_error *error)
{
    size_t tasks = 0;
    bool late = false;
    for (size_t l = lists->begin[type]; l < lists->begin[type + 1]; l++) {
        tasks += lists->at[l].count;
        late = late || lists->at[l].load > target;
    }
    if (!late) {
        return DUET_OK;
    }
    duet_packing packing;
    size_t processors = lists->begin[type + 1] - lists->begin[type];
    duet_code code = duet_packing_create(tasks, processors, &packing, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t *task = duet_alloc(tasks, sizeof *task, error);
    code =
        task == NULL ? DUET_E_MEMORY : level_items(s, lists, type, target, &packing, task, error);
    duet_free(task);
    duet_packing_free(&packing);
    return code;
}

// Whether there are too many tasks to repartition 32 at a time: that gains little then, and lists
// of them take long.
static bool is_large(const duet_exact *s)
{
    return s->best->tasks > DUET_LEVEL_MOST_TASKS;
}

// The schedule of the lists, as one of the pooled instance.
static duet_code pool_schedule(const duet_task_lists *lists, const duet_pooled *pooled,
                               duet_solution **out, duet_error *error)
{
    duet_code code = duet_solution_create(duet_tasks(&pooled->instance), out, error);
    for (size_t t = 0; t < lists->instance->types && code == DUET_OK; t++) {
        int64_t end = 0;
        for (size_t l = lists->begin[t]; l < lists->begin[t + 1]; l++) {
            for (size_t i = 0; i < lists->at[l].count; i++) {
                int64_t task = lists->at[l].task[i];
                (*out)->placement[task] = (duet_placement){end, 0, (int32_t)t};
                end += duet_time(&pooled->instance, lists->kind[task], t);
            }
        }
        (*out)->makespan = duet_max(end, (*out)->makespan);
    }
    return code;
}

// The list of a type with the least load.
static size_t emptiest(const duet_task_lists *lists, size_t type)
{
    size_t best = lists->begin[type];
    for (size_t l = best + 1; l < lists->begin[type + 1]; l++) {
        best = lists->at[l].load < lists->at[best].load ? l : best;
    }
    return best;
}

// Each task that a list has and the placement puts on another type goes to the emptiest list there.
static duet_code change_types(duet_task_lists *lists, const duet_placement *placement,
                              duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t l = 0; l < lists->count; l++) {
        duet_task_list *from = &lists->at[l];
        for (size_t i = from->count; i-- > 0 && code == DUET_OK;) {
            int64_t task = from->task[i];
            size_t type = (size_t)placement[task].type;
            if (type == (size_t)from->type) {
                continue;
            }
            duet_task_list *to = &lists->at[emptiest(lists, type)];
            code = duet_vec_push(to->task, to->count, error, task);
            if (code == DUET_OK) {
                from->task[i] = from->task[--from->count];
                from->load -= duet_task_lists_time(lists, task, (size_t)from->type);
                to->load += duet_task_lists_time(lists, task, type);
            }
        }
    }
    return code;
}

// Looks for an allocation of the tasks to the types that fits the target, from that of the lists.
// *target becomes the least time within which the allocation may be scheduled where that is longer.
static duet_code allocate(duet_exact *s, duet_task_lists *lists, int64_t effort, int64_t *target,
                          duet_error *error)
{
    duet_pooled pooled = {.scale = 0};
    duet_solution *solution = NULL;
    bool useful = false;
    duet_code code =
        is_large(s) ? DUET_OK : duet_pooled_create(s->instance, &pooled, &useful, error);
    if (code == DUET_OK && useful) {
        code = pool_schedule(lists, &pooled, &solution, error);
    }
    if (code == DUET_OK && useful) {
        duet_context context = *s->context;
        context.seed = duet_random_next(&s->random);
        duet_improved improved;
        code = duet_improve_fine(&pooled.instance, &context, (*target - 1) * pooled.scale + 1,
                                 effort, solution, &improved, error);
        int64_t least = (improved.after + pooled.scale - 1) / pooled.scale;
        *target = duet_max(least, *target);
        if (code == DUET_OK && improved.after < improved.before) {
            code = change_types(lists, duet_solution_placements(solution), error);
        }
    }
    duet_solution_free(solution);
    duet_pooled_free(&pooled);
    return code == DUET_E_LIMIT ? DUET_OK : code;
}

static duet_code level_types(duet_exact *s, int64_t effort, duet_error *error)
{
    const duet_placement *placement = duet_solution_placements(s->best);
    if (placement == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory");
    }
    duet_task_lists lists;
    int64_t target = duet_exact_target(s);
    duet_code code = duet_task_lists_create(s->instance, placement, &lists, error);
    DUET_THEN(code, allocate(s, &lists, effort, &target, error));
    bool may = target < s->best->makespan;
    for (size_t t = 0; t < s->instance->types && code == DUET_OK && may; t++) {
        code = level_type(s, &lists, t, target, error);
    }
    if (code == DUET_OK && may) {
        code = duet_incumbent_offer_lists(s, &lists, error);
    }
    duet_task_lists_free(&lists);
    return code;
}

// Allocations of the bound, on two types: the most hopeful one of the knapsack, unless its lists
// are too long, and those of random cores, in turns.
static duet_code level_allocations(duet_exact *s, int64_t effort, duet_error *error)
{
    duet_allocating how = {.level = effort, .fill = effort / DUET_LEVEL_FITTING};
    bool known = true; // the best allocation is
    duet_code code = DUET_OK;
    for (int64_t left = s->instance->types == 2 && !is_large(s) ? effort : 0;
         left > 0 && code == DUET_OK && duet_exact_is_open(s) && !duet_context_stop(s->context);) {
        duet_knapsack_answer answer;
        code = duet_exact_schedule_guess(s, s->bound.value, &how, &answer, error);
        left -= answer.fits ? effort / DUET_LEVEL_FITTING : DUET_LEVEL_CORE;
        known = known && (how.core || answer.fits);
        how.core = !how.core || !known;
    }
    return code;
}

static duet_code level_pairs(duet_exact *s, int64_t effort, duet_error *error)
{
    return is_large(s) ? DUET_OK : duet_incumbent_shorten_fine(s, effort, error);
}

duet_code duet_exact_level_by(duet_exact *s, int64_t effort, duet_error *error)
{
    int64_t gap = s->best->makespan - s->bound.value;
    if (!s->searchable || !duet_exact_is_open(s) || gap > s->bound.value >> DUET_LEVEL_NEAR) {
        return DUET_OK;
    }
    s->level_effort = effort;
    static duet_code (*const ways[])(duet_exact * s, int64_t effort, duet_error * error) = {
        level_allocations, level_types, level_pairs};
    duet_code code = DUET_OK;
    // The others divide more tasks at a time than there are ticks to tell apart.
    size_t useful = s->bound.value < DUET_LEVEL_COARSE ? 1 : sizeof ways / sizeof ways[0];
    for (size_t i = 0; i < useful && code == DUET_OK; i++) {
        code = duet_exact_is_open(s) ? ways[i](s, s->level_effort, error) : DUET_OK;
    }
    s->levelled = s->best->makespan;
    return code;
}

duet_code duet_exact_level(duet_exact *s, duet_error *error)
{
    bool again = s->levelled == s->best->makespan;
    int64_t more = s->level_effort < DUET_LEVEL_MOST_EFFORT ? DUET_LEVEL_GROWTH * s->level_effort
                                                            : s->level_effort;
    return duet_exact_level_by(s, again ? more : DUET_LEVEL_EFFORT, error);
}
