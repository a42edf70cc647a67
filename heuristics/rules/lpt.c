// SPDX-License-Identifier: Apache-2.0
// Algorithm: lpt (Longest Processing Time first), after an allocation.
// Method:    give every task a type (option allocation), then on each type take the longest first,
//            each on the least loaded processor. The allocation `balance` (two types) moves tasks
//            to the GPUs by decreasing acceleration factor until both types have the same work per
//            processor; `quickest`, `qa` and `ratio` are the rules of those algorithms. `auto` is
//            balance on two types, quickest elsewhere. With releases and busy processors an idle
//            processor takes the longest task of its type that is released.
// Guarantee: 4/3 - 1/(3m) on identical processors; none elsewhere.
// Cost:      O(kinds log kinds + min(n, runs) log m) time, O(kinds Q + m) memory.
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.
#include "core/instance/acceleration.h"
#include "core/instance/available.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/engine/typed_list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {{.name = "allocation",
                                            .type = DUET_OPTION_CHOICE,
                                            .fallback = "auto",
                                            .choices = "auto|balance|quickest|qa|ratio",
                                            .unit = "",
                                            .text = "how tasks get their type"},
                                           {.name = NULL}};
enum { ALLOCATE_AUTO, ALLOCATE_BALANCE, ALLOCATE_QUICKEST, ALLOCATE_QA, ALLOCATE_RATIO };

static duet_fraction larger(duet_fraction a, duet_fraction b)
{
    return duet_fraction_compare(a, b) >= 0 ? a : b;
}

// What the makespan cannot be below with `on_gpu` tasks of the divided kind on the GPUs.
static duet_fraction estimate(const duet_instance *instance, const duet_fractional *fractional,
                              size_t kind, int64_t on_gpu)
{
    uint64_t p = (uint64_t)duet_time(instance, kind, DUET_CPU);
    uint64_t q = (uint64_t)duet_time(instance, kind, DUET_GPU);
    uint64_t on_cpu = (uint64_t)(duet_count(instance, kind) - on_gpu);
    uint64_t kept = (uint64_t)fractional->cpu_work - p * (uint64_t)on_gpu;
    uint64_t moved = (uint64_t)fractional->gpu_work + q * (uint64_t)on_gpu;
    duet_fraction cpu = {kept, (uint64_t)instance->processors[DUET_CPU]};
    duet_fraction gpu = {moved, (uint64_t)instance->processors[DUET_GPU]};
    cpu = larger(cpu, (duet_fraction){on_cpu > 0 ? p : 0, 1});
    gpu = larger(gpu, (duet_fraction){on_gpu > 0 ? q : 0, 1});
    return larger(cpu, gpu);
}

// How many tasks of the divided kind the GPUs get: its share rounded down or up.
static int64_t round_split(const duet_instance *instance, const duet_fractional *fractional,
                           size_t kind)
{
    int64_t down = fractional->split_gpu;
    int64_t up = down < duet_count(instance, kind) ? down + 1 : down;
    duet_fraction with_down = estimate(instance, fractional, kind, down);
    duet_fraction with_up = estimate(instance, fractional, kind, up);
    return duet_fraction_compare(with_up, with_down) < 0 ? up : down;
}

// The fractional assignment with its divided kind rounded to whole tasks.
static duet_code balance(const duet_instance *instance, duet_allocation *allocation,
                         duet_error *error)
{
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    duet_fractional fractional = duet_fractional_assignment(instance, &order);
    for (size_t at = 0; at < order.count; at++) {
        size_t kind = order.items[at].kind;
        int64_t count = duet_count(instance, kind);
        int64_t on_gpu = at < fractional.split ? count : 0;
        if (at == fractional.split && fractional.has_split) {
            on_gpu = round_split(instance, &fractional, kind);
        }
        allocation->share[2 * kind + DUET_CPU] = count - on_gpu;
        allocation->share[2 * kind + DUET_GPU] = on_gpu;
    }
    duet_acceleration_order_free(&order);
    return DUET_OK;
}

static duet_code allocate(const duet_instance *instance, int how, duet_allocation *allocation,
                          duet_error *error)
{
    if (how == ALLOCATE_AUTO) {
        how = instance->types == 2 ? ALLOCATE_BALANCE : ALLOCATE_QUICKEST;
    }
    if (instance->types != 2 && (how == ALLOCATE_BALANCE || how == ALLOCATE_RATIO)) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "lpt: this allocation needs a platform of two types, CPU and GPU");
    }
    if (how == ALLOCATE_BALANCE) {
        return balance(instance, allocation, error);
    }
    duet_allocation_rule *rule = how == ALLOCATE_QA      ? duet_allocate_qa
                                 : how == ALLOCATE_RATIO ? duet_allocate_ratio
                                                         : duet_allocate_quickest;
    for (size_t i = 0; i < instance->kinds; i++) {
        allocation->share[i * instance->types + rule(instance, i)] = duet_count(instance, i);
    }
    return DUET_OK;
}

// The longest first of those that are released, on processors that are not busy.
static duet_code schedule_released(const duet_instance *instance, const duet_context *context,
                                   const duet_allocation *allocation, duet_solution *solution,
                                   duet_error *error)
{
    int32_t *type = duet_alloc((size_t)duet_tasks(instance), sizeof *type, error);
    DUET_NEED(type);
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t task = instance->first[i];
        for (size_t t = 0; t < instance->types; t++) {
            for (int64_t j = 0; j < allocation->share[i * instance->types + t]; j++) {
                type[task++] = (int32_t)t;
            }
        }
    }
    duet_code code = duet_solution_hold_placements(solution, error);
    DUET_THEN(code, duet_schedule_types(instance, context, type, solution, error));
    duet_free(type);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_allocation allocation;
    DUET_TRY(duet_allocation_create(instance, &allocation, error));
    duet_code code = allocate(instance, duet_option_choice(context->options, options, "allocation"),
                              &allocation, error);
    DUET_THEN(code, duet_is_available(instance)
                        ? duet_schedule_longest_first(instance, &allocation, solution, error)
                        : schedule_released(instance, context, &allocation, solution, error));
    duet_allocation_free(&allocation);
    return code;
}

const duet_algorithm duet_algorithm_lpt = {
    .entry = {.name = "lpt",
              .summary = "allocate, then longest first on each type",
              .guarantee = "4/3 - 1/(3m) without GPUs",
              .reference = "Graham, SIAM J. Appl. Math. 17(2), 1969",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_lpt,
    .run = run,
    .makes_runs = true,
};
