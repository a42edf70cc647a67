// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of independent moldable tasks.
//
// Method:    a state is a type and a size for each task, and an order; its schedule starts,
//            whenever tasks end, the first ones of the order that fit. A descent draws a due time
//            below the best makespan. No task may be longer, and what ends later, in processors
//            times ticks, is what the moves make small: they give a task another size or type, or
//            another place in the order, or exchange two, in the order or between types. A descent
//            begins with the best state or with the least areas within the due time, at the bound's
//            prices of the types, longest first.
// Cost:      O(n^2) for a move at worst, mostly O(n log n).
// Memory:    O(n).
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#include "solvers/moldable/anneal.h"

#include <math.h>

#include "core/number/minmax.h"
#include "heuristics/improve/cooling.h"
#include "solvers/moldable/search.h"

// Between the target and the best makespan, more often near the latter.
static void draw_due(duet_anneal *a)
{
    static const double part = 0.7;
    double share = duet_random_unit(&a->random);
    double gap = (double)(a->best_makespan - a->target - 1);
    a->due = a->best_makespan - 1 - (int64_t)(part * share * share * gap);
    a->due = duet_max(a->due, a->target);
}

// False where no task has a mode within the due time.
static bool begin(duet_anneal *a)
{
    static const double afresh = 0.25; // of all descents
    draw_due(a);
    return duet_random_unit(&a->random) < afresh ? duet_anneal_take_least(a)
                                                 : duet_anneal_take_best(a);
}

// Cools from a part of the due time on all processors to next to nothing. No part serves all
// instances: it is drawn.
static void cool(duet_anneal *a, int64_t moves)
{
    static const double coldest = 0.000003;
    double hottest = 0.002 * pow(2.0, -6.0 * duet_random_unit(&a->random));
    double all = (double)duet_all_counts(a->instance) * (double)a->due;
    duet_anneal_keep_best(a);
    const duet_cooling run = {hottest, coldest / hottest, moves, 64};
    for (int64_t i = 0; a->best_makespan > a->due && duet_cooling_goes_on(&run, i, a->context);
         i++) {
        double heat = duet_cooling_of_move(&run, i);
        double limit = a->now_worth.late + duet_cooling_threshold(heat, &a->random) * all;
        duet_anneal_move made = duet_anneal_propose(a);
        duet_anneal_worth worth = duet_anneal_evaluate(a, limit);
        if (worth.late <= limit) {
            a->now_worth = worth;
            duet_anneal_keep_best(a);
        } else {
            duet_anneal_take_back(a, &made);
        }
    }
}

duet_code duet_moldable_improve(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    static const double effort = 4e7; // tasks looked at in all evaluations of a descent, about
    int descents = 8;                 // where there is no deadline
    double tasks = (double)duet_tasks(instance);
    duet_anneal a = {.instance = instance, .context = context};
    a.target = duet_context_target(context, solution->lower_bound);
    if (duet_tasks(instance) == 0 || duet_tasks(instance) > DUET_ANNEAL_TASKS ||
        solution->makespan <= a.target) {
        return DUET_OK;
    }
    duet_random_seed(&a.random, context->seed);
    duet_code code = duet_anneal_create(&a, error);
    if (code == DUET_OK) {
        double moves = effort / (tasks * tasks + 500.0);
        duet_anneal_start(&a, solution);
        for (; (descents > 0 || context->deadline_ns != INT64_MAX) && !duet_context_stop(context) &&
               a.best_makespan > a.target;
             descents--) {
            if (begin(&a)) {
                cool(&a, moves > 1e6 ? 1000000 : moves < 100 ? 100 : (int64_t)moves);
            }
        }
        if (a.best_makespan < solution->makespan) {
            code = duet_anneal_write(&a, solution, error);
            solution->makespan =
                code == DUET_OK ? duet_solution_measure(solution, instance) : solution->makespan;
        }
    }
    duet_anneal_free(&a);
    return code;
}
