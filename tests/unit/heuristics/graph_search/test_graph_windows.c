// SPDX-License-Identifier: Apache-2.0
// Window re-optimisation: a window that holds the whole graph against
// exhaustive optima; what comes of larger graphs is a schedule, and never a longer one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/graph.h"
#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "heuristics/graph_search/window_sweeps.h"
#include "tests/support/fixtures.h"

enum { MOST_TASKS = 120 };
static const int64_t no_limit = INT64_C(1) << 50;

// Times of up to 10^4 ticks.
static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks, int most_processors)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = most_tasks,
                                        .min_processors = 1,
                                        .max_processors = most_processors,
                                        .types = 1 + seed % 3}};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

// A schedule that windows shorten.
typedef struct shortened {
    duet_instance *instance;
    duet_graph_search_model model;
    duet_placement placement[MOST_TASKS];
    int64_t before, after;
} shortened;

static int32_t *topological_order(const duet_instance *instance)
{
    int32_t tasks = (int32_t)duet_instance_tasks(instance);
    int32_t *order = instance->graph != NULL ? duet_graph_order(instance->graph, NULL)
                                             : duet_alloc((size_t)tasks, sizeof *order, NULL);
    assert_non_null(order);
    for (int32_t i = 0; i < tasks && instance->graph == NULL; i++) {
        order[i] = i;
    }
    return order;
}

// The schedule is the one that comes of a simple rule.
static void shorten(shortened *s, int64_t work)
{
    duet_context context = {.deadline_ns = INT64_MAX, .threads = 1};
    duet_solution *made = duet_test_solve(s->instance, "quickest", NULL, NULL);
    size_t size = (size_t)duet_instance_tasks(s->instance) * sizeof *s->placement;
    memcpy(s->placement, duet_solution_placements(made), size);
    s->before = duet_solution_makespan(made);
    duet_solution_free(made);
    assert_int_equal(duet_graph_search_model_create(s->instance, &context, &s->model, NULL),
                     DUET_OK);
    duet_graph_search_window_sweeps *sweeps;
    assert_int_equal(duet_graph_search_window_sweeps_create(&s->model, &sweeps, NULL), DUET_OK);
    int32_t *order = topological_order(s->instance);
    s->after = duet_graph_search_window_sweeps_run(sweeps, &context, order, work, 0, s->placement);
    assert_true(s->before == 0 || duet_graph_search_window_sweeps_work(sweeps) > 0);
    duet_free(order);
    duet_graph_search_window_sweeps_free(sweeps);
}

static void release(shortened *s)
{
    duet_graph_search_model_free(&s->model);
    duet_instance_free(s->instance);
}

static int64_t end_of(const shortened *s, int32_t task)
{
    const duet_placement *placed = &s->placement[task];
    return placed->start + duet_graph_search_model_time(&s->model, task, (size_t)placed->type);
}

static bool are_apart(const shortened *s, int32_t one, int32_t other)
{
    const duet_placement *a = &s->placement[one];
    const duet_placement *b = &s->placement[other];
    return a->type != b->type || a->processor != b->processor || end_of(s, one) <= b->start ||
           end_of(s, other) <= a->start;
}

// Whether each task is where it may run, after those that it waits for and beside no other.
static bool is_schedule(const shortened *s)
{
    const duet_graph_search_model *model = &s->model;
    int64_t makespan = 0;
    bool right = true;
    for (int32_t j = 0; j < model->tasks && right; j++) {
        size_t type = (size_t)s->placement[j].type;
        int32_t count = model->begin[type + 1] - model->begin[type];
        right = duet_graph_search_model_allows(model, j, type) && s->placement[j].start >= 0 &&
                s->placement[j].processor >= 0 && s->placement[j].processor < count;
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            right = right && end_of(s, model->before[at]) <= s->placement[j].start;
        }
        for (int32_t i = 0; i < j; i++) {
            right = right && are_apart(s, i, j);
        }
        makespan = end_of(s, j) > makespan ? end_of(s, j) : makespan;
    }
    return right && makespan == s->after;
}

// One window holds the graph: a schedule that ends by the target costs nothing, so that there is
// none where the sweeps end. The target of a short schedule is just below it.
static void whole(void **state)
{
    (void)state;
    enum { below = 200 };
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 2000);
    uint64_t longer = 0;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        shortened s = {.instance = draw(seed, 2, 5, 2)};
        shorten(&s, no_limit);
        int64_t optimum = duet_exhaustive_optimum(s.instance);
        int64_t target = s.after - s.after / below - 1;
        if (!is_schedule(&s) || s.after > s.before || s.after < optimum || optimum <= target) {
            duet_fail_instance(s.instance, "windows", seed, "not the optimum, or no schedule");
        }
        longer += s.after < s.before;
        release(&s);
    }
    assert_true(longer > graphs / 10);
}

// With much work, and with so little that it ends within a sweep.
static void larger(void **state)
{
    (void)state;
    uint64_t shorter = 0;
    uint64_t graphs = duet_test_share(300);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        shortened s = {.instance = draw(seed, 7, MOST_TASKS, seed % 5 == 0 ? 20 : 4)};
        shorten(&s, seed % 2 == 0 ? 100000 : 300);
        if (!is_schedule(&s) || s.after > s.before) {
            duet_fail_instance(s.instance, "windows", seed, "longer, or no schedule");
        }
        shorter += s.after < s.before;
        release(&s);
    }
    assert_true(shorter > graphs / 4);
}

// The same graph with times so many times as long, as decimal numbers with many digits have them.
static duet_instance *in_fine_ticks(const duet_instance *coarse, int64_t ticks)
{
    size_t types = coarse->types;
    size_t tasks = (size_t)duet_instance_tasks(coarse);
    int64_t *times = duet_alloc(tasks * types, sizeof *times, NULL);
    duet_edge *edge = duet_alloc((size_t)coarse->graph->edges + 1, sizeof *edge, NULL);
    duet_type *platform = duet_alloc(types, sizeof *platform, NULL);
    int32_t *kind = duet_kinds_of_tasks(coarse, NULL);
    assert_true(times != NULL && edge != NULL && platform != NULL && kind != NULL);
    for (size_t i = 0; i < tasks * types; i++) {
        int64_t time = duet_time(coarse, (size_t)kind[i / types], i % types);
        times[i] = time == DUET_FORBIDDEN ? time : time * ticks + (int64_t)(i * i % 977);
    }
    for (int64_t i = 0; i < coarse->graph->edges; i++) {
        edge[i] = (duet_edge){coarse->graph->tail[i], coarse->graph->head[i], 0};
    }
    static const char *const names[] = {"a", "b", "c"};
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){names[t], coarse->processors[t]};
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = tasks,
                               .times = times,
                               .edges = (size_t)coarse->graph->edges,
                               .edge = edge};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_free(kind);
    duet_free(times);
    duet_free(edge);
    duet_free(platform);
    return instance;
}

static bool may_be_finer(const duet_instance *coarse, int64_t ticks)
{
    int64_t longest = 0;
    for (size_t i = 0; i < coarse->kinds * coarse->types; i++) {
        int64_t time = coarse->times[i];
        longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
    }
    return longest < DUET_MAX_WORK / ticks / (2 * MOST_TASKS);
}

// What is late by much does not make up for what is too late.
static void fine_ticks(void **state)
{
    (void)state;
    static const int64_t ticks = INT64_C(100000000000);
    uint64_t shorter = 0;
    uint64_t graphs = duet_test_share(20);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *coarse = draw(seed, 7, MOST_TASKS, 8);
        if (coarse->graph != NULL && may_be_finer(coarse, ticks)) {
            shortened s = {.instance = in_fine_ticks(coarse, ticks)};
            shorten(&s, 30000);
            if (!is_schedule(&s) || s.after > s.before) {
                duet_fail_instance(s.instance, "windows", seed, "longer, or no schedule");
            }
            shorter += s.after < s.before;
            release(&s);
        }
        duet_instance_free(coarse);
    }
    assert_true(shorter > graphs / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(larger),
                                       cmocka_unit_test(fine_ticks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
