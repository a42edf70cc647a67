// SPDX-License-Identifier: Apache-2.0
// Algorithm: mixeft.
// Method:    eft, while qa is simulated beside it; from the task that would bring the makespan of
//            eft above lambda times that of qa on, as qa. Any number of types.
// Guarantee: (lambda + 1)(2 tau + 1), tau = sqrt(m/k) with m >= k (the rule is symmetric); 2 - 1/m
//            on identical processors. On more than two types the ratio of qa is not claimed, and so
//            none of mixeft.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, algorithm 1.
#include "core/memory.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TIES,
    {.name = "lambda",
     .type = DUET_OPTION_DECIMAL,
     .fallback = "2",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "",
     .text = "how many times longer than qa it may become before it follows qa"},
    {.name = NULL}};

// (L + 1)(2 sqrt(M/K) + 1) = (L + 1)(K + 2 sqrt(M K)) / K, M = max, K = min, L in thousandths.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t scale = duet_option_thousandths(given, options, "lambda") + 1000;
    int64_t least = counts[0] < counts[1] ? counts[0] : counts[1];
    *out = (duet_ratio){scale * least, 2 * scale, counts[0] * counts[1], 1000 * least};
    return true;
}

typedef struct mixeft {
    duet_all_processors qa; // simulated: the same tasks as qa would schedule them
    int64_t qa_makespan;
    int64_t makespan;
    int64_t lambda; // thousandths
    bool follows_qa;
} mixeft;

static duet_code begin(duet_list *list, const duet_context *context, duet_error *error)
{
    mixeft *own = duet_alloc(1, sizeof *own, error);
    if (own == NULL) {
        return DUET_E_MEMORY;
    }
    list->own = own;
    list->later_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    own->lambda = duet_option_thousandths(context->options, options, "lambda");
    return duet_all_processors_create(list->instance, &own->qa, error);
}

static void end(duet_list *list, duet_solution *solution)
{
    mixeft *own = list->own;
    if (own != NULL) {
        duet_solution_count(solution, "followed_qa", own->follows_qa);
        duet_all_processors_free(&own->qa);
        duet_free(own);
    }
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// When the next task ends on the processors of a type.
static int64_t end_on(const duet_all_processors *all, const duet_instance *instance, size_t kind,
                      size_t type)
{
    return duet_processors_least(&all->of[type]) + duet_time(instance, kind, type);
}

static size_t choose(duet_list *list, size_t kind)
{
    mixeft *own = list->own;
    const duet_instance *instance = list->instance;
    size_t qa = duet_allocate_qa(instance, kind);
    if (own->follows_qa) {
        return qa;
    }
    duet_placement simulated;
    int64_t end = duet_processors_start(&own->qa.of[qa], duet_time(instance, kind, qa), &simulated);
    own->qa_makespan = later(own->qa_makespan, end);
    size_t eft = duet_earliest_finish(&list->all, instance, kind, list->later_first);
    int64_t makespan = later(own->makespan, end_on(&list->all, instance, kind, eft));
    own->follows_qa = (duet_int128)makespan * 1000 > (duet_int128)own->qa_makespan * own->lambda;
    if (own->follows_qa) {
        return qa;
    }
    own->makespan = makespan;
    return eft;
}

const duet_rule duet_rule_mixeft = {.name = "mixeft", .choose = choose, .begin = begin, .end = end};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_list_run(&duet_rule_mixeft, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_mixeft = {
    .entry = {.name = "mixeft",
              .summary = "eft until it falls lambda times behind qa, then qa",
              .guarantee = "(lambda + 1)(2 tau + 1), tau = sqrt(m/k)",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, algorithm 1",
              .handles = DUET_HANDLES_ANY_TYPES,
              .options = options},
    .ratio = ratio,
    .run = run,
};
