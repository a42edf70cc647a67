// SPDX-License-Identifier: Apache-2.0
// heteroprio on one to five types against a plain simulation that has no queues: every idle
// processor looks at every task and at every other processor. On two types it is the rule for two.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/solution.h"
#include "heuristics/rules/heteroprio_types.h"
#include "tests/support/fixtures.h"

enum { INSTANCES = 4000, MAX_TASKS = 20, MAX_PROCESSORS = 3, MAX_WORKERS = 5 * MAX_PROCESSORS };

typedef struct plain {
    const duet_instance *instance;
    size_t types, workers;
    size_t type[MAX_WORKERS]; // the last type's workers first
    int32_t processor[MAX_WORKERS];
    int64_t task[MAX_WORKERS]; // that a worker runs; -1: none
    int64_t end[MAX_WORKERS];
    bool taken[MAX_TASKS];
    duet_placement at[MAX_TASKS];
    int64_t now;
    int64_t spoliations;
} plain;

static size_t kind_of(const duet_instance *instance, int64_t task)
{
    size_t kind = 0;
    while (instance->first[kind + 1] <= task) {
        kind++;
    }
    return kind;
}

static int64_t time_of(const plain *p, int64_t task, size_t type)
{
    size_t kind = kind_of(p->instance, task);
    return duet_allowed(p->instance, kind, type) ? duet_time(p->instance, kind, type)
                                                 : DUET_FORBIDDEN;
}

// Best time elsewhere by time here; infinite without another type.
static duet_fraction acceleration(const plain *p, int64_t task, size_t type, bool *only_here)
{
    int64_t other = DUET_FORBIDDEN;
    for (size_t t = 0; t < p->types; t++) {
        int64_t time = time_of(p, task, t);
        other = t != type && time < other ? time : other;
    }
    *only_here = other == DUET_FORBIDDEN;
    int64_t here = time_of(p, task, type);
    return *only_here || (here == 0 && other == 0)
               ? (duet_fraction){1, 1}
               : (duet_fraction){(duet_uint128)other, (duet_uint128)here};
}

// Whether a type takes task `a` before task `b`.
static bool before(const plain *p, size_t type, int64_t a, int64_t b)
{
    bool only_a;
    bool only_b;
    duet_fraction of_a = acceleration(p, a, type, &only_a);
    duet_fraction of_b = acceleration(p, b, type, &only_b);
    int order = only_a != only_b ? (only_a ? 1 : -1) : duet_fraction_compare(of_a, of_b);
    return order != 0 ? order > 0 : type == 0 ? a > b : a < b;
}

static int64_t best_task(const plain *p, size_t type)
{
    int64_t best = -1;
    for (int64_t j = 0; j < duet_tasks(p->instance); j++) {
        if (!p->taken[j] && time_of(p, j, type) != DUET_FORBIDDEN &&
            (best < 0 || before(p, type, j, best))) {
            best = j;
        }
    }
    return best;
}

static size_t best_victim(const plain *p, size_t type)
{
    size_t victim = SIZE_MAX;
    for (size_t w = 0; w < p->workers; w++) {
        if (p->type[w] == type || p->task[w] < 0 || p->end[w] <= p->now) {
            continue;
        }
        int64_t time = time_of(p, p->task[w], type);
        bool helps = time != DUET_FORBIDDEN && p->now + time < p->end[w];
        if (helps && (victim == SIZE_MAX || p->end[w] > p->end[victim] ||
                      (p->end[w] == p->end[victim] && p->task[w] < p->task[victim]))) {
            victim = w;
        }
    }
    return victim;
}

static void start(plain *p, size_t worker, int64_t task)
{
    p->taken[task] = true;
    p->task[worker] = task;
    p->end[worker] = p->now + time_of(p, task, p->type[worker]);
    p->at[task] = (duet_placement){p->now, p->processor[worker], (int32_t)p->type[worker]};
}

static void serve(plain *p, size_t worker)
{
    while (worker != SIZE_MAX) {
        int64_t task = best_task(p, p->type[worker]);
        if (task >= 0) {
            start(p, worker, task);
            return;
        }
        size_t victim = best_victim(p, p->type[worker]);
        if (victim != SIZE_MAX) {
            task = p->task[victim];
            p->task[victim] = -1;
            p->spoliations++;
            start(p, worker, task);
        }
        worker = victim;
    }
}

static void simulate(plain *p)
{
    p->types = p->instance->types;
    for (size_t t = p->types; t-- > 0;) {
        for (int32_t i = 0; i < p->instance->processors[t]; i++) {
            p->type[p->workers] = t;
            p->processor[p->workers] = i;
            p->task[p->workers++] = -1;
        }
    }
    for (size_t w = 0; w < p->workers; w++) {
        serve(p, w);
    }
    for (;;) {
        size_t next = SIZE_MAX;
        for (size_t w = 0; w < p->workers; w++) {
            if (p->task[w] >= 0 && (next == SIZE_MAX || p->end[w] < p->end[next])) {
                next = w;
            }
        }
        if (next == SIZE_MAX) {
            return;
        }
        p->now = p->end[next];
        p->task[next] = -1;
        serve(p, next);
    }
}

static void expect_plain(const duet_instance *instance, const plain *p,
                         const duet_solution *solution, uint64_t seed)
{
    bool same = (int64_t)solution->aborted_count == p->spoliations;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        const duet_placement *at = &solution->placement[j];
        same = same && at->start == p->at[j].start && at->type == p->at[j].type &&
               at->processor == p->at[j].processor;
    }
    if (!same) {
        duet_fail_instance(instance, "heteroprio-types", seed, "not as in the plain simulation");
    }
}

static void against_plain(void **state)
{
    (void)state;
    int64_t spoliations[6] = {0};
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + INSTANCES; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {.min_tasks = 1,
                            .max_tasks = MAX_TASKS,
                            .min_processors = seed % 3 == 0 ? 0 : 1,
                            .max_processors = MAX_PROCESSORS,
                            .types = 1 + seed % 5};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        plain p = {.instance = instance};
        simulate(&p);
        duet_solution *solution = duet_test_solve(instance, "heteroprio", NULL, NULL);
        expect_plain(instance, &p, solution, seed);
        duet_solution_free(solution);
        assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, NULL), DUET_OK);
        assert_int_equal(duet_heteroprio_types(instance, false, solution, NULL), DUET_OK);
        expect_plain(instance, &p, solution, seed);
        duet_solution_free(solution);
        spoliations[shape.types] += p.spoliations;
        duet_instance_free(instance);
    }
    assert_true(spoliations[1] == 0);
    for (size_t types = 2; types <= 5; types++) {
        assert_true(spoliations[types] > INSTANCES / 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
