// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft (Heterogeneous Earliest Finish Time), on independent tasks.
// Method:    tasks by decreasing mean time over the processors that may run them, (m p + k q)/(m +
//            k), each where it finishes first. Any number of types.
// Guarantee: none (at least (m+1)/2 with one GPU); on identical processors it is LPT, 4/3 - 1/(3m).
// Cost:      O(kinds log kinds + n (Q + log m)) time, O(kinds + m) memory.
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
//            heterogeneous computing", IEEE TPDS 13(3), 2002.

#include "core/memory.h"
#include "core/options.h"
#include "core/order.h"
#include "heuristics/engine/finish.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, {.name = NULL}};

static duet_fraction mean_time(const duet_instance *instance, size_t kind)
{
    duet_fraction mean = {0, 0};
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            uint64_t processors = (uint64_t)instance->processors[t];
            mean.num += (duet_uint128)duet_time(instance, kind, t) * processors;
            mean.den += processors;
        }
    }
    return mean;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    bool gpu_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    duet_all_processors pools;
    duet_code code = duet_all_processors_create(instance, &pools, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_ordered *order = duet_order_by_value(instance, mean_time, error);
    for (size_t i = 0; order != NULL && i < instance->kinds; i++) {
        duet_place_earliest(&pools, instance, order[i].kind, gpu_first, solution);
    }
    duet_all_processors_free(&pools);
    code = order == NULL ? DUET_E_MEMORY : DUET_OK;
    duet_free(order);
    return code;
}

const duet_algorithm duet_algorithm_heft = {
    .entry = {.name = "heft",
              .summary = "longest mean time first, each where it finishes first",
              .reference = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002",
              .handles = DUET_HANDLES_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_lpt,
    .run = run,
};
