// SPDX-License-Identifier: Apache-2.0
// Independent tasks with releases and busy processors: exact finds and proves what trying all
// processors for every task finds, and no bound is above it. Trees say nothing else of a guess.
// What a processor would end at with other tasks is what running them one by one says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "lp/lp.h"
#include "solvers/released/decide.h"
#include "solvers/released/line.h"
#include "tests/support/fixtures.h"

enum { MOST_TASKS = 9, MOST_PROCESSORS = 4, MOST_TYPES = 3 };

// Tasks by their releases, and all processors.
typedef struct brute {
    const duet_instance *instance;
    size_t order[MOST_TASKS];
    size_t tasks;
    size_t type[MOST_PROCESSORS];
    int64_t end[MOST_PROCESSORS];
    size_t processors;
    int64_t best;
} brute;

// Earliest release first is best on one processor.
static void extend(brute *b, size_t at, int64_t end)
{
    if (end >= b->best) {
        return;
    }
    if (at == b->tasks) {
        b->best = end;
        return;
    }
    size_t kind = b->order[at];
    for (size_t p = 0; p < b->processors; p++) {
        int64_t time = duet_instance_time(b->instance, kind, b->type[p]);
        int64_t before = b->end[p];
        if (time != DUET_FORBIDDEN) {
            b->end[p] = duet_max(before, duet_instance_release(b->instance, kind)) + time;
            extend(b, at + 1, duet_max(end, b->end[p]));
            b->end[p] = before;
        }
    }
}

static int64_t optimum(const duet_instance *instance)
{
    brute b = {.instance = instance, .best = INT64_MAX};
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        for (int64_t p = 0; p < duet_instance_type_count(instance, t); p++) {
            b.type[b.processors] = t;
            b.end[b.processors++] = duet_instance_busy(instance, t, p);
        }
    }
    for (size_t kind = 0; kind < duet_instance_kinds(instance); kind++) {
        for (int64_t i = 0; i < duet_instance_kind_count(instance, kind); i++) {
            size_t at = b.tasks++;
            for (; at > 0 && duet_instance_release(instance, b.order[at - 1]) >
                                 duet_instance_release(instance, kind);
                 at--) {
                b.order[at] = b.order[at - 1];
            }
            b.order[at] = kind;
        }
    }
    extend(&b, 0, 0);
    return b.best;
}

static duet_instance *draw(duet_random *random)
{
    static const char *const names[] = {"a", "b", "c"};
    bool alike = duet_random_between(random, 0, 2) == 0; // tasks go to all types
    size_t types = alike ? MOST_TYPES : (size_t)duet_random_between(random, 1, MOST_TYPES);
    int64_t tasks = duet_random_between(random, 5, MOST_TASKS);
    size_t kinds = (size_t)duet_random_between(random, 1, alike ? 2 : tasks);
    duet_type platform[MOST_TYPES];
    duet_busy entry[MOST_PROCESSORS];
    int64_t times[MOST_TASKS * MOST_TYPES];
    int64_t releases[MOST_TASKS];
    int64_t counts[MOST_TASKS] = {0};
    size_t processors = 0;
    for (size_t t = 0; t < types; t++) {
        int64_t most = MOST_PROCESSORS - (int64_t)processors - (int64_t)(types - t) + 1;
        platform[t] = (duet_type){names[t], duet_random_between(random, 1, duet_min(most, 2))};
        for (int64_t p = 0; p < platform[t].count; p++, processors++) {
            bool idle = duet_random_between(random, 0, 2) > 0;
            int64_t until = idle ? 0 : duet_random_between(random, 1, 12);
            entry[processors] = (duet_busy){.type = t, .processor = p, .until = until};
        }
    }
    for (size_t i = 0; i < kinds; i++) {
        releases[i] = 5 * duet_random_between(random, 0, 3);
        int64_t time = duet_random_between(random, 1, 15);
        for (size_t t = 0; t < types; t++) {
            bool out = t > 0 && duet_random_between(random, 0, 7) == 0;
            int64_t own = alike ? time : duet_random_between(random, 1, 15);
            times[i * types + t] = out ? DUET_FORBIDDEN : own;
        }
    }
    for (int64_t j = 0; j < tasks; j++) {
        counts[j % (int64_t)kinds]++;
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = types,
                                     .platform = platform,
                                     .kinds = kinds,
                                     .counts = counts,
                                     .times = times,
                                     .releases = releases,
                                     .busy_count = processors,
                                     .busy = entry};
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    return instance;
}

static void test_exact(void **state)
{
    (void)state;
    static const char *const bounds[] = {"longest", "area", "configuration", "knapsack"};
    int64_t count = duet_test_number("DUET_TEST_INSTANCES", 150);
    for (int64_t i = 0; i < count; i++) {
        uint64_t seed = duet_test_seed() + (uint64_t)i;
        duet_random random;
        duet_random_seed(&random, seed);
        duet_instance *instance = draw(&random);
        int64_t best = optimum(instance);
        duet_solution *solution = duet_test_solve(instance, "exact", NULL, NULL);
        if (duet_solution_makespan(solution) != best ||
            duet_solution_lower_bound(solution) != best) {
            duet_fail_instance(instance, "released", seed, "exact is not the optimum");
        }
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            duet_bound bound;
            duet_error error = DUET_ERROR_INIT;
            if (duet_test_bound(instance, bounds[b], NULL, &bound, &error) == DUET_OK &&
                bound.value > best) {
                duet_fail_instance(instance, "released", seed, bounds[b]);
            }
            duet_bound_release(&bound);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// Trees say of each guess near the optimum whether there is a schedule, wherever they end.
static void test_decide(void **state)
{
    (void)state;
    enum { nodes = 1000, below = 4, above = 2 };
    int64_t count = duet_test_number("DUET_TEST_INSTANCES", 150);
    const duet_context context = {.deadline_ns = INT64_MAX};
    for (int64_t i = 0; i < count && duet_lp_available(); i++) {
        uint64_t seed = duet_test_seed() + (uint64_t)i;
        duet_random random;
        duet_random_seed(&random, seed);
        duet_instance *instance = draw(&random);
        int64_t best = optimum(instance);
        duet_released_model m;
        assert_int_equal(duet_released_model_create(instance, &m, NULL), DUET_OK);
        for (int64_t guess = duet_max(best - below, 1); guess <= best + above; guess++) {
            duet_solution *solution;
            duet_log log = {.guess = 0};
            duet_verdict verdict;
            const duet_released_question question = {&m, guess, nodes, 0, &random};
            assert_int_equal(duet_solution_create_blank((int64_t)m.tasks, &solution, NULL),
                             DUET_OK);
            solution->makespan = best + above + 1;
            assert_int_equal(
                duet_released_decide(&question, &context, &log, &verdict, solution, NULL), DUET_OK);
            bool right = verdict == DUET_FOUND
                             ? solution->makespan <= guess && solution->makespan >= best
                             : verdict == DUET_OPEN || guess < best;
            if (!right) {
                duet_fail_instance(instance, "released", seed, "a tree errs");
            }
            duet_log_free(&log);
            duet_solution_free(solution);
        }
        duet_released_model_free(&m);
        duet_instance_free(instance);
    }
}

// When a processor ends that runs the tasks of a line, without one and with another one: the slow
// way. `has`: of each task, whether it is in the line.
static int64_t run_all(const duet_released_model *m, size_t p, const bool *has, int32_t without,
                       int32_t with)
{
    int64_t end = m->processor[p].from;
    bool any = false;
    bool done[MOST_TASKS] = {false};
    for (size_t i = 0; i < m->tasks; i++) {
        int32_t next = DUET_RELEASED_NO_TASK;
        for (int32_t j = 0; j < (int32_t)m->tasks; j++) {
            bool runs = (has[j] && j != without) || j == with;
            bool sooner = next == DUET_RELEASED_NO_TASK || duet_released_comes_first(m, j, next);
            next = runs && !done[j] && sooner ? j : next;
        }
        if (next != DUET_RELEASED_NO_TASK) {
            size_t type = (size_t)m->processor[p].type;
            done[next] = true;
            end = duet_max(end, m->release[next]) +
                  duet_instance_time(m->instance, (size_t)m->kind[next], type);
        }
    }
    for (size_t j = 0; j < m->tasks; j++) {
        any = any || has[j];
    }
    return any || with != DUET_RELEASED_NO_TASK ? end : 0;
}

static bool may_run(const duet_released_model *m, size_t p, int32_t task)
{
    return duet_instance_time(m->instance, (size_t)m->kind[task], (size_t)m->processor[p].type) !=
           DUET_FORBIDDEN;
}

// All changes of one line by one task, or two.
static void check_line(const duet_released_model *m, size_t p, const duet_released_line *line,
                       const bool *has, uint64_t seed)
{
    for (int32_t out = DUET_RELEASED_NO_TASK; out < (int32_t)m->tasks; out++) {
        for (int32_t in = DUET_RELEASED_NO_TASK; in < (int32_t)m->tasks; in++) {
            bool there = out == DUET_RELEASED_NO_TASK || has[out];
            bool free = in == DUET_RELEASED_NO_TASK || (!has[in] && may_run(m, p, in));
            if (there && free &&
                duet_released_end_with(m, line, p, out, in) != run_all(m, p, has, out, in)) {
                duet_fail_instance(m->instance, "released", seed, "a line ends otherwise");
            }
        }
    }
}

static void test_lines(void **state)
{
    (void)state;
    int64_t count = duet_test_number("DUET_TEST_INSTANCES", 150);
    for (int64_t i = 0; i < count; i++) {
        uint64_t seed = duet_test_seed() + (uint64_t)i;
        duet_random random;
        duet_random_seed(&random, seed);
        duet_instance *instance = draw(&random);
        duet_released_model m;
        duet_released_line line = {.count = 0};
        bool has[MOST_TASKS] = {false};
        assert_int_equal(duet_released_model_create(instance, &m, NULL), DUET_OK);
        size_t p = (size_t)duet_random_between(&random, 0, (int64_t)m.processors - 1);
        for (int change = 0; change < 20; change++) {
            int32_t task = (int32_t)duet_random_between(&random, 0, (int64_t)m.tasks - 1);
            if (has[task]) {
                duet_released_take_out(&m, &line, task);
                has[task] = false;
            } else if (may_run(&m, p, task)) {
                assert_int_equal(duet_released_put_in(&m, &line, task, NULL), DUET_OK);
                has[task] = true;
            }
            duet_released_settle(&m, &line, p);
            check_line(&m, p, &line, has, seed);
        }
        duet_free(line.stop);
        duet_released_model_free(&m);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_decide),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
