// SPDX-License-Identifier: Apache-2.0
// Algorithm: qa (Quick Allocation).
// Method:    each task, in list order, on the type with the smallest p_t / sqrt(m_t) (the earlier
//            type when equal), on that type's least loaded processor. With two types: on a CPU iff
//            p/q <= tau = sqrt(m/k). Any number of types.
// Guarantee: 2 tau + 1 - 1/(k tau) on two types, with tau = sqrt(m/k) and m >= k; the rule is
//            symmetric, so for m < k the same holds with the roles exchanged. 2 - 1/m on identical
//            processors. (With more types the paper's ratio is a sum of square roots; it is not
//            claimed here.)
// Cost:      O(kinds Q + n log m) time, O(m) memory. The rule is decided in 256-bit integers.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, theorems 4 and 9.
#include "heuristics/engine/allocation.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

// 2 sqrt(M/K) + 1 - 1/(K sqrt(M/K)) = (M K + (2 M - 1) sqrt(M K)) / (M K), M = max, K = min.
static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, options, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t product = counts[0] * counts[1];
    int64_t most = counts[0] > counts[1] ? counts[0] : counts[1];
    *out = (duet_ratio){product, 2 * most - 1, product, product};
    return true;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    return duet_schedule_by_rule(instance, duet_allocate_qa, solution, error);
}

const duet_algorithm duet_algorithm_qa = {
    .entry = {.name = "qa",
              .summary = "CPU for tasks accelerated by at most sqrt(m/k)",
              .guarantee = "2 tau + 1 - 1/(k tau), tau = sqrt(m/k)",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 4",
              .handles = DUET_HANDLES_ANY_TYPES},
    .ratio = ratio,
    .run = run,
};
