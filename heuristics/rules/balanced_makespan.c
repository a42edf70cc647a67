// SPDX-License-Identifier: Apache-2.0
// Algorithm: balanced-makespan.
// Method:    the sweep of balanced-estimate, and of its allocations the one whose schedule, longest
//            first on each type, is the shortest. No schedule is shorter than its allocation's
//            estimate, so they are built by increasing estimate until the next one is no less than
//            the best makespan: the outcome is that of building all of them.
// Guarantee: that of balanced-estimate, whose schedule is the first.
// Types:     two. The sweep follows one order by acceleration from one type to the other; on more
//            types every pair has an order of its own (docs/theory/rules.md, "Why two types only").
// Cost:      O(kinds log kinds) and, for each schedule built, O(kinds log kinds + min(n, runs)
//            log(m + k)) time: at most six a kind, mostly few. O(kinds + m + k) memory.
// Reference: Canon, Marchal, Vivien, "Low-cost approximation algorithms for scheduling independent
//            tasks on hybrid platforms", Euro-Par 2017 (BalancedMakespan).

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/balanced.h"

typedef struct search {
    duet_balanced balanced;
    duet_balanced_state *state;
    size_t states;
    size_t least; // the first state of the least estimate
    duet_allocation allocation;
    duet_solution *best;
    duet_solution *trial;
    int64_t built;
} search;

static duet_code add_state(void *user, const duet_balanced_state *state, duet_error *error)
{
    search *s = user;
    DUET_TRY(duet_vec_grow(s->state, s->states, error));
    if (s->states > 0 && duet_fraction_compare(state->estimate, s->state[s->least].estimate) < 0) {
        s->least = s->states;
    }
    s->state[s->states++] = *state;
    return DUET_OK;
}

static duet_code build(search *s, const duet_balanced_state *state, duet_error *error)
{
    const duet_instance *instance = s->balanced.instance;
    duet_solution *target = s->built > 0 ? s->trial : s->best;
    duet_balanced_allocate(&s->balanced, state, &s->allocation);
    DUET_TRY(duet_schedule_longest_first(instance, &s->allocation, target, error));
    target->makespan = duet_solution_measure(target, instance);
    if (s->built++ > 0 && target->makespan < s->best->makespan) {
        duet_solution_swap_schedules(s->best, target);
    }
    return DUET_OK;
}

// All states by increasing estimate, rounded up to whole ticks as every makespan is.
static duet_ordered *order_states(const search *s, duet_error *error)
{
    duet_ordered *order = duet_alloc(s->states, sizeof *order, error);
    for (size_t i = 0; order != NULL && i < s->states; i++) {
        uint64_t ticks = (uint64_t)duet_fraction_ceil(s->state[i].estimate);
        order[i] = (duet_ordered){UINT64_MAX - ticks, i};
    }
    if (order != NULL && duet_order_by_key(order, s->states, error) != DUET_OK) {
        duet_free(order);
        return NULL;
    }
    return order;
}

static duet_code build_best(search *s, const duet_context *context, duet_error *error)
{
    duet_ordered *order = order_states(s, error);
    duet_code code = order == NULL ? DUET_E_MEMORY : build(s, &s->state[s->least], error);
    for (size_t i = 0; i < s->states && code == DUET_OK; i++) {
        if (UINT64_MAX - order[i].key >= (uint64_t)s->best->makespan) {
            break;
        }
        if (duet_context_stop(context)) {
            s->best->interrupted = true;
            break;
        }
        if (order[i].kind != s->least) {
            code = build(s, &s->state[order[i].kind], error);
        }
    }
    duet_free(order);
    return code;
}

static duet_code prepare(search *s, const duet_instance *instance, const duet_context *context,
                         duet_error *error)
{
    enum { states_per_kind = 6 };
    // The states, what an array that grows leaves free, and their order.
    size_t size = states_per_kind * (2 * sizeof *s->state + sizeof(duet_ordered));
    DUET_TRY(duet_memory_check(instance->kinds, size, context->memory_limit,
                               "the allocations to choose from", error));
    DUET_TRY(duet_allocation_create(instance, &s->allocation, error));
    return duet_solution_create_blank(s->best->tasks, &s->trial, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    search s = {.best = solution};
    duet_code code = duet_balanced_create(instance, &s.balanced, error);
    DUET_THEN(code, prepare(&s, instance, context, error));
    DUET_THEN(code, duet_balanced_sweep(&s.balanced, add_state, &s, error));
    DUET_THEN(code, build_best(&s, context, error));
    if (code == DUET_OK) {
        duet_solution_count(solution, "allocations", (int64_t)s.states);
        duet_solution_count(solution, "schedules", s.built);
    }
    duet_solution_free(s.trial);
    duet_allocation_free(&s.allocation);
    duet_balanced_free(&s.balanced);
    duet_free(s.state);
    return code;
}

const duet_algorithm duet_algorithm_balanced_makespan = {
    .entry = {.name = "balanced-makespan",
              .summary = "faster type, then balanced: the allocation of the shortest schedule",
              .guarantee = "2M/(M+1) (1 + 1/(m+k)), M = max(m, k)",
              .reference = "Canon, Marchal, Vivien, Euro-Par 2017"},
    .ratio = duet_balanced_ratio,
    .run = run,
    .makes_runs = true,
    .pace = {.most_tasks = 100000},
};
