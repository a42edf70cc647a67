// SPDX-License-Identifier: Apache-2.0
// The ratio of one candidate: the algorithm's makespan, its schedule checked, and the optimum by
// search.

#include "bench/run/exhaustive.h"
#include "bench/search/search.h"
#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/solution/solution.h"
#include "solvers/custom.h"
#include "solvers/run.h"

// Where none is given: fixed, so that what is refused for want of memory is so on every machine.
static const size_t default_memory = (size_t)64 << 20;
// Nodes per optimum: some milliseconds; a candidate that takes more is passed over.
static const int64_t default_effort = 100000;

// Candidates from one audit to the next: by number, so that threads and time change nothing.
enum { AUDIT = 64 };

void duet_search_judge_init(duet_search_judge *judge, const duet_algorithm *algorithm,
                            const duet_options *options, size_t memory)
{
    *judge = (duet_search_judge){.algorithm = algorithm, .effort = default_effort};
    judge->params = (duet_params)DUET_PARAMS_INIT;
    judge->params.threads = 1;
    judge->params.memory_limit = memory > 0 ? memory : default_memory;
    judge->params.options = options;
    judge->params.registry = duet_cli_plugins();
    duet_context_init(&judge->context, &judge->params, NULL);
    judge->context.custom = duet_registry_find(duet_cli_plugins(), algorithm->entry.name);
    judge->improves = duet_option_boolean(options, duet_common_options(), "improve");
    duet_search_scratch_init(&judge->scratch);
}

void duet_search_judge_limit(duet_search_judge *judge, int64_t deadline_ns,
                             const duet_cancel *cancel)
{
    judge->context.deadline_ns = deadline_ns;
    judge->context.cancel = cancel;
    judge->params.cancel = cancel;
}

duet_fraction duet_search_ratio(const duet_search_value *value)
{
    if (value->optimum <= 0) {
        return (duet_fraction){0, 1};
    }
    return (duet_fraction){(uint64_t)value->makespan, (uint64_t)value->optimum};
}

int duet_search_compare(const duet_search_value *a, const duet_search_value *b)
{
    // Without a ratio there is nothing to tell apart.
    int rank_a = a->outcome < DUET_SEARCH_RATIO ? 0 : (int)a->outcome;
    int rank_b = b->outcome < DUET_SEARCH_RATIO ? 0 : (int)b->outcome;
    if (rank_a != rank_b) {
        return rank_a > rank_b ? 1 : -1;
    }
    return rank_a == 0 ? 0 : duet_fraction_compare(duet_search_ratio(a), duet_search_ratio(b));
}

static duet_search_value fault(duet_search_judge *judge, int64_t makespan, int64_t optimum,
                               const char *why)
{
    snprintf(judge->fault, sizeof judge->fault, "%.250s", why);
    return (duet_search_value){DUET_SEARCH_FAULT, makespan, optimum};
}

static bool exceeds(const duet_search_judge *judge, const duet_instance *instance, int64_t makespan,
                    int64_t optimum)
{
    duet_ratio ratio;
    return duet_ratio_on(judge->algorithm, instance, judge->params.options, &ratio) &&
           !duet_ratio_holds(ratio, makespan, optimum);
}

// The largest optimum at which the ratio is at least what is asked for.
static int64_t largest_optimum(int64_t makespan, duet_fraction at_least)
{
    duet_uint128 optimum = (duet_uint128)makespan * at_least.den;
    optimum = at_least.num == 0 ? optimum : optimum / at_least.num;
    return optimum < (duet_uint128)makespan ? (int64_t)optimum : makespan;
}

static duet_search_value unknown(duet_search_judge *judge)
{
    judge->unknown++;
    return (duet_search_value){.outcome = DUET_SEARCH_UNKNOWN};
}

// The candidate's value as it is, or the fault that the checker finds in the schedule.
static duet_search_value checked(duet_search_judge *judge, const duet_instance *instance,
                                 const duet_solution *solution, duet_search_value value)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &why);
    if (code == DUET_E_MEMORY) {
        return unknown(judge);
    }
    return code == DUET_OK ? value : fault(judge, duet_solution_makespan(solution), 0, why.message);
}

// As duet_search_optimum(), of a graph or moldable tasks by trying all schedules of the instance.
static int64_t optimum_of(const duet_search_judge *judge, const duet_search_point *point,
                          const duet_instance *instance, int64_t lower, int64_t limit)
{
    if (point->moldable) {
        return lower > limit ? limit + 1 : duet_exhaustive_within(instance, limit, INT64_MAX);
    }
    return instance->graph == NULL ? duet_search_optimum(point, lower, limit, judge->effort)
                                   : duet_exhaustive_within(instance, limit, judge->effort);
}

// Of a sample: what overlaps is short, and no find by its ratio. The optimum is searched for as
// well, so that not all depends on the checker.
static duet_search_value audited(duet_search_judge *judge, const duet_search_point *point,
                                 const duet_instance *instance, const duet_solution *solution,
                                 duet_search_value value)
{
    int64_t makespan = duet_solution_makespan(solution);
    value = checked(judge, instance, solution, value);
    if (value.outcome != DUET_SEARCH_FAULT &&
        optimum_of(judge, point, instance, duet_search_lower_bound(point), makespan) > makespan) {
        return fault(judge, makespan, makespan + 1, "its schedule is shorter than the optimum");
    }
    return value;
}

static duet_search_value weigh(duet_search_judge *judge, const duet_search_point *point,
                               const duet_instance *instance, int64_t makespan, bool is_proven,
                               duet_fraction at_least)
{
    int64_t lower = duet_search_lower_bound(point);
    if (makespan < lower) {
        return fault(judge, makespan, lower, "its schedule is shorter than a lower bound");
    }
    bool suspect = is_proven && exceeds(judge, instance, makespan, lower);
    int64_t limit = suspect ? makespan : largest_optimum(makespan, at_least);
    // A schedule as long as the algorithm's is there already.
    bool whole = limit == makespan;
    int64_t optimum = optimum_of(judge, point, instance, lower, whole ? makespan - 1 : limit);
    if (optimum < 0) {
        return unknown(judge);
    }
    if (optimum > limit) {
        return (duet_search_value){.outcome = DUET_SEARCH_LOW};
    }
    duet_search_value value = {DUET_SEARCH_RATIO, makespan, optimum};
    if (suspect && exceeds(judge, instance, makespan, optimum)) {
        value.outcome = DUET_SEARCH_EXCEEDED;
    } else if (duet_fraction_compare(duet_search_ratio(&value), at_least) < 0) {
        value.outcome = DUET_SEARCH_LOW;
    }
    return value;
}

// As duet_solve(), but what proves nothing itself gets no bounds: eft takes a third of the time.
static duet_code solve(duet_search_judge *judge, const duet_instance *instance,
                       duet_solution **solution, duet_error *error)
{
    if (judge->improves) {
        // A limit of nothing would be none.
        double left = duet_context_seconds_left(&judge->context);
        bool limited = judge->context.deadline_ns != INT64_MAX;
        judge->params.time_limit = !limited ? 0 : duet_max(left, 1e-6);
        return duet_solve(instance, judge->algorithm->entry.name, &judge->params, solution, error);
    }
    return duet_run_algorithm(instance, judge->algorithm, &judge->context, solution, error);
}

static duet_search_value judge_instance(duet_search_judge *judge, const duet_search_point *point,
                                        const duet_instance *instance, duet_fraction at_least)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    duet_code code = solve(judge, instance, &solution, &error);
    if (code == DUET_E_UNSUPPORTED || code == DUET_E_LIMIT || code == DUET_E_MEMORY ||
        code == DUET_E_CANCELLED) {
        return unknown(judge);
    }
    if (code != DUET_OK) {
        return fault(judge, 0, 0, error.message);
    }
    // By a limit: what is proven of it does not hold. Some algorithms do not say so.
    bool cut = duet_solution_interrupted(solution) || duet_solution_note(solution) != NULL ||
               duet_context_stop(&judge->context);
    duet_search_value value = cut ? unknown(judge)
                                  : weigh(judge, point, instance, duet_solution_makespan(solution),
                                          !solution->ratio_void, at_least);
    if (judge->audits_all || judge->evaluations % AUDIT == 0) {
        value = audited(judge, point, instance, solution, value);
    } else if (value.outcome == DUET_SEARCH_RATIO || value.outcome == DUET_SEARCH_EXCEEDED) {
        value = checked(judge, instance, solution, value);
    }
    duet_solution_free(solution);
    return value;
}

duet_search_value duet_search_judge_point(duet_search_judge *judge, const duet_search_point *point,
                                          duet_fraction at_least)
{
    judge->evaluations++;
    if (!point->moldable) {
        return judge_instance(judge, point, duet_search_load(&judge->scratch, point), at_least);
    }
    duet_instance *instance = NULL;
    if (duet_search_instance(point, "search", &instance, NULL) != DUET_OK) {
        return unknown(judge);
    }
    duet_search_value value = judge_instance(judge, point, instance, at_least);
    duet_instance_free(instance);
    return value;
}
