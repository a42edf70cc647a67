// SPDX-License-Identifier: Apache-2.0
// What costs of edges must not do: make a bound lower than that of the graph without them, or have
// a search end behind one of the quick rules. Of random graphs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/part.h"
#include "solvers/features.h"
#include "solvers/registry.h"
#include "solvers/run.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = most_tasks,
                                        .min_processors = 1,
                                        .max_processors = 3,
                                        .types = 1 + seed % 3},
                              .cost = seed % 2 == 0 ? 20 : 5};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static int64_t value_of(const duet_instance *instance, const char *name, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_bound *bound = NULL;
    if (duet_compute_bound(instance, name, NULL, &bound, &error) != DUET_OK) {
        duet_fail_instance(instance, name, seed, error.message);
    }
    int64_t value = duet_bound_value(bound);
    const duet_certificate *proof = duet_bound_certificate(bound);
    if (duet_certificate_lambda(proof) >= value &&
        duet_certificate_check(proof, instance, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, name, seed, error.message);
    }
    duet_bound_free(bound);
    return value;
}

static void test_bounds(void **state)
{
    (void)state;
    static const char *const names[] = {"path",     "graph", "head-tail", "propagation",
                                        "interval", "timed", "shaving",   "branching"};
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 60);
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        duet_instance *instance = draw(seed, 3, 8);
        duet_instance without;
        duet_graph graph;
        if (instance->graph != NULL && instance->graph->transfer != NULL) {
            duet_instance_without_costs(instance, &without, &graph);
            for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                if (value_of(instance, names[i], seed) < value_of(&without, names[i], seed)) {
                    duet_fail_instance(instance, names[i], seed, "costs make the bound lower");
                }
            }
        }
        duet_instance_free(instance);
    }
}

// `rounds` (NULL: those of the search) limits the search, so that no clock does.
static int64_t makespan_of(const duet_instance *instance, const char *name, const char *rounds,
                           uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    duet_options *options = NULL;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    if (rounds != NULL) {
        assert_int_equal(duet_options_add(options, rounds, NULL), DUET_OK);
    }
    params.options = options;
    if (duet_solve(instance, name, &params, &solution, &error) != DUET_OK) {
        duet_fail_instance(instance, name, seed, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    duet_solution_free(solution);
    duet_options_free(options);
    return makespan;
}

static int64_t quickest(const duet_instance *instance, uint64_t seed)
{
    const duet_algorithm *row;
    int64_t least = INT64_MAX;
    for (size_t i = 0; (row = duet_algorithm_at(i)) != NULL; i++) {
        if (duet_is_fast(row, instance) && duet_handles(&row->entry, duet_demand_of(instance))) {
            int64_t makespan = makespan_of(instance, row->entry.name, NULL, seed);
            least = makespan < least ? makespan : least;
        }
    }
    return least;
}

static void test_searches(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *rounds;
        int least, most; // tasks
    } searches[] = {
        {"graph-search", "rounds=1", 30, 60}, {"exact", "rounds=1", 30, 60}, {"auto", NULL, 6, 9}};
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 12);
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
            duet_instance *instance = draw(seed, searches[i].least, searches[i].most);
            if (makespan_of(instance, searches[i].name, searches[i].rounds, seed) >
                quickest(instance, seed)) {
                duet_fail_instance(instance, searches[i].name, seed, "behind a quick rule");
            }
            duet_instance_free(instance);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
