// SPDX-License-Identifier: Apache-2.0
// Stages of task graphs against their definitions, and steps with barriers, whose bound is the sum
// of what they take.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/stages.h"
#include "tests/support/fixtures.h"

enum { MOST_TASKS = 40 };

typedef struct closure {
    int64_t tasks;
    duet_network network;
    duet_reachable before, after;
    bool waits[MOST_TASKS][MOST_TASKS]; // the first one for the second
} closure;

static void close_graph(closure *c, const duet_instance *instance)
{
    memset(c, 0, sizeof *c);
    c->tasks = duet_tasks(instance);
    assert_int_equal(duet_network_create(instance, &c->network, NULL), DUET_OK);
    assert_int_equal(duet_reachable_create(&c->network, &c->before, &c->after, NULL), DUET_OK);
    for (int64_t j = 0; j < c->tasks; j++) {
        for (int64_t i = c->before.at[j]; i < c->before.at[j + 1]; i++) {
            c->waits[j][c->before.task[i]] = true;
        }
    }
}

static void release(closure *c)
{
    duet_reachable_free(&c->before);
    duet_reachable_free(&c->after);
    duet_network_free(&c->network);
}

// By the definition: the tasks that wait for all others or others for them, as places in an order.
static bool has_stages(const closure *c)
{
    int64_t largest = 0;
    int64_t begin = 0;
    for (int64_t i = 0; i <= c->tasks; i++) {
        bool cuts = true;
        for (int64_t k = 0; k < c->tasks && i < c->tasks; k++) {
            int32_t one = c->network.order[i];
            int32_t other = c->network.order[k];
            cuts = cuts && (k == i || c->waits[one][other] || c->waits[other][one]);
        }
        if (cuts) {
            largest = i - begin > largest ? i - begin : largest;
            begin = i + 1;
        }
    }
    return largest <= c->tasks / 2;
}

static int64_t nearest_stage(const closure *c, const int32_t *near, int64_t count, int64_t most)
{
    for (int64_t k = 1; k < count && k <= most; k++) {
        bool all = true;
        for (int64_t i = 0; i < k; i++) {
            for (int64_t j = k; j < count; j++) {
                all = all && c->waits[near[i]][near[j]];
            }
        }
        if (all) {
            return k;
        }
    }
    return 0;
}

// The tasks before one, those that wait for most of them first.
static int64_t list_before(const closure *c, int64_t task, int32_t *near)
{
    int64_t count = 0;
    for (int64_t i = c->tasks; i-- > 0;) {
        int32_t other = c->network.order[i];
        if (c->waits[task][other]) {
            near[count++] = other;
        }
    }
    return count;
}

static void definitions(void **state)
{
    (void)state;
    int64_t staged = 0;
    int64_t found = 0;
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 1000);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_graph_shape shape = {.tasks = {.min_tasks = 2,
                                            .max_tasks = seed % 2 == 0 ? 6 : MOST_TASKS,
                                            .min_processors = 1,
                                            .max_processors = 3,
                                            .types = 2}};
        duet_instance *instance = duet_random_graph(&random, &shape);
        assert_non_null(instance);
        closure c;
        close_graph(&c, instance);
        if (instance->graph != NULL) {
            bool has = false;
            assert_int_equal(duet_stages_exist(instance->graph, c.network.order, &has, NULL),
                             DUET_OK);
            if (has != has_stages(&c)) {
                duet_fail_instance(instance, "stages", seed, "not those of the definition");
            }
            staged += has;
        }
        int32_t mark[MOST_TASKS] = {0};
        int32_t stamp = 0;
        int64_t work = 0;
        for (int64_t j = 0; j < c.tasks; j++) {
            int32_t near[MOST_TASKS];
            int64_t count = list_before(&c, j, near);
            int64_t most = 1 + (int64_t)(seed % 5);
            int64_t stage = duet_stages_nearest(&c.before, near, count, most, mark, &stamp, &work);
            if (stage != nearest_stage(&c, near, count, most)) {
                duet_fail_instance(instance, "stages", seed, "not the nearest stage");
            }
            found += stage > 1;
        }
        release(&c);
        duet_instance_free(instance);
    }
    enum { MANY = 100 }; // fewer may all be without
    assert_true(graphs < MANY || (staged > (int64_t)graphs / 20 && found > (int64_t)graphs / 20));
}

// Twelve steps of five tasks and a barrier: exact proves what no bound of the whole graph comes
// near.
static void barriers(void **state)
{
    (void)state;
    enum { STEPS = 12, WIDTH = 5, TASKS = STEPS * (WIDTH + 1), EDGES = 2 * STEPS * WIDTH - WIDTH };
    int64_t times[2 * TASKS];
    duet_edge edge[EDGES];
    int64_t edges = 0;
    for (int64_t j = 0; j < TASKS; j++) {
        int64_t step = j / (WIDTH + 1);
        bool ends = j % (WIDTH + 1) == WIDTH;
        times[2 * j] = ends ? 1 : 7;
        times[2 * j + 1] = ends ? 1 : 5;
        int64_t barrier = step * (WIDTH + 1) + WIDTH;
        if (!ends) {
            edge[edges++] = (duet_edge){j, barrier, 0};
        }
        if (!ends && step > 0) {
            edge[edges++] = (duet_edge){barrier - WIDTH - 1, j, 0};
        }
    }
    assert_int_equal(edges, EDGES);
    const duet_type platform[] = {{"cpu", 2}, {"gpu", 2}};
    duet_instance *instance = NULL;
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = TASKS,
                               .times = times,
                               .edges = EDGES,
                               .edge = edge};
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_solution *solution = duet_test_solve(instance, "exact", NULL, NULL);
    assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
    assert_int_equal(duet_solution_makespan(solution), STEPS * (10 + 1));
    duet_solution_free(solution);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definitions), cmocka_unit_test(barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
