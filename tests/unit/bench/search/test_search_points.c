// SPDX-License-Identifier: Apache-2.0
// Candidates of `duet bench search`: moves, optima, and the instances that they stand for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/run/exhaustive.h"
#include "bench/search/search.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"

static duet_search_space small_space(uint64_t seed)
{
    static const int64_t times[] = {3, 20, 1000, DUET_SEARCH_MAX_TIME};
    return (duet_search_space){.least = {seed % 5 == 0 ? 0 : 1, seed % 7 == 0 ? 0 : 1},
                               .most = {3, 2},
                               .least_tasks = 1 + (int64_t)(seed % 3),
                               .most_tasks = 7,
                               .max_time = times[seed % 4],
                               .accelerated = seed % 3 == 0,
                               .forbidden = seed % 4 == 1};
}

static void moves_stay_in_their_space(void **state)
{
    (void)state;
    for (uint64_t seed = duet_test_seed(); seed < duet_test_seed() + 200; seed++) {
        duet_search_space space = small_space(seed);
        duet_random random;
        duet_random_seed(&random, seed);
        duet_search_point point;
        duet_search_draw(&space, &random, &point);
        int64_t changes = 0;
        for (int i = 0; i < 500; i++) {
            if (!duet_search_valid(&space, &point)) {
                fail_msg("seed %llu: move %d left the space", (unsigned long long)seed, i);
            }
            duet_search_point before = point;
            duet_search_move(&space, &random, &point);
            changes += before.kinds != point.kinds ||
                       memcmp(before.kind, point.kind, point.kinds * sizeof *point.kind) != 0 ||
                       before.processors[0] != point.processors[0] ||
                       before.processors[1] != point.processors[1];
        }
        if (changes < 100) {
            fail_msg("seed %llu: %lld of 500 moves changed something", (unsigned long long)seed,
                     (long long)changes);
        }
    }
}

static duet_instance *instance_of(const duet_search_point *point)
{
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    if (duet_search_instance(point, "test", &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

static void check_optimum(uint64_t seed, const duet_search_point *point)
{
    enum { effort = 10000000 };
    duet_instance *instance = instance_of(point);
    int64_t optimum = duet_exhaustive_optimum(instance);
    int64_t lower = duet_search_lower_bound(point);
    int64_t limits[] = {optimum * 3, optimum + 1, optimum, optimum - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int64_t expected = optimum <= limits[i] ? optimum : limits[i] + 1;
        if (duet_search_optimum(point, lower, limits[i], effort) != expected) {
            duet_fail_instance(instance, "search-optimum", seed, "not the exhaustive optimum");
        }
    }
    int64_t short_of_effort = duet_search_optimum(point, lower, optimum * 3, 3);
    if (lower > optimum || (short_of_effort != -1 && short_of_effort != optimum)) {
        duet_fail_instance(instance, "search-optimum", seed, "a bound above the optimum");
    }
    duet_instance_free(instance);
}

static void optima_are_exhaustive(void **state)
{
    (void)state;
    for (uint64_t seed = duet_test_seed(); seed < duet_test_seed() + 1500; seed++) {
        duet_search_space space = small_space(seed);
        duet_random random;
        duet_random_seed(&random, seed);
        duet_search_point point;
        duet_search_draw(&space, &random, &point);
        check_optimum(seed, &point);
        duet_search_move(&space, &random, &point);
        check_optimum(seed, &point);
    }
}

// What is loaded in place is the instance that a user gets.
static void scratch_is_the_instance(void **state)
{
    (void)state;
    duet_search_scratch scratch;
    duet_search_scratch_init(&scratch);
    for (uint64_t seed = duet_test_seed(); seed < duet_test_seed() + 100; seed++) {
        duet_search_space space = small_space(seed);
        duet_random random;
        duet_random_seed(&random, seed);
        duet_search_point point;
        duet_search_draw(&space, &random, &point);
        const duet_instance *loaded = duet_search_load(&scratch, &point);
        duet_instance *made = instance_of(&point);
        assert_int_equal(duet_instance_kinds(loaded), duet_instance_kinds(made));
        assert_int_equal(duet_instance_tasks(loaded), duet_instance_tasks(made));
        for (size_t i = 0; i < duet_instance_kinds(made); i++) {
            assert_string_equal(duet_instance_kind_id(loaded, i), duet_instance_kind_id(made, i));
            assert_int_equal(duet_instance_kind_count(loaded, i),
                             duet_instance_kind_count(made, i));
            for (size_t t = 0; t < 2; t++) {
                assert_int_equal(duet_instance_type_count(loaded, t),
                                 duet_instance_type_count(made, t));
                assert_true(duet_instance_time(loaded, i, t) == duet_instance_time(made, i, t));
            }
        }
        duet_instance_free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_stay_in_their_space),
        cmocka_unit_test(optima_are_exhaustive),
        cmocka_unit_test(scratch_is_the_instance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
