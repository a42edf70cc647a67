// SPDX-License-Identifier: Apache-2.0
// Running a row with everything around it: what the instance may have, what the options may be, how
// much memory it takes, how long it took. It knows the row alone, so that searches may run others.
#include "solvers/run.h"

#include <stdio.h>

#include "core/instance/reality.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"

static bool is_within(duet_int128 size, int64_t most)
{
    return most == 0 || size <= most;
}

bool duet_is_fast(const duet_algorithm *algorithm, const duet_instance *instance)
{
    const duet_pace *pace = &algorithm->pace;
    int64_t tasks = duet_tasks(instance);
    duet_int128 entries = (duet_int128)tasks * (int64_t)instance->types;
    return !pace->searches && !(pace->slow_on_graphs && instance->graph != NULL) &&
           is_within(tasks, pace->most_tasks) &&
           (instance->types == 2 || is_within(entries, pace->most_entries));
}

bool duet_ratio_on(const duet_algorithm *algorithm, const duet_instance *instance,
                   const duet_options *options, duet_ratio *ratio)
{
    unsigned features = duet_instance_features(instance);
    if ((features & DUET_FEATURE_WAITS) != 0) {
        return false; // the proofs are about schedules that begin at 0
    }
    if ((features & DUET_FEATURE_MOLDABLE) != 0) {
        return (features & DUET_FEATURE_PRECEDENCE) == 0 && algorithm->moldable_ratio != NULL &&
               algorithm->moldable_ratio(instance, options, ratio);
    }
    duet_ratio_function *proven = (features & DUET_FEATURE_COMMUNICATION) != 0 ? NULL
                                  : (features & DUET_FEATURE_PRECEDENCE) != 0
                                      ? algorithm->graph_ratio
                                      : algorithm->ratio;
    return proven != NULL && proven(instance->types, instance->processors, options, ratio);
}

// The options of every algorithm beside its own: what can be done with any schedule.
static const duet_option_spec common[] = {
    {.name = "improve",
     .type = DUET_OPTION_BOOLEAN,
     .fallback = "false",
     .unit = "",
     .text = "search for a shorter schedule from the one that the algorithm made"},
    {.name = "gap",
     .type = DUET_OPTION_SHARE,
     .fallback = "0",
     .maximum = 1000 * (int64_t)DUET_BILLION,
     .unit = "",
     .text = "end a search whose schedule is by no more than this above its bound: 0.01 or 1%"},
    {.name = "bound",
     .type = DUET_OPTION_CHOICE,
     .fallback = "best",
     .choices = DUET_WANTED_BOUNDS,
     .unit = "",
     .text = "the lower bound, where the algorithm proves none itself: the best of all that are "
             "quick, or one of these"},
    {.name = NULL}};

const duet_option_spec *duet_common_options(void)
{
    return common;
}

duet_code duet_check_algorithm_options(const duet_entry *algorithm, const duet_options *options,
                                       duet_error *error)
{
    return duet_options_check_both(options, algorithm->options, common, algorithm->name, error);
}

// A ratio is proven of an algorithm that came to its end. One that stopped before its argument held
// has shown none.
static void set_guarantee(const duet_algorithm *algorithm, const duet_instance *instance,
                          const duet_context *context, duet_solution *solution)
{
    duet_ratio ratio;
    solution->guarantee[0] = '\0';
    if (!duet_ratio_on(algorithm, instance, context->options, &ratio)) {
        return;
    }
    if (!solution->ratio_void) {
        duet_ratio_format(ratio, solution->guarantee);
    }
}

// Bytes of a schedule held as runs of equal tasks, where each kind makes as many as it can;
// UINT64_MAX where those are too many to hold it so.
static uint64_t memory_of_runs(const duet_instance *instance)
{
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    uint64_t processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        processors += (uint64_t)instance->processors[t];
    }
    uint64_t runs = instance->types; // duet_allocation.last cuts a run in two, once per type
    for (size_t i = 0; i < instance->kinds; i++) {
        uint64_t count = (uint64_t)duet_count(instance, i);
        runs += duet_min(count, processors);
    }
    return runs <= tasks / DUET_TASKS_PER_RUN ? runs * sizeof(duet_task_run) : UINT64_MAX;
}

uint64_t duet_run_memory(const duet_instance *instance, bool makes_runs)
{
    // Two schedules, the best and one to compare with it. Per kind: orders, allocation, queues. Per
    // processor that can be of use: its entry in a heap, and events. Per task of a graph: its kind,
    // rank and place, what it waits for, and its entries in queues.
    enum { per_kind = 64, per_processor = 96, per_graph_task = 96 };
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    uint64_t runs = makes_runs ? memory_of_runs(instance) : UINT64_MAX;
    duet_uint128 bytes = 2 * (duet_uint128)tasks * sizeof(duet_placement);
    bytes = runs < UINT64_MAX ? 2 * (duet_uint128)runs : bytes;
    bytes += instance->graph != NULL ? (duet_uint128)tasks * per_graph_task : 0;
    bytes += (duet_uint128)instance->kinds * (per_kind + sizeof(int64_t) * instance->types);
    for (size_t t = 0; t < instance->types; t++) {
        uint64_t processors = (uint64_t)instance->processors[t];
        bytes += (duet_uint128)duet_min(processors, tasks) * per_processor;
    }
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

static duet_code check_memory(const duet_instance *instance, const duet_algorithm *algorithm,
                              const duet_context *context, duet_error *error)
{
    uint64_t needed = duet_run_memory(instance, algorithm->makes_runs);
    size_t limit = duet_memory_limit(context->memory_limit);
    if (needed <= limit) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_LIMIT,
                          "a schedule of %lld tasks takes %llu MiB of memory: expected at most %zu "
                          "MiB (--memory)",
                          (long long)duet_tasks(instance), (unsigned long long)(needed >> 20) + 1,
                          limit >> 20);
}

duet_code duet_check_run(const duet_instance *instance, const duet_algorithm *algorithm,
                         const duet_context *context, duet_error *error)
{
    DUET_TRY(duet_check_algorithm_options(&algorithm->entry, context->options, error));
    DUET_TRY(duet_require_handled(&algorithm->entry, duet_demand_of(instance), NULL, error));
    DUET_TRY(duet_instance_ready(instance, error));
    return check_memory(instance, algorithm, context, error);
}

// A solution with room for what the algorithm makes, filled by it.
static duet_code fill_solution(const duet_instance *instance, const duet_algorithm *algorithm,
                               const duet_context *context, duet_solution **out, duet_error *error)
{
    DUET_TRY(duet_solution_create_blank(duet_tasks(instance), out, error));
    if (!algorithm->makes_runs) {
        DUET_TRY(duet_solution_hold_placements(*out, error));
    }
    return algorithm->run(instance, context, *out, error);
}

duet_code duet_run_algorithm(const duet_instance *instance, const duet_algorithm *algorithm,
                             const duet_context *context, duet_solution **out, duet_error *error)
{
    *out = NULL;
    int64_t start = duet_clock_ns();
    DUET_TRY(duet_check_run(instance, algorithm, context, error));
    duet_solution *solution = NULL;
    duet_code code = fill_solution(instance, algorithm, context, &solution, error);
    if (code != DUET_OK) {
        duet_solution_free(solution);
        return code;
    }
    duet_solution_finish(solution, instance);
    set_guarantee(algorithm, instance, context, solution);
    snprintf(solution->algorithm, sizeof solution->algorithm, "%s", algorithm->entry.name);
    solution->seconds = (double)(duet_clock_ns() - start) * 1e-9;
    *out = solution;
    return DUET_OK;
}

duet_code duet_run_online(const duet_instance *instance, const duet_algorithm *algorithm,
                          const duet_context *context, duet_solution **out, duet_error *error)
{
    DUET_ASSERT(algorithm->online && context->reality != NULL);
    *out = NULL;
    duet_code code = duet_check_run(instance, algorithm, context, error);
    DUET_THEN(code, fill_solution(&context->reality->platform, algorithm, context, out, error));
    if (code == DUET_OK) {
        snprintf((*out)->algorithm, sizeof(*out)->algorithm, "%s", algorithm->entry.name);
    } else {
        duet_solution_free(*out);
        *out = NULL;
    }
    return code;
}
