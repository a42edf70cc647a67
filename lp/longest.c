// SPDX-License-Identifier: Apache-2.0
// Bound: longest task.
// Method:    every task runs somewhere, so the makespan is at least max_j min_t p_jt, and max_j
//            min_t max(r_j, f_t) + p_jt where it is released at r_j and the first processor of type
//            t is busy until f_t.
// Cost:      O(kinds) time, no memory.
// Proof:     the task itself (DUET_PROOF_LONGEST).
#include <stdio.h>

#include "core/instance/available.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "lp/area/area.h"

// When a task of a kind can end at the earliest.
static int64_t earliest_end(const duet_instance *instance, size_t kind)
{
    if (instance->mixed_sets || duet_is_available(instance)) {
        return duet_shortest_time(instance, kind);
    }
    int64_t earliest = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t busy = instance->processors[t] > 0 ? INT64_MAX : 0;
        for (int64_t p = 0; p < instance->processors[t] && busy > 0; p++) {
            int64_t until = duet_busy_until(instance, t, p);
            busy = duet_min(until, busy);
        }
        duet_time_table table = duet_table_of(instance, kind, t);
        for (int64_t i = 0; i < table.steps; i++) {
            int64_t start = duet_max(busy, duet_release(instance, kind));
            int64_t time = table.time[i];
            earliest = time == DUET_FORBIDDEN ? earliest : duet_min(start + time, earliest);
        }
    }
    return earliest;
}

duet_code duet_longest_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error)
{
    (void)context;
    (void)error;
    *bound = (duet_bound){.name = "longest"};
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t end = earliest_end(instance, i);
        if (end > bound->value) {
            bound->value = end;
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
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS | DUET_FEATURE_RIGID},
    .run = duet_longest_bound,
};
