// SPDX-License-Identifier: Apache-2.0
// Moldable tasks: certificates of any content, of which one that is accepted claims no more than
// the optimum; and what the algorithms with guarantees claim.
#include <inttypes.h>
#include <stdio.h>

#include <duet/check.h>
#include <duet/solve.h>

#include "bench/run/exhaustive.h"
#include "core/solution/certificate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/random_moldable.h"

// Mostly small numbers, now and then any.
static int64_t number(fuzz_input *input)
{
    uint64_t kind = fuzz_take(input, 1);
    if (kind < 200) {
        return (int64_t)(kind % 40);
    }
    return kind < 240 ? fuzz_between(input, 0, 65535) : (int64_t)fuzz_take(input, 8);
}

// Times and values of each type, mostly rising.
static const duet_proof_lines *make_lines(fuzz_input *input, size_t types)
{
    char text[1024];
    size_t at = 0;
    for (size_t t = 0; t < types; t++) {
        int64_t last[2] = {0, 0};
        for (int64_t left = fuzz_between(input, 0, 4); left > 0; left--) {
            for (int i = 0; i < 2 && at < sizeof text - 64; i++) {
                bool any = fuzz_between(input, 0, 31) == 0;
                last[i] = any ? number(input) : last[i] % 1000 + fuzz_between(input, 1, 8);
                at += (size_t)snprintf(text + at, sizeof text - at, "%" PRId64 "%s", last[i],
                                       i == 0 || left > 1 ? " " : "");
            }
        }
        text[at++] = '\n';
    }
    const duet_proof_lines *lines = NULL;
    (void)duet_proof_lines_create(text, at, &lines, NULL);
    return lines;
}

static void check_certificate(fuzz_input *input, const duet_instance *instance, int64_t optimum)
{
    static const duet_proof proofs[] = {DUET_PROOF_MOLDABLE_PRICES,
                                        DUET_PROOF_MOLDABLE_PRICES,
                                        DUET_PROOF_MOLDABLE_KNAPSACK,
                                        DUET_PROOF_LONGEST,
                                        DUET_PROOF_AREA,
                                        DUET_PROOF_SHELF,
                                        DUET_PROOF_MOLDABLE_STEPS};
    duet_certificate certificate = {.proof = proofs[fuzz_between(input, 0, 6)]};
    certificate.lambda = number(input);
    certificate.task = number(input);
    certificate.types =
        fuzz_between(input, 0, 15) == 0 ? (size_t)number(input) : duet_instance_types(instance);
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        certificate.weight[t] = number(input);
        certificate.count_weight[t] = number(input);
        certificate.count_weight_high[t] = fuzz_between(input, 0, 15) == 0 ? number(input) : 0;
    }
    certificate.parts = (int)fuzz_between(input, 2, 3);
    if (certificate.proof == DUET_PROOF_MOLDABLE_STEPS) {
        certificate.lines = make_lines(input, duet_instance_types(instance));
    }
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_E_UNSUPPORTED && certificate.proof == DUET_PROOF_MOLDABLE_KNAPSACK) {
        duet_error deep = DUET_ERROR_INIT;
        code = duet_verify_deep(instance, &certificate, NULL, &deep);
        fuzz_check_error(code, &deep);
    }
    fuzz_check(code != DUET_OK || certificate.lambda <= optimum, "a certificate of too much");
    duet_certificate_release(&certificate);
}

static void check_claims(const duet_instance *instance, const char *algorithm, int64_t optimum)
{
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_solve(instance, algorithm, NULL, &solution, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_OK) {
        int64_t makespan = duet_solution_makespan(solution);
        fuzz_check(duet_check_solution(instance, solution, NULL, NULL, NULL) == DUET_OK,
                   "a schedule that the checker refuses");
        fuzz_check(duet_solution_lower_bound(solution) <= optimum, "a bound above the optimum");
        fuzz_check(duet_instance_guarantee_holds(algorithm, instance, NULL, makespan, optimum) != 0,
                   "a ratio that does not hold");
    }
    duet_solution_free(solution);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const algorithms[] = {"moldable-2", "moldable-3-2", "moldable-hybrid"};
    fuzz_input input = {data, size};
    duet_random random;
    duet_random_seed(&random, fuzz_take(&input, 4));
    duet_moldable_shape shape = {.tables = (duet_table_shape)fuzz_between(&input, 0, 3),
                                 .most_tasks = 5,
                                 .most_processors = 4,
                                 .most_gpus = fuzz_between(&input, 0, 2),
                                 .longest = fuzz_between(&input, 1, 30)};
    duet_instance *instance = duet_random_moldable(&random, &shape);
    if (instance != NULL && duet_instance_tasks(instance) > 0) {
        int64_t optimum = duet_exhaustive_optimum(instance);
        check_certificate(&input, instance, optimum);
        check_claims(instance, algorithms[fuzz_between(&input, 0, 2)], optimum);
    }
    duet_instance_free(instance);
    return 0;
}
