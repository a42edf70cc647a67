// SPDX-License-Identifier: Apache-2.0
// Algorithm: list (list scheduling with given types).
// Method:    every task has its type (option types): the one where it is shortest, the later one at
//            equal times (option ties), the one that hlp gives it, or the one that it has in a
//            solution file. An idle processor takes the ready task of its type with the highest
//            bottom level (engine/typed_list.h).
// Guarantee: none of the types; 3 - 1/m times the best schedule with the same types on two types, m
//            the larger number of processors. 2 - 1/m on identical processors.
// Cost:      O(e + n log n) time, O(n + m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, section 5.
#include <duet/io.h>

#include <string.h>

#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/typed_list.h"
#include "heuristics/rules/rules.h"
#include "solvers/graph/hlp.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "types",
     .type = DUET_OPTION_TEXT,
     .fallback = "min",
     .unit = "",
     .text =
         "type of each task: min, where it is shortest, hlp, or a solution file to take them from"},
    DUET_OPTION_ALLOCATION_TIES("gpu"),
    {.name = NULL}};

static void take_fastest(const duet_instance *instance, duet_tie tie, int32_t *type)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        int32_t fastest = (int32_t)duet_least_time(instance, i, tie);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            type[j] = fastest;
        }
    }
}

// The type of one task in a schedule as it was read: it need not have one.
static duet_code take_placed(const duet_instance *instance, const duet_solution *solution,
                             int64_t task, int32_t *type, duet_error *error)
{
    size_t kind = duet_instance_kind_of(instance, task);
    int32_t placed = solution->placement[task].type;
    if (placed < 0 || (size_t)placed >= instance->types ||
        !duet_allowed(instance, kind, (size_t)placed)) {
        char id[64];
        duet_instance_task_id(instance, task, id, sizeof id);
        return duet_error_set(error, DUET_E_INPUT,
                              "the solution for the option types places task '%s' on no type where "
                              "it may run",
                              id);
    }
    type[task] = placed;
    return DUET_OK;
}

static duet_code take_from_file(const duet_instance *instance, const char *path, int32_t *type,
                                duet_error *error)
{
    // Reading changes an instance without a platform alone; this one has one.
    duet_instance *whole;
    memcpy(&whole, &instance, sizeof whole);
    DUET_ASSERT(instance->has_platform);
    duet_solution *solution = NULL;
    duet_code code = duet_read_solution(path, NULL, whole, &solution, error);
    DUET_THEN(code, duet_solution_hold_placements(solution, error));
    for (int64_t j = 0; j < duet_tasks(instance) && code == DUET_OK; j++) {
        code = take_placed(instance, solution, j, type, error);
    }
    duet_solution_free(solution);
    return code;
}

// The types of hlp.
static duet_code take_rounded(const duet_instance *instance, const duet_context *context,
                              int32_t *type, duet_error *error)
{
    duet_bound bound = {.name = NULL};
    duet_code code = duet_hlp_types(instance, context, type, &bound, error);
    duet_bound_release(&bound);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    const char *types = duet_option_text(context->options, options, "types");
    int32_t *type = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *type, error);
    duet_code code = type == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK && strcmp(types, "min") == 0) {
        bool gpu = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
        take_fastest(instance, gpu ? DUET_TIE_LATER : DUET_TIE_EARLIER, type);
    } else if (code == DUET_OK && strcmp(types, "hlp") == 0) {
        code = take_rounded(instance, context, type, error);
    } else {
        DUET_THEN(code, take_from_file(instance, types, type, error));
    }
    DUET_THEN(code, duet_schedule_types(instance, context, type, solution, error));
    duet_free(type);
    return code;
}

const duet_algorithm duet_algorithm_list = {
    .entry = {.name = "list",
              .summary = "given types, highest bottom level first on each",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 5",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = duet_ratio_list,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
};
