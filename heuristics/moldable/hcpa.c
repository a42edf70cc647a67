// SPDX-License-Identifier: Apache-2.0
// Algorithms: hcpa, s-hcpa.
// Method:    the allocation of CPA (allocation.h) on a reference cluster as strong as all clusters
//            together, whose processors are as fast as the slowest ones. On each cluster a task
//            then takes as many processors as make it no longer than that. hcpa: of the ready tasks
//            the one of the highest bottom level (without communication), on the cluster where it
//            finishes first. s-hcpa: the ready task whose second-best cluster lets it finish latest
//            after the best one; ties, and one cluster, as hcpa.
// Guarantee: none.
// Cost:      the allocation; C trials for a task, for s-hcpa C for each ready task and each task.
// Memory:    O(n + e + processors + sizes of the sets).
// Reference: N'Takpe, Suter, "Critical path and area based scheduling of parallel task graphs on
//            heterogeneous platforms", ICPADS 2006.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/moldable/rows.h"

typedef struct hcpa {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    bool by_sufferage;

    // The allocation.
    int32_t *kind; // of each task
    duet_growth growth;
    duet_allocated allocated;
    int64_t *level; // bottom levels
    duet_clusters clusters;
} hcpa;

// The speed of the slowest processors.
static duet_fraction slowest_speed(const duet_instance *instance)
{
    duet_fraction slowest = {0, 0};
    for (size_t t = 0; t < instance->types; t++) {
        duet_fraction speed = duet_moldable_speed(instance, t);
        if (instance->processors[t] > 0 &&
            (slowest.den == 0 || duet_fraction_compare(speed, slowest) < 0)) {
            slowest = speed;
        }
    }
    return slowest;
}

// ceil(sum P_i s_i / s_ref). Speeds are fractions over powers of ten up to 10^18.
static int64_t count_reference(const duet_instance *instance, duet_fraction reference)
{
    static const int64_t scale = INT64_C(1000000000000000000);
    duet_wide power = duet_wide_of(0);
    for (size_t t = 0; t < instance->types; t++) {
        duet_fraction speed = duet_moldable_speed(instance, t);
        duet_wide each = duet_wide_multiply(duet_wide_of(speed.num), (uint64_t)scale / speed.den);
        power = duet_wide_add(power, duet_wide_multiply(each, (uint64_t)instance->processors[t]));
    }
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a speed's denominator is a power of ten
    duet_uint128 share = (duet_uint128)scale / reference.den;
    duet_wide unit = duet_wide_multiply(duet_wide_of(reference.num), share);
    duet_wide rest;
    duet_uint128 whole = duet_wide_divide(power, unit, &rest);
    whole += duet_wide_compare(rest, duet_wide_of(0)) != 0;
    return whole > DUET_MAX_WORK ? DUET_MAX_WORK : (int64_t)whole;
}

// The best of the clusters, and how much later the second-best one lets the task finish: INT64_MAX
// without a second one.
static duet_trial try_clusters(const hcpa *state, int32_t task, int64_t *sufferage)
{
    const duet_instance *instance = state->instance;
    size_t kind = (size_t)state->kind[task];
    duet_trial best = {.finish = INT64_MAX};
    int64_t second = INT64_MAX;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t size = duet_growth_size_on(&state->growth, task, t, state->allocated.size[task],
                                           state->allocated.time[task]);
        if (size == 0) {
            continue;
        }
        int64_t time = duet_moldable_time(instance, kind, t, size);
        duet_trial trial = duet_clusters_try(&state->clusters, task, t, size, time);
        bool better = duet_trial_precedes(&trial, &best);
        int64_t other = better ? best.finish : trial.finish;
        second = duet_min(other, second);
        best = better ? trial : best;
    }
    *sufferage = second == INT64_MAX ? INT64_MAX : second - best.finish;
    return best;
}

static duet_code choose(void *user, int32_t task, duet_trial *trial, duet_error *error)
{
    (void)error;
    int64_t unused;
    *trial = try_clusters(user, task, &unused);
    return DUET_OK;
}

// Of the ready tasks the one that suffers most; the higher level, then the lower id. Returns where
// it is among them.
static size_t find_sufferer(const hcpa *state, const int32_t *ready, size_t count,
                            duet_trial *trial)
{
    size_t found = 0;
    int64_t most = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t sufferage;
        duet_trial best = try_clusters(state, ready[i], &sufferage);
        int64_t above = state->level[ready[i]] - state->level[ready[found]];
        bool first = above != 0 ? above > 0 : ready[i] < ready[found];
        if (sufferage > most || (sufferage == most && first)) {
            most = sufferage;
            found = i;
            *trial = best;
        }
    }
    return found;
}

static duet_code place_sufferers(hcpa *state, duet_error *error)
{
    const duet_graph *graph = state->instance->graph;
    size_t tasks = (size_t)duet_tasks(state->instance);
    int32_t *ready = duet_alloc_raw(tasks, sizeof *ready, error);
    int64_t *placed = duet_alloc(tasks, sizeof *placed, error); // predecessors of each task
    size_t count = 0;
    duet_code code = ready == NULL || placed == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        if (graph == NULL || graph->enter_at[j] == graph->enter_at[j + 1]) {
            ready[count++] = (int32_t)j;
        }
    }
    while (code == DUET_OK && count > 0) {
        duet_trial trial;
        size_t at = find_sufferer(state, ready, count, &trial);
        int32_t task = ready[at];
        ready[at] = ready[--count];
        code = duet_context_stop(state->context)
                   ? duet_context_stop_error(state->context, error)
                   : duet_clusters_place(&state->clusters, task, &trial, error);
        int64_t end = graph == NULL ? 0 : graph->leave_at[task + 1];
        for (int64_t e = graph == NULL ? 0 : graph->leave_at[task]; e < end; e++) {
            int32_t next = graph->head[graph->leaving[e]];
            if (++placed[next] == graph->enter_at[next + 1] - graph->enter_at[next]) {
                ready[count++] = next;
            }
        }
    }
    duet_free(ready);
    duet_free(placed);
    return code;
}

static bool has_one_cluster(const duet_instance *instance)
{
    int used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0;
    }
    return used == 1;
}

// Places all tasks at the allocation there is.
static duet_code place(hcpa *state, duet_error *error)
{
    DUET_TRY(duet_allocated_levels(state->instance, state->allocated.time, state->level, error));
    duet_clusters_clear(&state->clusters);
    return state->by_sufferage && !has_one_cluster(state->instance)
               ? place_sufferers(state, error)
               : duet_place_by_level(&state->clusters, state->level, choose, state, state->context,
                                     error);
}

static duet_code schedule(void *user, int64_t *makespan, duet_error *error)
{
    hcpa *state = user;
    duet_code code = place(state, error);
    *makespan = duet_plan_makespan(&state->clusters.plan);
    return code;
}

static duet_code allocate(hcpa *state, duet_error *error)
{
    const duet_instance *instance = state->instance;
    duet_fraction reference = slowest_speed(instance);
    duet_allocation_choice choice = duet_allocation_choice_of(state->context->options);
    choice.schedule = schedule;
    choice.user = state;
    state->kind = duet_kinds_of_tasks(instance, error);
    state->level = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *state->level, error);
    DUET_NEED(state->kind != NULL && state->level != NULL);
    DUET_TRY(duet_growth_create(instance, state->kind, reference, 0, &state->growth, error));
    DUET_TRY(duet_clusters_of_instance(instance, &state->clusters, error));
    return duet_allocate_by_path(&state->growth, count_reference(instance, reference), &choice,
                                 state->context, &state->allocated, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, bool by_sufferage, duet_error *error)
{
    hcpa state = {.instance = instance, .context = context, .by_sufferage = by_sufferage};
    duet_code code = allocate(&state, error);
    DUET_THEN(code, place(&state, error));
    if (code == DUET_OK) {
        code = duet_plan_write(&state.clusters.plan, solution, error);
        duet_count_allocation(solution, &state.allocated);
    }
    duet_clusters_free(&state.clusters);
    duet_allocated_free(&state.allocated);
    duet_growth_free(&state.growth);
    duet_free(state.kind);
    duet_free(state.level);
    return code;
}

static duet_code run_hcpa(const duet_instance *instance, const duet_context *context,
                          duet_solution *solution, duet_error *error)
{
    return run(instance, context, solution, false, error);
}

static duet_code run_s_hcpa(const duet_instance *instance, const duet_context *context,
                            duet_solution *solution, duet_error *error)
{
    return run(instance, context, solution, true, error);
}

const duet_algorithm duet_algorithm_hcpa = {
    .entry = {.name = "hcpa",
              .summary = "moldable tasks on clusters: allocation on a reference cluster, highest "
                         "bottom level first",
              .reference = "N'Takpe, Suter, ICPADS 2006",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS |
                         DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_allocation_options},
    .run = run_hcpa,
    .makes_runs = true,
    .pace = {.most_tasks = 100000},
};

const duet_algorithm duet_algorithm_s_hcpa = {
    .entry = {.name = "s-hcpa",
              .summary = "moldable tasks on clusters: as hcpa, the largest sufferage first",
              .reference = "N'Takpe, Suter, ICPADS 2006",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS |
                         DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_allocation_options},
    .run = run_s_hcpa,
    .makes_runs = true,
    .pace = {.most_tasks = 2000},
};
