// SPDX-License-Identifier: Apache-2.0
// The bound by values of times, against exhaustive optima and with certificates that are changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/lp.h"
#include "lp/moldable/steps.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

static int64_t raised; // bounds so far

// Raises the bound of areas. The certificate holds, and no longer one tick above the
// optimum.
static void raise(const duet_instance *instance, int64_t optimum)
{
    duet_context context;
    duet_error error = DUET_ERROR_INIT;
    duet_bound bound;
    assert_int_equal(duet_context_init(&context, NULL, &error), DUET_OK);
    assert_int_equal(duet_test_bound(instance, "area", NULL, &bound, NULL), DUET_OK);
    if (duet_steps_raise(instance, &context, 2 * optimum, &bound, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(bound.value <= optimum);
    if (strcmp(bound.name, "steps") == 0) {
        raised++;
        assert_int_equal(bound.certificate.lambda, bound.value);
        assert_int_equal(duet_certificate_check(&bound.certificate, instance, NULL, NULL), DUET_OK);
        duet_certificate forged = bound.certificate;
        forged.lambda = optimum + 1;
        assert_int_equal(duet_certificate_check(&forged, instance, NULL, NULL), DUET_E_INPUT);
    }
    duet_bound_release(&bound);
}

// The row of the registry goes on from `prices`, without a makespan.
static void check_row(const duet_instance *instance, int64_t optimum)
{
    duet_bound prices;
    duet_bound steps;
    if (!duet_lp_available()) {
        assert_int_equal(duet_test_bound(instance, "steps", NULL, &steps, NULL),
                         DUET_E_UNSUPPORTED);
        return;
    }
    assert_int_equal(duet_test_bound(instance, "prices", NULL, &prices, NULL), DUET_OK);
    assert_int_equal(duet_test_bound(instance, "steps", NULL, &steps, NULL), DUET_OK);
    assert_string_equal(steps.name, "steps");
    assert_true(steps.value >= prices.value && steps.value <= optimum);
    assert_int_equal(duet_certificate_check(&steps.certificate, instance, NULL, NULL), DUET_OK);
    duet_bound_release(&prices);
    duet_bound_release(&steps);
}

static void no_bound_is_above_the_optimum(void **state)
{
    (void)state;
    const int64_t instances = (int64_t)duet_test_share(600);
    raised = 0;
    int64_t taken = 0;
    for (int64_t i = 0; i < instances; i++) {
        duet_random random;
        duet_random_seed(&random, (uint64_t)i + 1);
        duet_moldable_shape shape = {.tables = (duet_table_shape)(i % 4),
                                     .most_tasks = 6,
                                     .most_processors = 4,
                                     .most_gpus = i % 3 == 0 ? 2 : 0,
                                     .second_cluster = i % 9 == 0,
                                     .longest = i % 5 == 0 ? 1000 : 20};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        assert_non_null(instance);
        if ((duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0) {
            int64_t optimum = duet_exhaustive_optimum(instance);
            raise(instance, optimum);
            check_row(instance, optimum);
            taken++;
        }
        duet_instance_free(instance);
    }
    assert_true(!duet_lp_available() || instances < 600 || raised > taken / 20);
}

static void expect(const duet_instance *instance, const duet_certificate *certificate,
                   const char *text, duet_code code)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate claimed = *certificate;
    assert_int_equal(duet_proof_lines_create(text, strlen(text), &claimed.lines, &error), DUET_OK);
    if (duet_certificate_check(&claimed, instance, NULL, &error) != code) {
        fail_msg("'%s': expected code %d: %s", text, (int)code, error.message);
    }
    duet_certificate_release(&claimed);
}

// Four tasks on three processors, 5 on one, 3 on two. Within 5 a processor has one of 5, or one of
// 3: with a limit of 1, each task is worth 1 on one processor, 2 on two.
static void forged_certificates_are_refused(void **state)
{
    (void)state;
    static const int64_t table[] = {5, 3, 3};
    const duet_type platform[] = {{"cpu", 3}};
    duet_moldable_times times[4];
    for (size_t i = 0; i < 4; i++) {
        times[i] = (duet_moldable_times){.table = table, .length = 3};
    }
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = 4,
                                     .moldable = &moldable};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_true(duet_exhaustive_optimum(instance) >= 6);
    duet_certificate steps = {
        .proof = DUET_PROOF_MOLDABLE_STEPS, .lambda = 6, .types = 1, .weight = {1}};
    expect(instance, &steps, "3 1\n", DUET_OK);
    expect(instance, &steps, "3 1", DUET_OK);
    duet_certificate loose = steps; // 6 for all processors, and the tasks are worth 4
    loose.weight[0] = 2;
    expect(instance, &loose, "3 1\n", DUET_E_INPUT);
    static const char *const refused[] = {"",
                                          "\n",
                                          "2 1\n",
                                          "3 2\n",
                                          "3 1 3 1\n",
                                          "3 1 5 1\n",
                                          "3 1 6 2\n",
                                          "3 1\n3 1\n",
                                          "3  1\n",
                                          "3\n",
                                          "3 \n",
                                          "3 1 \n",
                                          " 3 1\n",
                                          "3 -1\n",
                                          "0 1\n",
                                          "3 0\n",
                                          "3,1\n",
                                          "3 1x\n",
                                          "6 1\n",
                                          "99999999999999999999 1\n",
                                          "3 99999999999999999999\n"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        expect(instance, &steps, refused[i], DUET_E_INPUT);
    }
    duet_certificate forged = steps;
    forged.lambda = 7; // 3 and 3 follow each other
    expect(instance, &forged, "3 1\n", DUET_E_INPUT);
    forged = steps;
    forged.types = 2;
    expect(instance, &forged, "3 1\n", DUET_E_INPUT);
    static const int64_t limits[] = {-1, 0, 65537, INT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        forged = steps;
        forged.weight[0] = limits[i];
        expect(instance, &forged, "3 1\n", DUET_E_INPUT);
    }
    assert_int_equal(duet_certificate_check(&steps, instance, NULL, NULL),
                     DUET_E_INPUT); // no lines
    duet_instance_free(instance);
    const int64_t two[] = {3, 4, 5, 6};
    duet_instance *sequential = duet_test_pair(1, 1, 2, NULL, two);
    steps.types = 2;
    expect(sequential, &steps, "3 1\n3 1\n", DUET_E_INPUT);
    duet_instance_free(sequential);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_bound_is_above_the_optimum),
                                       cmocka_unit_test(forged_certificates_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
