// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation against exhaustive optima: what it refutes is false, its prices are
// certificates, and stored columns change no answer. DUET_TEST_SEED and DUET_TEST_INSTANCES choose
// other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(duet_random *random, uint64_t seed)
{
    duet_instance *instance =
        duet_random_of_seed(random, seed, 1, seed % 4 == 0 ? 10 : 7, seed % 4 == 0 ? 2 : 4, 2);
    assert_non_null(instance);
    return instance;
}

static void fail_with(const duet_instance *instance, uint64_t seed, const char *why)
{
    duet_fail_instance(instance, "configuration-failure", seed, why);
}

// The prices of a refutation as a certificate: it holds for what was proven.
static void check_prices(const duet_instance *instance, const duet_classes *classes,
                         const duet_prices *prices, int64_t proven, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate certificate;
    assert_int_equal(duet_prices_certificate(classes, prices, proven + 1, &certificate, NULL),
                     DUET_OK);
    if (duet_certificate_check(&certificate, instance, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    duet_certificate_release(&certificate);
}

// One relaxation; `store` may be NULL.
static duet_configuration_answer relax(const duet_instance *instance, const duet_classes *classes,
                                       const bool divisible[2], duet_column_store *store,
                                       uint64_t seed)
{
    duet_residual state;
    duet_prices prices;
    duet_configuration *program;
    duet_configuration_answer answer = {.refuted = false};
    duet_context context;
    duet_error error = DUET_ERROR_INIT;
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_residual_create(classes, &state, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(classes, &prices, NULL), DUET_OK);
    if (duet_configuration_create(classes, &state, divisible, store, NULL, &program, &error) !=
            DUET_OK ||
        duet_configuration_solve(program, 1000, &context, &prices, &answer, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    if (answer.refuted) {
        if (answer.proven < classes->guess) {
            fail_with(instance, seed, "less is proven than was asked");
        }
        check_prices(instance, classes, &prices, answer.proven, seed);
    } else if (!answer.finished) {
        fail_with(instance, seed, "a small relaxation is not settled");
    }
    duet_configuration_free(program);
    duet_prices_free(&prices);
    duet_residual_free(&state);
    return answer;
}

static void check_guess(const duet_instance *instance, int64_t guess, int64_t optimum,
                        const bool divisible_on[2], duet_column_store *store, uint64_t seed,
                        long *refuted)
{
    duet_classes classes;
    assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
    const bool divisible[2] = {divisible_on[0] || classes.processors[0] == 0,
                               divisible_on[1] || classes.processors[1] == 0};
    if (classes.nowhere == SIZE_MAX && classes.count > 0 && (!divisible[0] || !divisible[1])) {
        duet_configuration_answer plain = relax(instance, &classes, divisible, NULL, seed);
        duet_configuration_answer stored = relax(instance, &classes, divisible, store, seed);
        if ((plain.refuted && plain.proven >= optimum) ||
            (stored.refuted && stored.proven >= optimum)) {
            fail_with(instance, seed, "a guess is refuted that has a schedule");
        }
        if (plain.refuted != stored.refuted) {
            fail_with(instance, seed, "stored columns change the answer");
        }
        *refuted += plain.refuted;
    }
    duet_classes_free(&classes);
}

static void against_truth(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    long refuted = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        const bool divisible[2] = {seed % 3 == 1, seed % 3 == 2};
        duet_column_store store = {.columns = 0};
        for (int64_t below = 3; below > 0; below--) {
            int64_t guess = optimum > below ? optimum - below : 0;
            check_guess(instance, guess, optimum, divisible, &store, seed, &refuted);
        }
        int64_t guess = optimum - duet_random_between(&random, 0, optimum / 4);
        check_guess(instance, guess, optimum, divisible, &store, seed, &refuted);
        check_guess(instance, optimum, optimum, divisible, &store, seed, &refuted);
        guess = optimum + duet_random_between(&random, 0, optimum / 4);
        check_guess(instance, guess, optimum, divisible, &store, seed, &refuted);
        duet_column_store_free(&store);
        duet_instance_free(instance);
    }
    printf("%ld guesses refuted\n", refuted);
    assert_true(refuted >= instances / 2 || instances < 100);
}

static void bounds_in_order(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    long better = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = draw(&random, seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_bound knapsack;
        duet_bound configuration;
        assert_int_equal(duet_test_bound(instance, "knapsack", NULL, &knapsack, NULL), DUET_OK);
        assert_int_equal(duet_test_bound(instance, "configuration", NULL, &configuration, NULL),
                         DUET_OK);
        if (knapsack.value > configuration.value || configuration.value > optimum) {
            fail_with(instance, seed, "knapsack <= configuration <= optimum does not hold");
        }
        if (configuration.certificate.lambda < configuration.value ||
            duet_certificate_check(&configuration.certificate, instance, NULL, &error) != DUET_OK) {
            fail_with(instance, seed, error.message);
        }
        better += configuration.value > knapsack.value;
        duet_bound_release(&knapsack);
        duet_bound_release(&configuration);
        duet_instance_free(instance);
    }
    printf("%ld times above the knapsack bound\n", better);
    assert_true(better > 0 || instances < 200);
}

// One relaxation with a branching row: whether it is refuted.
static bool refutes(const duet_instance *instance, const duet_classes *classes,
                    const bool divisible[2], const duet_branching_row *branching_row, double *lift,
                    uint64_t seed)
{
    duet_residual state;
    duet_prices prices;
    duet_configuration *program;
    duet_configuration_answer answer = {.refuted = false};
    duet_context context;
    duet_error error = DUET_ERROR_INIT;
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_residual_create(classes, &state, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(classes, &prices, NULL), DUET_OK);
    assert_int_equal(duet_prices_make_room(&prices, 1, NULL), DUET_OK);
    if (duet_configuration_create(classes, &state, divisible, NULL, NULL, &program, &error) !=
            DUET_OK ||
        duet_configuration_add_branching_rows(program, branching_row, lift == NULL, &error) !=
            DUET_OK ||
        duet_configuration_probe(program, 1000, true, &context, &prices, &answer, &error) !=
            DUET_OK ||
        (lift != NULL &&
         duet_configuration_try(program, branching_row, &context, lift, &error) != DUET_OK)) {
        fail_with(instance, seed, error.message);
    }
    bool below =
        answer.any && duet_branching_rows_slack(classes, &state, &prices, branching_row) < 0;
    if (below != answer.refuted) {
        fail_with(instance, seed, "the slack says otherwise than the answer");
    }
    duet_configuration_free(program);
    duet_prices_free(&prices);
    duet_residual_free(&state);
    return answer.refuted;
}

// A number of tasks on a type is below some bound, or at least that: where there is a schedule, one
// of the two is not refuted.
static void tallies_leave_the_optimum(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    long one = 0; // sides that are refuted, the other being open
    long lifted = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_classes classes;
        int64_t guess = optimum - (optimum > 1 && seed % 2 == 0);
        assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
        size_t type = seed / 2 % 2;
        const bool divisible[2] = {type == 1, type == 0};
        bool usable = optimum > 0 && classes.nowhere == SIZE_MAX && classes.count > 0 &&
                      classes.processors[type] > 0;
        for (int64_t bound = 0; bound < 5 && usable; bound++) {
            duet_branching_row below = {type, duet_random_between(&random, 0, guess / 2), false,
                                        bound, 0};
            duet_branching_row above = {type, below.time, true, bound + 1, 0};
            double lift[2] = {0, 0};
            bool plain = refutes(instance, &classes, divisible, &below, lift, seed);
            bool no[2] = {refutes(instance, &classes, divisible, &below, NULL, seed),
                          refutes(instance, &classes, divisible, &above, NULL, seed)};
            if (guess >= optimum && no[0] && no[1]) {
                fail_with(instance, seed, "both branches are refuted");
            }
            if (plain && !(no[0] && no[1])) {
                fail_with(instance, seed, "what is refuted is not with a branching row");
            }
            one += no[0] != no[1];
            lifted += lift[0] > 0 || lift[1] > 0;
        }
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
    printf("%ld sides refuted, %ld lifted\n", one, lifted);
    assert_true(instances < 200 || (one > 0 && lifted > 0));
}

// A build without GLPK says so, to the module's caller and to the library's.
static void without_solver(void **state)
{
    (void)state;
    if (duet_lp_available()) {
        skip();
    }
    duet_random random;
    duet_instance *instance = draw(&random, 1);
    duet_classes classes;
    duet_residual residual;
    duet_configuration *program;
    duet_error error = DUET_ERROR_INIT;
    const bool divisible[2] = {false, false};
    assert_int_equal(duet_classes_create(instance, DUET_MAX_WORK / 2, &classes, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&classes, &residual, NULL), DUET_OK);
    assert_int_equal(
        duet_configuration_create(&classes, &residual, divisible, NULL, NULL, &program, &error),
        DUET_E_UNSUPPORTED);
    assert_null(program);
    duet_bound bound;
    assert_int_equal(duet_test_bound(instance, "configuration", NULL, &bound, &error),
                     DUET_E_UNSUPPORTED);
    duet_bound_release(&bound);
    duet_residual_free(&residual);
    duet_classes_free(&classes);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_truth), cmocka_unit_test(bounds_in_order),
        cmocka_unit_test(tallies_leave_the_optimum), cmocka_unit_test(without_solver)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
