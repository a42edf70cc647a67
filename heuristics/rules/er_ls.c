// SPDX-License-Identifier: Apache-2.0
// Algorithm: er-ls (Enhanced Rules, List Scheduling).
// Method:    each task, in list order, on a GPU if it would finish there by time p (its length on a
//            CPU); else as qa with its option ties: on a CPU iff p/q <= sqrt(m/k). On more types:
//            of the types after the first where it would finish by its time on the first, the one
//            where it finishes first (the later type when equal); as qa where it finishes late on
//            all of them. A task that may not run on the first type goes as qa.
// Guarantee: 4 sqrt(m/k) for m >= k >= 1; 2 - 1/m on identical processors. None on more than two
//            types: the paper's proof bounds the load of one other type by that of the CPUs.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Amaris, Lucarelli, Mommessin, Trystram, "Generic algorithms for scheduling
//            applications on hybrid multi-core machines", Euro-Par 2017.
#include "core/instance/acceleration.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_ALLOCATION_TIES("cpu"), DUET_OPTIONS_ONLINE, {.name = NULL}};

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2 || counts[DUET_CPU] < counts[DUET_GPU]) {
        return false;
    }
    *out = (duet_ratio){0, 4, counts[0] * counts[1], counts[DUET_GPU]};
    return true;
}

// The proof needs a task that goes to a GPU by the first rule to end there by that instant. With
// bind=idle its place is only planned: a task revealed later may come before it.
static bool graph_ratio(size_t types, const int64_t *counts, const duet_options *given,
                        duet_ratio *out)
{
    bool idle = duet_option_choice(given, options, "bind") == DUET_BIND_IDLE;
    return idle ? duet_ratio_list(types, counts, given, out) : ratio(types, counts, given, out);
}

static duet_code begin(duet_list *list, const duet_context *context, duet_error *error)
{
    (void)error;
    list->later_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    return DUET_OK;
}

static size_t choose(duet_list *list, size_t kind)
{
    const duet_instance *instance = list->instance;
    size_t type = duet_finish_in_time(list, kind, DUET_CPU);
    duet_tie tie = list->later_first ? DUET_TIE_LATER : DUET_TIE_EARLIER;
    return type < instance->types ? type : duet_least_root_share(instance, kind, tie);
}

const duet_rule duet_rule_er_ls = {.name = "er-ls", .choose = choose, .begin = begin};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_rule_run(&duet_rule_er_ls, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_er_ls = {
    .entry = {.name = "er-ls",
              .summary = "GPU if the task finishes there within its CPU time, else as qa",
              .guarantee = "4 sqrt(m/k) for m >= k",
              .reference = "Amaris, Lucarelli, Mommessin, Trystram, Euro-Par 2017",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = ratio,
    .graph_ratio = graph_ratio,
    .run = run,
    .online = true,
};
