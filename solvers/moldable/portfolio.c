// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/portfolio.h"

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "lp/moldable/steps.h"
#include "solvers/cheap_bounds.h"
#include "solvers/moldable/hybrid_guess.h"
#include "solvers/moldable/learning.h"
#include "solvers/moldable/search.h"
#include "solvers/moldable/sequential.h"
#include "solvers/released/released.h"
#include "solvers/solvers.h"

// FEW_TASKS: up to that number of tasks branch and bound mostly comes to its end.
enum { FEW_TASKS = 12, FIRST_NODES = 1 << 16, FEW_ROUNDS = 1 };

// Annealing and the learning search begin with 1/64 of the time; with up to 24 tasks the learning
// search has three times as much.
enum { FIRST_TURN = 64, LEARNT_TASKS = 24, LEARNT_SHARE = 3 };

const duet_algorithm *duet_moldable_ratio_row(const duet_instance *instance)
{
    duet_used_types used = duet_find_used_types(instance);
    duet_ratio unused;
    if (instance->graph != NULL ||
        instance->mixed_sets) { // their bounds are about sets of one type
        return NULL;
    }
    bool rigid = instance->moldable->shape != DUET_TABLES_FULL;
    if (!rigid && used.count == 1 &&
        duet_require_monotone(instance, "", used.first, NULL) == DUET_OK) {
        return &duet_algorithm_moldable_3_2;
    }
    if (!rigid && duet_require_hybrid(instance, NULL) == DUET_OK) {
        return &duet_algorithm_moldable_hybrid;
    }
    bool any = duet_algorithm_moldable_2.moldable_ratio(instance, NULL, &unused);
    return any ? &duet_algorithm_moldable_2 : NULL;
}

// Whether the schedule is as near to its bound as it was asked for.
static bool is_good(const duet_context *context, const duet_solution *solution)
{
    return solution->makespan <= duet_context_target(context, solution->lower_bound);
}

// Raises the bound by values of times, where that helps.
static duet_code offer_steps(const duet_instance *instance, const duet_context *context,
                             duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.name = NULL, .value = solution->lower_bound};
    duet_code code = duet_steps_raise(instance, context, solution->makespan, &bound, error);
    if (code == DUET_OK && bound.name != NULL) {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_bound_release(&bound);
    return code;
}

// Whether the schedules that biCPA tries, one for each number of processors, have an end.
static bool has_time_for_front(const duet_instance *instance, const duet_context *context)
{
    static const int64_t most = 10000000;
    return context->deadline_ns != INT64_MAX ||
           duet_tasks(instance) <= most / (1 + duet_all_counts(instance));
}

// The shortest of biCPA's schedules, where it is shorter: the annealing of a large graph does not
// get from CPA's own allocation to a good one. What fails leaves the schedule that there is.
static void offer_front(const duet_instance *instance, const duet_context *context,
                        duet_solution *solution)
{
    duet_context part = duet_context_part(context, 4);
    duet_options *options = NULL;
    duet_solution *front = NULL;
    duet_code code = duet_options_create(&options, NULL);
    DUET_THEN(code, duet_options_add(options, "allocation=bicpa", NULL));
    part.options = options;
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(instance), &front, NULL));
    DUET_THEN(code, duet_algorithm_hcpa.run(instance, &part, front, NULL));
    if (code == DUET_OK) {
        front->makespan = duet_solution_measure(front, instance);
        if (front->makespan < solution->makespan) {
            duet_solution_swap_schedules(solution, front);
        }
    }
    duet_solution_free(front);
    duet_options_free(options);
}

// Whether the learning search goes on; without a deadline it has its share of the work.
static bool learns(const duet_context *context, const duet_moldable_learning *learning,
                   const duet_solution *solution, int64_t work)
{
    bool timed = context->deadline_ns != INT64_MAX;
    return !learning->over && !duet_context_stop(context) && !is_good(context, solution) &&
           (timed || work < DUET_MOLDABLE_LEARN_UNTIMED);
}

// Ends the context in `seconds` seconds, if it did not end earlier.
static void limit(duet_context *part, const duet_context *context, double seconds)
{
    if (context->deadline_ns != INT64_MAX) {
        part->deadline_ns =
            duet_min(context->deadline_ns, duet_clock_ns() + (int64_t)(seconds * 1e9));
    }
}

static duet_code improve(const duet_instance *instance, const duet_context *context,
                         duet_solution *solution, duet_error *error)
{
    return instance->graph != NULL ? duet_moldable_improve_graph(instance, context, solution, error)
                                   : duet_moldable_improve(instance, context, solution, error);
}

// Annealing and the search that learns in turns that grow, until the latter is over. Of few tasks
// it has the larger share.
static duet_code learn(const duet_instance *instance, const duet_context *context,
                       duet_solution *solution, duet_error *error)
{
    duet_moldable_learning learning = {.over = duet_tasks(instance) > DUET_MOLDABLE_LEARN_TASKS};
    double slice = duet_context_seconds_left(context) / FIRST_TURN;
    double share = duet_tasks(instance) <= LEARNT_TASKS ? LEARNT_SHARE : 1;
    duet_context own = *context;
    duet_code code = DUET_OK;
    int64_t work = 0;
    while (code == DUET_OK && learns(context, &learning, solution, work)) {
        limit(&own, context, slice);
        code = improve(instance, &own, solution, error);
        limit(&own, context, share * slice);
        while (code == DUET_OK && learns(&own, &learning, solution, work)) {
            code = duet_moldable_learning_turn(&learning, instance, &own, DUET_MOLDABLE_LEARN_WORK,
                                               solution, error);
            work += DUET_MOLDABLE_LEARN_WORK;
            duet_context_report(context, "exact", solution->lower_bound, solution->makespan);
        }
        slice *= 2;
    }
    duet_moldable_learning_free(&learning);
    return code;
}

duet_code duet_moldable_search_on(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error)
{
    if (!duet_is_available(instance)) {
        DUET_TRY(duet_released_branch(instance, context, INT64_MAX, solution, error));
        return instance->graph == NULL || solution->lower_bound == solution->makespan
                   ? DUET_OK
                   : duet_moldable_improve_graph(instance, context, solution, error);
    }
    if (!is_good(context, solution)) {
        duet_moldable_offer_sequential(instance, context, solution);
    }
    if (instance->graph != NULL) {
        if (instance->moldable->shape == DUET_TABLES_FULL &&
            has_time_for_front(instance, context)) {
            offer_front(instance, context, solution);
        }
        DUET_TRY(learn(instance, context, solution, error));
        return duet_moldable_improve_graph(instance, context, solution, error);
    }
    bool few = duet_tasks(instance) <= FEW_TASKS;
    bool timed = context->deadline_ns != INT64_MAX;
    duet_code code = DUET_OK;
    duet_context part = duet_context_part(context, 4);
    if (few) { // often that is all there is to do
        code = duet_moldable_branch(instance, &part, FIRST_NODES, 1, solution, error);
    }
    part = duet_context_part(context, 4);
    DUET_THEN(code, duet_moldable_improve(instance, &part, solution, error));
    part = duet_context_part(context, 4);
    if (code == DUET_OK && !is_good(context, solution)) {
        code = offer_steps(instance, &part, solution, error);
    }
    if (code == DUET_OK && timed && !few && !is_good(context, solution)) {
        duet_moldable_search_sequential(instance, context, solution);
    }
    if (code == DUET_OK && !few) {
        code = learn(instance, context, solution, error);
    }
    if (code == DUET_OK && few) {
        return duet_moldable_branch(instance, context, FIRST_NODES, timed ? 0 : FEW_ROUNDS,
                                    solution, error);
    }
    return code == DUET_OK && timed ? duet_moldable_improve(instance, context, solution, error)
                                    : code;
}

duet_code duet_moldable_exact(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_solution *solution, duet_error *error)
{
    int most = rounds > INT32_MAX ? INT32_MAX : (int)rounds;
    DUET_ASSERT(instance->graph == NULL);
    if (duet_tasks(instance) > DUET_BRANCH_TASKS) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "exact: %lld moldable tasks: expected at most %d; auto takes more",
                              (long long)duet_tasks(instance), DUET_BRANCH_TASKS);
    }
    duet_context inner = *context;
    inner.options = NULL;
    bool rigid = instance->moldable->shape != DUET_TABLES_FULL;
    const duet_algorithm *first = rigid ? &duet_algorithm_m_heft : &duet_algorithm_hcpa;
    DUET_TRY(first->run(instance, &inner, solution, error));
    solution->makespan = duet_solution_measure(solution, instance);
    duet_code code = duet_offer_cheap_bounds(instance, context, solution, error);
    if (code == DUET_OK) {
        duet_context part = duet_context_part(context, 4);
        code = duet_moldable_improve(instance, &part, solution, error);
    }
    DUET_THEN(code, duet_moldable_branch(instance, context, FIRST_NODES, most, solution, error));
    solution->ratio_void = solution->lower_bound < solution->makespan;
    solution->interrupted = solution->ratio_void && duet_context_stop(context);
    return code;
}
