// SPDX-License-Identifier: Apache-2.0
// Algorithm: balanced-estimate.
// Method:    all tasks on their faster type; then the tasks of the type that is later move to the
//            other, least loss first, while they fit into the balance; whenever the other is the
//            later one, the longest tasks that have moved go back for good. Of all allocations on
//            the way the one with the least estimate (the larger of work per processor and longest
//            task, on both types), longest first on each type.
// Guarantee: 2M/(M+1) (1 + 1/(m+k)) < 2, M = max(m, k); 4/3 - 1/(3m) on identical processors.
//            docs/theory/rules.md proves it for the sweep as it stands here; the paper proves 2 for
//            its.
// Types:     two. The sweep follows one order by acceleration from one type to the other; on more
//            types every pair has an order of its own (docs/theory/rules.md, "Why two types only").
// Cost:      O(kinds log kinds + min(n, runs) log(m + k)) time, O(kinds + m + k) memory: equal
//            tasks move and go back together.
// Reference: Canon, Marchal, Vivien, "Low-cost approximation algorithms for scheduling independent
//            tasks on hybrid platforms", Euro-Par 2017 (BalancedEstimate).
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/balanced.h"

typedef struct least {
    duet_balanced_state state;
    bool found;
} least;

static duet_code keep_least(void *user, const duet_balanced_state *state, duet_error *error)
{
    (void)error;
    least *best = user;
    if (!best->found || duet_fraction_compare(state->estimate, best->state.estimate) < 0) {
        *best = (least){*state, true};
    }
    return DUET_OK;
}

static duet_code schedule(const duet_balanced *balanced, const duet_balanced_state *state,
                          duet_solution *solution, duet_error *error)
{
    duet_allocation allocation;
    duet_code code = duet_allocation_create(balanced->instance, &allocation, error);
    if (code == DUET_OK) {
        duet_balanced_allocate(balanced, state, &allocation);
        code = duet_schedule_longest_first(balanced->instance, &allocation, solution, error);
    }
    duet_allocation_free(&allocation);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    least best = {.found = false};
    duet_balanced balanced;
    duet_code code = duet_balanced_create(instance, &balanced, error);
    DUET_THEN(code, duet_balanced_sweep(&balanced, keep_least, &best, error));
    DUET_THEN(code, schedule(&balanced, &best.state, solution, error));
    duet_balanced_free(&balanced);
    return code;
}

const duet_algorithm duet_algorithm_balanced_estimate = {
    .entry = {.name = "balanced-estimate",
              .summary = "faster type, then balanced: the allocation of least estimate",
              .guarantee = "2M/(M+1) (1 + 1/(m+k)), M = max(m, k)",
              .reference = "Canon, Marchal, Vivien, Euro-Par 2017"},
    .ratio = duet_balanced_ratio,
    .run = run,
    .makes_runs = true,
    .pace = {.most_tasks = 100000},
};
