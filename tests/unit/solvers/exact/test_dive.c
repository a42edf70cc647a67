// SPDX-License-Identifier: Apache-2.0
// Dives into the configuration relaxation: whatever the guess, the loads of what is said to be
// found hold every task once, on a type where it may run, on no more processors than there are,
// within the guess. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "lp/lp.h"
#include "solvers/exact/dive.h"
#include "solvers/exact/pool/dive.h"
#include "solvers/exact/pool/pool_state.h"
#include "tests/support/fixtures.h"
#include "tests/support/loads.h"
#include "tests/support/stretched.h"

static bool dive(duet_random *random, const duet_classes *classes, bool bold, uint64_t seed)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    // Any type may be divisible, and one has to be searched.
    bool divisible[2] = {classes->processors[0] == 0 || duet_random_between(random, 0, 3) == 0,
                         classes->processors[1] == 0 || duet_random_between(random, 0, 3) == 0};
    if (divisible[0] && divisible[1]) {
        divisible[classes->processors[0] == 0] = false;
    }
    const bool pooled[2] = {!divisible[0], !divisible[1]};
    duet_column_store store = {.columns = 0};
    duet_loads loads = {.loads = 0};
    duet_search_stats stats = {.nodes = 0};
    duet_residual state;
    assert_int_equal(duet_residual_create(classes, &state, NULL), DUET_OK);
    duet_search search = {.classes = classes,
                          .state = &state,
                          .divisible = {divisible[0], divisible[1]},
                          .pooled = {pooled[0], pooled[1]},
                          .context = &context,
                          .random = random,
                          .store = &store,
                          .limits = {.nodes = 500, .patterns = 2000, .pack_effort = 5},
                          .loads = &loads,
                          .stats = &stats};
    bool found;
    assert_int_equal(duet_dive(&search, bold, &found, NULL), DUET_OK);
    duet_residual_free(&state);
    int64_t makespan;
    const char *fault = found ? duet_loads_fault(classes, &loads, &makespan) : NULL;
    if (found && (fault != NULL || makespan > classes->guess)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed,
                 fault == NULL ? "found, but longer than asked" : fault);
    }
    duet_loads_free(&loads);
    duet_column_store_free(&store);
    return found;
}

// Dives over the pool of all patterns of CPUs that are full enough, from a random allocation:
// the loads they find hold its tasks and end within the guess. Returns how many found some.
static int dive_over_pool(duet_random *random, const duet_classes *classes, uint64_t seed)
{
    enum { dives = 4, most_patterns = 20000 };
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_residual state;
    duet_prices load[2];
    duet_prices settling;
    assert_int_equal(duet_residual_create(classes, &state, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(classes, &settling, NULL), DUET_OK);
    assert_int_equal(duet_prices_create_by_time(classes, load, NULL), DUET_OK);
    for (size_t c = 0; c < classes->count; c++) {
        bool both = duet_class_fits(classes, c, 0) && duet_class_fits(classes, c, 1);
        int64_t least = duet_class_fits(classes, c, 1) ? 0 : classes->tasks[c];
        int64_t most = both ? classes->tasks[c] / 2 : least;
        int64_t on_cpu = duet_random_between(random, least, most);
        duet_residual_limit(&state, c, 0, on_cpu, on_cpu);
    }
    duet_patterns patterns = {.status = DUET_PATTERNS_TOO_MANY};
    duet_int128 slack = duet_residual_slack(classes, &state, &load[0]);
    int found = 0;
    if (slack >= 0 && classes->processors[0] > 0) {
        const duet_patterns_request request = {.slack = (int64_t)slack,
                                               .most = most_patterns,
                                               .most_bytes = 1 << 28,
                                               .may_shrink = true,
                                               .plain = true};
        assert_int_equal(
            duet_patterns_enumerate(classes, &state, &load[0], &request, &context, &patterns, NULL),
            DUET_OK);
    }
    if (patterns.status == DUET_PATTERNS_TOO_MANY || patterns.count == 0) {
        duet_patterns_free(&patterns);
    } else {
        duet_pool *pool;
        duet_loads loads = {.loads = 0};
        duet_search_stats stats = {.nodes = 0};
        duet_search search = {.classes = classes,
                              .state = &state,
                              .context = &context,
                              .random = random,
                              .limits = {.patterns = 2000},
                              .loads = &loads,
                              .stats = &stats};
        assert_int_equal(
            duet_pool_create(classes, &context, &stats.programs, &patterns, &pool, NULL), DUET_OK);
        const duet_branching_count counted = {1, classes->time[0][0], {SIZE_MAX, SIZE_MAX}};
        const duet_branching_count twice = {2, classes->time[0][0], {SIZE_MAX, SIZE_MAX}};
        assert_int_equal(duet_pool_open(pool, twice, true, 0, NULL), DUET_OK);
        duet_pool_close(pool, 0);
        assert_int_equal(duet_pool_open(pool, counted, true, 0, NULL), DUET_OK);
        // The program is renewed in the middle of a dive, which has no use for the counts.
        pool->most_columns = duet_random_between(random, 0, 1) == 0 ? 1 : pool->most_columns;
        for (int i = 0; i < dives; i++) {
            bool any;
            loads.loads = loads.parts = 0;
            assert_int_equal(duet_pool_dive(&search, pool, load, &settling, &any, NULL), DUET_OK);
            // With the other type's tasks on one processor each they are a schedule of all.
            duet_classes roomy = *classes;
            int64_t processors[] = {classes->processors[0], roomy.total};
            roomy.processors = processors;
            for (size_t c = 0; c < classes->count; c++) {
                const duet_pattern_part part = {(uint32_t)c, 1};
                for (int64_t j = duet_residual_most(&state, c, 1); j > 0 && any; j--) {
                    assert_int_equal(duet_loads_push(&loads, 1, &part, 1, NULL), DUET_OK);
                }
            }
            int64_t makespan;
            const char *fault = any ? duet_loads_fault(&roomy, &loads, &makespan) : NULL;
            if (any && (fault != NULL || makespan > classes->guess)) {
                fail_msg("seed %llu: %s", (unsigned long long)seed,
                         fault == NULL ? "found, but longer than asked" : fault);
            }
            found += any;
            const duet_pool_bound *open = &pool->open[0];
            assert_true(pool->opened == 1 && open->row < pool->rows &&
                        duet_branching_count_same(&pool->row[open->row].count, &counted));
        }
        duet_pool_free(pool);
        duet_loads_free(&loads);
    }
    duet_residual_free(&state);
    duet_prices_free(&settling);
    duet_prices_free(&load[0]);
    duet_prices_free(&load[1]);
    return found;
}

static void pools_are_dived_over(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 300);
    instances = instances < 300 ? instances : 300;
    long found = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {
            .min_tasks = 10, .max_tasks = 50, .min_processors = 1, .max_processors = 8, .types = 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        int64_t guess = duet_total_work(instance) / duet_random_between(&random, 2, 12);
        duet_classes classes;
        assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
        if (classes.nowhere == SIZE_MAX && classes.count > 0) {
            found += dive_over_pool(&random, &classes, seed);
        }
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
    printf("%ld dives over pools found loads\n", found);
    assert_true(found > 0);
}

static void loads_are_schedules(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 400);
    instances = instances < 400 ? instances : 400;
    long dives = 0;
    long found = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance =
            duet_random_of_seed(&random, seed, 10, 50, seed % 2 == 0 ? 4 : 12, 2);
        assert_non_null(instance);
        int64_t guess = duet_total_work(instance) / duet_random_between(&random, 1, 12);
        duet_classes classes;
        assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
        if (classes.nowhere == SIZE_MAX && classes.count > 0 &&
            classes.processors[0] + classes.processors[1] > 0) {
            dives++;
            found += dive(&random, &classes, seed % 3 == 0, seed);
        }
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
    printf("%ld of %ld found\n", found, dives);
    assert_true(instances < 100 || (found > 20 && found < dives));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_schedules),
                                       cmocka_unit_test(pools_are_dived_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
