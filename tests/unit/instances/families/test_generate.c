// SPDX-License-Identifier: Apache-2.0
// Instance families: ranges, counts, determinism, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <duet/generate.h>
#include <duet/graph.h>
#include <duet/registry.h>

#include "core/system/try.h"
#include "tests/support/fixtures.h"

static duet_code generate(const char *family, int64_t n, uint64_t seed, const char *assignment,
                          duet_instance **out, duet_error *error)
{
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK && assignment != NULL) {
        code = duet_options_add(options, assignment, error);
    }
    DUET_THEN(code, duet_test_generate(family, n, 20, 4, seed, options, out, error));
    duet_options_free(options);
    return code;
}

static duet_instance *made(const char *family, int64_t n, uint64_t seed, const char *assignment)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (generate(family, n, seed, assignment, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

static void expect_refused(const char *family, int64_t n, const char *assignment,
                           const char *fragment)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(generate(family, n, 1, assignment, &instance, &error), DUET_E_USAGE);
    assert_null(instance);
    if (strstr(error.message, fragment) == NULL) {
        fail_msg("expected \"%s\", got \"%s\"", fragment, error.message);
    }
}

static void expect_range(const char *family, const char *assignment, size_t type, int64_t low,
                         int64_t high)
{
    duet_instance *instance = made(family, 3000, 5, assignment);
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        int64_t time = duet_instance_time(instance, i, type);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    assert_true(least >= low && most <= high);
    // 3000 draws come close to both ends of a range.
    assert_true(least - low <= (high - low) / 5 && high - most <= (high - low) / 2);
    duet_instance_free(instance);
}

static void test_ranges(void **state)
{
    (void)state;
    expect_range("unif2", NULL, 0, 1, 100);
    expect_range("unif2", NULL, 1, 1, 100);
    expect_range("unif4", NULL, 1, 1, 10000);
    expect_range("acc", NULL, 0, 1000, 10000);
    expect_range("bleuse", NULL, 0, 1050, 10500);
    expect_range("bleuse", "round=up", 0, 10, 100);
    expect_range("bleuse", "parts=100", 0, 105000, 1050000);
    expect_range("corr", NULL, 0, 1, 10000);
    expect_range("bimod", NULL, 1, 1, 10000);
    expect_range("uniform", "cpu-max=50", 0, 10, 50);
    expect_range("uniform", NULL, 1, 1, 100);
}

// Whether p / factor, rounded to nearest, is q.
static bool rounds_to(int64_t p, int64_t factor, int64_t q)
{
    int64_t twice = 2 * (factor * q - p);
    return twice >= -factor && twice <= factor;
}

static void test_related_times(void **state)
{
    (void)state;
    duet_instance *acc = made("acc", 500, 3, NULL);
    duet_instance *corr = made("corr", 500, 3, NULL);
    int slow = 0;
    for (size_t i = 0; i < 500; i++) {
        int64_t p = duet_instance_time(acc, i, 0);
        int64_t q = duet_instance_time(acc, i, 1);
        bool fifteen = rounds_to(p, 15, q);
        bool thirty_five = rounds_to(p, 35, q);
        assert_true(fifteen || thirty_five);
        slow += fifteen;
        p = duet_instance_time(corr, i, 0);
        q = duet_instance_time(corr, i, 1);
        assert_true(q >= 1 && 10 * q >= p - 5 && 10 * q <= 12 * p + 10);
    }
    assert_in_range(slow, 150, 350);
    duet_instance_free(acc);
    duet_instance_free(corr);
}

// A 15th or a 35th without a rest; rounded only where that is asked for.
static void test_exact_factors(void **state)
{
    (void)state;
    duet_instance *exact = made("bleuse", 500, 3, NULL);
    duet_instance *up = made("bleuse", 500, 3, "round=up");
    duet_instance *nearest = made("bleuse", 500, 3, "round=nearest");
    int slow = 0;
    assert_string_equal(duet_instance_name(exact), "bleuse-500-3");
    assert_string_equal(duet_instance_name(up), "bleuse-up-500-3");
    assert_string_equal(duet_instance_time_unit(exact), "/105");
    for (size_t i = 0; i < 500; i++) {
        int64_t p = duet_instance_time(exact, i, 0);
        int64_t q = duet_instance_time(exact, i, 1);
        int64_t factor = p / q;
        assert_true((factor == 15 || factor == 35) && p == factor * q && p % 105 == 0);
        slow += factor == 15;
        assert_int_equal(duet_instance_time(up, i, 0), p / 105);
        assert_int_equal(duet_instance_time(up, i, 1), (q + 104) / 105);
        assert_true(rounds_to(p / 105, factor, duet_instance_time(nearest, i, 1)));
    }
    assert_in_range(slow, 150, 350);
    duet_instance_free(exact);
    duet_instance_free(up);
    duet_instance_free(nearest);
}

static void test_factorisations(void **state)
{
    (void)state;
    duet_instance *chol = made("chol", 0, 1, NULL);
    assert_string_equal(duet_instance_name(chol), "chol-10-sirocco-single-960");
    assert_string_equal(duet_instance_time_unit(chol), "us");
    assert_int_equal(duet_instance_tasks(chol), 10 + 45 + 45 + 120);
    assert_string_equal(duet_instance_kind_id(chol, 3), "gemm");
    assert_int_equal(duet_instance_kind_count(chol, 3), 120);
    char buffer[32];
    assert_string_equal(duet_instance_format_time(chol, duet_instance_time(chol, 3, 1), buffer),
                        "754.5142");
    duet_instance_free(chol);
    chol = made("chol", 2, 1, "row=canon2018-960");
    assert_string_equal(duet_instance_time_unit(chol), "ms");
    assert_int_equal(duet_instance_kinds(chol), 3); // no gemm yet
    assert_string_equal(duet_instance_format_time(chol, duet_instance_time(chol, 1, 1), buffer),
                        "8.11");
    duet_instance_free(chol);
    chol = made("chol", 3, 1, "row=hopper-double-960");
    assert_string_equal(duet_instance_name(chol), "chol-3-hopper-double-960");
    assert_string_equal(duet_instance_format_time(chol, duet_instance_time(chol, 2, 0), buffer),
                        "13177.2");
    duet_instance_free(chol);
    duet_instance *lu = made("lu", 4, 1, "row=mirage-single-320");
    assert_int_equal(duet_instance_tasks(lu), 4 + 6 + 6 + 14);
    assert_string_equal(duet_instance_name(lu), "lu-4-mirage-single-320");
    duet_instance_free(lu);
    lu = made("lu", 1, 1, NULL);
    assert_int_equal(duet_instance_kinds(lu), 1);
    duet_instance_free(lu);
    duet_instance *qr = made("qr", 5, 1, NULL);
    static const char *const kernels[] = {"geqrt", "unmqr", "tsqrt", "tsmqr"};
    static const int64_t counts[] = {5, 10, 10, 30};
    assert_string_equal(duet_instance_name(qr), "qr-5-epyc-double-960-derived");
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(duet_instance_kind_id(qr, i), kernels[i]);
        assert_int_equal(duet_instance_kind_count(qr, i), counts[i]);
    }
    duet_instance_free(qr);
}

// The values are those of every machine and every release: a seed names an instance.
static void test_determinism(void **state)
{
    (void)state;
    for (size_t f = 0; f < duet_family_count(); f++) {
        const char *name = duet_family_entry(f)->name;
        if (duet_family_entry(f)->guarantee != NULL) {
            continue; // nothing is drawn: test_worst.c has the worst cases
        }
        duet_instance *a = made(name, 12, 42, NULL);
        duet_instance *b = made(name, 12, 42, NULL);
        duet_instance *c = made(name, 12, 43, NULL);
        int64_t difference = 0;
        for (size_t i = 0; i < duet_instance_kinds(a); i++) {
            for (size_t t = 0; t < 2; t++) {
                assert_int_equal(duet_instance_time(a, i, t), duet_instance_time(b, i, t));
                difference += duet_instance_time(a, i, t) != duet_instance_time(c, i, t);
            }
        }
        assert_true(difference > 0 || strcmp(name, "chol") == 0 || strcmp(name, "lu") == 0 ||
                    strcmp(name, "qr") == 0);
        assert_int_equal(duet_instance_type_count(a, 0), 20);
        assert_int_equal(duet_instance_type_count(a, 1), 4);
        duet_instance_free(a);
        duet_instance_free(b);
        duet_instance_free(c);
    }
    duet_instance *known = made("unif4", 3, 1, NULL);
    assert_int_equal(duet_instance_time(known, 0, 0), 9558);
    assert_int_equal(duet_instance_time(known, 0, 1), 523);
    assert_int_equal(duet_instance_time(known, 2, 1), 163);
    assert_string_equal(duet_instance_kind_id(known, 2), "t2");
    assert_string_equal(duet_instance_name(known), "unif4-3-1");
    duet_instance_free(known);
}

static void test_distributions(void **state)
{
    (void)state;
    static const char *const names[] = {"normal", "lognormal", "exponential", "gamma"};
    for (size_t d = 0; d < 4; d++) {
        char assignment[40];
        snprintf(assignment, sizeof assignment, "distribution=%s", names[d]);
#ifdef DUET_WITH_GSL
        duet_instance *instance = made("uniform", 4000, 9, assignment);
        double mean = 0;
        for (size_t i = 0; i < 4000; i++) {
            int64_t time = duet_instance_time(instance, i, 0);
            assert_true(time >= 10 && time <= 1000);
            mean += (double)time / 4000;
        }
        // The normal one is symmetric; the others lean to short times.
        assert_true(d == 0 ? mean > 490 && mean < 520 : mean > 40 && mean < 350);
        duet_instance_free(instance);
#else
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(generate("uniform", 10, 9, assignment, &instance, &error),
                         DUET_E_UNSUPPORTED);
        assert_non_null(strstr(error.message, "DUET_WITH_GSL"));
#endif
    }
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("none", 1, NULL,
                   "uniform, acc, unif2, unif4, corr, bimod, chol, lu, qr, bleuse");
    expect_refused("acc", -1, NULL, "expected 1 to");
    expect_refused("acc", INT64_MAX, NULL, "expected 1 to");
    expect_refused("acc", 3, "cpu-min=1", "cpu-min");
    expect_refused("bleuse", 3, "parts=0", "parts");
    expect_refused("bleuse", 3, "round=down", "nearest");
    expect_refused("uniform", 3, "cpu-min=2000", "cpu-min to be at most cpu-max");
    expect_refused("uniform", 3, "gpu-min=-1", "gpu-min");
    expect_refused("bimod", 3, "factor-min=101", "factor-min to be at most factor-max");
    expect_refused("bimod", 3, "long-percent=101", "long-percent");
    expect_refused("chol", 3, "row=nowhere", "sirocco-single-{320|640|960|1440}, canon2018-{960}");
    expect_refused("chol", 3, "row=nowhere", "hopper-double-{320|512|960|1920}");
    expect_refused("lu", 3, "row=canon2018-960", "sirocco-double-{320|640|960|1440}");
    expect_refused("chol", 3, "row=sirocco-single-9600", "unknown row");
    expect_refused("qr", 3, "row=sirocco-double-960",
                   "one of epyc-double-{320|640|960|1440}, "
                   "epyc-single-{320|640|960|1440}, assumed-{960}");
    expect_refused("lu", 100000, NULL, "too much work");
    duet_instance *instance = NULL;
    assert_int_equal(duet_test_generate("acc", 3, 0, 0, 1, NULL, &instance, NULL), DUET_E_USAGE);
    assert_int_equal(duet_test_generate("acc", 3, -2, 2, 1, NULL, &instance, NULL), DUET_E_USAGE);
    assert_int_equal(duet_test_generate("acc", 3, 2, -2, 1, NULL, &instance, NULL), DUET_E_USAGE);
    assert_int_equal(duet_test_generate("acc", 3, -1, 2, 1, NULL, &instance, NULL), DUET_OK);
    assert_int_equal(duet_instance_type_count(instance, 0), 20); // the default
    assert_int_equal(duet_instance_type_count(instance, 1), 2);
    assert_null(duet_instance_claim(instance));
    duet_instance_free(instance);
    assert_int_equal(duet_test_generate("acc", 3, 0, 2, 1, NULL, &instance, NULL), DUET_OK);
    duet_instance_free(instance);
}

// --- task graphs ---------------------------------------------------------------------------------

// Whether every edge goes from a smaller number to a larger one.
static bool runs_forward(const duet_instance *instance)
{
    bool forward = true;
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        forward = forward && edge.from < edge.to;
    }
    return forward;
}

static size_t degree(const duet_instance *instance, int64_t task, bool in)
{
    size_t count;
    if (in) {
        (void)duet_instance_edges_to(instance, task, &count);
    } else {
        (void)duet_instance_edges_from(instance, task, &count);
    }
    return count;
}

static void test_graphs(void **state)
{
    (void)state;
    static const char *const families[] = {"layered",   "daggen", "series-parallel",
                                           "fork-join", "chains", "adhoc"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int64_t n = 1; n <= 80; n += n < 10 ? 1 : 7) {
            duet_instance *instance = made(families[f], n, (uint64_t)n, NULL);
            assert_int_equal(duet_instance_tasks(instance), n);
            assert_true(runs_forward(instance));
            assert_int_equal(duet_instance_features(instance) & ~1U, 0);
            duet_instance_free(instance);
        }
    }
    // Each task after the first layer has predecessors, three in the mean.
    duet_instance *instance = made("layered", 3000, 1, "width=20");
    int64_t roots = 0;
    for (int64_t j = 0; j < 3000; j++) {
        roots += degree(instance, j, true) == 0;
    }
    assert_true(roots >= 1 && roots < 40);
    assert_in_range(duet_instance_edges(instance), 7500, 9500);
    duet_instance_free(instance);

    instance = made("chains", 35, 1, "chains=10");
    assert_int_equal(duet_instance_edges(instance), 25);
    duet_instance_free(instance);

    // A fork, five tasks, a join that is the next fork.
    instance = made("fork-join", 13, 1, "width=5");
    assert_int_equal(duet_instance_edges(instance), 20);
    assert_int_equal(degree(instance, 6, true), 5);
    assert_int_equal(degree(instance, 6, false), 5);
    assert_int_equal(degree(instance, 12, true), 5);
    duet_instance_free(instance);

    // One source, one sink.
    instance = made("series-parallel", 200, 3, NULL);
    for (int64_t j = 0; j < 200; j++) {
        assert_true((degree(instance, j, true) == 0) == (j == 0));
        assert_true((degree(instance, j, false) == 0) == (j == 199));
    }
    duet_instance_free(instance);

    // A chain, and independent tasks.
    instance = made("daggen", 50, 1, "width=0");
    assert_int_equal(duet_instance_edges(instance), 49);
    duet_instance_free(instance);
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "width=1", NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "regularity=1", NULL), DUET_OK);
    assert_int_equal(duet_test_generate("daggen", 50, 2, 1, 1, options, &instance, NULL), DUET_OK);
    assert_int_equal(duet_instance_edges(instance), 0);
    duet_instance_free(instance);
    duet_options_free(options);

    // ceil(300 / (20 / 4 + 4)) = 34 tasks in the chain.
    instance = made("adhoc", 300, 1, "mu=4");
    assert_int_equal(duet_instance_edges(instance), 33);
    duet_instance_free(instance);

    // Costs: none between CPUs, one of 16 values else.
    instance = made("layered", 500, 1, "cost=1000");
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION);
    int64_t highest = 0;
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        int64_t cost = duet_instance_transfer(instance, e, 0, 1);
        assert_int_equal(duet_instance_transfer(instance, e, 0, 0), 0);
        assert_int_equal(duet_instance_transfer(instance, e, 1, 1), cost);
        highest = cost > highest ? cost : highest;
    }
    assert_int_equal(highest, 1000);
    duet_instance_free(instance);
    expect_refused("layered", 10, "gpu-max=5", "gpu-min");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_related_times),
        cmocka_unit_test(test_exact_factors), cmocka_unit_test(test_factorisations),
        cmocka_unit_test(test_determinism),   cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
