// SPDX-License-Identifier: Apache-2.0
// Algorithm: qa (Quick Allocation).
// Method:    each task, in list order, on the type with the smallest p_t / sqrt(m_t) (the earlier
//            type when equal; option ties), on that type's least loaded processor. With two types:
//            on a CPU iff p/q <= tau = sqrt(m/k). Any number of types.
// Guarantee: 2 tau + 1 - 1/(k tau) on two types, with tau = sqrt(m/k) and m >= k; the rule is
//            symmetric, so for m < k the same holds with the roles exchanged. 2 - 1/m on identical
//            processors. On more types (sqrt(M) + sum over all types of sqrt(m_t)) / sqrt(K), M the
//            most, K the fewest processors of a type. Types without processors do not count.
// Cost:      O(kinds Q + n log m) time, O(m) memory. The rule is decided in 256-bit integers.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, theorems 4 and 9.
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_ALLOCATION_TIES("cpu"), DUET_OPTIONS_ONLINE, {.name = NULL}};

// The types that have processors.
typedef struct present {
    size_t count;
    int64_t processors[DUET_MAX_TYPES];
} present;

// sqrt(x) = factor sqrt(rest).
typedef struct surd {
    int64_t factor, rest;
} surd;

static surd take_square_out(int64_t x)
{
    enum { LARGEST = 100000 };
    int64_t root = duet_root((duet_uint128)x);
    surd result = root * root == x ? (surd){root, 1} : (surd){1, x};
    for (int64_t f = 2; f * f <= result.rest && f < LARGEST; f++) {
        while (result.rest % (f * f) == 0) {
            result.rest /= f * f;
            result.factor *= f;
        }
    }
    return result;
}

// The sum over M and all types of sqrt(m_t K), divided by K. It is exact where all roots are
// multiples of one; else each is rounded up to a millionth.
static duet_ratio ratio_of_many(const present *of)
{
    enum { PARTS = 1000000 };
    int64_t most = of->processors[0];
    int64_t fewest = of->processors[0];
    for (size_t i = 1; i < of->count; i++) {
        most = duet_max(most, of->processors[i]);
        fewest = duet_min(fewest, of->processors[i]);
    }
    duet_ratio exact = {.d = fewest};
    int64_t rounded = 0;
    bool is_exact = true;
    for (size_t i = 0; i <= of->count; i++) {
        int64_t x = (i == of->count ? most : of->processors[i]) * fewest;
        duet_uint128 square = (duet_uint128)x * PARTS * PARTS;
        int64_t root = duet_root(square);
        surd part = take_square_out(x);
        rounded += root + ((duet_uint128)root * (duet_uint128)root < square);
        exact.a += part.rest == 1 ? part.factor : 0;
        exact.b += part.rest == 1 ? 0 : part.factor;
        is_exact = is_exact && (part.rest == 1 || exact.c == 0 || exact.c == part.rest);
        exact.c = part.rest == 1 ? exact.c : part.rest;
    }
    return is_exact ? exact : (duet_ratio){.a = rounded, .d = PARTS * fewest};
}

// 2 sqrt(M/K) + 1 - 1/(K sqrt(M/K)) = (M K + (2 M - 1) sqrt(M K)) / (M K), M = max, K = min.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    present of = {.count = 0};
    for (size_t t = 0; t < types; t++) {
        if (counts[t] > 0) {
            of.processors[of.count++] = counts[t];
        }
    }
    if (of.count == 2) {
        int64_t product = of.processors[0] * of.processors[1];
        int64_t most = duet_max(of.processors[0], of.processors[1]);
        *out = (duet_ratio){product, 2 * most - 1, product, product};
    } else if (of.count > 2) {
        *out = ratio_of_many(&of);
    }
    return of.count >= 2;
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
              .guarantee = "2 tau + 1 - 1/(k tau), tau = sqrt(m/k); Q types: theorem 9",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorems 4, 9",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = ratio,
    .graph_ratio = ratio,
    .run = run,
    .online = true,
};
