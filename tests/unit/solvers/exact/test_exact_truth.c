// SPDX-License-Identifier: Apache-2.0
// Algorithm `exact` against exhaustive optima, and the proofs it writes against the checker.
// DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "lp/lp.h"
#include "tests/support/exact_run.h"
#include "tests/support/fixtures.h"
#include "tests/support/proof_file.h"
#include "tests/support/stretched.h"

typedef struct tally {
    long proofs;   // checked
    long changed;  // proofs with one number changed
    long accepted; // of those, still true
    long nothing;  // optima of 0
    long open;     // instances that a build without LP solver did not decide
} tally;

// Every shape: no CPU, no GPU, ten or more equal tasks, forbidden types, zero times, long times.
static duet_instance *draw(duet_random *random, uint64_t seed)
{
    duet_instance *plain =
        duet_random_of_seed(random, seed, 1, seed % 4 == 0 ? 10 : 7, seed % 4 == 0 ? 2 : 4, 2);
    assert_non_null(plain);
    if (seed % 3 != 0) {
        return plain;
    }
    int64_t work = seed % 2 == 0 ? DUET_MAX_WORK : DUET_MAX_WORK >> 20;
    duet_instance *stretched = duet_stretched_instance(random, plain, work);
    assert_non_null(stretched);
    duet_instance_free(plain);
    return stretched;
}

static void fail_with(const duet_instance *instance, uint64_t seed, const char *why)
{
    duet_fail_instance(instance, "exact-truth-failure", seed, why);
}

// The proof with its claim raised by a tick: what it was, but for the number.
static char *raise_claim(const char *proof, int64_t bound)
{
    const char *line = strstr(proof, "\nbound ");
    assert_non_null(line);
    const char *rest = strchr(line + 1, '\n');
    size_t room = strlen(proof) + 32;
    char *raised = malloc(room);
    assert_non_null(raised);
    snprintf(raised, room, "%.*s\nbound %lld%s", (int)(line - proof), proof, (long long)bound + 1,
             rest);
    return raised;
}

// The proof holds at the optimum and not above it, whatever it claims.
static void check_proof(const duet_instance *instance, const duet_exact_run *run, int64_t optimum,
                        uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_proof_stats stats;
    if (run->proof == NULL) {
        fail_with(instance, seed, "no proof was written");
        return;
    }
    if (duet_verify_text(instance, run->proof, run->length, optimum, &stats, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    if (stats.bound != optimum) {
        fail_with(instance, seed, "the proof claims another bound");
    }
    duet_code code = duet_verify_text(instance, run->proof, run->length, optimum + 1, NULL, NULL);
    if (code != DUET_E_INPUT) {
        fail_with(instance, seed, "the proof is accepted for more than it claims");
    }
    char *raised = raise_claim(run->proof, optimum);
    code = duet_verify_text(instance, raised, strlen(raised), optimum + 1, NULL, NULL);
    free(raised);
    if (code != DUET_E_INPUT) {
        fail_with(instance, seed, "the proof is accepted above the optimum");
    }
}

// A random number of the text replaced by another one: a neighbour, twice as much, or anything.
static char *change_number(duet_random *random, const char *proof)
{
    size_t begin[512];
    size_t numbers = 0;
    for (const char *at = strchr(proof, '\n'); *at != '\0'; at++) {
        bool digit = *at >= '0' && *at <= '9';
        if (digit && (at[-1] < '0' || at[-1] > '9') && numbers < 512) {
            begin[numbers++] = (size_t)(at - proof);
        }
    }
    assert_true(numbers > 0);
    size_t at = begin[duet_random_between(random, 0, (int64_t)numbers - 1)];
    char *rest;
    int64_t old = strtoll(proof + at, &rest, 10);
    int64_t changed;
    switch (duet_random_between(random, 0, 3)) {
    case 0:
        changed = old + 1;
        break;
    case 1:
        changed = old > 0 ? old - 1 : 1;
        break;
    case 2:
        changed = old > 0 && old < INT64_MAX / 2 ? 2 * old : 1;
        break;
    default:
        changed = duet_random_between(random, 0, 9);
        changed += changed == old;
        break;
    }
    size_t room = strlen(proof) + 32;
    char *text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, "%.*s%lld%s", (int)at, proof, (long long)changed, rest);
    return text;
}

static void check_changes(const duet_instance *instance, duet_random *random, const char *proof,
                          int64_t optimum, uint64_t seed, tally *counts)
{
    for (int round = 0; round < 3; round++) {
        char *text = change_number(random, proof);
        duet_proof_stats stats;
        duet_code code = duet_verify_text(instance, text, strlen(text), 0, &stats, NULL);
        counts->changed++;
        counts->accepted += code == DUET_OK;
        if (code == DUET_OK && stats.bound > optimum) {
            fputs(text, stderr);
            fail_with(instance, seed, "a changed proof is accepted above the optimum");
        }
        free(text);
    }
}

// Without an LP solver a few stay open: honestly.
static bool stays_open(const duet_instance *instance, const duet_exact_run *run, int64_t optimum,
                       uint64_t seed)
{
    if (duet_lp_available() || run->solution == NULL ||
        duet_solution_status(run->solution) == DUET_OPTIMAL) {
        return false;
    }
    if (duet_check_solution(instance, run->solution, NULL, NULL, NULL) != DUET_OK ||
        duet_solution_makespan(run->solution) < optimum ||
        duet_solution_lower_bound(run->solution) > optimum ||
        duet_solution_interrupted(run->solution)) { // nothing stops these runs
        fail_with(instance, seed, "what stays open is not honest");
    }
    return true;
}

static void check_solution(const duet_instance *instance, const duet_exact_run *run,
                           int64_t optimum, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    if (run->code != DUET_OK) {
        fail_with(instance, seed, run->error.message);
    }
    if (duet_check_solution(instance, run->solution, NULL, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    if (duet_solution_makespan(run->solution) != optimum) {
        fail_with(instance, seed, "the makespan is not the optimum");
    }
    if (duet_solution_lower_bound(run->solution) != optimum ||
        duet_solution_status(run->solution) != DUET_OPTIMAL ||
        duet_solution_interrupted(run->solution)) {
        fail_with(instance, seed, "the optimum is not proven");
    }
}

// The proof of an optimum of 0 has no node.
static void check_no_node(const duet_instance *instance, const duet_exact_run *run, uint64_t seed)
{
    if (run->proof == NULL || strcmp(run->proof, "duet-proof 1\nbound 0\nend\n") != 0) {
        fail_with(instance, seed, "an optimum of 0 has another proof, or none");
    }
}

static void check_instances(duet_instance *draw_one(duet_random *random, uint64_t seed),
                            int64_t instances)
{
    uint64_t first = duet_test_seed();
    tally counts = {0, 0, 0, 0, 0};
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw_one(&random, seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_exact_run run = duet_exact_run_with_proof(instance, NULL);
        bool open = stays_open(instance, &run, optimum, seed);
        counts.open += open;
        if (!open) {
            check_solution(instance, &run, optimum, seed);
        }
        if (!open && optimum == 0) {
            check_no_node(instance, &run, seed);
            counts.nothing++;
        }
        if (!open) {
            check_proof(instance, &run, optimum, seed);
            check_changes(instance, &random, run.proof, optimum, seed, &counts);
            counts.proofs++;
        }
        duet_exact_run_free(&run);
        duet_instance_free(instance);
    }
    printf("%ld proofs; of %ld with a number changed, %ld are still true\n", counts.proofs,
           counts.changed, counts.accepted);
    printf("%ld optima of 0, %ld stayed open\n", counts.nothing, counts.open);
    assert_true(100 * counts.open <= instances);
    assert_true(instances < 5000 || counts.nothing > 0);
    assert_true(2 * counts.accepted <= counts.changed);
}

static void small_instances(void **state)
{
    (void)state;
    check_instances(draw, duet_test_number("DUET_TEST_INSTANCES", 5000));
}

// One, three, four and five types, also of one processor each (unrelated machines).
static duet_instance *draw_types(duet_random *random, uint64_t seed)
{
    static const size_t types[] = {3, 4, 3, 5, 1};
    duet_shape shape = {.min_tasks = 1,
                        .max_tasks = 7,
                        .min_processors = seed % 7 == 0 ? 0 : 1,
                        .max_processors = seed % 3 == 0 ? 1 : 2,
                        .types = types[seed % 5]};
    duet_random_seed(random, seed);
    duet_instance *plain = duet_random_instance(random, &shape);
    assert_non_null(plain);
    if (seed % 8 != 0) {
        return plain;
    }
    duet_instance *stretched = duet_stretched_instance(
        random, plain, seed % 16 == 0 ? DUET_MAX_WORK : DUET_MAX_WORK >> 24);
    assert_non_null(stretched);
    duet_instance_free(plain);
    return stretched;
}

static void several_types(void **state)
{
    (void)state;
    check_instances(draw_types, duet_test_number("DUET_TEST_INSTANCES", 5000) / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_instances),
                                       cmocka_unit_test(several_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
