// SPDX-License-Identifier: Apache-2.0
// Algorithm: cpa (Critical Path and Area).
// Method:    the allocation of allocation.h and a schedule (highest bottom level first, each where
//            it finishes first) on a stand-in: one cluster of all processors, with their mean speed
//            and bandwidth. Its tasks then run in the order of their planned starts on the real
//            processors, which are numbered cluster by cluster. On several clusters the instance
//            has mixed sets (docs/problem.md, I5): equal shares, so that the slowest decides.
// Guarantee: none.
// Cost:      the allocation; O(processors) for a task.
// Memory:    O(n + e + processors + sizes of the sets).
// Reference: Radulescu, Nicolescu, van Gemund, Jonker, IPDPS 2001; on several clusters N'Takpe,
//            Suter, ICPADS 2006, section 5.
#include <stdlib.h>

#include "core/number/decimal.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/moldable/rows.h"

typedef struct cpa {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    size_t only; // the type that has all processors; `types` where there are several

    // The stand-in.
    int64_t processors;
    int64_t *move; // ticks of each amount of data through one link
    int32_t *kind; // of each task
    duet_growth growth;
    duet_allocated allocated;
    int64_t *level;
    duet_clusters clusters;

    // The real processors.
    int64_t *release; // of each, numbered cluster by cluster
    int64_t *end;     // of each task
} cpa;

static const int64_t scale = INT64_C(1000000000000000000);

// The mean speed of all processors.
static duet_fraction mean_speed(const cpa *state)
{
    const duet_instance *instance = state->instance;
    duet_fraction sum = {0, 1};
    if (state->only < instance->types) {
        return duet_moldable_speed(instance, state->only);
    }
    for (size_t t = 0; t < instance->types; t++) { // denominators are powers of ten
        duet_fraction speed = duet_moldable_speed(instance, t);
        duet_uint128 den = duet_max(speed.den, sum.den);
        sum.num = sum.num * (den / sum.den) +
                  speed.num * (den / speed.den) * (uint64_t)instance->processors[t];
        sum.den = den;
    }
    sum.den *= (uint64_t)state->processors;
    return duet_fraction_reduce(sum);
}

// The bandwidths of all processors in sum, times `scale`; 0 where there is no limit.
static duet_wide all_bandwidth(const cpa *state)
{
    const duet_instance *instance = state->instance;
    duet_wide sum = duet_wide_of(0);
    for (size_t t = 0; t < instance->types; t++) {
        duet_decimal bandwidth = instance->moldable->bandwidth[t];
        if (instance->processors[t] > 0 && bandwidth.mantissa == 0) {
            return duet_wide_of(0);
        }
        duet_wide each =
            duet_wide_multiply(duet_wide_of((uint64_t)bandwidth.mantissa),
                               (duet_uint128)scale / duet_power_of_ten(bandwidth.places));
        sum = duet_wide_add(sum, duet_wide_multiply(each, (uint64_t)instance->processors[t]));
    }
    return sum;
}

// What each amount of data takes through one link of the stand-in, rounded up.
static duet_code find_moves(cpa *state, duet_error *error)
{
    const duet_instance *instance = state->instance;
    const duet_moldable *m = instance->moldable;
    if (m->amount_of == NULL) {
        return DUET_OK;
    }
    state->move = duet_alloc(m->amounts, sizeof *state->move, error);
    DUET_NEED(state->move);
    duet_wide bandwidth = all_bandwidth(state);
    bool unlimited = duet_wide_compare(bandwidth, duet_wide_of(0)) == 0;
    for (size_t i = 1; i < m->amounts; i++) {
        if (state->only < instance->types) {
            state->move[i] = m->move[i * (m->types + 1) + state->only];
            continue;
        }
        duet_wide data = duet_wide_of((uint64_t)m->amount[i].mantissa);
        data = duet_wide_multiply(data, duet_power_of_ten(instance->decimals));
        data = duet_wide_multiply(data, (duet_uint128)scale * (uint64_t)state->processors);
        duet_wide rest;
        duet_wide share = duet_wide_multiply(bandwidth, duet_power_of_ten(m->amount[i].places));
        duet_uint128 whole = unlimited ? 0 : duet_wide_divide(data, share, &rest);
        whole += !unlimited && duet_wide_compare(rest, duet_wide_of(0)) != 0;
        state->move[i] = whole > DUET_MAX_WORK ? DUET_MAX_WORK : (int64_t)whole;
    }
    return DUET_OK;
}

// duet_move_function of the stand-in.
static int64_t move_of_stand_in(const void *platform, int64_t edge, size_t i, int64_t p, size_t j,
                                int64_t q)
{
    (void)i;
    (void)j;
    const cpa *state = platform;
    const duet_moldable *m = state->instance->moldable;
    if (m->cost_of != NULL) { // as within the slowest cluster
        int64_t cost = 0;
        for (size_t t = 0; t < m->types; t++) {
            int64_t within = duet_moldable_move(state->instance, edge, t, p, t, q);
            cost = duet_max(within, cost);
        }
        return cost;
    }
    if (m->amount_of == NULL || m->amount_of[edge] == 0) {
        return 0;
    }
    int64_t least = duet_min(p, q);
    return m->latency + (state->move[m->amount_of[edge]] + least - 1) / least;
}

static duet_code choose(void *user, int32_t task, duet_trial *trial, duet_error *error)
{
    (void)error;
    const cpa *state = user;
    *trial = duet_clusters_try(&state->clusters, task, 0, state->allocated.size[task],
                               state->allocated.time[task]);
    return DUET_OK;
}

// The schedule of the stand-in at the allocation there is.
static duet_code place(cpa *state, duet_error *error)
{
    DUET_TRY(duet_allocated_levels(state->instance, state->allocated.time, state->level, error));
    duet_clusters_clear(&state->clusters);
    return duet_place_by_level(&state->clusters, state->level, choose, state, state->context,
                               error);
}

static duet_code schedule(void *user, int64_t *makespan, duet_error *error)
{
    cpa *state = user;
    duet_code code = place(state, error);
    *makespan = duet_plan_makespan(&state->clusters.plan);
    return code;
}

static duet_code allocate(cpa *state, duet_error *error)
{
    duet_allocation_choice choice = duet_allocation_choice_of(state->context->options);
    choice.schedule = schedule;
    choice.user = state;
    return duet_allocate_by_path(&state->growth, state->processors, &choice, state->context,
                                 &state->allocated, error);
}

static duet_code plan(cpa *state, duet_error *error)
{
    const duet_instance *instance = state->instance;
    state->kind = duet_kinds_of_tasks(instance, error);
    state->level = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *state->level, error);
    duet_code code = state->kind == NULL || state->level == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, find_moves(state, error));
    DUET_THEN(code, duet_growth_create(instance, state->kind, mean_speed(state), state->processors,
                                       &state->growth, error));
    if (code == DUET_OK) {
        code = duet_clusters_create(instance->graph, duet_tasks(instance), 1, &state->processors,
                                    &state->clusters, error);
        state->clusters.move = move_of_stand_in;
        state->clusters.platform = state;
    }
    DUET_THEN(code, allocate(state, error));
    return code == DUET_OK ? place(state, error) : code;
}

// The real processors of a set of the stand-in. Returns how many ranges these are.
static size_t find_ranges(const cpa *state, int32_t task, duet_processor_range *range)
{
    const duet_instance *instance = state->instance;
    const duet_planned *planned = &state->clusters.plan.task[task];
    const int32_t *set = duet_plan_set(&state->clusters.plan, (size_t)task);
    size_t count = 0;
    size_t type = 0;
    int64_t first = 0; // of the type
    for (int32_t i = 0; i < planned->size; i++) {
        while (set[i] >= first + instance->processors[type]) {
            first += instance->processors[type++];
        }
        int32_t number = (int32_t)(set[i] - first);
        if (count > 0 && range[count - 1].type == (int32_t)type &&
            range[count - 1].last + 1 == number) {
            range[count - 1].last = number;
        } else {
            range[count++] = (duet_processor_range){(int32_t)type, number, number};
        }
    }
    return count;
}

// Runs a planned task on its real processors as soon as these and its data are there.
static duet_code run_task(cpa *state, int32_t task, duet_processor_range *range,
                          duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = state->instance;
    const duet_graph *graph = instance->graph;
    const duet_planned *planned = &state->clusters.plan.task[task];
    const int32_t *set = duet_plan_set(&state->clusters.plan, (size_t)task);
    duet_processor_set real = {range, find_ranges(state, task, range)};
    int64_t start = duet_release(instance, (size_t)state->kind[task]);
    for (int32_t i = 0; i < planned->size; i++) {
        start = duet_max(state->release[set[i]], start);
    }
    for (size_t i = 0; i < real.count; i++) {
        for (int32_t p = range[i].first; p <= range[i].last; p++) {
            start = duet_max(duet_busy_until(instance, (size_t)range[i].type, p), start);
        }
    }
    int64_t begin = graph == NULL ? 0 : graph->enter_at[task];
    int64_t end = graph == NULL ? 0 : graph->enter_at[task + 1];
    for (int64_t at = begin; at < end; at++) {
        int32_t edge = graph->entering[at];
        duet_processor_range one;
        duet_processor_set from = duet_solution_set(solution, graph->tail[edge], &one);
        int64_t arrival =
            state->end[graph->tail[edge]] + duet_moldable_transfer(instance, edge, from, real);
        start = duet_max(arrival, start);
    }
    state->end[task] = start + duet_moldable_duration(instance, (size_t)state->kind[task], real);
    for (int32_t i = 0; i < planned->size; i++) {
        state->release[set[i]] = state->end[task];
    }
    return duet_solution_place_set(solution, task, start, real, error);
}

// A task by its planned start.
typedef struct entry {
    int64_t start;
    int32_t task;
} entry;

static int by_start(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    int order = duet_order(a->start, b->start);
    return order != 0 ? order : duet_order(a->task, b->task);
}

static duet_code run_plan(cpa *state, duet_solution *solution, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(state->instance);
    entry *order = duet_alloc_raw(tasks, sizeof *order, error);
    duet_processor_range *range = duet_alloc_raw((size_t)state->processors, sizeof *range, error);
    state->release = duet_alloc((size_t)state->processors, sizeof *state->release, error);
    state->end = duet_alloc_raw(tasks, sizeof *state->end, error);
    duet_code code = order == NULL || range == NULL || state->release == NULL || state->end == NULL
                         ? DUET_E_MEMORY
                         : duet_solution_hold_sets(solution, error);
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        order[j] = (entry){state->clusters.plan.task[j].start, (int32_t)j};
    }
    if (code == DUET_OK) {
        qsort(order, tasks, sizeof *order, by_start);
    }
    for (size_t i = 0; i < tasks && code == DUET_OK; i++) {
        code = run_task(state, order[i].task, range, solution, error);
    }
    duet_free(order);
    duet_free(range);
    return code;
}

// On several types its sets may have processors of any of them.
static duet_code check_types(const duet_instance *instance, duet_error *error)
{
    if (!instance->mixed_sets) {
        return duet_error_set(
            error, DUET_E_UNSUPPORTED,
            "cpa on several types makes sets of several types, and this instance has no mixed "
            "sets: "
            "expected \"mixed_sets\": true in it, or -O mixed_sets=true; or hcpa");
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            if (instance->processors[t] > 0 && !duet_allowed(instance, i, t)) {
                return duet_error_set(
                    error, DUET_E_UNSUPPORTED,
                    "cpa on several types needs tasks that run on all of them: '%s' does not; hcpa "
                    "takes it",
                    duet_instance_kind_id(instance, i));
            }
        }
    }
    return DUET_OK;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    cpa state = {.instance = instance, .context = context, .only = instance->types};
    size_t used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0;
        state.only = instance->processors[t] > 0 ? t : state.only;
        state.processors += instance->processors[t];
    }
    state.only = used == 1 ? state.only : instance->types;
    if (state.processors > DUET_MAX_PROCESSORS) {
        return duet_error_set(error, DUET_E_LIMIT, "cpa: expected at most %lld processors in all",
                              (long long)DUET_MAX_PROCESSORS);
    }
    duet_code code = used > 1 ? check_types(instance, error) : DUET_OK;
    DUET_THEN(code, plan(&state, error));
    if (code == DUET_OK) {
        code = run_plan(&state, solution, error);
        duet_count_allocation(solution, &state.allocated);
    }
    duet_clusters_free(&state.clusters);
    duet_allocated_free(&state.allocated);
    duet_growth_free(&state.growth);
    duet_free(state.move);
    duet_free(state.kind);
    duet_free(state.level);
    duet_free(state.release);
    duet_free(state.end);
    return code;
}

const duet_algorithm duet_algorithm_cpa = {
    .entry = {.name = "cpa",
              .summary = "moldable tasks: allocation by critical path and area, on clusters as one "
                         "of mean speed",
              .reference = "Radulescu et al., IPDPS 2001; N'Takpe, Suter, ICPADS 2006",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS |
                         DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_allocation_options},
    .run = run,
    .makes_runs = true,
    .pace = {.most_tasks = 100000},
};
