// SPDX-License-Identifier: Apache-2.0
// Algorithm: eft (Earliest Finish Time).
// Method:    each task, in list order, where it would finish first; GPU before CPU when equal
//            (option ties). Any number of types.
// Guarantee: none (at least m/k + 2 - 1/k); 2 - 1/m on identical processors.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, lemma 2.
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, {.name = NULL}};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    bool gpu_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    duet_all_processors pools;
    duet_code code = duet_all_processors_create(instance, &pools, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_place_earliest(&pools, instance, i, gpu_first, solution);
    }
    duet_all_processors_free(&pools);
    return DUET_OK;
}

const duet_algorithm duet_algorithm_eft = {
    .entry = {.name = "eft",
              .summary = "each task where it finishes first",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, lemma 2",
              .handles = DUET_HANDLES_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_list,
    .run = run,
};
