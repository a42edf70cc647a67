// SPDX-License-Identifier: Apache-2.0
// Moldable tasks on clusters: the critical path and the allocations against plain ones, schedules
// worked out by hand, CPA and HCPA on one cluster.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/moldable.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "heuristics/moldable/allocation.h"
#include "heuristics/moldable/critical_path.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

// --- the critical path ---------------------------------------------------------------------------

// A random graph in layers, with some edges that go far; ids are shuffled, so that places are no
// ids.
static duet_graph make_graph(duet_random *random, int32_t tasks)
{
    duet_graph graph = {.tasks = tasks};
    int64_t most = (int64_t)tasks * (tasks - 1) / 2;
    graph.tail = duet_alloc((size_t)most + 1, sizeof *graph.tail, NULL);
    graph.head = duet_alloc((size_t)most + 1, sizeof *graph.head, NULL);
    int32_t *id = duet_alloc((size_t)tasks, sizeof *id, NULL);
    for (int32_t i = 0; i < tasks; i++) {
        int32_t other = (int32_t)duet_random_between(random, 0, i);
        id[i] = id[other];
        id[other] = i;
    }
    int64_t density = duet_random_between(random, 1, 6);
    for (int32_t a = 0; a < tasks; a++) {
        int32_t far = duet_random_between(random, 0, 19) == 0
                          ? (int32_t)duet_random_between(random, a, tasks - 1)
                          : a;
        for (int32_t b = a + 1; b < tasks; b++) {
            if (b == far || (b < a + 8 && duet_random_between(random, 0, 9) < density)) {
                graph.tail[graph.edges] = id[a];
                graph.head[graph.edges++] = id[b];
            }
        }
    }
    duet_free(id);
    assert_int_equal(duet_graph_make_rows(&graph, NULL), DUET_OK);
    return graph;
}

static void free_graph(duet_graph *graph)
{
    duet_free(graph->tail);
    duet_free(graph->head);
    duet_free(graph->leave_at);
    duet_free(graph->leaving);
    duet_free(graph->enter_at);
    duet_free(graph->entering);
}

// The longest path, of several the one of least ids from the first on, the plain way. Returns how
// many tasks it has.
static size_t find_plain(const duet_graph *graph, const int64_t *time, int64_t *level,
                         int32_t *path)
{
    size_t count = 0;
    int32_t *order = duet_graph_order(graph, NULL);
    memcpy(level, time, (size_t)graph->tasks * sizeof *level);
    duet_graph_raise(graph, order, level);
    duet_free(order);
    int32_t at = -1;
    for (int32_t j = 0; j < graph->tasks; j++) {
        bool entry = graph->enter_at[j] == graph->enter_at[j + 1];
        at = entry && (at < 0 || level[j] > level[at]) ? j : at;
    }
    while (at >= 0) {
        int32_t next = -1;
        path[count++] = at;
        for (int64_t e = graph->leave_at[at]; e < graph->leave_at[at + 1]; e++) {
            int32_t head = graph->head[graph->leaving[e]];
            bool better = next < 0 || level[head] > level[next] ||
                          (level[head] == level[next] && head < next);
            next = better ? head : next;
        }
        at = next;
    }
    return count;
}

static void check_path(const duet_critical_path *path, const duet_graph *graph, const int64_t *time,
                       int64_t *level, int32_t *plain)
{
    size_t count = find_plain(graph, time, level, plain);
    int32_t at = path->head;
    assert_int_equal(path->length, level[plain[0]]);
    for (size_t i = 0; i < count; i++, at = path->best[at]) {
        assert_true(at >= 0);
        assert_int_equal(path->id[at], plain[i]);
        assert_true(path->on_path[at]);
    }
    assert_int_equal(at, -1);
    size_t on_path = 0;
    for (int32_t j = 0; j < path->tasks; j++) {
        on_path += path->on_path[j];
    }
    assert_int_equal(on_path, count);
}

static void check_steps(duet_random *random, int32_t tasks, int64_t longest, int steps)
{
    duet_graph graph = make_graph(random, tasks);
    int64_t *time = duet_alloc((size_t)tasks, sizeof *time, NULL);
    int64_t *level = duet_alloc((size_t)tasks, sizeof *level, NULL);
    int32_t *plain = duet_alloc((size_t)tasks, sizeof *plain, NULL);
    for (int32_t j = 0; j < tasks; j++) {
        time[j] = duet_random_between(random, 1, longest);
    }
    duet_critical_path path;
    assert_int_equal(duet_critical_path_create(&graph, tasks, time, &path, NULL), DUET_OK);
    duet_critical_path_find(&path);
    check_path(&path, &graph, time, level, plain);
    for (int step = 0; step < steps; step++) {
        size_t count = find_plain(&graph, time, level, plain);
        int32_t task = plain[duet_random_between(random, 0, (int64_t)count - 1)];
        int32_t place = 0;
        while (path.id[place] != task) {
            place++;
        }
        bool longer = duet_random_between(random, 0, 9 + tasks / 8) == 0;
        int64_t least = duet_random_between(random, 0, 1) == 0 ? 1 : time[task] - time[task] / 8;
        time[task] = longer ? time[task] + 3 : duet_random_between(random, least, time[task]);
        duet_critical_path_set(&path, place, time[task]);
        check_path(&path, &graph, time, level, plain);
    }
    duet_critical_path_free(&path);
    duet_free(time);
    duet_free(level);
    duet_free(plain);
    free_graph(&graph);
}

static void the_path_stays_critical(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", 300);
    duet_random random;
    duet_random_seed(&random, duet_test_seed());
    for (int64_t g = 0; g < graphs; g++) {
        int64_t longest = g % 2 == 0 ? 5 : 100; // short times tie
        check_steps(&random, (int32_t)duet_random_between(&random, 1, 40), longest, 60);
    }
    for (int64_t g = 0; g < graphs / 15; g++) { // edges that are long, and many blocks of places
        int64_t longest = g % 2 == 0 ? 5 : 1000;
        check_steps(&random, (int32_t)duet_random_between(&random, 300, 900), longest, 400);
    }
}

// --- allocations ---------------------------------------------------------------------------------

// How many edges are on the longest way from an entry to each task.
static void find_depths(const duet_graph *graph, size_t tasks, int32_t *depth)
{
    memset(depth, 0, tasks * sizeof *depth);
    for (size_t round = 0; round < tasks; round++) {
        for (int64_t e = 0; e < graph->edges; e++) {
            int32_t after = depth[graph->tail[e]] + 1;
            int32_t *at = &depth[graph->head[e]];
            *at = after > *at ? after : *at;
        }
    }
}

// Whether the tasks on a task's level have fewer processors than there are.
static bool has_room_on_level(const int32_t *depth, const int64_t *size, size_t tasks, int32_t task,
                              int64_t processors)
{
    int64_t width = 0;
    for (size_t j = 0; j < tasks; j++) {
        width += depth[j] == depth[task] ? size[j] : 0;
    }
    return width < processors;
}

static int64_t area_of(const duet_instance *instance, const int64_t *size)
{
    int64_t area = 0;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        area +=
            size[j] * duet_moldable_time(instance, duet_instance_kind_of(instance, j), 0, size[j]);
    }
    return area;
}

// The allocation of CPA step by step on one cluster, with new levels in every step; that of MCPA.
// It stops where the path is no longer than the area on `processors`.
static void allocate_plainly(const duet_instance *instance, int64_t processors, bool by_levels,
                             int64_t *size)
{
    const duet_graph *graph = instance->graph;
    size_t tasks = (size_t)duet_tasks(instance);
    int64_t time[16] = {0};
    int64_t level[16] = {0};
    int32_t path[16] = {0};
    int32_t depth[16];
    find_depths(graph, tasks, depth);
    for (size_t j = 0; j < tasks; j++) {
        size[j] = 1;
        time[j] = duet_moldable_time(instance, duet_instance_kind_of(instance, (int64_t)j), 0, 1);
    }
    for (;;) {
        size_t count = find_plain(graph, time, level, path);
        if (level[path[0]] * processors <= area_of(instance, size)) {
            return;
        }
        int32_t best = -1;
        double most = 0;
        for (size_t i = 0; i < count; i++) {
            int32_t j = path[i];
            size_t kind = duet_instance_kind_of(instance, j);
            bool room = !by_levels || has_room_on_level(depth, size, tasks, j, processors);
            if (room && size[j] < duet_moldable_sizes(instance, kind, 0)) {
                int64_t next = duet_moldable_time(instance, kind, 0, size[j] + 1);
                double gain = (double)(time[j] * (size[j] + 1) - next * size[j]) /
                              (double)(size[j] * (size[j] + 1)); // of short times: exact enough
                if (best < 0 || gain > most + 1e-9) {
                    best = j;
                    most = gain;
                }
            }
        }
        if (best < 0) {
            return;
        }
        size[best]++;
        time[best] =
            duet_moldable_time(instance, duet_instance_kind_of(instance, best), 0, size[best]);
    }
}

// What biCPA is told of an allocation: a makespan of no meaning, by which many tie.
typedef struct made_up {
    const duet_instance *instance;
    const duet_allocated *allocated;
    int64_t asked;
} made_up;

static int64_t makespan_of(const duet_instance *instance, const int64_t *size)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        sum += (j + 3) * size[j];
    }
    return sum % 5;
}

static duet_code schedule_made_up(void *user, int64_t *makespan, duet_error *error)
{
    (void)error;
    made_up *of = user;
    of->asked++;
    *makespan = makespan_of(of->instance, of->allocated->size);
    return DUET_OK;
}

// The shortest schedule of what is allocated for any number of processors, then the least area.
static void allocate_for_all(const duet_instance *instance, int64_t processors, int64_t *size)
{
    int64_t here[16] = {0};
    size_t bytes = (size_t)duet_tasks(instance) * sizeof *size;
    for (int64_t p = 1; p <= processors; p++) {
        allocate_plainly(instance, p, false, here);
        int64_t order = p == 1 ? -1 : makespan_of(instance, here) - makespan_of(instance, size);
        if (order < 0 || (order == 0 && area_of(instance, here) < area_of(instance, size))) {
            memcpy(size, here, bytes);
        }
    }
}

static void check_allocation(const duet_instance *instance, duet_allocation_rule rule,
                             const int64_t *size, uint64_t seed)
{
    int64_t processors = instance->processors[0];
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    int32_t *kind = duet_kinds_of_tasks(instance, NULL);
    duet_growth growth;
    duet_allocated found;
    made_up of = {instance, &found, 0};
    const duet_allocation_choice choice = {DUET_GAIN_AREA, rule, schedule_made_up, &of};
    assert_int_equal(duet_growth_create(instance, kind, duet_moldable_speed(instance, 0),
                                        processors, &growth, NULL),
                     DUET_OK);
    assert_int_equal(duet_allocate_by_path(&growth, processors, &choice, &context, &found, NULL),
                     DUET_OK);
    assert_int_equal(of.asked, found.tried);
    assert_true(rule == DUET_ALLOCATE_BICPA ? of.asked > 0 : of.asked == 0);
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        if (size[j] != found.size[j]) {
            duet_fail_instance(instance, "allocation", seed, "another allocation");
        }
    }
    duet_allocated_free(&found);
    duet_growth_free(&growth);
    duet_free(kind);
}

static void allocations_are_those_of_the_papers(void **state)
{
    (void)state;
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    uint64_t seed = duet_test_seed();
    for (int64_t i = 0; i < instances; i++, seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_moldable_shape shape = {.tables = (duet_table_shape)(i % 4),
                                     .most_tasks = 8,
                                     .most_processors = 12,
                                     .longest = i % 3 == 0 ? 500 : 30,
                                     .edges = true,
                                     .data = i % 2 == 0};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        int64_t processors = instance->processors[0];
        if (instance->graph == NULL) {
            duet_instance_free(instance);
            continue;
        }
        int64_t size[16] = {0};
        allocate_plainly(instance, processors, false, size);
        check_allocation(instance, DUET_ALLOCATE_CPA, size, seed);
        allocate_plainly(instance, processors, true, size);
        check_allocation(instance, DUET_ALLOCATE_MCPA, size, seed);
        allocate_for_all(instance, processors, size);
        check_allocation(instance, DUET_ALLOCATE_BICPA, size, seed);
        duet_instance_free(instance);
    }
}

// --- schedules -----------------------------------------------------------------------------------

static void check_equal_schedules(const duet_instance *instance, const duet_solution *a,
                                  const duet_solution *b, uint64_t seed)
{
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        duet_processor_range one[2];
        bool same =
            a->placement[j].start == b->placement[j].start &&
            duet_set_equal(duet_solution_set(a, j, &one[0]), duet_solution_set(b, j, &one[1]));
        if (!same) {
            duet_fail_instance(instance, "one-cluster", seed, "cpa and hcpa differ");
        }
    }
}

// On one cluster CPA and HCPA are the same, and so is S-HCPA.
static void one_cluster_makes_them_equal(void **state)
{
    (void)state;
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    uint64_t seed = duet_test_seed();
    for (int64_t i = 0; i < instances; i++, seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_moldable_shape shape = {.tables = DUET_TABLES_LAW,
                                     .most_tasks = 8,
                                     .most_processors = 12,
                                     .longest = 1000,
                                     .edges = i % 5 > 0,
                                     .data = i % 5 > 1};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        duet_solution *cpa = duet_test_solve(instance, "cpa", NULL, NULL);
        duet_solution *hcpa = duet_test_solve(instance, "hcpa", NULL, NULL);
        duet_solution *s_hcpa = duet_test_solve(instance, "s-hcpa", NULL, NULL);
        check_equal_schedules(instance, cpa, hcpa, seed);
        check_equal_schedules(instance, cpa, s_hcpa, seed);
        duet_solution_free(cpa);
        duet_solution_free(hcpa);
        duet_solution_free(s_hcpa);
        duet_instance_free(instance);
    }
}

// The schedule of bicpa is the shortest of several, that of cpa among them; on several clusters,
// too, and by sufferage.
static void fewer_processors_never_lengthen(void **state)
{
    (void)state;
    static const char *const names[] = {"cpa", "hcpa", "s-hcpa"};
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 300);
    uint64_t seed = duet_test_seed();
    int64_t shorter = 0;
    for (int64_t i = 0; i < instances; i++, seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_moldable_shape shape = {.tables = DUET_TABLES_LAW,
                                     .most_tasks = 8,
                                     .most_processors = 12,
                                     .most_gpus = i % 3 > 0 ? 3 : 0,
                                     .second_cluster = i % 3 > 0,
                                     .longest = 1000,
                                     .edges = true,
                                     .data = i % 2 == 0};
        duet_instance *instance = duet_random_moldable(&random, &shape);
        for (size_t a = i % 3 > 0; a < 3; a++) { // cpa on one cluster: its plan is the schedule
            duet_solution *one = duet_test_solve(instance, names[a], NULL, NULL);
            duet_solution *best = duet_test_solve(instance, names[a], "allocation=bicpa", NULL);
            duet_solution *level = duet_test_solve(instance, names[a], "allocation=mcpa", NULL);
            if (duet_solution_makespan(best) > duet_solution_makespan(one)) {
                duet_fail_instance(instance, names[a], seed, "bicpa is longer");
            }
            shorter += duet_solution_makespan(best) < duet_solution_makespan(one);
            duet_solution_free(one);
            duet_solution_free(best);
            duet_solution_free(level);
        }
        duet_instance_free(instance);
    }
    assert_true(shorter > instances / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_stays_critical),
        cmocka_unit_test(allocations_are_those_of_the_papers),
        cmocka_unit_test(fewer_processors_never_lengthen),
        cmocka_unit_test(one_cluster_makes_them_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
