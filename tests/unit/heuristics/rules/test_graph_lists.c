// SPDX-License-Identifier: Apache-2.0
// The list schedulers of task graphs with insertion and communication, against plain ones that scan
// all edges, processors and placed tasks at every step; none is better than the optimum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"
#include "tests/support/plain_lists.h"
#include "tests/support/stretched.h"

// DUET_TEST_INSTANCES chooses how many; of small graphs there are some times as many.
enum { GRAPHS = 500, SMALL_PER_GRAPH = 8, PROCESSORS = 4 };

static const char *const algorithms[] = {"heft",    "heft-min",       "heft-wm", "hoft",
                                         "hoft-wm", "heft-lookahead", "peft",    "cpop"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };
static const char *const options[] = {NULL, "ties=cpu", "topo=stack"};

static duet_instance *draw(uint64_t seed, int least, int most, int processors_most)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 3 == 0 ? 1 + seed / 3 % DUET_PLAIN_TYPES : 2;
    duet_graph_shape shape = {.tasks = {.min_tasks = least,
                                        .max_tasks = most,
                                        .min_processors = 1,
                                        .max_processors = processors_most,
                                        .types = types},
                              .cost = seed % 2 == 0 ? 0 : duet_random_between(&random, 1, 200)};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static bool handled(const duet_instance *instance, const char *name)
{
    return duet_instance_types(instance) == 2 ||
           (strstr(name, "-wm") == NULL && strcmp(name, "hoft") != 0);
}

// The same graph with all times and costs so many times as large that their sum comes near the
// limit.
static duet_instance *stretch(const duet_instance *instance)
{
    enum { TABLES = 3 };
    size_t types = duet_instance_types(instance);
    size_t kinds = duet_instance_kinds(instance);
    duet_type platform[DUET_PLAIN_TYPES];
    int64_t counts[DUET_PLAIN_TASKS];
    int64_t times[DUET_PLAIN_TASKS * DUET_PLAIN_TYPES];
    int64_t costs[TABLES * DUET_PLAIN_TYPES * DUET_PLAIN_TYPES];
    static duet_edge edge[DUET_PLAIN_TASKS * DUET_PLAIN_TASKS];
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times,
                               .edges = (size_t)duet_instance_edges(instance),
                               .edge = edge,
                               .costs = costs};
    int64_t work = duet_total_work(instance) + 1;
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        for (size_t i = 0; i < types * types; i++) {
            work += duet_instance_transfer(instance, e, i / types, i % types);
        }
    }
    int64_t factor = DUET_MAX_WORK / 4 / work;
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){duet_instance_type_name(instance, t),
                                  duet_instance_type_count(instance, t)};
    }
    for (size_t i = 0; i < kinds * types; i++) {
        int64_t time = duet_instance_time(instance, i / types, i % types);
        counts[i / types] = duet_instance_kind_count(instance, i / types);
        times[i] = time == DUET_FORBIDDEN ? time : factor * time;
    }
    for (size_t e = 0; e < desc.edges; e++) {
        edge[e] = duet_instance_edge(instance, (int64_t)e);
        desc.cost_tables = instance->graph->transfer == NULL ? 0 : instance->graph->tables;
    }
    assert_true(desc.cost_tables <= TABLES);
    for (size_t i = 0; i < desc.cost_tables * types * types; i++) {
        costs[i] = factor * instance->graph->cost[i];
    }
    duet_instance *stretched = NULL;
    assert_int_equal(duet_instance_create(&desc, &stretched, NULL), DUET_OK);
    return stretched;
}

static void compare(const duet_instance *instance, const char *name, const char *option,
                    uint64_t seed)
{
    duet_placement expected[DUET_PLAIN_TASKS];
    bool gpu_first = option == NULL || strcmp(option, "ties=cpu") != 0;
    bool row = duet_instance_types(instance) > 2 && duet_instance_edges(instance) > 0;
    gpu_first = gpu_first && !row; // no option of these tests says ties=gpu
    bool stack = option != NULL && strcmp(option, "topo=stack") == 0;
    duet_plain_schedule(instance, name, gpu_first, stack, expected);
    duet_solution *solution = duet_test_schedule(instance, name, option);
    const duet_placement *placed = duet_solution_placements(solution);
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        if (placed[j].start != expected[j].start || placed[j].type != expected[j].type ||
            placed[j].processor != expected[j].processor) {
            char why[200];
            snprintf(why, sizeof why,
                     "%s %s: task %lld on type %d, processor %d at %lld, expected %d, %d at %lld",
                     name, option == NULL ? "" : option, (long long)j, placed[j].type,
                     placed[j].processor, (long long)placed[j].start, expected[j].type,
                     expected[j].processor, (long long)expected[j].start);
            duet_fail_instance(instance, "graph-list", seed, why);
        }
    }
    duet_solution_free(solution);
}

// One in so many graphs takes times that need ranks of more than 64 bits.
enum { STRETCHED = 10 };

static void as_plain(void **state)
{
    (void)state;
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = draw(seed, 10, DUET_PLAIN_TASKS, PROCESSORS);
        bool stretched = seed % STRETCHED == 0;
        if (stretched) {
            duet_instance *drawn = instance;
            instance = stretch(drawn);
            duet_instance_free(drawn);
        }
        for (size_t a = 0; a < ALGORITHMS; a++) {
            // Without edges heft orders by exact means. The plain weighted mean is of small times.
            bool differs = (duet_instance_edges(instance) == 0 && a == 0) ||
                           (stretched && strstr(algorithms[a], "-wm") != NULL);
            if (handled(instance, algorithms[a]) && !differs) {
                compare(instance, algorithms[a], options[(seed + a) % 3], seed);
            }
        }
        duet_instance_free(instance);
    }
}

static void never_below_the_optimum(void **state)
{
    (void)state;
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= SMALL_PER_GRAPH * graphs; seed++) {
        duet_instance *instance = draw(seed, 4, 8, 2);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t a = 0; a < ALGORITHMS; a++) {
            if (handled(instance, algorithms[a]) &&
                duet_test_makespan(instance, algorithms[a]) < optimum) {
                duet_fail_instance(instance, "graph-list", seed, algorithms[a]);
            }
        }
        duet_instance_free(instance);
    }
}

// What holds for independent tasks alone is neither claimed nor tried.
static void of_independent_tasks(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 2}};
    static const int64_t times[] = {3, 4, 5};
    static const duet_edge edge[] = {{0, 2, 0}};
    for (size_t edges = 0; edges <= 1; edges++) {
        duet_instance *instance = NULL;
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = 1,
                                   .platform = platform,
                                   .kinds = 3,
                                   .times = times,
                                   .edges = edges,
                                   .edge = edge};
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        duet_solution *solution = duet_test_solve(instance, "heft", NULL, NULL);
        const char *guarantee = duet_solution_guarantee(solution);
        if (edges == 0) {
            assert_string_equal(guarantee, "7/6");
        } else {
            assert_null(guarantee);
        }
        duet_solution_free(solution);
        duet_options *improve;
        duet_params params = DUET_PARAMS_INIT;
        assert_int_equal(duet_options_create(&improve, NULL), DUET_OK);
        assert_int_equal(duet_options_add(improve, "improve=true", NULL), DUET_OK);
        params.options = improve;
        assert_int_equal(duet_solve(instance, "heft", &params, &solution, NULL), DUET_OK);
        duet_solution_free(solution);
        duet_options_free(improve);
        duet_instance_free(instance);
    }
}

// --- published examples --------------------------------------------------------------------------

enum { EXAMPLE_TASKS = 10, EXAMPLE_TYPES = 3, EXAMPLE_EDGES = 15 };

// A graph of ten tasks on three processors that differ; what an edge costs is the same between any
// two of them.
typedef struct example {
    int64_t times[EXAMPLE_TASKS * EXAMPLE_TYPES];
    struct {
        int64_t from, to, cost;
    } edge[EXAMPLE_EDGES];
} example;

static duet_instance *make_example(const example *of)
{
    static const duet_type platform[] = {{"p0", 1}, {"p1", 1}, {"p2", 1}};
    duet_edge edge[EXAMPLE_EDGES];
    int64_t costs[EXAMPLE_EDGES * EXAMPLE_TYPES * EXAMPLE_TYPES];
    for (size_t e = 0; e < EXAMPLE_EDGES; e++) {
        edge[e] = (duet_edge){of->edge[e].from, of->edge[e].to, (uint32_t)e};
        for (size_t i = 0; i < (size_t)EXAMPLE_TYPES * EXAMPLE_TYPES; i++) {
            costs[e * EXAMPLE_TYPES * EXAMPLE_TYPES + i] = of->edge[e].cost;
        }
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = EXAMPLE_TYPES,
                                     .platform = platform,
                                     .kinds = EXAMPLE_TASKS,
                                     .times = of->times,
                                     .edges = EXAMPLE_EDGES,
                                     .edge = edge,
                                     .cost_tables = EXAMPLE_EDGES,
                                     .costs = costs};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static void as_published(void **state)
{
    (void)state;
    // Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, figures 2 to 4.
    static const example topcuoglu = {{14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                                       13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16},
                                      {{0, 1, 18},
                                       {0, 2, 12},
                                       {0, 3, 9},
                                       {0, 4, 11},
                                       {0, 5, 14},
                                       {1, 7, 19},
                                       {1, 8, 16},
                                       {2, 6, 23},
                                       {3, 7, 27},
                                       {3, 8, 23},
                                       {4, 8, 13},
                                       {5, 7, 15},
                                       {6, 9, 17},
                                       {7, 9, 11},
                                       {8, 9, 13}}};
    // Arabnejad, Barbosa, IEEE TPDS 25(3), 2014, figure 1.
    static const example arabnejad = {{22, 21, 36, 22, 18, 18, 32, 27, 43, 7,  10, 4, 29, 27, 35,
                                       26, 17, 24, 14, 25, 30, 29, 23, 36, 15, 21, 8, 13, 16, 33},
                                      {{0, 1, 17},
                                       {0, 2, 31},
                                       {0, 3, 29},
                                       {0, 4, 13},
                                       {0, 5, 7},
                                       {1, 7, 3},
                                       {1, 8, 30},
                                       {2, 6, 16},
                                       {3, 7, 11},
                                       {3, 8, 7},
                                       {4, 8, 57},
                                       {5, 7, 5},
                                       {6, 9, 9},
                                       {7, 9, 42},
                                       {8, 9, 7}}};
    static const struct {
        const example *graph;
        const char *algorithm;
        int64_t makespan;
    } published[] = {{&topcuoglu, "heft", 80},
                     {&topcuoglu, "cpop", 86},
                     {&arabnejad, "peft", 122},
                     {&arabnejad, "heft", 133},
                     {&arabnejad, "heft-lookahead", 127}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        duet_instance *instance = make_example(published[i].graph);
        assert_int_equal(duet_test_makespan(instance, published[i].algorithm),
                         published[i].makespan);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_plain), cmocka_unit_test(never_below_the_optimum),
        cmocka_unit_test(of_independent_tasks), cmocka_unit_test(as_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
