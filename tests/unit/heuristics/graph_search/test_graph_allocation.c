// SPDX-License-Identifier: Apache-2.0
// The order of tasks by levels against a sort. Schedules of allocations: valid, the same with a
// limit that they keep and none with one that they do not, in both directions, and from kept ones
// on as anew; and annealing on
// allocations: never above what it begins with, never below the exhaustive optimum, and the same
// again with the same seed.
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
#include "core/system/memory.h"
#include "heuristics/graph_search/allocation_anneal.h"
#include "tests/support/fixtures.h"

enum { MOST_TASKS = 40 };

// A random graph as its search reads it; in every second one mirrored.
typedef struct drawn {
    duet_instance *instance;
    duet_graph_search_model model;
    duet_graph_search_model used; // the model, or its mirror
    int32_t *order;
    duet_random random;
} drawn;

static void draw(drawn *d, uint64_t seed, int most_tasks)
{
    duet_random_seed(&d->random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = 3,
                                        .max_tasks = most_tasks,
                                        .min_processors = 1,
                                        .max_processors = seed % 5 == 0 ? 9 : 3,
                                        .types = seed % 4 != 0 ? 2 : 1 + seed / 4 % 4}};
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    d->instance = duet_random_graph(&d->random, &shape);
    assert_non_null(d->instance);
    assert_int_equal(duet_graph_search_model_create(d->instance, &context, &d->model, NULL),
                     DUET_OK);
    d->used = seed % 2 == 0 ? d->model : duet_graph_search_model_mirror(&d->model);
    d->order = d->instance->graph != NULL
                   ? duet_graph_order(d->instance->graph, NULL)
                   : duet_alloc_raw((size_t)d->model.tasks, sizeof *d->order, NULL);
    assert_non_null(d->order);
    for (int32_t j = 0; j < d->model.tasks && d->instance->graph == NULL; j++) {
        d->order[j] = j;
    }
}

static void end(drawn *d)
{
    duet_free(d->order);
    duet_graph_search_model_free(&d->model);
    duet_instance_free(d->instance);
}

static void draw_types(drawn *d, uint8_t *type)
{
    for (int32_t j = 0; j < d->model.tasks; j++) {
        do {
            type[j] = (uint8_t)duet_random_between(&d->random, 0, (int64_t)d->model.types - 1);
        } while (!duet_graph_search_model_allows(&d->model, j, type[j]));
    }
}

// Tasks of a type that run at an instant.
static int32_t running_at(const drawn *d, const uint8_t *type, const int64_t *start, uint8_t of,
                          int64_t instant)
{
    int32_t running = 0;
    for (int32_t j = 0; j < d->used.tasks; j++) {
        int64_t time = duet_graph_search_model_time(&d->used, j, type[j]);
        running += type[j] == of && start[j] <= instant && instant < start[j] + time;
    }
    return running;
}

// Whether every task waits for its predecessors, and no type runs more tasks than it can.
static bool is_valid(const drawn *d, const uint8_t *type, const int64_t *start, int64_t makespan)
{
    const duet_graph_search_model *model = &d->used;
    bool valid = true;
    int64_t last = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        int64_t ends = start[j] + duet_graph_search_model_time(model, j, type[j]);
        last = ends > last ? ends : last;
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            int32_t from = model->before[at];
            valid = valid &&
                    start[from] + duet_graph_search_model_time(model, from, type[from]) <= start[j];
        }
        valid = valid && start[j] >= 0 &&
                running_at(d, type, start, type[j], start[j]) <=
                    model->begin[type[j] + 1] - model->begin[type[j]];
    }
    return valid && last == makespan;
}

static void evaluations(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(300); seed++) {
        drawn d;
        uint8_t type[MOST_TASKS];
        duet_graph_allocation a;
        draw(&d, seed, MOST_TASKS);
        draw_types(&d, type);
        assert_int_equal(duet_graph_allocation_create(&d.model, &a, NULL), DUET_OK);
        duet_graph_allocation_set_model(&a, &d.used, d.order);
        duet_graph_allocation_set(&a, type);
        int64_t makespan = duet_graph_allocation_evaluate(&a, DUET_ALLOCATION_MOST);
        if (!is_valid(&d, type, a.start, makespan) ||
            duet_graph_allocation_evaluate(&a, makespan) != makespan ||
            duet_graph_allocation_evaluate(&a, makespan - 1) != INT64_MAX) {
            duet_fail_instance(d.instance, "allocation", seed, "not valid, or its limit not kept");
        }
        duet_graph_allocation_free(&a);
        end(&d);
    }
}

// What an evaluation from nothing makes of the types.
static int64_t evaluate_anew(const drawn *d, const uint8_t *type, int64_t most)
{
    duet_graph_allocation a;
    assert_int_equal(duet_graph_allocation_create(&d->model, &a, NULL), DUET_OK);
    duet_graph_allocation_set_model(&a, &d->used, d->order);
    duet_graph_allocation_set(&a, type);
    int64_t makespan = duet_graph_allocation_evaluate(&a, most);
    duet_graph_allocation_free(&a);
    return makespan;
}

// Tasks move, and back again where the limit is not kept: what is evaluated from a kept allocation
// on is the same as anew.
static void kept_evaluations(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(300); seed++) {
        drawn d;
        uint8_t type[MOST_TASKS];
        uint8_t old[MOST_TASKS];
        duet_graph_allocation a;
        draw(&d, seed, MOST_TASKS);
        draw_types(&d, type);
        assert_int_equal(duet_graph_allocation_create(&d.model, &a, NULL), DUET_OK);
        duet_graph_allocation_set_model(&a, &d.used, d.order);
        duet_graph_allocation_set(&a, type);
        int64_t makespan = duet_graph_allocation_evaluate(&a, DUET_ALLOCATION_MOST);
        duet_graph_allocation_keep(&a);
        for (int step = 0; step < 40; step++) {
            memcpy(old, type, sizeof old);
            int32_t moves = duet_random_below(&d.random, step % 10 == 9 ? 12 : 4);
            for (int32_t i = 0; i < moves; i++) {
                int32_t task = duet_random_below(&d.random, d.model.tasks);
                type[task] = (uint8_t)duet_graph_search_model_other_type(&d.used, &d.random, task,
                                                                         type[task]);
                duet_graph_allocation_move(&a, task, type[task]);
            }
            int64_t most = makespan + duet_random_below(&d.random, (int32_t)(makespan / 4 + 2));
            int64_t found = duet_graph_allocation_evaluate(&a, most);
            if (found != evaluate_anew(&d, type, most)) {
                duet_fail_instance(d.instance, "allocation", seed, "not the same as anew");
            }
            if (found < INT64_MAX) {
                makespan = found;
                duet_graph_allocation_keep(&a);
                continue;
            }
            memcpy(type, old, sizeof old);
            for (int32_t j = 0; j < d.model.tasks; j++) {
                if (a.type[j] != type[j]) {
                    duet_graph_allocation_move(&a, j, type[j]);
                }
            }
        }
        duet_graph_allocation_free(&a);
        end(&d);
    }
}

// Anneals from an allocation; returns the best makespan, and its types.
static int64_t anneal(const drawn *d, const uint8_t *from, uint64_t seed, uint8_t *type)
{
    duet_context context;
    duet_graph_allocation_annealer a;
    const duet_graph_search_cooling cooling = {.work = 200000,
                                               .slice = seed % 3 == 0 ? 30000 : INT64_MAX,
                                               .hot = DUET_ALLOCATION_HOT,
                                               .cold = DUET_ALLOCATION_COLD};
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_graph_allocation_annealer_create(&d->model, seed, &a, NULL), DUET_OK);
    duet_graph_allocation_annealer_begin(&a, &d->used, d->order, from);
    while (a.under_way) {
        duet_graph_allocation_annealer_run(&a, &context, &cooling);
    }
    int64_t makespan = a.best;
    memcpy(type, a.best_type, (size_t)d->model.tasks * sizeof *type);
    if (!is_valid(d, type, a.best_start, makespan)) {
        duet_fail_instance(d->instance, "allocation", seed, "the best schedule is not valid");
    }
    duet_graph_allocation_annealer_free(&a);
    return makespan;
}

static void annealing(void **state)
{
    (void)state;
    uint64_t optimal = 0;
    uint64_t graphs = duet_test_share(60);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        drawn d;
        uint8_t from[MOST_TASKS];
        uint8_t best[MOST_TASKS];
        uint8_t again[MOST_TASKS];
        duet_graph_allocation a;
        draw(&d, seed, seed % 4 == 0 ? 5 : 7);
        draw_types(&d, from);
        assert_int_equal(duet_graph_allocation_create(&d.model, &a, NULL), DUET_OK);
        duet_graph_allocation_set_model(&a, &d.used, d.order);
        duet_graph_allocation_set(&a, from);
        int64_t first = duet_graph_allocation_evaluate(&a, DUET_ALLOCATION_MOST);
        duet_graph_allocation_free(&a);
        int64_t optimum = duet_exhaustive_optimum(d.instance);
        int64_t makespan = anneal(&d, from, seed, best);
        if (makespan > first || makespan < optimum || anneal(&d, from, seed, again) != makespan ||
            memcmp(best, again, (size_t)d.model.tasks) != 0) {
            duet_fail_instance(d.instance, "allocation", seed,
                               "above its start, below the optimum, or not the same again");
        }
        optimal += makespan == optimum;
        end(&d);
    }
    printf("%llu of %llu at the optimum\n", (unsigned long long)optimal,
           (unsigned long long)graphs);
    assert_true(optimal >= graphs / 2);
}

// Some levels change from one sort to the next, by amounts of their own or all by the same.
static void level_orders(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(300); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int32_t tasks = (int32_t)duet_random_between(&random, 1, MOST_TASKS);
        int64_t level[MOST_TASKS] = {0};
        duet_graph_level_order order;
        assert_int_equal(duet_graph_level_order_create(tasks, &order, NULL), DUET_OK);
        for (int step = 0; step < 20; step++) {
            bool alike = duet_random_below(&random, 2) == 0;
            int64_t more = duet_random_below(&random, 10);
            for (int32_t j = 0; j < tasks; j++) {
                if (duet_random_below(&random, 3) == 0) {
                    level[j] = alike ? level[j] + more : duet_random_below(&random, 20);
                }
            }
            duet_graph_level_order_update(&order, level);
            for (int32_t i = 0; i < tasks; i++) {
                int32_t task = order.task[i];
                int32_t next = i + 1 < tasks ? order.task[i + 1] : task;
                bool sorted = next == task || level[task] > level[next] ||
                              (level[task] == level[next] && task < next);
                if (!sorted || order.rank[task] != i) {
                    fail_msg("seed %llu, step %d: rank %d", (unsigned long long)seed, step, i);
                }
            }
        }
        duet_graph_level_order_free(&order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_orders), cmocka_unit_test(evaluations),
        cmocka_unit_test(kept_evaluations), cmocka_unit_test(annealing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
