// SPDX-License-Identifier: Apache-2.0
// Graphs of moldable tasks: bounds, certificates and the search of auto against exhaustive optima.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

static int64_t check_bound(const duet_instance *instance, const char *name, int64_t optimum,
                           uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (duet_test_bound(instance, name, NULL, &bound, &error) != DUET_OK ||
        duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, name, seed, error.message);
    }
    if (bound.value > optimum) {
        duet_fail_instance(instance, name, seed, "it is above the optimum");
    }
    int64_t value = bound.value;
    duet_certificate forged = bound.certificate;
    forged.lambda = optimum + 1;
    assert_int_equal(duet_certificate_check(&forged, instance, NULL, NULL), DUET_E_INPUT);
    duet_bound_release(&bound);
    return value;
}

static int64_t check_auto(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    duet_solution *solution = duet_test_solve(instance, "auto", NULL, NULL);
    int64_t makespan = duet_solution_makespan(solution);
    if (makespan < optimum || duet_solution_lower_bound(solution) > optimum) {
        duet_fail_instance(instance, "auto", seed, "the optimum is not between its bound and it");
    }
    duet_solution_free(solution);
    return makespan;
}

static void bounds_and_search_against_optima(void **state)
{
    (void)state;
    int64_t instances = duet_test_number("DUET_TEST_GRAPHS", (int64_t)duet_test_share(60));
    uint64_t seed = duet_test_seed();
    int64_t with_edges = 0;
    int64_t above_both = 0;
    int64_t optimal = 0;
    for (int64_t i = 0; i < instances; i++, seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_moldable_shape shape = {.tables = (duet_table_shape)(i % 4),
                                     .most_tasks = 5,
                                     .most_processors = 4,
                                     .most_gpus = i % 3 == 0 ? 2 : 0,
                                     .second_cluster = i % 2 == 0,
                                     .longest = i % 5 == 0 ? 500 : 30,
                                     .edges = true,
                                     .data = i % 7 == 0,
                                     .costs = i % 7 == 3,
                                     .gaps = i % 8 == 5};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        if (duet_instance_edges(instance) > 0) {
            int64_t optimum = duet_exhaustive_within(instance, DUET_MAX_WORK - 1, INT64_MAX);
            int64_t area = check_bound(instance, "area", optimum, seed);
            int64_t path = check_bound(instance, "path", optimum, seed);
            int64_t graph = check_bound(instance, "graph", optimum, seed);
            if (graph < path || graph < area) {
                duet_fail_instance(instance, "graph", seed, "a weaker bound is above it");
            }
            with_edges++;
            above_both += graph > path && graph > area;
            optimal += check_auto(instance, optimum, seed) == optimum;
        }
        duet_instance_free(instance);
    }
    print_message("%lld graphs: bound above path and area %lld, auto optimal %lld\n",
                  (long long)with_edges, (long long)above_both, (long long)optimal);
    assert_true(instances < 60 || 20 * above_both >= with_edges);
    assert_true(instances < 60 || 5 * optimal >= 4 * with_edges);
}

// Prices and a flow by hand. On two processors, `first` takes 4 ticks or 3, then `second` likewise,
// beside `other` of 2 on one. With area at 1 and a flow of 1 through both tasks a mode costs
// t (p + 1): 8 or 9, so that 8 + 8 + 2 over 2 + 1 are 6; `other` has no flow. The best prices prove
// 7, which is the optimum: one of the two on both processors, the other one beside `other`.
static void a_flow_by_hand(void **state)
{
    (void)state;
    static const int64_t tables[] = {4, 3};
    static const int64_t lone[] = {2};
    const duet_type platform[] = {{"cpu", 2}};
    const duet_moldable_times times[] = {{.table = tables, .length = 2},
                                         {.table = tables, .length = 2},
                                         {.table = lone, .length = 1}};
    const duet_edge edge[] = {{0, 1, 0}};
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = 3,
                                     .edges = 1,
                                     .edge = edge,
                                     .moldable = &moldable};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    const duet_flow_term passing[] = {{0, 1}};
    const duet_flow_lists shape = {.edges = {passing, 1}};
    duet_certificate certificate = {
        .proof = DUET_PROOF_FLOW, .lambda = 6, .types = 1, .weight = {1}};
    assert_int_equal(duet_flow_create(&shape, &certificate.flow, NULL), DUET_OK);
    assert_int_equal(duet_certificate_check(&certificate, instance, NULL, NULL), DUET_OK);
    certificate.lambda = 7;
    assert_int_equal(duet_certificate_check(&certificate, instance, NULL, NULL), DUET_E_INPUT);
    duet_certificate_release(&certificate);
    duet_bound bound;
    assert_int_equal(duet_test_bound(instance, "graph", NULL, &bound, NULL), DUET_OK);
    assert_int_equal(duet_exhaustive_within(instance, DUET_MAX_WORK - 1, INT64_MAX), 7);
    assert_int_equal(bound.value, 7);
    duet_bound_release(&bound);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_and_search_against_optima),
        cmocka_unit_test(a_flow_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
