// SPDX-License-Identifier: Apache-2.0
// Bound: longest task.
// Method:    every task runs somewhere, so the makespan is at least max_j min_t p_jt.
// Cost:      O(kinds) time, no memory.
// Proof:     the task itself (DUET_PROOF_LONGEST).
#include <stdio.h>

#include "lp/area/area.h"

duet_code duet_longest_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error)
{
    (void)context;
    (void)error;
    *bound = (duet_bound){.name = "longest"};
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t shortest = duet_shortest_time(instance, i);
        if (shortest > bound->value) {
            bound->value = shortest;
            bound->certificate.task = instance->first[i];
        }
    }
    if (instance->kinds > 0) {
        bound->certificate.proof = DUET_PROOF_LONGEST; // without tasks there is none to name
        bound->certificate.lambda = bound->value;
    }
    snprintf(bound->exact, sizeof bound->exact, "%lld", (long long)bound->value);
    return DUET_OK;
}

const duet_bound_method duet_bound_longest = {
    .entry = {.name = "longest",
              .summary = "the longest task on its fastest type",
              .reference = "",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS},
    .run = duet_longest_bound,
};
