// SPDX-License-Identifier: Apache-2.0
// Family mixed: what every seed gives, what options fix, and the arithmetic behind it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <duet/generate.h>

#include "core/number/fixed.h"
#include "core/system/try.h"
#include "instances/families/shape.h"

enum { SEEDS = 300 };

// `settings`: options separated by blanks, or NULL.
static duet_code generate(int64_t n, size_t types, const int64_t *counts, uint64_t seed,
                          const char *settings, duet_instance **out, duet_error *error)
{
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    char text[200];
    snprintf(text, sizeof text, "%s", settings == NULL ? "" : settings);
    char *rest = text;
    for (char *word; code == DUET_OK && (word = strtok_r(rest, " ", &rest)) != NULL;) {
        code = duet_options_add(options, word, error);
    }
    DUET_THEN(code, duet_generate("mixed",
                                  &(duet_generate_params){sizeof(duet_generate_params), n, types,
                                                          counts, seed, options},
                                  out, error));
    duet_options_free(options);
    return code;
}

static duet_instance *made(int64_t n, size_t types, const int64_t *counts, uint64_t seed,
                           const char *settings)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (generate(n, types, counts, seed, settings, &instance, &error) != DUET_OK) {
        fail_msg("seed %llu, %s: %s", (unsigned long long)seed,
                 settings == NULL ? "drawn" : settings, error.message);
    }
    return instance;
}

static double real(duet_fixed value)
{
    return (double)value / (double)DUET_FIXED_ONE;
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("expected %.12g, got %.12g", expected, value);
    }
}

static void test_arithmetic(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 11);
    for (int i = 0; i < 20000; i++) {
        duet_fixed x = 1 + (duet_fixed)(duet_random_next(&random) >> (1 + i % 60));
        expect_near(real(duet_fixed_log2(x)), log2(real(x)), 1e-9);
        duet_fixed y = duet_fixed_uniform(&random, -34 * DUET_FIXED_ONE, 29 * DUET_FIXED_ONE);
        double power = exp2(real(y));
        expect_near(real(duet_fixed_exp2(y)), power, 1e-9 * power + 3e-10);
        duet_fixed z = 1 + (duet_fixed)(duet_random_next(&random) >> 31);
        duet_fixed quotient = duet_fixed_over(z / 8, z);
        expect_near(real(quotient), real(z / 8) / real(z), 1e-9);
    }
    assert_true(duet_fixed_log2(DUET_FIXED_ONE) == 0);
    assert_true(duet_fixed_exp2(0) == DUET_FIXED_ONE);
    assert_true(duet_fixed_exp2(3 * DUET_FIXED_ONE) == 8 * DUET_FIXED_ONE);
    assert_true(duet_fixed_exp2(-40 * DUET_FIXED_ONE) == 0);
}

// Means and deviations of the shapes are those of their names.
static void test_shapes(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    duet_random random;
    duet_random_seed(&random, 5);
    double sum = 0;
    double squares = 0;
    double exponential = 0;
    for (int i = 0; i < DRAWS; i++) {
        double value = real(duet_fixed_normal(&random));
        sum += value / DRAWS;
        squares += value * value / DRAWS;
        exponential += real(duet_fixed_exponential(&random)) / DRAWS;
    }
    expect_near(sum, 0, 0.02);
    expect_near(squares, 1, 0.03);
    expect_near(exponential, 1, 0.03);
    // A Pareto number is above 2 with probability 2^-a.
    duet_time_shape pareto = {
        .kind = DUET_SHAPE_PARETO, .parameter = 2 * DUET_FIXED_ONE, .count = 1};
    int above = 0;
    for (int i = 0; i < DRAWS; i++) {
        above += duet_shape_value(&pareto, &random) > 2 * DUET_FIXED_ONE;
    }
    expect_near((double)above / DRAWS, 0.25, 0.01);
}

static void check_times(const duet_instance *instance, uint64_t seed)
{
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        size_t allowed = 0;
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            int64_t time = duet_instance_time(instance, i, t);
            assert_true(time >= 1);
            allowed += time != DUET_FORBIDDEN && duet_instance_type_count(instance, t) > 0;
        }
        if (allowed == 0) {
            fail_msg("seed %llu: kind %zu has nowhere to run", (unsigned long long)seed, i);
        }
    }
}

// Over the seeds all of it occurs that the family speaks of, within its ranges.
static void test_seeds(void **state)
{
    (void)state;
    size_t of_types[6] = {0};
    size_t words[DUET_SHAPES + DUET_RELATIONS] = {0};
    size_t few_kinds = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        duet_instance *instance = made(0, 0, NULL, seed, NULL);
        size_t types = duet_instance_types(instance);
        int64_t n = duet_instance_tasks(instance);
        assert_true(types >= 2 && types <= 5 && n >= 5 && n <= 1000);
        for (size_t t = 0; t < types; t++) {
            int64_t count = duet_instance_type_count(instance, t);
            assert_true(count >= 1 && count <= (t == 0 ? 64 : 8));
        }
        check_times(instance, seed);
        of_types[types]++;
        few_kinds += (int64_t)duet_instance_kinds(instance) < n;
        for (size_t w = 0; w < DUET_SHAPES + DUET_RELATIONS; w++) {
            const char *word =
                w < DUET_SHAPES ? duet_shape_names[w] : duet_relation_names[w - DUET_SHAPES];
            words[w] += strstr(duet_instance_name(instance), word) != NULL;
        }
        duet_instance_free(instance);
    }
    for (size_t types = 2; types <= 5; types++) {
        assert_true(of_types[types] > SEEDS / 8);
    }
    assert_true(few_kinds > SEEDS / 4 && few_kinds < SEEDS * 3 / 4);
    for (size_t w = 0; w < DUET_SHAPES + DUET_RELATIONS; w++) {
        assert_true(words[w] > SEEDS / 15);
    }
}

// The numbers are those of every machine and every release: a seed names an instance.
static void test_known(void **state)
{
    (void)state;
    duet_instance *instance = made(0, 0, NULL, 3, NULL);
    assert_string_equal(duet_instance_name(instance),
                        "mixed-72-3-lognormal-range-none.uniform-k17-u8488-d1.137.4204-f50");
    static const int64_t times[3][3] = {
        {84457, 30414, DUET_FORBIDDEN}, {71717, 25208, 58856}, {77339, DUET_FORBIDDEN, 33632}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t t = 0; t < 3; t++) {
            assert_int_equal(duet_instance_time(instance, i, t), times[i][t]);
        }
    }
    assert_int_equal(duet_instance_kind_count(instance, 1), 5);
    duet_instance_free(instance);
}

// Fixing a choice changes what it says and nothing else.
static void test_fixed_choices(void **state)
{
    (void)state;
    const int64_t counts[3] = {16, -1, 2};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        duet_instance *free_one = made(40, 3, counts, seed, "kinds=40 forbidden=0 divisor=1");
        duet_instance *forbidden = made(40, 3, counts, seed, "kinds=40 forbidden=30 divisor=1");
        duet_instance *divided = made(40, 3, counts, seed, "kinds=40 forbidden=0 divisor=7");
        assert_int_equal(duet_instance_type_count(free_one, 0), 16);
        assert_int_equal(duet_instance_type_count(free_one, 2), 2);
        for (size_t i = 0; i < 40; i++) {
            for (size_t t = 0; t < 3; t++) {
                int64_t time = duet_instance_time(free_one, i, t);
                int64_t other = duet_instance_time(forbidden, i, t);
                int64_t whole = duet_instance_time(divided, i, t);
                assert_true(other == time || other == DUET_FORBIDDEN);
                assert_true(whole % 7 == 0);
                assert_true(whole == 7 || (whole - time <= 4 && time - whole <= 4));
            }
        }
        check_times(forbidden, seed);
        duet_instance_free(free_one);
        duet_instance_free(forbidden);
        duet_instance_free(divided);
    }
    duet_instance *equal = made(0, 0, NULL, 4, "types=2 correlation=equal kinds=3 forbidden=0");
    assert_int_equal(duet_instance_kinds(equal), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(duet_instance_time(equal, i, 0), duet_instance_time(equal, i, 1));
    }
    duet_instance_free(equal);
}

static void expect_refused(size_t types, const int64_t *counts, const char *settings,
                           const char *fragment)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(generate(0, types, counts, 1, settings, &instance, &error), DUET_E_USAGE);
    assert_null(instance);
    if (strstr(error.message, fragment) == NULL) {
        fail_msg("expected \"%s\", got \"%s\"", fragment, error.message);
    }
}

static void test_refused(void **state)
{
    (void)state;
    const int64_t none[3] = {0, 0, 0};
    const int64_t some[3] = {2, 1, 1};
    expect_refused(0, NULL, "types=1", "expected 0 or 2 to 16");
    expect_refused(3, some, "types=2", "expected 0 or 2 to 16");
    expect_refused(3, none, NULL, "expected at least one");
    expect_refused(1, some, NULL, "1 processor types");
    expect_refused(0, NULL, "n-min=9 n-max=8", "expected n-min to be at most n-max");
    expect_refused(0, NULL, "forbidden=60", "forbidden");
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(
        duet_generate("unif4",
                      &(duet_generate_params){sizeof(duet_generate_params), 9, 3, some, 1, NULL},
                      &instance, &error),
        DUET_E_USAGE);
    assert_non_null(strstr(error.message, "expected two"));
    // Processors of one type alone: every task may run there.
    const int64_t last[3] = {0, 0, 4};
    duet_instance *one = made(50, 3, last, 2, "forbidden=50");
    check_times(one, 2);
    duet_instance_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),    cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_seeds),         cmocka_unit_test(test_known),
        cmocka_unit_test(test_fixed_choices), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
