// SPDX-License-Identifier: Apache-2.0
// Algorithm: er-ls (Enhanced Rules, List Scheduling).
// Method:    each task, in list order, on a GPU if it would finish there by time p (its length on a
//            CPU); else as qa: on a CPU iff p/q <= sqrt(m/k).
// Guarantee: 4 sqrt(m/k) for m >= k >= 1; 2 - 1/m on identical processors.
// Cost:      O(n log(m + k)) time, O(m + k) memory.
// Reference: Amaris, Lucarelli, Mommessin, Trystram, "Generic algorithms for scheduling
//            applications on hybrid multi-core machines", Euro-Par 2017.
#include "core/acceleration.h"
#include "heuristics/engine/list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/rules.h"

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, options, out)) {
        return true;
    }
    if (types != 2 || counts[DUET_CPU] < counts[DUET_GPU]) {
        return false;
    }
    *out = (duet_ratio){0, 4, counts[0] * counts[1], counts[DUET_GPU]};
    return true;
}

static size_t choose(duet_list *list, size_t kind)
{
    const duet_instance *instance = list->instance;
    bool on_gpu = duet_allowed(instance, kind, DUET_GPU);
    if (on_gpu && duet_allowed(instance, kind, DUET_CPU)) {
        int64_t finish =
            duet_processors_least(&list->all.of[DUET_GPU]) + duet_time(instance, kind, DUET_GPU);
        if (finish <= duet_time(instance, kind, DUET_CPU)) {
            return DUET_GPU;
        }
    }
    return duet_allocate_qa(instance, kind);
}

const duet_rule duet_rule_er_ls = {.name = "er-ls", .choose = choose};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_list_run(&duet_rule_er_ls, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_er_ls = {
    .entry = {.name = "er-ls",
              .summary = "GPU if the task finishes there within its CPU time, else as qa",
              .guarantee = "4 sqrt(m/k) for m >= k",
              .reference = "Amaris, Lucarelli, Mommessin, Trystram, Euro-Par 2017"},
    .ratio = ratio,
    .run = run,
};
