// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic against slow references.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/number/fraction.h"
#include "core/number/random.h"

static duet_uint128 draw(duet_random *random)
{
    int bits = (int)duet_random_between(random, 0, 126);
    duet_uint128 value = ((duet_uint128)duet_random_next(random) << 64) | duet_random_next(random);
    return value >> (127 - bits);
}

// a/b against c/d by the continued fractions written naively, on whole and fractional parts.
static int slow_compare(duet_fraction a, duet_fraction b)
{
    if (a.den == 0 || b.den == 0) {
        return (a.den == 0) - (b.den == 0);
    }
    duet_uint128 whole_a = a.num / a.den;
    duet_uint128 whole_b = b.num / b.den;
    if (whole_a != whole_b) {
        return whole_a > whole_b ? 1 : -1;
    }
    duet_fraction rest_a = {a.den, a.num % a.den};
    duet_fraction rest_b = {b.den, b.num % b.den};
    if (rest_a.den == 0 && rest_b.den == 0) {
        return 0;
    }
    return -slow_compare(rest_a, rest_b);
}

static void compare_and_key(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 7);
    for (int i = 0; i < 200000; i++) {
        duet_fraction a = {draw(&random), draw(&random)};
        duet_fraction b = {draw(&random), draw(&random)};
        if (i % 3 == 0) {
            b = (duet_fraction){a.num + (uint64_t)duet_random_between(&random, 0, 1), a.den};
        }
        if (i % 7 == 0) {
            uint64_t factor = (uint64_t)duet_random_between(&random, 1, 1000);
            a = (duet_fraction){a.num >> 64, a.den >> 64};
            b = (duet_fraction){a.num * factor, a.den * factor};
        }
        if ((a.num == 0 && a.den == 0) || (b.num == 0 && b.den == 0)) {
            continue;
        }
        int sign = duet_fraction_compare(a, b);
        assert_int_equal(sign, slow_compare(a, b));
        assert_int_equal(sign, -duet_fraction_compare(b, a));
        uint64_t key_a = duet_fraction_key(a);
        uint64_t key_b = duet_fraction_key(b);
        if ((sign < 0 && key_a > key_b) || (sign > 0 && key_a < key_b) ||
            (sign == 0 && key_a != key_b)) {
            fail_msg("draw %d: keys are not in the order of the fractions", i);
        }
    }
}

static void ceil_and_format(void **state)
{
    (void)state;
    char text[80];
    assert_int_equal((int)duet_fraction_ceil((duet_fraction){7, 2}), 4);
    assert_int_equal((int)duet_fraction_ceil((duet_fraction){8, 2}), 4);
    assert_int_equal((int)duet_fraction_ceil((duet_fraction){0, 5}), 0);
    assert_string_equal(duet_fraction_format((duet_fraction){14, 4}, text), "7/2");
    assert_string_equal(duet_fraction_format((duet_fraction){8, 4}, text), "2");
    assert_string_equal(duet_fraction_format((duet_fraction){0, 4}, text), "0");
    duet_uint128 large = (duet_uint128)1 << 100;
    assert_string_equal(duet_uint128_format(large, text), "1267650600228229401496703205376");
}

static void ratios(void **state)
{
    (void)state;
    char text[96];
    assert_string_equal(duet_ratio_format((duet_ratio){1, 1, 5, 2}, text), "(1+sqrt(5))/2");
    assert_string_equal(duet_ratio_format((duet_ratio){0, 2, 8, 4}, text), "sqrt(2)");
    assert_string_equal(duet_ratio_format((duet_ratio){0, 1, 2, 4}, text), "sqrt(2)/4");
    assert_string_equal(duet_ratio_format((duet_ratio){2, 1, 4, 1}, text), "4");
    assert_string_equal(duet_ratio_format((duet_ratio){4, 0, 0, 3}, text), "4/3");
    assert_true(duet_ratio_holds((duet_ratio){4, 0, 0, 3}, 4, 3));
    assert_false(duet_ratio_holds((duet_ratio){4, 0, 0, 3}, 5, 3));
    assert_true(duet_ratio_holds((duet_ratio){2, 0, 0, 1}, INT64_C(1) << 62, INT64_C(1) << 61));
    assert_false(
        duet_ratio_holds((duet_ratio){2, 0, 0, 1}, (INT64_C(1) << 62) + 1, INT64_C(1) << 61));
    // sqrt(2) * 2^60 lies between 1630477228166597776 and ...777.
    assert_true(
        duet_ratio_holds((duet_ratio){0, 1, 2, 1}, INT64_C(1630477228166597776), INT64_C(1) << 60));
    assert_false(
        duet_ratio_holds((duet_ratio){0, 1, 2, 1}, INT64_C(1630477228166597777), INT64_C(1) << 60));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compare_and_key),
                                       cmocka_unit_test(ceil_and_format), cmocka_unit_test(ratios)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
