// SPDX-License-Identifier: Apache-2.0
// What RR-9150 proves, on instances small enough for their optimum, and on the instance of its
// lemma 2; and what it says of the types that rules choose.
#include <math.h>
#include <string.h>

#include "bench/papers/canon2018/canon2018.h"
#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"

enum { SMALL_GRAPHS = 9024 };

static int64_t makespan_of(const duet_instance *instance, const char *algorithm)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_run_result result;
    params.threads = 1;
    duet_run(instance, algorithm, &params, &result);
    return strcmp(result.status, "fault") == 0 ? -1 : result.makespan;
}

// The guarantee of qa on graphs of four to eight tasks, without communication.
static void claim_qa(duet_claims *claims)
{
    int graphs = 0;
    int violations = 0;
    double on_one_and_one = 0;
    for (uint64_t seed = 1; seed <= SMALL_GRAPHS; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        const duet_graph_shape shape = {.tasks = {.min_tasks = 4,
                                                  .max_tasks = 8,
                                                  .min_processors = 1,
                                                  .max_processors = 2,
                                                  .types = 2}};
        duet_instance *graph = duet_random_graph(&random, &shape);
        if (graph == NULL) {
            continue;
        }
        int64_t optimum = duet_exhaustive_optimum(graph);
        int64_t makespan = makespan_of(graph, "qa");
        if (makespan >= 0 && optimum > 0) {
            bool small =
                duet_instance_type_count(graph, 0) + duet_instance_type_count(graph, 1) == 2;
            graphs++;
            violations += duet_instance_guarantee_holds("qa", graph, NULL, makespan, optimum) == 0;
            on_one_and_one =
                small ? fmax(on_one_and_one, (double)makespan / (double)optimum) : on_one_and_one;
        }
        duet_instance_free(graph);
    }
    duet_paper_claim(claims, graphs > 0, violations == 0,
                     "theorem 4: QA takes at most 2 tau + 1 - 1/(k tau) times the optimum",
                     "none above",
                     "above on %d of %d random graphs of 4 to 8 tasks; at most %.3f of 2 on 1+1",
                     violations, graphs, on_one_and_one);
}

// Lemma 2 prints "smaller than" where its proof shows "at least".
static void claim_eft(duet_claims *claims)
{
    const duet_paper_case c = {.m = 20, .k = 2};
    duet_instance *instance = NULL;
    const double printed = (double)c.m / (double)c.k + 2 - 1 / (double)c.k;
    if (duet_paper_generate("worst-eft", &c, "", &instance, NULL) != DUET_OK) {
        duet_claims_add(claims, "-", "lemma 2", "no instance");
        return;
    }
    int64_t makespan = makespan_of(instance, "eft");
    int64_t best = makespan_of(instance, NULL);
    double ratio = makespan < 0 || best <= 0 ? 0 : (double)makespan / (double)best;
    duet_instance_free(instance);
    static const double near = 0.9;
    duet_claims_add(claims,
                    ratio == 0               ? "-"
                    : ratio > near * printed ? "at least is meant"
                                             : "does not hold",
                    "lemma 2: the ratio of EFT is smaller than m/k + 2 - 1/k",
                    "%.3f of %.3f on worst-eft, 20+2, which comes as close as one likes", ratio,
                    printed);
}

void duet_canon_theorems(duet_claims *claims)
{
    claims->count = 0;
    claim_qa(claims);
    claim_eft(claims);
    duet_canon_strategies(claims);
}
