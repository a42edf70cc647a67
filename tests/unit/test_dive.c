// SPDX-License-Identifier: Apache-2.0
// Dives into the configuration relaxation: whatever the length, their loads hold every task once,
// on a type where it may run, on no more processors than there are; and what is said to be found is
// within the length. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "lp/lp.h"
#include "solvers/exact_dive.h"
#include "tests/support/fixtures.h"
#include "tests/support/loads.h"
#include "tests/support/random_instance.h"

static bool dive(duet_random *random, const duet_classes *classes, bool bold, uint64_t seed)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    // Any type may be priced by area, and one has to be searched.
    bool area[2] = {classes->machines[0] == 0 || duet_random_between(random, 0, 3) == 0,
                    classes->machines[1] == 0 || duet_random_between(random, 0, 3) == 0};
    if (area[0] && area[1]) {
        area[classes->machines[0] == 0] = false;
    }
    const bool pooled[2] = {!area[0], !area[1]};
    duet_column_store store = {.columns = 0};
    const duet_cover_limits limits = {.nodes = 500, .patterns = 2000, .pack_effort = 5};
    duet_loads loads = {.loads = 0};
    duet_cover_stats stats = {0, 0};
    int64_t programs = 0;
    bool found;
    assert_int_equal(duet_dive(classes, NULL, area, pooled, &store, bold, &limits, random, &context,
                               &loads, &programs, &stats, &found, NULL),
                     DUET_OK);
    int64_t makespan;
    const char *fault = duet_loads_fault(classes, &loads, &makespan);
    if (fault != NULL || (found && makespan > classes->length)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed,
                 fault == NULL ? "found, but longer than asked" : fault);
    }
    duet_loads_free(&loads);
    duet_column_store_free(&store);
    return found;
}

static void loads_are_schedules(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = (uint64_t)duet_test_number("DUET_TEST_SEED", 1);
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 400);
    instances = instances < 400 ? instances : 400;
    long dives = 0;
    long found = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {.min_tasks = 10,
                            .max_tasks = 50,
                            .min_processors = seed % 5 == 0 ? 0 : 1,
                            .max_processors = seed % 2 == 0 ? 4 : 12,
                            .types = 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        int64_t length = duet_total_work(instance) / duet_random_between(&random, 1, 12);
        duet_classes classes;
        assert_int_equal(duet_classes_create(instance, length, &classes, NULL), DUET_OK);
        if (classes.nowhere == SIZE_MAX && classes.count > 0 &&
            classes.machines[0] + classes.machines[1] > 0) {
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
