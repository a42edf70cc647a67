// SPDX-License-Identifier: Apache-2.0
// Algorithm `exact` on instances of up to some twenty tasks: all of it, with its options, and
// single guesses around the optimum, with an effort that is drawn. Bounds and schedules are right,
// and the checker accepts the proofs.
#include <inttypes.h>
#include <stdio.h>

#include "solvers/exact/decide.h"
#include "tests/fuzz/fuzz.h"

static void check_solution(const duet_instance *instance, const duet_solution *solution,
                           int64_t optimum, bool may_end, const char *proof)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &error);
    fuzz_check(code == DUET_OK, error.message);
    int64_t makespan = duet_solution_makespan(solution);
    int64_t bound = duet_solution_lower_bound(solution);
    fuzz_check(makespan >= optimum, "a schedule below the optimum");
    fuzz_check(bound <= optimum, "a bound above the optimum");
    fuzz_check(may_end || makespan == bound, "it ends without the optimum");
    fuzz_check((duet_solution_status(solution) == DUET_OPTIMAL) == (makespan == bound),
               "the status of an optimum");
    if (proof != NULL && duet_solution_note(solution) == NULL) {
        code = duet_verify_proof(instance, proof, bound, NULL, NULL, &error);
        fuzz_check(code == DUET_OK, error.message);
    }
}

static void solve(fuzz_input *input, const duet_instance *instance, int64_t optimum)
{
    char text[128];
    duet_options *options;
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    int64_t rounds = fuzz_between(input, 0, 3);
    const char *proof = fuzz_between(input, 0, 3) > 0 ? fuzz_target(1) : NULL;
    fuzz_check(duet_options_create(&options, NULL) == DUET_OK, "options");
    snprintf(text, sizeof text, "rounds=%" PRId64, rounds);
    fuzz_check(duet_options_add(options, text, NULL) == DUET_OK, text);
    if (proof != NULL) {
        snprintf(text, sizeof text, "proof=%s", proof);
        fuzz_check(duet_options_add(options, text, NULL) == DUET_OK, text);
    }
    duet_params params = DUET_PARAMS_INIT;
    params.threads = (int)fuzz_between(input, 1, 2);
    params.seed = fuzz_take(input, 1);
    params.memory_limit = fuzz_memory(input);
    params.options = options;
    duet_code code = duet_solve(instance, "exact", &params, &solution, &error);
    fuzz_check_error(code, &error);
    bool tight = params.memory_limit < FUZZ_TIGHT_MEMORY;
    fuzz_check(code == DUET_OK || code == DUET_E_LIMIT || (code == DUET_E_MEMORY && tight),
               error.message);
    if (code == DUET_OK) {
        bool may_end = rounds > 0 || params.memory_limit < FUZZ_TIGHT_MEMORY;
        check_solution(instance, solution, optimum, may_end, proof);
    }
    duet_solution_free(solution);
    duet_options_free(options);
}

// What the rounds give a guess, and much less.
static duet_exact_effort draw_effort(fuzz_input *input)
{
    static const int64_t nodes[] = {5000, 0, 1, 100, 300, 1000, 2000, 20001};
    static const size_t patterns[] = {5000, 1, 5, 20, 100, 300, 1000, 2000};
    duet_exact_effort effort = {.nodes = nodes[fuzz_between(input, 0, 7)],
                                .patterns = patterns[fuzz_between(input, 0, 7)],
                                .tree = fuzz_between(input, 0, 63),
                                .allocations = fuzz_between(input, 0, 31),
                                .pack = fuzz_between(input, 0, 3)};
    fuzz_between(input, 0, 3); // what is drawn after it stays the same
    return effort;
}

static void check_refuted(duet_exact *s, int64_t refuted, int64_t optimum)
{
    duet_error error = DUET_ERROR_INIT;
    fuzz_check(refuted < optimum, "a guess is refuted that has a schedule");
    if (s->certificate.proof != DUET_PROOF_NONE) {
        duet_code code = duet_certificate_check(&s->certificate, s->instance, NULL, &error);
        fuzz_check(code == DUET_OK, error.message);
        fuzz_check(s->certificate.lambda == refuted + 1, "a certificate of another bound");
    }
    if (s->proving.wanted && !s->log.out.lost) {
        const char *path = fuzz_target(1);
        duet_output output;
        fuzz_check(duet_output_open(&output, path, &error) == DUET_OK, error.message);
        const duet_log_claim claim = {refuted + 1, NULL};
        duet_code code = duet_log_write(&s->log, &output, &claim, &error);
        fuzz_check(code == DUET_OK, error.message);
        code = duet_verify_proof(s->instance, path, refuted + 1, NULL, NULL, &error);
        fuzz_check(code == DUET_OK, error.message);
    }
}

static void decide(duet_exact *s, fuzz_input *input, int64_t optimum)
{
    int64_t guess = fuzz_length(input, optimum);
    duet_exact_effort effort = draw_effort(input);
    duet_error error = DUET_ERROR_INIT;
    duet_verdict verdict = DUET_OPEN;
    int64_t refuted;
    duet_code code = duet_exact_decide(s, guess, &effort, &verdict, &refuted, &error);
    fuzz_check_error(code, &error);
    if (s->context->memory_limit >= FUZZ_TIGHT_MEMORY) {
        fuzz_check(code == DUET_OK, error.message);
    }
    if (code == DUET_OK && verdict == DUET_REFUTED) {
        fuzz_check(refuted >= guess, "less is refuted than asked");
        check_refuted(s, refuted, optimum);
    }
    duet_certificate_release(&s->certificate);
    s->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    code = duet_check_solution(s->instance, s->best, NULL, NULL, &error);
    fuzz_check(code == DUET_OK, error.message);
    fuzz_check(verdict != DUET_FOUND || s->best->makespan <= guess, "found, but not within it");
    fuzz_check(s->best->makespan >= optimum, "a schedule below the optimum");
}

// Lengths one after the other, which know each other's prices and columns.
static void decide_all(fuzz_input *input, const duet_instance *instance, int64_t optimum)
{
    duet_context context;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = fuzz_memory(input);
    fuzz_check(duet_context_init(&context, &params, NULL) == DUET_OK, "a context");
    duet_exact s = {.instance = instance,
                    .context = &context,
                    .doing = "fuzz",
                    .proving = {.wanted = fuzz_between(input, 0, 3) > 0}};
    duet_random_seed(&s.random, fuzz_take(input, 1));
    fuzz_check(duet_solve(instance, "eft", NULL, &s.best, NULL) == DUET_OK, "a schedule");
    fuzz_check(duet_solution_create_blank(duet_instance_tasks(instance), &s.trial, NULL) == DUET_OK,
               "a solution");
    for (int64_t guesses = fuzz_between(input, 1, 4); guesses > 0; guesses--) {
        decide(&s, input, optimum);
    }
    duet_solution_free(s.best);
    duet_exact_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    fuzz_input choices;
    int64_t optimum;
    duet_instance *instance = fuzz_larger_instance(&input, &choices, &optimum);
    if (fuzz_between(&choices, 0, 3) == 0) {
        solve(&choices, instance, optimum);
    } else {
        decide_all(&choices, instance, optimum);
    }
    duet_instance_free(instance);
    return 0;
}
