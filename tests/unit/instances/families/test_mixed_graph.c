// SPDX-License-Identifier: Apache-2.0
// Family mixed-graph: what every seed gives, and what options fix.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "bench/run/measure.h"

enum { SEEDS = 400 };

static const char *const structures[] = {
    "chol", "lu", "qr", "layered", "daggen", "series-parallel", "fork-join", "chains", NULL};

static duet_instance *made(const char *family, int64_t n, uint64_t seed, const char *options)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_bench_generate(family, n, -1, -1, seed, options, &instance, &error) != DUET_OK) {
        fail_msg("seed %llu, %s: %s", (unsigned long long)seed, options, error.message);
    }
    return instance;
}

// Takes away tasks that wait for none, as long as there are such.
static bool is_acyclic(const duet_instance *instance)
{
    int64_t tasks = duet_instance_tasks(instance);
    size_t *waits = calloc((size_t)tasks, sizeof *waits);
    int64_t *free_task = calloc((size_t)tasks, sizeof *free_task);
    assert_true(waits != NULL && free_task != NULL);
    int64_t found = 0;
    for (int64_t j = 0; j < tasks; j++) {
        (void)duet_instance_edges_to(instance, j, &waits[j]);
        if (waits[j] == 0) {
            free_task[found++] = j;
        }
    }
    for (int64_t i = 0; i < found; i++) {
        size_t count;
        const int32_t *edge = duet_instance_edges_from(instance, free_task[i], &count);
        for (size_t e = 0; e < count; e++) {
            int64_t to = duet_instance_edge(instance, edge[e]).to;
            if (--waits[to] == 0) {
                free_task[found++] = to;
            }
        }
    }
    free(waits);
    free(free_task);
    return found == tasks;
}

static void expect_same_edges(const duet_instance *a, const duet_instance *b)
{
    assert_int_equal(duet_instance_edges(a), duet_instance_edges(b));
    for (int64_t e = 0; e < duet_instance_edges(a); e++) {
        assert_int_equal(duet_instance_edge(a, e).from, duet_instance_edge(b, e).from);
        assert_int_equal(duet_instance_edge(a, e).to, duet_instance_edge(b, e).to);
    }
}

static void expect_same_times(const duet_instance *a, const duet_instance *b, size_t type)
{
    assert_int_equal(duet_instance_kinds(a), duet_instance_kinds(b));
    for (size_t i = 0; i < duet_instance_kinds(a); i++) {
        assert_int_equal(duet_instance_time(a, i, type), duet_instance_time(b, i, type));
    }
}

static void expect_named(const duet_instance *instance, const char *words)
{
    if (strstr(duet_instance_name(instance), words) == NULL) {
        fail_msg("expected %s in %s", words, duet_instance_name(instance));
    }
}

static void check_seed(const duet_instance *instance)
{
    int64_t n = duet_instance_tasks(instance);
    int64_t m = duet_instance_type_count(instance, 0);
    int64_t k = duet_instance_type_count(instance, 1);
    bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
    assert_int_equal(duet_instance_types(instance), 2);
    assert_true(n >= 20 && n <= 1000 && m >= 2 && m <= 64 && k >= 1 && k <= 8);
    assert_true(is_acyclic(instance));
    assert_true(duet_instance_edges(instance) > 0);
    assert_true(costs == (strstr(duet_instance_name(instance), "-cost") != NULL));
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        assert_true(duet_instance_time(instance, i, 0) >= 1);
        assert_true(duet_instance_time(instance, i, 1) >= 1);
    }
}

// Over the seeds all of it occurs that the family speaks of, within its ranges.
static void test_seeds(void **state)
{
    (void)state;
    size_t found[sizeof structures / sizeof *structures] = {0};
    size_t costs = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        duet_instance *instance = made("mixed-graph", 0, seed, "");
        check_seed(instance);
        costs += strstr(duet_instance_name(instance), "-cost") != NULL;
        for (size_t s = 0; structures[s] != NULL; s++) {
            char word[24];
            snprintf(word, sizeof word, "-%s-", structures[s]);
            found[s] += strstr(duet_instance_name(instance), word) != NULL;
        }
        duet_instance_free(instance);
    }
    assert_in_range(costs, SEEDS / 6, SEEDS / 3);
    for (size_t s = 0; structures[s] != NULL; s++) {
        assert_in_range(found[s], SEEDS / 16, SEEDS / 4);
    }
}

// The numbers are those of every machine and every release: a seed names an instance.
static void test_known(void **state)
{
    (void)state;
    duet_instance *instance = made("mixed-graph", 0, 14, "");
    assert_string_equal(duet_instance_name(instance),
                        "mixed-graph-139-14-daggen-w0.330-r0.545-d0.319-j2-s2.586-g4-cost57");
    static const int64_t times[3][2] = {{124, 45}, {57, 31}, {113, 86}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(duet_instance_time(instance, i, 0), times[i][0]);
        assert_int_equal(duet_instance_time(instance, i, 1), times[i][1]);
    }
    duet_instance_free(instance);
}

// Fixing a choice changes what it says and nothing else.
static void test_fixed_choices(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
        duet_instance *drawn = made("mixed-graph", 0, seed, "");
        duet_instance *costly = made("mixed-graph", 0, seed, "cost=900");
        duet_instance *fast = made("mixed-graph", 0, seed, "speedup=3 gamma=1");
        expect_same_edges(drawn, costly);
        expect_same_edges(drawn, fast);
        expect_same_times(drawn, costly, 0);
        expect_same_times(drawn, costly, 1);
        expect_same_times(drawn, fast, 1);
        assert_int_equal(duet_instance_type_count(drawn, 0), duet_instance_type_count(fast, 0));
        expect_named(costly, "-cost900");
        duet_instance_free(drawn);
        duet_instance_free(costly);
        duet_instance_free(fast);
    }
    static const struct {
        const char *options, *words;
    } expected[] = {
        {"structure=layered width=0.5 degree=2 speedup=3 gamma=1 cost=0",
         "mixed-graph-90-3-layered-w0.500-d2-s3.000-g1"},
        {"structure=daggen width=0.3 regularity=0.6 density=0.25 jump=2 speedup=1.5 gamma=4 cost=7",
         "mixed-graph-90-3-daggen-w0.300-r0.600-d0.250-j2-s1.500-g4-cost7"},
        {"structure=series-parallel parallel=0.4", "mixed-graph-90-3-series-parallel-p0.400-s"},
        {"structure=fork-join width=0.6", "mixed-graph-90-3-fork-join-w0.600-s"},
        {"structure=chains width=0.7", "mixed-graph-90-3-chains-w0.700-s"},
        {"structure=lu cost=0", "mixed-graph-91-3-lu-t6"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        duet_instance *instance = made("mixed-graph", 90, 3, expected[i].options);
        expect_named(instance, expected[i].words);
        duet_instance_free(instance);
    }
}

// Tiled graphs are those of their families, with other times. Those that are drawn have a number of
// tasks in the range, or the largest below it.
static void test_tiles(void **state)
{
    (void)state;
    static const char *const tiled[] = {"chol", "lu", "qr"};
    for (size_t f = 0; f < 3; f++) {
        char structure[40];
        snprintf(structure, sizeof structure, "structure=%s cost=0", tiled[f]);
        for (int64_t n = 1; n <= 7; n++) {
            duet_instance *plain = made(tiled[f], n, 1, "edges=true");
            duet_instance *drawn =
                made("mixed-graph", duet_instance_tasks(plain), (uint64_t)n, structure);
            assert_int_equal(duet_instance_tasks(drawn), duet_instance_tasks(plain));
            expect_same_edges(drawn, plain);
            duet_instance_free(plain);
            duet_instance_free(drawn);
        }
    }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        duet_instance *low = made("mixed-graph", 0, seed, "structure=lu n-min=40 n-max=60");
        assert_int_equal(duet_instance_tasks(low), 55);
        duet_instance_free(low);
        duet_instance *few = made("mixed-graph", 0, seed, "structure=lu n-min=60 n-max=70");
        assert_int_equal(duet_instance_tasks(few), 55);
        duet_instance_free(few);
    }
}

// However few tasks there are.
static void test_small(void **state)
{
    (void)state;
    for (size_t s = 0; structures[s] != NULL; s++) {
        char options[40];
        snprintf(options, sizeof options, "structure=%s", structures[s]);
        for (int64_t n = 1; n <= 12; n++) {
            duet_instance *instance = made("mixed-graph", n, (uint64_t)n, options);
            assert_true(s < 3 || duet_instance_tasks(instance) == n);
            assert_true(is_acyclic(instance));
            duet_instance_free(instance);
        }
    }
}

static void expect_refused(int64_t n, const char *options, const char *fragment)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_bench_generate("mixed-graph", n, 2, 1, 1, options, &instance, &error),
                     DUET_E_USAGE);
    assert_null(instance);
    if (strstr(error.message, fragment) == NULL) {
        fail_msg("expected \"%s\", got \"%s\"", fragment, error.message);
    }
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused(0, "n-min=9 n-max=8", "expected n-min to be at most n-max");
    expect_refused(0, "structure=adhoc", "structure");
    expect_refused(0, "width=1.5", "width");
    expect_refused(2000000, "", "without one it is what is drawn");
    const int64_t counts[3] = {2, 1, 1};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(
        duet_generate("mixed-graph",
                      &(duet_generate_params){sizeof(duet_generate_params), 0, 3, counts, 1, NULL},
                      &instance, &error),
        DUET_E_USAGE);
    assert_non_null(strstr(error.message, "expected two"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),         cmocka_unit_test(test_known),
        cmocka_unit_test(test_fixed_choices), cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_small),         cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
