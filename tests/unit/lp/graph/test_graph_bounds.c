// SPDX-License-Identifier: Apache-2.0
// The bounds of task graphs: none above the optimum, every certificate accepted, and what a change
// of one number makes of it refused where it claims too much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/number/random.h"
#include "lp/area/area.h"
#include "lp/graph/graph.h"
#include "lp/graph/program.h"
#include "lp/graph/ratio.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

enum { GRAPHS = 3000 };

static duet_instance *draw(uint64_t seed, duet_random *random, int least, int most)
{
    return duet_test_graph(random, seed, least, most, seed % 5 == 0 ? 1 + seed % 3 : 2);
}

static duet_bound bound_of(const duet_instance *instance, const char *name, uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (duet_test_bound(instance, name, NULL, &bound, &error) != DUET_OK) {
        duet_fail_instance(instance, "graph-bound", seed, error.message);
    }
    return bound;
}

// Whether the certificate proves lambda.
static bool proves(const duet_instance *instance, const duet_certificate *certificate,
                   int64_t lambda)
{
    duet_certificate claimed = *certificate;
    claimed.lambda = lambda;
    return duet_certificate_check(&claimed, instance, NULL, NULL) == DUET_OK;
}

static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    int64_t better = 0;
    size_t bounds = strstr(duet_features(), "glpk") != NULL ? 3 : 2; // area-lp needs it
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random, 4, 8);
        int64_t optimum = duet_exhaustive_optimum(instance);
        static const char *const names[] = {"path", "graph", "area-lp"};
        int64_t value[3] = {0};
        for (size_t b = 0; b < bounds; b++) {
            duet_bound bound = bound_of(instance, names[b], seed);
            value[b] = bound.value;
            if (bound.value > optimum) {
                duet_fail_instance(instance, "graph-bound", seed, "a bound above the optimum");
            }
            if (!proves(instance, &bound.certificate, bound.value) ||
                proves(instance, &bound.certificate, optimum + 1)) {
                duet_fail_instance(instance, "graph-bound", seed,
                                   "a certificate that proves too little or too much");
            }
            duet_bound_release(&bound);
        }
        if (value[1] < value[0]) {
            duet_fail_instance(instance, "graph-bound", seed, "graph is below path");
        }
        better += value[1] > value[0] && value[1] > value[2];
        duet_instance_free(instance);
    }
    assert_true(better > graphs / 50); // else the flow is of no use
}

// --- certificates --------------------------------------------------------------------------------

// A flow with one entry of one list changed by `by`, or moved to `at` where that is not negative.
typedef struct change {
    int list; // 0 edges, 1 tasks, 2 charges
    size_t entry;
    int64_t by, at;
} change;

static const duet_flow *forge(const duet_flow *flow, change forged)
{
    const duet_flow_list given[] = {flow->list.edges, flow->list.tasks, flow->list.charges};
    duet_flow_term list[3][64];
    for (int l = 0; l < 3; l++) {
        assert_true(given[l].count <= 64);
        for (size_t i = 0; i < given[l].count; i++) {
            list[l][i] = given[l].term[i];
        }
    }
    if (forged.entry < given[forged.list].count) {
        duet_flow_term *term = &list[forged.list][forged.entry];
        term->value += forged.by;
        term->at = forged.at < 0 ? term->at : forged.at;
    }
    const duet_flow_lists lists = {
        {list[0], given[0].count}, {list[1], given[1].count}, {list[2], given[2].count}};
    const duet_flow *made = NULL;
    assert_int_equal(duet_flow_create(&lists, &made, NULL), DUET_OK);
    return made;
}

// Whatever is changed, no certificate proves more than the optimum.
static void forge_all(const duet_instance *instance, const duet_bound *bound, int64_t optimum,
                      uint64_t seed)
{
    static const int64_t by[] = {1, -1, 1000, -1000, INT64_C(1) << 40, -(INT64_C(1) << 61)};
    duet_certificate claimed = bound->certificate;
    claimed.lambda = optimum + 1;
    for (size_t t = 0; t < claimed.types; t++) {
        for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
            claimed.weight[t] = bound->certificate.weight[t] + by[i];
            if (duet_certificate_check(&claimed, instance, NULL, NULL) == DUET_OK) {
                duet_fail_instance(instance, "graph-bound", seed, "forged prices are accepted");
            }
        }
        claimed.weight[t] = bound->certificate.weight[t];
    }
    const duet_flow_lists *lists = &bound->certificate.flow->list;
    const size_t counts[] = {lists->edges.count, lists->tasks.count, lists->charges.count};
    for (int list = 0; list < 3; list++) {
        size_t count = counts[list];
        for (size_t i = 0; i < count * (sizeof by / sizeof *by); i++) {
            size_t amounts = sizeof by / sizeof *by;
            change forged = {list, i / amounts, by[i % amounts], i % 7 == 0 ? 0 : -1};
            claimed.flow = forge(bound->certificate.flow, forged);
            if (duet_certificate_check(&claimed, instance, NULL, NULL) == DUET_OK) {
                duet_fail_instance(instance, "graph-bound", seed, "a forged flow is accepted");
            }
            duet_certificate_release(&claimed);
        }
    }
}

static void test_forged(void **state)
{
    (void)state;
    int64_t flows = 0;
    int64_t charged = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random, 2, 7);
        duet_bound bound = bound_of(instance, "graph", seed);
        if (bound.certificate.proof == DUET_PROOF_FLOW) {
            flows++;
            forge_all(instance, &bound, duet_exhaustive_optimum(instance), seed);
            charged += bound.certificate.flow->list.charges.count > 0;
        }
        duet_bound_release(&bound);
        duet_instance_free(instance);
    }
    assert_true(flows > 1000);
    assert_true(charged > (duet_lp_available() ? 20 : -1));
}

// Two tasks of (3, 2), the second after the first, and one apart of (4, 9), on 1 + 1. The way back
// from the CPU costs 5, from the GPU 1.
static void test_checks(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t times[] = {3, 2, 3, 2, 4, 9};
    static const duet_edge edge = {.from = 0, .to = 1};
    static const int64_t costs[] = {0, 5, 1, 0};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 3,
                               .times = times,
                               .edges = 1,
                               .edge = &edge,
                               .cost_tables = 1,
                               .costs = costs};
    static const struct {
        int64_t lambda, weight[2];
        duet_flow_term edge[2], task[2], cross[2];
        size_t edges, tasks, crosses;
        const char *fault;
    } rows[] = {
        {4, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, NULL}, // the path 2 + 2
        {5, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "the priced work fits"},
        {4, {0, 0}, {{0, 0}}, {{2, 7}}, {{0, 0}}, 0, 1, 0, NULL}, // task 2 alone
        {4, {1, 1}, {{0, 0}}, {{0, 0}}, {{0, 0}}, 0, 0, 0, NULL}, // 8 on two processors
        {5, {1, 1}, {{0, 0}}, {{0, 0}}, {{0, 0}}, 0, 0, 0, "the priced work fits"},
        {4, {0, 0}, {{0, 1}}, {{1, 1}, {0, 1}}, {{0, 0}}, 1, 2, 0, NULL}, // in any order
        {4, {0, 0}, {{0, 1}}, {{1, 0}}, {{0, 0}}, 1, 1, 0, "task 1 lets less pass"},
        {4, {0, 0}, {{0, -1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "a flow of at least 0"},
        {4, {-1, 0}, {{0, 1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "weights of at least 0"},
        {4, {0, 0}, {{1, 1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "edge 1: expected an index below 1"},
        {4, {0, 0}, {{-1, 1}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "edge -1"},
        {4, {0, 0}, {{0, 1}, {0, 1}}, {{0, 0}}, {{0, 0}}, 2, 0, 0, "edge 0 stands twice"},
        {4, {0, 0}, {{0, 1}}, {{3, 1}}, {{0, 0}}, 1, 1, 0, "task 3: expected an index below 3"},
        {4, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, 1}}, 1, 0, 1, NULL},
        {4, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, -1}}, 1, 0, 1, NULL},
        {4, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, 6}}, 1, 0, 1, "cross of edge 0: expected at most"},
        {4, {0, 0}, {{0, 1}}, {{0, 0}}, {{0, -2}}, 1, 0, 1, "cross of edge 0: expected at most"},
        {4, {0, 0}, {{0, 0}}, {{0, 0}}, {{0, 1}}, 0, 0, 1, "cross of edge 0: expected at most"},
        {4, {INT64_MAX, 0}, {{0, INT64_MAX}}, {{0, 0}}, {{0, 0}}, 1, 0, 0, "fits"},
    };
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const duet_flow_lists flow = {{rows[i].edge, rows[i].edges},
                                      {rows[i].task, rows[i].tasks},
                                      {rows[i].cross, rows[i].crosses}};
        duet_certificate certificate = {.proof = DUET_PROOF_FLOW,
                                        .lambda = rows[i].lambda,
                                        .types = 2,
                                        .weight = {rows[i].weight[0], rows[i].weight[1]}};
        assert_int_equal(duet_flow_create(&flow, &certificate.flow, NULL), DUET_OK);
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
        if (rows[i].fault == NULL
                ? code != DUET_OK
                : code != DUET_E_INPUT || strstr(error.message, rows[i].fault) == NULL) {
            fail_msg("row %zu: %s", i, error.message);
        }
        duet_certificate_release(&certificate);
    }
    duet_certificate none = {.proof = DUET_PROOF_FLOW, .lambda = 4, .types = 2};
    assert_int_equal(duet_certificate_check(&none, instance, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
}

// --- both methods --------------------------------------------------------------------------------

// A bound of an instance with edges by one of the two methods, from the better of path and area.
// `optimal`: the method says that it is the value of the program.
static duet_bound solved_by(const duet_network *network, bool flow, bool *optimal, double *share)
{
    duet_bound bound;
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    duet_bound area;
    assert_int_equal(duet_network_path_bound(network, &bound, NULL), DUET_OK);
    assert_int_equal(duet_area_bound(network->instance, &context, &area, NULL), DUET_OK);
    if (area.value > bound.value) {
        duet_bound_release(&bound);
        bound = area;
    }
    if (flow) {
        int64_t work = DUET_LP_GRAPH_QUICK;
        assert_int_equal(
            duet_lp_graph_flow_bound(network, &context, work, &bound, optimal, share, NULL),
            DUET_OK);
    } else {
        assert_int_equal(
            duet_lp_graph_program_bound(network, &context, &bound, optimal, share, NULL), DUET_OK);
    }
    assert_true(proves(network->instance, &bound.certificate, bound.value));
    return bound;
}

// Flow and simplex method agree to a tick, but for the rounding of duals where times are long.
static void test_flow_and_program(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    int64_t above = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_graph_shape shape = {.tasks = {.min_tasks = 2,
                                            .max_tasks = seed % 10 == 0 ? 80 : 30,
                                            .min_processors = 1,
                                            .max_processors = 4,
                                            .types = 2}};
        duet_instance *instance = duet_random_graph(&random, &shape);
        assert_non_null(instance);
        if (instance->graph != NULL && instance->processors[0] > 0 && instance->processors[1] > 0) {
            duet_network network;
            bool optimal = false;
            assert_int_equal(duet_network_create(instance, &network, NULL), DUET_OK);
            duet_bound flow = solved_by(&network, true, &optimal, NULL);
            if (!optimal) {
                duet_fail_instance(instance, "graph-bound", seed, "the flow does not end");
            }
            duet_bound program = solved_by(&network, false, &optimal, NULL);
            // The duals are rounded to nine places.
            int64_t loss = 1 + flow.value / 10000000;
            if (!optimal || llabs(flow.value - program.value) > loss) {
                printf("flow %lld program %lld\n", (long long)flow.value, (long long)program.value);
                duet_fail_instance(instance, "graph-bound", seed, "flow and program differ");
            }
            above += flow.certificate.proof == DUET_PROOF_FLOW && flow.certificate.weight[0] > 0;
            duet_bound_release(&flow);
            duet_bound_release(&program);
            duet_network_free(&network);
        }
        duet_instance_free(instance);
    }
    assert_true(above > 30);
}

// --- Cholesky ------------------------------------------------------------------------------------

static duet_instance *cholesky(int tiles)
{
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "edges=true", NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "row=canon2018-960", NULL), DUET_OK);
    duet_instance *instance = NULL;
    assert_int_equal(duet_test_generate("chol", tiles, 20, 4, 0, options, &instance, NULL),
                     DUET_OK);
    duet_options_free(options);
    return instance;
}

// The published times on 20 + 4, in milliseconds with three decimals.
static void test_cholesky(void **state)
{
    (void)state;
    static const struct {
        int tiles;
        int64_t graph;
    } rows[] = {{10, 287378}, {12, 439169}, {16, 926083}, {20, 1718838}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_instance *instance = cholesky(rows[i].tiles);
        assert_int_equal(duet_instance_decimals(instance), 2);
        duet_bound bound = bound_of(instance, "graph", 0);
        char *slash = NULL;
        double exact = strtod(bound.exact, &slash);
        exact /= *slash == '/' ? strtod(slash + 1, NULL) : 1.0;
        assert_int_equal((int64_t)(exact * 10.0 + 0.5), rows[i].graph);
        duet_bound_release(&bound);
        duet_instance_free(instance);
    }
    // From 32 tiles on it is the area bound: the first prices end it.
    for (int tiles = 4; tiles <= 64; tiles += tiles < 24 ? 1 : 8) {
        duet_instance *instance = cholesky(tiles);
        duet_bound graph = bound_of(instance, "graph", 0);
        duet_bound area = bound_of(instance, "area", 0);
        assert_true(proves(instance, &graph.certificate, graph.value));
        assert_true(tiles < 32 ? graph.value >= area.value : graph.value == area.value);
        duet_bound_release(&graph);
        duet_instance_free(instance);
    }
}

// A schedule is reported with the best of the bounds that are quick, whole tasks among them.
static void test_beside_schedules(void **state)
{
    (void)state;
    enum { BOUNDS = 4 };
    static const char *const quick[BOUNDS] = {"path", "area", "shelf", "knapsack"};
    int knapsacks = 0;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS / 10);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random, 2, 7);
        duet_solution *solution = duet_test_solve(instance, "eft", NULL, NULL);
        int64_t reported = duet_solution_lower_bound(solution);
        // The last three are of two types, and the last two beside schedules of graphs alone.
        bool pair = duet_instance_types(instance) == 2;
        size_t count = !pair ? 1 : duet_instance_edges(instance) == 0 ? 2 : BOUNDS;
        for (size_t b = 0; b < count; b++) {
            duet_bound bound = bound_of(instance, quick[b], seed);
            if (bound.value > reported) {
                duet_fail_instance(instance, "beside", seed, quick[b]);
            }
            duet_bound_release(&bound);
        }
        if (reported > duet_exhaustive_optimum(instance)) {
            duet_fail_instance(instance, "beside", seed, "above the optimum");
        }
        knapsacks += strcmp(duet_solution_bound_name(solution), "knapsack") == 0;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(knapsacks > 0 || graphs < GRAPHS / 10);
}

// Each bound that refutes guesses has what the one before it has, whatever comes first in
// branching.
static void test_shaving_after_prices(void **state)
{
    (void)state;
    enum { tasks = 66 };
    duet_instance *instance;
    assert_int_equal(duet_test_generate("layered", tasks, 3, 1, 0, NULL, &instance, NULL), DUET_OK);
    duet_bound timed = bound_of(instance, "timed", 0);
    duet_bound shaving = bound_of(instance, "shaving", 0);
    assert_true(shaving.value >= timed.value);
    duet_bound_release(&timed);
    duet_bound_release(&shaving);
    duet_instance_free(instance);
}

// Where rows between two tasks raise the linear program, prices over time take them over, and the
// proof is accepted with them.
static void test_rows_with_prices(void **state)
{
    (void)state;
    enum { tasks = 66, seed = 4 };
    duet_instance *instance;
    if (!duet_lp_available()) {
        skip();
    }
    assert_int_equal(duet_test_generate("layered", tasks, 20, 2, seed, NULL, &instance, NULL),
                     DUET_OK);
    duet_bound timed = bound_of(instance, "timed", seed);
    assert_int_equal(timed.certificate.proof, DUET_PROOF_LINES);
    const char *line = strstr(timed.certificate.lines->text, "\ntimed ");
    assert_true(line != NULL && strstr(line, " mix ") != NULL);
    assert_true(proves(instance, &timed.certificate, timed.value));
    duet_bound_release(&timed);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_forged),
        cmocka_unit_test(test_flow_and_program),
        cmocka_unit_test(test_cholesky),
        cmocka_unit_test(test_beside_schedules),
        cmocka_unit_test(test_rows_with_prices),
        cmocka_unit_test(test_shaving_after_prices),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
