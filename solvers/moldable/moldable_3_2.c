// SPDX-License-Identifier: Apache-2.0
// Algorithm: moldable-3-2.
// Method:    dual approximation for moldable tasks with monotone tables on identical processors. At
//            guess lambda a task is small where it takes at most lambda/2 on one processor. The
//            others go to shelf 1, within lambda, or to shelf 2, within lambda/2, each as narrow as
//            that allows: those of the least area among which shelf 1 has at most m processors, a
//            knapsack. NO if the area is above m lambda. Else tasks move to a shelf 0 until all fit
//            into 3/2 lambda (heuristics/moldable/shelves.h), and small tasks fill the gaps.
// Guarantee: 3/2.
// Cost:      O(kinds log m) for a guess, beside the knapsack, of fewer than 2m tasks
// (dp/moldable/);
//            O(n log n + m^2) for a schedule.
// Memory:    O(n + kinds + m).
// Reference: Mounie, Rapine, Trystram, "A 3/2-dual approximation algorithm for scheduling
//            independent monotonic malleable tasks", SIAM J. Computing 37(2), 2007.
#include "solvers/moldable/shelf_guess.h"

#include "core/system/try.h"
#include "solvers/solvers.h"

static bool ratio(const duet_instance *instance, const duet_options *options, duet_ratio *out)
{
    (void)options;
    *out = (duet_ratio){3, 0, 0, 2};
    return duet_find_used_types(instance).count == 1;
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    return duet_shelf_guess_ask(opaque, lambda, answer, error);
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    duet_shelf_guess *state = opaque;
    duet_plan plan;
    duet_code code = duet_plan_create((size_t)duet_tasks(state->instance), &plan, error);
    DUET_THEN(code, duet_shelf_guess_plan(state, &plan, error));
    DUET_THEN(code, duet_plan_write(&plan, solution, error));
    duet_plan_free(&plan);
    return code;
}

static void count_rules(const duet_shelf_guess *state, duet_solution *solution)
{
    static const char *const names[DUET_SHELF_RULES] = {"rule_1", "rule_2", "rule_3", "rule_4"};
    for (int i = 0; i < DUET_SHELF_RULES; i++) {
        duet_solution_count(solution, names[i], state->shelves.applied[i]);
    }
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_used_types used = duet_find_used_types(instance);
    if (used.count != 1) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "moldable-3-2 needs processors of one type: this platform has %zu; "
                              "moldable-hybrid takes CPUs and GPUs",
                              used.count);
    }
    duet_shelf_guess state;
    DUET_TRY(duet_require_monotone(instance, "moldable-3-2", used.first, error));
    duet_code code = duet_shelf_guess_create(instance, context, used.first, &state, error);
    if (code == DUET_OK) {
        duet_dual dual = {"moldable-3-2", &state, guess, build};
        code = duet_moldable_dual(instance, context, &dual, DUET_PRICED_ALL, solution, error);
        count_rules(&state, solution);
    }
    duet_shelf_guess_free(&state);
    return code;
}

const duet_algorithm duet_algorithm_moldable_3_2 = {
    .entry = {.name = "moldable-3-2",
              .summary = "dual approximation of moldable tasks: two shelves by knapsack, monotone "
                         "tables",
              .guarantee = "3/2",
              .reference = "Mounie, Rapine, Trystram, SIAM J. Computing 37(2), 2007",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES,
              .options = duet_guess_options},
    .moldable_ratio = ratio,
    .run = run,
    .makes_runs = true,
};
