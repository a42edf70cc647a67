// SPDX-License-Identifier: Apache-2.0
// Algorithm: qa (Quick Allocation).
// Method:    each task, in list order, on the type with the smallest p_t / sqrt(m_t) (the earlier
//            type when equal; option ties), on that type's least loaded processor. With two types:
//            on a CPU iff p/q <= tau = sqrt(m/k). Any number of types.
// Guarantee: 2 tau + 1 - 1/(k tau) on two types, with tau = sqrt(m/k) and m >= k; the rule is
//            symmetric, so for m < k the same holds with the roles exchanged. 2 - 1/m on identical
//            processors. (With more types the paper's ratio is a sum of square roots; it is not
//            claimed here.)
// Cost:      O(kinds Q + n log m) time, O(m) memory. The rule is decided in 256-bit integers.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, theorems 4 and 9.
#include "core/number/minmax.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_ALLOCATION_TIES("cpu"), DUET_OPTIONS_ONLINE, {.name = NULL}};

// 2 sqrt(M/K) + 1 - 1/(K sqrt(M/K)) = (M K + (2 M - 1) sqrt(M K)) / (M K), M = max, K = min.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t product = counts[0] * counts[1];
    int64_t most = duet_max(counts[0], counts[1]);
    *out = (duet_ratio){product, 2 * most - 1, product, product};
    return true;
}

// p_a / sqrt(m_a) <= p_b / sqrt(m_b), as p_a <= (sqrt(m_a m_b) / m_b) p_b.
static bool at_most_as_long(const duet_instance *instance, size_t kind, size_t a, size_t b)
{
    int64_t m_a = instance->processors[a];
    int64_t m_b = instance->processors[b];
    duet_ratio scale = {0, 1, m_a * m_b, m_b};
    return duet_ratio_holds(scale, duet_time(instance, kind, a), duet_time(instance, kind, b));
}

size_t duet_least_root_share(const duet_instance *instance, size_t kind, duet_tie tie)
{
    size_t best = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        bool wins = best == instance->types ||
                    (tie == DUET_TIE_LATER ? at_most_as_long(instance, kind, t, best)
                                           : !at_most_as_long(instance, kind, best, t));
        best = wins ? t : best;
    }
    return best;
}

size_t duet_allocate_qa(const duet_instance *instance, size_t kind)
{
    return duet_least_root_share(instance, kind, DUET_TIE_EARLIER);
}

static size_t allocate_later(const duet_instance *instance, size_t kind)
{
    return duet_least_root_share(instance, kind, DUET_TIE_LATER);
}

const duet_rule duet_rule_qa = {.name = "qa", .allocate = duet_allocate_qa};
static const duet_rule rule_later = {.name = "qa", .allocate = allocate_later};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU
               ? duet_rule_run(&rule_later, instance, context, solution, error)
               : duet_rule_run(&duet_rule_qa, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_qa = {
    .entry = {.name = "qa",
              .summary = "CPU for tasks accelerated by at most sqrt(m/k)",
              .guarantee = "2 tau + 1 - 1/(k tau), tau = sqrt(m/k)",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 4",
              .handles = DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = ratio,
    .graph_ratio = ratio,
    .run = run,
    .online = true,
};
