// SPDX-License-Identifier: Apache-2.0
// Instances from arrays: what is accepted, what is refused and why, derived task ids.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

static const duet_type two_types[] = {{"cpu", 2}, {"gpu", 1}};

static void derived_ids(void **state)
{
    (void)state;
    static const char *const ids[] = {"gemm", "potrf", "syrk"};
    static const int64_t counts[] = {3, 1, 2};
    static const int64_t times[] = {170, 6, 33, 15, 95, DUET_FORBIDDEN};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "n",
                               .time_unit = "ms",
                               .decimals = 1,
                               .types = 2,
                               .platform = two_types,
                               .kinds = 3,
                               .ids = ids,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    static const char *const expected[] = {"gemm#0", "gemm#1", "gemm#2",
                                           "potrf",  "syrk#0", "syrk#1"};
    static const size_t kinds[] = {0, 0, 0, 1, 2, 2};
    assert_int_equal(duet_instance_tasks(instance), 6);
    for (int64_t j = 0; j < 6; j++) {
        char id[16];
        assert_int_equal(duet_instance_task_id(instance, j, id, sizeof id), strlen(expected[j]));
        assert_string_equal(id, expected[j]);
        assert_int_equal(duet_instance_kind_of(instance, j), kinds[j]);
    }
    char text[32];
    assert_string_equal(duet_instance_format_time(instance, 156, text), "15.6");
    assert_int_equal(duet_instance_time(instance, 2, 1), DUET_FORBIDDEN);
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    duet_instance_free(instance);
}

static void expect_error(duet_instance_desc desc, duet_code code, const char *fragment)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), code);
    assert_null(instance);
    if (strstr(error.message, fragment) == NULL) {
        fail_msg("'%s' lacks '%s'", error.message, fragment);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const int64_t times[] = {1, 2, 3, 4};
    const duet_instance_desc good = {
        .struct_size = sizeof good, .types = 2, .platform = two_types, .kinds = 2, .times = times};
    duet_instance_desc desc = good;
    static const char *const same[] = {"a", "a"};
    desc.ids = same;
    expect_error(desc, DUET_E_INPUT, "duplicate task id 'a'");
    static const char *const hidden[] = {"a", "a#1"};
    static const int64_t counts[] = {3, 1};
    desc.ids = hidden;
    desc.counts = counts;
    expect_error(desc, DUET_E_INPUT, "duplicate task id 'a#1'");
    static const char *const empty[] = {"a", ""};
    desc.ids = empty;
    expect_error(desc, DUET_E_INPUT, "empty task id");
    desc = good;
    static const int64_t none[] = {1, 0};
    desc.counts = none;
    expect_error(desc, DUET_E_INPUT, "count 0");
    desc = good;
    static const int64_t negative[] = {1, 2, 3, -4};
    desc.times = negative;
    expect_error(desc, DUET_E_INPUT, "time -4");
    static const int64_t nowhere[] = {1, 2, DUET_FORBIDDEN, DUET_FORBIDDEN};
    desc.times = nowhere;
    expect_error(desc, DUET_E_INFEASIBLE, "forbidden on every processor type");
    static const int64_t huge[] = {INT64_C(1) << 62, 2, 1, 2};
    desc.times = huge;
    expect_error(desc, DUET_E_INPUT, "too much work");
    desc = good;
    static const duet_type zero[] = {{"cpu", 0}, {"gpu", 0}};
    desc.platform = zero;
    expect_error(desc, DUET_E_INPUT, "no processors");
    static const duet_type twins[] = {{"cpu", 1}, {"cpu", 1}};
    desc.platform = twins;
    expect_error(desc, DUET_E_INPUT, "duplicate processor type");
    static const duet_type many[] = {{"cpu", DUET_MAX_PROCESSORS + 1}, {"gpu", 1}};
    desc.platform = many;
    expect_error(desc, DUET_E_INPUT, "at most 2147483647");
    desc = good;
    desc.decimals = DUET_MAX_DECIMALS + 1;
    expect_error(desc, DUET_E_INPUT, "0 to 18 decimals");
}

static void exactly_the_largest_work(void **state)
{
    (void)state;
    static const int64_t times[] = {(INT64_C(1) << 62) - 1, 2, 1, 1};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = two_types, .kinds = 2, .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_instance_free(instance);
}

// An id that only looks like a task of another kind is fine.
static void ids_with_hashes(void **state)
{
    (void)state;
    static const char *const ids[] = {"a", "a#3", "a#01", "#1", "a#1x", "b", "b#0"};
    static const int64_t counts[] = {3, 1, 1, 1, 1, 1, 1};
    int64_t times[14];
    for (int i = 0; i < 14; i++) {
        times[i] = 1;
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = two_types,
                               .kinds = 7,
                               .ids = ids,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_instance_free(instance);
}

static void counts_can_be_set(void **state)
{
    (void)state;
    static const int64_t times[] = {1, DUET_FORBIDDEN};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = two_types, .kinds = 1, .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    const int64_t counts[] = {0, 3};
    const int64_t zero[] = {0, 0};
    const int64_t negative[] = {-1, 3};
    assert_int_equal(duet_instance_set_counts(instance, 1, counts, NULL), DUET_E_USAGE);
    assert_int_equal(duet_instance_set_counts(instance, 2, zero, NULL), DUET_E_USAGE);
    assert_int_equal(duet_instance_set_counts(instance, 2, negative, NULL), DUET_E_USAGE);
    assert_int_equal(duet_instance_type_count(instance, 0), 2);
    assert_int_equal(duet_instance_set_counts(instance, 2, counts, NULL), DUET_OK);
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, NULL, NULL, &solution, NULL), DUET_E_INFEASIBLE);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derived_ids),       cmocka_unit_test(refuses),
        cmocka_unit_test(ids_with_hashes),   cmocka_unit_test(exactly_the_largest_work),
        cmocka_unit_test(counts_can_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
