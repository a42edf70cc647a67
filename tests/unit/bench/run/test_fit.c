// SPDX-License-Identifier: Apache-2.0
// Fits of powers: exact laws are found, noise is averaged, what is not determined is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/run/fit.h"
#include "core/number/random.h"

static void exact_power(void **state)
{
    (void)state;
    const double x[] = {10, 20, 50, 100};
    double y[4];
    for (int i = 0; i < 4; i++) {
        y[i] = 3.5 * pow(x[i], 2.25);
    }
    double exponent = 0;
    assert_true(duet_fit_exponent(x, y, 4, &exponent));
    assert_true(fabs(exponent - 2.25) < 1e-9);
    duet_fit fit;
    assert_true(duet_fit_powers(x, 1, y, 4, &fit));
    assert_true(fabs(fit.factor - 3.5) < 1e-6);
    assert_true(fabs(fit.determination - 1) < 1e-9);
}

// n^2 m^2 k^3 with 5 % noise; the fourth variable stands still.
static void three_variables_with_noise(void **state)
{
    (void)state;
    enum { N = 4, M = 3, K = 3, POINTS = N * M * K };
    static const double n[N] = {25, 50, 100, 200};
    static const double m[M] = {4, 8, 16};
    static const double k[K] = {1, 2, 4};
    double x[POINTS * 4];
    double y[POINTS];
    duet_random random;
    duet_random_seed(&random, 7);
    for (size_t i = 0; i < POINTS; i++) {
        const double row[4] = {n[i % N], m[i / N % M], k[i / N / M], 2};
        for (size_t v = 0; v < 4; v++) {
            x[4 * i + v] = row[v];
        }
        double noise = 0.95 + 0.1 * duet_random_unit(&random);
        y[i] = 1e-9 * pow(row[0], 2) * pow(row[1], 2) * pow(row[2], 3) * noise;
    }
    duet_fit fit;
    assert_true(duet_fit_powers(x, 4, y, POINTS, &fit));
    assert_true(fabs(fit.exponent[0] - 2) < 0.05);
    assert_true(fabs(fit.exponent[1] - 2) < 0.05);
    assert_true(fabs(fit.exponent[2] - 3) < 0.05);
    assert_true(isnan(fit.exponent[3]));
    assert_true(fit.determination > 0.99 && fit.determination < 1);
}

// Of a fit in logarithms nothing is left that a column would explain: the rest is orthogonal to
// each.
static void rest_is_orthogonal(void **state)
{
    (void)state;
    enum { MOST = 40, VARIABLES = DUET_FIT_MAX_VARIABLES };
    duet_random random;
    duet_random_seed(&random, 11);
    for (int round = 0; round < 500; round++) {
        size_t variables = (size_t)duet_random_between(&random, 1, VARIABLES);
        size_t count = (size_t)duet_random_between(&random, 2 * VARIABLES, MOST);
        double x[MOST * VARIABLES];
        double y[MOST];
        for (size_t i = 0; i < count * variables; i++) {
            x[i] = (double)duet_random_between(&random, 1, 1000);
        }
        for (size_t i = 0; i < count; i++) {
            y[i] = (double)duet_random_between(&random, 1, 1000000) * 1e-6;
        }
        duet_fit fit;
        assert_true(duet_fit_powers(x, variables, y, count, &fit));
        double products[VARIABLES + 1] = {0};
        for (size_t i = 0; i < count; i++) {
            double rest = log(y[i]) - log(fit.factor);
            for (size_t v = 0; v < variables; v++) {
                rest -= fit.exponent[v] * log(x[i * variables + v]);
            }
            products[VARIABLES] += rest;
            for (size_t v = 0; v < variables; v++) {
                products[v] += rest * log(x[i * variables + v]);
            }
        }
        for (size_t v = 0; v <= VARIABLES; v++) {
            assert_true(fabs(products[v]) < 1e-8);
        }
    }
}

static void constant_law(void **state)
{
    (void)state;
    const double x[] = {1, 10, 100};
    const double y[] = {5, 5, 5};
    duet_fit fit;
    assert_true(duet_fit_powers(x, 1, y, 3, &fit));
    assert_true(fabs(fit.exponent[0]) < 1e-9);
    assert_true(fit.determination == 1);
}

static void undetermined(void **state)
{
    (void)state;
    const double together[] = {1, 2, 2, 4, 4, 8, 8, 16};
    const double y[] = {1, 2, 3, 4};
    duet_fit fit;
    assert_false(duet_fit_powers(together, 2, y, 4, &fit)); // the second is twice the first
    const double two_rows[] = {1, 5, 2, 9};
    assert_false(duet_fit_powers(two_rows, 2, y, 2, &fit)); // three unknowns, two points
    const double still[] = {3, 3, 3, 3};
    double exponent;
    assert_false(duet_fit_exponent(still, y, 4, &exponent));
    assert_false(duet_fit_powers(still, 1, y, 0, &fit));
    assert_false(duet_fit_powers(still, DUET_FIT_MAX_VARIABLES + 1, y, 4, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_power),        cmocka_unit_test(three_variables_with_noise),
        cmocka_unit_test(rest_is_orthogonal), cmocka_unit_test(constant_law),
        cmocka_unit_test(undetermined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
