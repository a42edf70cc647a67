// SPDX-License-Identifier: Apache-2.0
// Algorithm: er-ls (Enhanced Rules, List Scheduling).
// Method:    each task, in list order, on a GPU if it would finish there by time p (its length on a
//            CPU); else as qa: on a CPU iff p/q <= sqrt(m/k).
// Guarantee: 4 sqrt(m/k) for m >= k >= 1; 2 - 1/m on identical processors.
// Cost:      O(n log(m + k)) time, O(m + k) memory.
// Reference: Amaris, Lucarelli, Mommessin, Trystram, "Generic algorithms for scheduling
//            applications on hybrid multi-core machines", Euro-Par 2017.
#include "core/acceleration.h"
#include "heuristics/engine/allocation.h"
#include "heuristics/engine/processors.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

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

static size_t choose(const duet_all_processors *pools, const duet_instance *instance, size_t kind)
{
    bool on_gpu = duet_allowed(instance, kind, DUET_GPU);
    if (on_gpu && duet_allowed(instance, kind, DUET_CPU)) {
        int64_t finish =
            duet_processors_least(&pools->pool[DUET_GPU]) + duet_time(instance, kind, DUET_GPU);
        if (finish <= duet_time(instance, kind, DUET_CPU)) {
            return DUET_GPU;
        }
    }
    return duet_allocate_qa(instance, kind);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    duet_all_processors pools;
    duet_code code = duet_all_processors_create(instance, &pools, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            size_t type = choose(&pools, instance, i);
            duet_processors_start(&pools.pool[type], duet_time(instance, i, type),
                                  &solution->placement[j]);
        }
    }
    duet_all_processors_free(&pools);
    return DUET_OK;
}

const duet_algorithm duet_algorithm_er_ls = {
    .entry = {.name = "er-ls",
              .summary = "GPU if the task finishes there within its CPU time, else as qa",
              .guarantee = "4 sqrt(m/k) for m >= k",
              .reference = "Amaris, Lucarelli, Mommessin, Trystram, Euro-Par 2017"},
    .ratio = ratio,
    .run = run,
};
