// SPDX-License-Identifier: Apache-2.0
// The dual approximations of moldable tasks and their bounds against exhaustive optima, on tight
// and awkward cases, and with certificates that are changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/instance/moldable.h"
#include "core/number/random.h"
#include "core/system/try.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

// Tasks with tables of `length` times, one after another, on CPUs alone.
static duet_instance *make_tables(int64_t cpus, size_t kinds, size_t length, const int64_t *tables)
{
    const duet_type platform[] = {{"cpu", cpus}};
    duet_moldable_times times[16];
    for (size_t i = 0; i < kinds; i++) {
        times[i] = (duet_moldable_times){.table = tables + i * length, .length = length};
    }
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = kinds,
                                     .moldable = &moldable};
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

// --- against exhaustive optima -----------------------------------------------------------------

// The certificate proves its bound, or at least what can be computed again does.
static void check_certificate(const duet_instance *instance, const duet_certificate *certificate)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(certificate, instance, NULL, &error);
    if (certificate->proof == DUET_PROOF_MOLDABLE_KNAPSACK) {
        assert_int_equal(code, DUET_E_UNSUPPORTED);
        code = duet_verify_deep(instance, certificate, NULL, &error);
    }
    if (code != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_certificate raised = *certificate;
    raised.lambda += DUET_MAX_WORK / 4;
    code = duet_certificate_check(&raised, instance, NULL, NULL);
    if (certificate->proof == DUET_PROOF_MOLDABLE_KNAPSACK) {
        code = duet_verify_deep(instance, &raised, NULL, NULL);
    }
    assert_int_equal(code, DUET_E_INPUT);
}

// An algorithm keeps its ratio, and its bound is none above the optimum. False where it does not
// take the instance.
static bool check_algorithm(const duet_instance *instance, const char *algorithm, int64_t optimum,
                            uint64_t seed)
{
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_solve(instance, algorithm, NULL, &solution, &error);
    if (code == DUET_E_UNSUPPORTED) {
        return false;
    }
    DUET_THEN(code, duet_check_solution(instance, solution, NULL, NULL, &error));
    if (code != DUET_OK) {
        duet_fail_instance(instance, algorithm, seed, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    if (duet_instance_guarantee_holds(algorithm, instance, NULL, makespan, optimum) == 0 ||
        duet_solution_lower_bound(solution) > optimum) {
        char why[100];
        snprintf(why, sizeof why, "makespan %lld, bound %lld, optimum %lld", (long long)makespan,
                 (long long)duet_solution_lower_bound(solution), (long long)optimum);
        duet_fail_instance(instance, algorithm, seed, why);
    }
    check_certificate(instance, duet_solution_certificate(solution));
    duet_solution_free(solution);
    return true;
}

static void check_bounds(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    static const char *const names[] = {"longest", "area", "prices"};
    int64_t area = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        duet_bound bound;
        duet_error error = DUET_ERROR_INIT;
        if (duet_test_bound(instance, names[i], NULL, &bound, &error) != DUET_OK) {
            duet_fail_instance(instance, names[i], seed, error.message);
        }
        if (bound.value > optimum || bound.value < area) {
            duet_fail_instance(instance, names[i], seed,
                               "it is above the optimum, or a weaker one");
        }
        area = i == 1 && duet_instance_types(instance) == 1 ? bound.value : 0;
        check_certificate(instance, &bound.certificate);
        duet_bound_release(&bound);
    }
}

static void check_exact(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    duet_solution *solution = duet_test_solve(instance, "exact", NULL, NULL);
    if (duet_solution_makespan(solution) != optimum ||
        duet_solution_status(solution) != DUET_OPTIMAL) {
        duet_fail_instance(instance, "exact", seed, "it is not the optimum, or not proven");
    }
    duet_solution_free(solution);
}

static void ratios_hold(void **state)
{
    (void)state;
    static const char *const names[] = {"moldable-2", "moldable-3-2", "moldable-hybrid"};
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1500);
    uint64_t seed = duet_test_seed();
    int64_t taken[3] = {0, 0, 0};
    for (int64_t i = 0; i < instances; i++, seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_moldable_shape shape = {.tables = (duet_table_shape)(i % 4),
                                     .most_tasks = 6,
                                     .most_processors = 4,
                                     .most_gpus = i % 3 == 0 ? 2 : 0,
                                     .second_cluster = i % 9 == 0,
                                     .longest = i % 5 == 0 ? 1000 : 20,
                                     .gaps = i % 10 == 3};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        assert_non_null(instance);
        if ((duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) == 0) {
            duet_instance_free(instance); // all tables have one size
            continue;
        }
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t a = 0; a < 3; a++) {
            taken[a] += check_algorithm(instance, names[a], optimum, seed);
        }
        check_bounds(instance, optimum, seed);
        if (shape.gaps) {
            check_exact(instance, optimum, seed);
        }
        duet_instance_free(instance);
    }
    assert_true(taken[0] > instances / 2 && taken[1] > instances / 5 && taken[2] > instances / 20);
}

// --- cases -------------------------------------------------------------------------------------

static int64_t counter(const duet_solution *solution, const char *name)
{
    size_t count;
    const duet_counter *counters = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counters[i].name, name) == 0) {
            return counters[i].value;
        }
    }
    return -1;
}

// Three tasks on four processors: 6 against an optimum of 4.
static void the_ratio_is_tight(void **state)
{
    (void)state;
    const int64_t tables[] = {5, 3, 2, 2, 4, 4, 3, 3, 6, 3, 2, 2};
    duet_instance *instance = make_tables(4, 3, 4, tables);
    duet_solution *solution = duet_test_solve(instance, "moldable-3-2", NULL, NULL);
    assert_int_equal(duet_exhaustive_optimum(instance), 4);
    assert_int_equal(duet_solution_makespan(solution), 6);
    assert_string_equal(duet_solution_guarantee(solution), "3/2");
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void refuse(const duet_instance *instance, const char *algorithm, const char *word)
{
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solve(instance, algorithm, NULL, &solution, &error), DUET_E_UNSUPPORTED);
    assert_null(solution);
    if (strstr(error.message, word) == NULL) {
        fail_msg("%s", error.message);
    }
}

// Two tables as rounding up alone makes them: their areas fall, so that the ratio would not hold.
static void refuse_rounded(int64_t cpus, size_t length, const int64_t *tables, int64_t optimum)
{
    duet_instance *instance = make_tables(cpus, 2, length, tables);
    assert_int_equal(duet_exhaustive_optimum(instance), optimum);
    refuse(instance, "moldable-3-2", "monotone");
    duet_instance_free(instance);
}

// Works of 4 and 8 without a sequential part, whose times rounded up alone would have smaller areas
// on more processors: with them no guess below 4, or 8, would be a YES.
static void rounding_breaks_no_ratio(void **state)
{
    (void)state;
    const int64_t on_four[] = {4, 2, 2, 2, 8, 4, 3, 3};
    const int64_t on_three[] = {6, 3, 2, 8, 5, 4};
    const int64_t rounded_on_four[] = {4, 2, 2, 1, 8, 4, 3, 2};
    const int64_t rounded_on_three[] = {6, 3, 2, 8, 5, 3};
    refuse_rounded(4, 4, rounded_on_four, 3);
    refuse_rounded(3, 3, rounded_on_three, 5);
    duet_instance *four = make_tables(4, 2, 4, on_four);
    duet_instance *three = make_tables(3, 2, 3, on_three);
    assert_int_equal(duet_exhaustive_optimum(four), 4);
    assert_true(2 * duet_test_makespan(four, "moldable-3-2") <= 3 * 4);
    int64_t optimum = duet_exhaustive_optimum(three);
    assert_true(2 * duet_test_makespan(three, "moldable-3-2") <= 3 * optimum);
    duet_instance_free(four);
    duet_instance_free(three);
}

// At this guess shelf 2 is too wide, and neither of the first two rules applies.
static void the_third_rule_is_needed(void **state)
{
    (void)state;
    const int64_t tables[] = {510,  510, 510, 510, 760,  760, 760, 760,
                              1014, 507, 338, 338, 1524, 762, 508, 381};
    duet_instance *instance = make_tables(4, 4, 4, tables);
    duet_solution *solution = duet_test_solve(instance, "moldable-3-2", "guess=1000", NULL);
    assert_true(duet_solution_makespan(solution) <= 1500);
    assert_int_equal(counter(solution, "rule_1"), 0);
    assert_int_equal(counter(solution, "rule_2"), 0);
    assert_int_equal(counter(solution, "rule_3"), 1);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void expect(const duet_instance *instance, duet_certificate certificate, duet_code code)
{
    duet_error error = DUET_ERROR_INIT;
    if (duet_certificate_check(&certificate, instance, NULL, &error) != code) {
        fail_msg("expected code %d: %s", (int)code, error.message);
    }
}

// Two tasks on three processors: 4 3 3 and 6 3 2, least areas 4 and 6. Within 4 the second task
// takes two processors, so that both fit; within 3 the areas are 6 and 6, above 9.
static void forged_certificates_are_refused(void **state)
{
    (void)state;
    const int64_t tables[] = {4, 3, 3, 6, 3, 2};
    duet_instance *instance = make_tables(3, 2, 3, tables);
    duet_certificate prices = {
        .proof = DUET_PROOF_MOLDABLE_PRICES, .lambda = 4, .types = 1, .weight = {1}};
    assert_int_equal(duet_exhaustive_optimum(instance), 4);
    expect(instance, prices, DUET_OK);
    duet_certificate forged = prices;
    forged.lambda = 5;
    expect(instance, forged, DUET_E_INPUT);
    forged = prices;
    forged.weight[0] = -1;
    expect(instance, forged, DUET_E_INPUT);
    forged = prices;
    forged.count_weight[0] = -1;
    expect(instance, forged, DUET_E_INPUT);
    forged = prices;
    forged.count_weight_high[0] = 1;
    expect(instance, forged, DUET_E_INPUT);
    forged = prices;
    forged.types = 2;
    expect(instance, forged, DUET_E_INPUT);
    forged = prices;
    forged.weight[0] = INT64_MAX;
    forged.lambda = DUET_MAX_WORK;
    expect(instance, forged, DUET_E_INPUT);
    // Long modes alone: within 3 both have two processors.
    prices.weight[0] = 0;
    prices.count_weight[0] = 1;
    expect(instance, prices, DUET_OK);
    // What is proven of sequential tasks is not of these.
    forged = (duet_certificate){.proof = DUET_PROOF_AREA, .lambda = 4, .types = 1, .weight = {1}};
    expect(instance, forged, DUET_E_INPUT);
    duet_certificate knapsack = {.proof = DUET_PROOF_MOLDABLE_KNAPSACK, .lambda = 4, .types = 1};
    expect(instance, knapsack, DUET_E_UNSUPPORTED);
    assert_int_equal(duet_verify_deep(instance, &knapsack, NULL, NULL), DUET_OK);
    knapsack.lambda = 5;
    assert_int_equal(duet_verify_deep(instance, &knapsack, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
    const int64_t times[] = {3, 4, 5, 6};
    duet_instance *sequential = duet_test_pair(1, 1, 2, NULL, times);
    prices.types = 2;
    expect(sequential, prices, DUET_E_INPUT);
    knapsack.lambda = 4;
    expect(sequential, knapsack, DUET_E_INPUT);
    duet_instance_free(sequential);
}

static void tables_that_are_not_monotone_are_refused(void **state)
{
    (void)state;
    const int64_t longer[] = {5, 3, 4, 4, 4, 2};
    const int64_t smaller[] = {8, 4, 4, 9, 5, 3}; // areas 9 10 9
    duet_instance *one = make_tables(3, 2, 3, longer);
    duet_instance *two = make_tables(3, 2, 3, smaller);
    refuse(one, "moldable-3-2", "monotone");
    refuse(two, "moldable-3-2", "monotone");
    refuse(one, "moldable-hybrid", "two types");
    assert_int_equal(duet_test_makespan(one, "moldable-2"), duet_exhaustive_optimum(one));
    duet_instance_free(one);
    duet_instance_free(two);
    const int64_t times[] = {3, 4, 5, 6};
    duet_instance *sequential = duet_test_pair(1, 1, 2, NULL, times);
    refuse(sequential, "moldable-2", "moldable tasks");
    duet_instance_free(sequential);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_hold),
        cmocka_unit_test(the_ratio_is_tight),
        cmocka_unit_test(rounding_breaks_no_ratio),
        cmocka_unit_test(the_third_rule_is_needed),
        cmocka_unit_test(forged_certificates_are_refused),
        cmocka_unit_test(tables_that_are_not_monotone_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
