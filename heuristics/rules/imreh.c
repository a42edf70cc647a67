// SPDX-License-Identifier: Apache-2.0
// Algorithm: imreh (modified greedy).
// Method:    with M processors of the one type and K <= M of the other (CPU and GPU where they are
//            as many), P and S a task's times there, each task in list order: to the K processors
//            if it would finish there by time P; else to the M ones if P/M <= S/K; else to the K
//            ones. Always the least loaded processor of the type. -O rule=greedy is the plain
//            greedy: where it would finish first, as eft.
//            On more types the M processors are those of the type with most (the first of them);
//            of the other types where the task would finish by its time there, it goes to the one
//            where it finishes first (the later when equal); else to the type with the smallest
//            p_t / m_t (that with more processors when equal).
// Guarantee: modified 4 - 2/M; greedy 2 + (M - 1)/K; 2 - 1/m on identical processors.
//            docs/theory/rules.md proves the first for the rule as it stands here: the paper was
//            not at hand, and this is the rule that its ratio fits. None on more than two types.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Imreh, "Scheduling problems on two sets of identical machines", Computing 70(4), 2003.
#include "core/instance/acceleration.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {{.name = "rule",
                                            .type = DUET_OPTION_CHOICE,
                                            .fallback = "modified",
                                            .choices = "modified|greedy",
                                            .unit = "",
                                            .text = "which of the paper's greedy algorithms"},
                                           {.name = NULL}};
enum { RULE_MODIFIED, RULE_GREEDY };

// The type with fewer processors.
static size_t smaller_type(const int64_t *counts)
{
    return counts[DUET_CPU] >= counts[DUET_GPU] ? DUET_GPU : DUET_CPU;
}

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t few = counts[smaller_type(counts)];
    int64_t many = counts[1 - smaller_type(counts)];
    bool greedy = duet_option_choice(given, options, "rule") == RULE_GREEDY;
    *out = greedy ? (duet_ratio){2 * few + many - 1, 0, 0, few}
                  : (duet_ratio){4 * many - 2, 0, 0, many};
    return true;
}

// The type with most processors.
static size_t largest_type(const duet_instance *instance)
{
    size_t largest = 0;
    for (size_t t = 1; t < instance->types; t++) {
        largest = instance->processors[t] > instance->processors[largest] ? t : largest;
    }
    return largest;
}

static size_t modified(duet_list *list, size_t kind)
{
    const duet_instance *instance = list->instance;
    size_t type = duet_finish_in_time(list, kind, largest_type(instance));
    return type < instance->types ? type : duet_least_share(instance, kind, DUET_TIE_LARGER);
}

static size_t greedy(duet_list *list, size_t kind)
{
    return duet_earliest_finish(list, kind, true);
}

const duet_rule duet_rule_imreh = {.name = "imreh", .choose = modified};
const duet_rule duet_rule_imreh_greedy = {.name = "imreh, greedy", .choose = greedy};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    if (duet_option_choice(context->options, options, "rule") == RULE_GREEDY) {
        return duet_rule_run(&duet_rule_imreh_greedy, instance, context, solution, error);
    }
    return duet_rule_run(&duet_rule_imreh, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_imreh = {
    .entry = {.name = "imreh",
              .summary = "the scarce type if the task finishes there within its other time",
              .guarantee = "4 - 2/M; greedy 2 + (M-1)/K; M = max(m, k), K = min",
              .reference = "Imreh, Computing 70(4), 2003",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = ratio,
    .run = run,
    .pace = {.most_tasks = 100000},
};
