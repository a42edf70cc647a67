// SPDX-License-Identifier: Apache-2.0
// Which kernels a rule puts on CPUs and which on GPUs, for RR-9150's text on figure 17: all on
// CPUs, potrf there and all others on GPUs, or all on GPUs, by m/k. Of er-ls only the tasks that do
// not end in time anywhere are allocated by their times, and that as by qa; so it is not asked.
#include <string.h>

#include "bench/papers/canon2018/canon2018.h"
#include "core/number/minmax.h"

typedef enum strategy { ALL_ON_CPUS, POTRF_ON_CPUS, ALL_ON_GPUS, OTHER } strategy;

enum { TILES = 4, RULES = 3 };
static const char *const rules[RULES] = {"qa", "ratio", "quickest"};

// As printed, by the ratio m/k.
static strategy printed(const char *rule, double ratio)
{
    static const double all_on_cpus = 20;
    static const double qa_from = 5;
    static const double ratio_from = 3;
    static const double ratio_to = 10;
    if (strcmp(rule, "ratio") == 0 && ratio >= all_on_cpus) {
        return ALL_ON_CPUS;
    }
    bool potrf = strcmp(rule, "qa") == 0      ? ratio >= qa_from
                 : strcmp(rule, "ratio") == 0 ? ratio >= ratio_from && ratio <= ratio_to
                                              : false;
    return potrf ? POTRF_ON_CPUS : ALL_ON_GPUS;
}

// The kinds with a task on CPUs, a bit each.
static unsigned kinds_on_cpus(const duet_instance *instance, const duet_solution *solution)
{
    unsigned found = 0;
    const duet_placement *at = duet_solution_placements(solution);
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        found |= at[j].type == 0 ? 1u << duet_instance_kind_of(instance, j) : 0;
    }
    return found;
}

static strategy strategy_of(const duet_instance *instance, unsigned on_cpus)
{
    size_t kinds = duet_instance_kinds(instance);
    unsigned all = (1u << kinds) - 1;
    for (size_t i = 0; i < kinds; i++) {
        bool potrf = strcmp(duet_instance_kind_id(instance, i), "potrf") == 0;
        if (potrf && on_cpus == 1u << i) {
            return POTRF_ON_CPUS;
        }
    }
    return on_cpus == 0 ? ALL_ON_GPUS : on_cpus == all ? ALL_ON_CPUS : OTHER;
}

// Whether a rule does as printed on a platform; -1: it did not run.
static int does(const char *rule, const duet_canon_platform *at)
{
    const duet_paper_case c = {.n = TILES, .m = at->m, .k = at->k};
    duet_instance *instance = NULL;
    if (duet_paper_generate("chol", &c, "row=canon2018-960 edges=true", &instance, NULL) !=
        DUET_OK) {
        return -1;
    }
    duet_params params = DUET_PARAMS_INIT;
    duet_run_result result;
    params.threads = 1;
    duet_solution *solution = duet_run_keep(instance, rule, &params, &result);
    int as_printed = -1;
    if (solution != NULL) {
        strategy found = strategy_of(instance, kinds_on_cpus(instance, solution));
        as_printed = found == printed(rule, (double)at->m / (double)at->k);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return as_printed;
}

void duet_canon_strategies(duet_claims *claims)
{
    char where[120] = "";
    int asked = 0;
    int good = 0;
    for (size_t p = 0; p < DUET_CANON_PLATFORMS; p++) {
        for (size_t r = 0; r < RULES; r++) {
            const duet_canon_platform *at = &duet_canon_platforms[p];
            int as_printed = does(rules[r], at);
            asked += as_printed >= 0;
            good += duet_max(as_printed, 0);
            if (as_printed == 0) {
                duet_bench_append(where, sizeof where, "%s %s on %d+%d", where[0] == 0 ? ";" : ",",
                                  rules[r], (int)at->m, (int)at->k);
            }
        }
    }
    duet_paper_claim(claims, asked > 0, good == asked,
                     "figure 17: all on CPUs, POTRF alone there, or all on GPUs, by m/k", "all",
                     "as printed at %d of %d%s%s", good, asked, good < asked ? "; not" : "",
                     good < asked ? where + 1 : "");
}
