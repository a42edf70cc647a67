// SPDX-License-Identifier: Apache-2.0
// Moldable tasks: tables of Amdahl's law against exact fractions, tables that kinds share,
// redistribution, sets of processors, other numbers of processors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/instance/moldable.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

// --- laws ----------------------------------------------------------------------------------------

static void check_table(duet_law law, duet_fraction speed, size_t length, const int64_t *expected)
{
    duet_law_ticks ticks;
    int64_t table[16];
    assert_true(duet_law_prepare(&law, speed, 0, &ticks));
    duet_law_table(&ticks, (int64_t)length, table);
    for (size_t p = 0; p < length; p++) {
        assert_int_equal(table[p], expected[p]);
    }
}

// Rounding up alone gives 4 2 2 1 and 8 4 3 2, or 6 3 2 and 8 5 3: areas 4 4 6 4 and 8 8 9 8, or 6
// 6 6 and 8 10 9, which fall.
static void rounding_keeps_areas_monotone(void **state)
{
    (void)state;
    const duet_law four = {{4, 0}, {0, 0}};
    const duet_law eight = {{8, 0}, {0, 0}};
    check_table(four, (duet_fraction){1, 1}, 4, (const int64_t[]){4, 2, 2, 2});
    check_table(eight, (duet_fraction){1, 1}, 4, (const int64_t[]){8, 4, 3, 3});
    // 8 (0.1 + 0.9/p): 8, 4.4, 3.2; 26/3 on two thirds of the speed.
    const duet_law tenth = {{8, 0}, {1, 1}};
    check_table(tenth, (duet_fraction){1, 1}, 4, (const int64_t[]){8, 5, 4, 3});
    check_table(tenth, (duet_fraction){2, 3}, 3, (const int64_t[]){12, 7, 5});
}

static duet_uint128 power_of_ten(int exponent)
{
    duet_uint128 power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

// ceil((alpha + (1 - alpha)/p) work/speed) with numbers small enough for 128 bits.
static int64_t plain_ceil(const duet_law *law, int64_t speed, int decimals, int64_t p)
{
    duet_uint128 unit = power_of_ten(law->alpha.places);
    duet_uint128 alpha = (duet_uint128)law->alpha.mantissa;
    duet_uint128 parts = alpha * (uint64_t)p + unit - alpha;
    duet_uint128 num = parts * (uint64_t)law->work.mantissa * power_of_ten(decimals);
    duet_uint128 den = unit * (uint64_t)p * (uint64_t)speed * power_of_ten(law->work.places);
    return (int64_t)duet_fraction_ceil((duet_fraction){num, den});
}

static void laws_are_exact(void **state)
{
    (void)state;
    int64_t laws = duet_test_number("DUET_TEST_INSTANCES", 2000);
    duet_random random;
    duet_random_seed(&random, duet_test_seed());
    for (int64_t i = 0; i < laws; i++) {
        duet_law law = {{duet_random_between(&random, 1, 1000000), (int)(i % 4)},
                        {duet_random_between(&random, 0, 1000), 3}};
        int64_t speed = duet_random_between(&random, 1, 50);
        int decimals = (int)(i % 7);
        duet_law_ticks ticks;
        int64_t table[40];
        assert_true(duet_law_prepare(&law, (duet_fraction){(uint64_t)speed, 1}, decimals, &ticks));
        assert_true(ticks.narrow);
        duet_law_table(&ticks, 40, table);
        duet_law_ticks wide = ticks;
        wide.narrow = false;
        for (int64_t p = 1; p <= 40; p++) {
            int64_t least = plain_ceil(&law, speed, decimals, p);
            assert_int_equal(duet_law_ceil(&ticks, p), least);
            assert_int_equal(duet_law_ceil(&wide, p), least);
            assert_true(table[p - 1] >= least);
            if (p > 1) {
                // The least value that keeps both monotone, not more.
                int64_t area = (p - 1) * table[p - 2];
                assert_true(table[p - 1] <= table[p - 2]);
                assert_true(p * table[p - 1] >= area);
                assert_true(table[p - 1] == least || p * (table[p - 1] - 1) < area);
            }
        }
    }
}

// Numbers of 18 digits, as floating-point programs print them: nothing fits into 128 bits. The
// expected values are those of Python's fractions.
static void long_numbers_are_exact(void **state)
{
    (void)state;
    const duet_law law = {{54321987654321019, 11}, {123456789012345678, 18}};
    const duet_fraction speed = duet_decimal_fraction((duet_decimal){2345678901234567, 15});
    duet_law_ticks ticks;
    assert_true(duet_law_prepare(&law, speed, 6, &ticks));
    assert_false(ticks.narrow);
    assert_int_equal(duet_law_ceil(&ticks, 1), 231583221497);
    assert_int_equal(duet_law_ceil(&ticks, 7), 57589478141);
    assert_int_equal(duet_law_ceil(&ticks, 511), 28987766905);
    const duet_law huge = {{INT64_C(1) << 62, 0}, {0, 0}};
    assert_false(duet_law_prepare(&huge, (duet_fraction){1, 1}, 1, &ticks));
}

// --- instances -----------------------------------------------------------------------------------

static duet_instance *make(const duet_instance_desc *desc)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    if (duet_instance_create(desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

static const duet_type clusters[] = {{"a", 4}, {"b", 2}};

static void kinds_have_tables(void **state)
{
    (void)state;
    const int64_t table[] = {9, 5, 4};
    const duet_number speeds[] = {{1, 0}, {2, 0}};
    const duet_moldable_times times[] = {
        {.table = table, .length = 3},
        {.length = 0},
        {.work = {8, 0}},
        {.work = {8, 0}},
        {.table = table, .length = 3},
        {.table = table, .length = 1},
    };
    const duet_moldable_desc moldable = {
        .struct_size = sizeof moldable, .times = times, .speed = speeds};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = clusters,
                                     .kinds = 3,
                                     .moldable = &moldable};
    duet_instance *instance = make(&desc);
    assert_int_equal(duet_instance_features(instance), DUET_FEATURE_MOLDABLE);
    assert_int_equal(duet_instance_sizes(instance, 0, 0), 3);
    assert_int_equal(duet_instance_sizes(instance, 0, 1), 0);
    assert_int_equal(duet_instance_sizes(instance, 1, 0), 4);
    assert_int_equal(duet_instance_sizes(instance, 2, 1), 1);
    assert_int_equal(duet_instance_time(instance, 0, 0), 9);
    assert_true(duet_instance_time(instance, 0, 1) == DUET_FORBIDDEN);
    assert_int_equal(duet_instance_time(instance, 1, 1), 4);
    assert_int_equal(duet_instance_moldable_time(instance, 0, 0, 2), 5);
    assert_int_equal(duet_instance_moldable_time(instance, 1, 0, 3), 3);
    assert_true(duet_instance_moldable_time(instance, 0, 0, 4) == DUET_FORBIDDEN);
    assert_int_equal(instance->moldable->given, 2); // the two tables of three times are one
    assert_true(duet_moldable_is_monotone(instance, 1));
    duet_number work;
    duet_number alpha;
    assert_true(duet_instance_law(instance, 1, 0, &work, &alpha));
    assert_int_equal(work.mantissa, 8);
    assert_false(duet_instance_law(instance, 0, 0, &work, &alpha));
    // More processors: laws get longer, tables stay; fewer: both are cut.
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_set_counts(instance, 2, (const int64_t[]){8, 1}, &error), 0);
    assert_int_equal(duet_instance_sizes(instance, 1, 0), 8);
    assert_int_equal(duet_instance_moldable_time(instance, 1, 0, 8), 3);
    assert_int_equal(duet_instance_sizes(instance, 0, 0), 3);
    assert_int_equal(duet_instance_set_counts(instance, 2, (const int64_t[]){2, 0}, &error), 0);
    assert_int_equal(duet_instance_sizes(instance, 0, 0), 2);
    assert_int_equal(duet_instance_sizes(instance, 1, 1), 0);
    duet_instance_free(instance);
}

// --- redistribution and sets ---------------------------------------------------------------------

// One edge of 1000 bytes, and another of 0, between tasks of a law on both types, with mixed sets
// or not.
static duet_instance *make_graph(bool mixed_sets)
{
    const duet_number bandwidth[] = {{100, 0}, {10, 0}};
    const duet_number data[] = {{1000, 0}, {0, 0}};
    const duet_edge edges[] = {{0, 1, 0}, {1, 2, 0}};
    const duet_moldable_times law = {.work = {60, 0}};
    const duet_moldable_times times[] = {law, law, law, law, law, law};
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable,
                                         .times = times,
                                         .bandwidth = bandwidth,
                                         .data = data,
                                         .has_network = true,
                                         .latency = {15, 1},
                                         .inter_latency = {5, 0},
                                         .inter_bandwidth = {40, 0},
                                         .mixed_sets = mixed_sets};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = clusters,
                                     .kinds = 3,
                                     .edges = 2,
                                     .edge = edges,
                                     .moldable = &moldable};
    return make(&desc);
}

static void data_are_redistributed(void **state)
{
    (void)state;
    duet_instance *instance = make_graph(true);
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_MIXED_SETS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_PRECEDENCE |
                         DUET_FEATURE_COMMUNICATION);
    assert_int_equal(duet_instance_redistribution(instance, 0, 0, 1, 0, 4), 2 + 10);
    assert_int_equal(duet_instance_redistribution(instance, 0, 0, 3, 0, 4), 2 + 4);
    assert_int_equal(duet_instance_redistribution(instance, 0, 0, 4, 1, 2), 5 + 50);
    assert_int_equal(duet_instance_redistribution(instance, 0, 1, 2, 0, 1), 5 + 50);
    assert_int_equal(duet_instance_redistribution(instance, 1, 0, 1, 0, 1), 2);
    const duet_processor_range first[] = {{0, 0, 1}, {0, 3, 3}};
    const duet_processor_range second[] = {{0, 0, 2}};
    const duet_processor_range mixed[] = {{0, 2, 3}, {1, 0, 1}};
    const duet_processor_set a = {first, 2};
    const duet_processor_set b = {second, 1};
    const duet_processor_set c = {mixed, 2};
    assert_int_equal(duet_moldable_transfer(instance, 0, a, a), 0);
    assert_int_equal(duet_moldable_transfer(instance, 0, a, b), 2 + 4);
    assert_int_equal(duet_moldable_transfer(instance, 0, a, c), 5 + 25);
    assert_int_equal(duet_moldable_duration(instance, 0, a), 20);
    assert_int_equal(duet_moldable_duration(instance, 0, c), 15);
    duet_instance_free(instance);
}

// Three tasks in a row take 10 on their best mixes. A path has no prices, not even ones so small
// against its flow that it would prove as much with them.
static void a_path_of_mixed_sets_has_no_prices(void **state)
{
    (void)state;
    duet_instance *instance = make_graph(true);
    const duet_flow_term passing[] = {{0, 1000}, {1, 1000}};
    const duet_flow_lists flow = {.edges = {passing, 2}};
    duet_certificate path = {.proof = DUET_PROOF_FLOW, .lambda = 30, .types = 2};
    assert_int_equal(duet_flow_create(&flow, &path.flow, NULL), DUET_OK);
    assert_int_equal(duet_certificate_check(&path, instance, NULL, NULL), DUET_OK);
    for (size_t t = 0; t < 2; t++) {
        path.weight[t] = 1;
        assert_int_equal(duet_certificate_check(&path, instance, NULL, NULL), DUET_E_INPUT);
        path.weight[t] = 0;
    }
    path.lambda = 31;
    assert_int_equal(duet_certificate_check(&path, instance, NULL, NULL), DUET_E_INPUT);
    duet_certificate_release(&path);
    duet_instance_free(instance);
}

static void schedules_hold_sets(void **state)
{
    (void)state;
    duet_instance *instance = make_graph(true);
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    assert_int_equal(duet_solution_create_blank(3, &solution, &error), 0);
    assert_int_equal(duet_solution_hold_sets(solution, &error), 0);
    const duet_processor_range touching[] = {{0, 0, 1}, {0, 2, 3}, {1, 0, 0}};
    const duet_processor_range one[] = {{0, 1, 1}};
    for (int64_t j = 0; j < 3; j++) {
        assert_int_equal(
            duet_solution_place_set(solution, j, 0, (duet_processor_set){one, 1}, &error), 0);
    }
    for (int round = 0; round < 50; round++) {
        const duet_processor_set both = {touching, 3};
        assert_int_equal(duet_solution_place_set(solution, 1, round, both, &error), 0);
        // A set of the same solution, which moves while it is placed.
        duet_processor_range none;
        assert_int_equal(duet_solution_place_set(solution, round % 2 * 2, 9,
                                                 duet_solution_set(solution, 1, &none), &error),
                         0);
        assert_int_equal(
            duet_solution_place_set(solution, 1, round, (duet_processor_set){one, 1}, &error), 0);
    }
    size_t count;
    const duet_processor_range *range = duet_solution_processors(solution, 2, &count);
    assert_int_equal(count, 2);
    assert_int_equal(range[0].last, 3);
    assert_int_equal(range[1].type, 1);
    range = duet_solution_processors(solution, 1, &count);
    assert_int_equal(count, 1);
    assert_int_equal(range[0].first, 1);
    assert_int_equal(duet_solution_end(solution, instance, 0), 9 + 12);
    assert_int_equal(duet_solution_measure(solution, instance), 49 + 60);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// --- the checker ---------------------------------------------------------------------------------

// Places the three tasks of make_graph(true), which take 60 ticks on one processor.
typedef struct placing {
    int64_t start;
    duet_processor_range range[2];
    size_t ranges;
} placing;

static void judge_on(duet_instance *instance, const placing *tasks, const char *expected)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    assert_int_equal(duet_solution_create_blank(3, &solution, &error), 0);
    assert_int_equal(duet_solution_hold_sets(solution, &error), 0);
    for (int64_t j = 0; j < 3; j++) {
        const duet_processor_set set = {tasks[j].range, tasks[j].ranges};
        assert_int_equal(duet_solution_place_set(solution, j, tasks[j].start, set, &error), 0);
    }
    if (expected == NULL) {
        duet_solution_finish(solution, instance);
    }
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &error);
    if (expected == NULL) {
        assert_string_equal(error.message, "");
        assert_int_equal(code, DUET_OK);
    } else {
        assert_int_equal(code, DUET_E_INPUT);
        if (strstr(error.message, expected) == NULL) {
            fail_msg("expected '%s', got '%s'", expected, error.message);
        }
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void judge(const placing *tasks, const char *expected)
{
    judge_on(make_graph(true), tasks, expected);
}

static void schedules_are_checked(void **state)
{
    (void)state;
    // 15 ticks on four processors; 5 + 50 to cluster b; 30 ticks; 5 for an edge without data.
    judge((const placing[]){{0, {{0, 0, 3}}, 1}, {70, {{1, 0, 1}}, 1}, {105, {{0, 2, 2}}, 1}},
          NULL);
    judge((const placing[]){{0, {{0, 0, 3}}, 1}, {69, {{1, 0, 1}}, 1}, {105, {{0, 2, 2}}, 1}},
          "task 't1' starts at 69: the data of its predecessor 't0', which ends at 15, are "
          "redistributed at 70");
    judge((const placing[]){{0, {{0, 0, 3}}, 1}, {70, {{1, 0, 1}}, 1}, {104, {{0, 2, 2}}, 1}},
          "task 't2' starts at 104");
    // The same set needs no redistribution, a mixed one runs at the slowest speed.
    const duet_processor_range both[] = {{0, 0, 1}, {1, 0, 1}};
    judge((const placing[]){{0, {both[0], both[1]}, 2},
                            {15, {both[0], both[1]}, 2},
                            {30, {both[0], both[1]}, 2}},
          NULL);
    judge_on(make_graph(false),
             (const placing[]){{0, {both[0], both[1]}, 2},
                               {15, {both[0], both[1]}, 2},
                               {30, {both[0], both[1]}, 2}},
             "task 't0': runs on processors of several types: expected one type, or an instance "
             "with mixed sets");
    judge((const placing[]){{0, {{0, 0, 3}}, 1}, {14, {{0, 0, 3}}, 1}, {30, {{0, 0, 3}}, 1}},
          "tasks 't0' and 't1' overlap on processor 0 of type a");
    judge((const placing[]){{0, {{0, 0, 3}}, 1}, {14, {{1, 0, 0}}, 1}, {99, {{0, 0, 3}}, 1}},
          "redistributed");
    judge((const placing[]){{0, {{0, 1, 4}}, 1}, {99, {{0, 0, 3}}, 1}, {200, {{0, 0, 3}}, 1}},
          "task 't0': runs on a processor that does not exist");
    judge((const placing[]){{0, {{0, 0, 2}, {0, 2, 3}}, 2},
                            {99, {{0, 0, 3}}, 1},
                            {200, {{0, 0, 3}}, 1}},
          "has processors twice or out of order");
    judge((const placing[]){{0, {{1, 0, 0}, {0, 2, 3}}, 2},
                            {99, {{0, 0, 3}}, 1},
                            {200, {{0, 0, 3}}, 1}},
          "has processors twice or out of order");
    judge((const placing[]){{0, {{2, 0, 0}}, 1}, {99, {{0, 0, 3}}, 1}, {200, {{0, 0, 3}}, 1}},
          "task 't0': runs on an unknown processor type");
    judge((const placing[]){{-1, {{0, 0, 3}}, 1}, {99, {{0, 0, 3}}, 1}, {200, {{0, 0, 3}}, 1}},
          "starts outside the schedule");
}

// --- truth ---------------------------------------------------------------------------------------

// The optimum of tasks with tables on so many processors of one type.
static int64_t optimum_of(int64_t processors, size_t tasks, size_t length, const int64_t *tables)
{
    const duet_type cluster[] = {{"cpu", processors}};
    duet_moldable_times times[4];
    for (size_t j = 0; j < tasks; j++) {
        times[j] = (duet_moldable_times){.table = tables + j * length, .length = length};
    }
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = cluster,
                                     .kinds = tasks,
                                     .moldable = &moldable};
    duet_instance *instance = make(&desc);
    int64_t optimum = duet_exhaustive_optimum(instance);
    duet_instance_free(instance);
    return optimum;
}

// The tables of the specification: those that rounding up alone makes of two pairs of laws, and the
// tight example of the ratio 3/2.
static void optima_are_known(void **state)
{
    (void)state;
    assert_int_equal(optimum_of(4, 2, 4, (const int64_t[]){4, 2, 2, 1, 8, 4, 3, 2}), 3);
    assert_int_equal(optimum_of(3, 2, 3, (const int64_t[]){6, 3, 2, 8, 5, 3}), 5);
    assert_int_equal(optimum_of(4, 3, 4, (const int64_t[]){5, 3, 2, 2, 4, 4, 3, 3, 6, 3, 2, 2}), 4);
}

// Data that take no time: whether sets or only their sizes are tried, the optimum is the same.
static void sets_do_not_matter_without_data(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", 300);
    uint64_t seed = duet_test_seed();
    for (int64_t i = 0; i < graphs; i++) {
        int64_t optimum[2];
        for (int form = 0; form < 2; form++) {
            duet_random random;
            duet_random_seed(&random, seed + (uint64_t)i);
            const duet_moldable_shape shape = {.tables = (duet_table_shape)(i % 4),
                                               .most_tasks = 4,
                                               .most_processors = 3,
                                               .most_gpus = i % 3,
                                               .second_cluster = i % 2 == 0,
                                               .longest = 12,
                                               .edges = true,
                                               .data = true};
            duet_instance *instance = duet_random_moldable(&random, &shape);
            duet_moldable *m = instance->moldable;
            size_t row = m->types + 1;
            m->latency = 0;
            m->inter_latency = 0;
            memset(m->move, 0, m->amounts * row * sizeof *m->move);
            m->network = form == 0;
            optimum[form] = duet_exhaustive_optimum(instance);
            duet_instance_free(instance);
        }
        if (optimum[0] != optimum[1]) {
            fail_msg("seed %llu: %lld by sets, %lld by sizes",
                     (unsigned long long)seed + (uint64_t)i, (long long)optimum[0],
                     (long long)optimum[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_keeps_areas_monotone),
        cmocka_unit_test(laws_are_exact),
        cmocka_unit_test(long_numbers_are_exact),
        cmocka_unit_test(kinds_have_tables),
        cmocka_unit_test(data_are_redistributed),
        cmocka_unit_test(a_path_of_mixed_sets_has_no_prices),
        cmocka_unit_test(schedules_hold_sets),
        cmocka_unit_test(schedules_are_checked),
        cmocka_unit_test(optima_are_known),
        cmocka_unit_test(sets_do_not_matter_without_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
