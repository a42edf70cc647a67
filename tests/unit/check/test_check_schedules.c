// SPDX-License-Identifier: Apache-2.0
// The checker on schedules of task graphs, of which it takes the shortest, and on runs of equal
// tasks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

enum { GRAPHS = 2000 };

static size_t types_of(uint64_t seed)
{
    return seed % 3 == 0 ? 1 + seed % 4 : 2;
}

// When a task may start on a processor at the earliest, task by task and edge by edge.
static int64_t ready_at(const duet_instance *instance, const duet_solution *solution, int64_t task,
                        duet_placement where)
{
    int64_t ready = 0;
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        if (edge.to != task) {
            continue;
        }
        const duet_placement *before = &solution->placement[edge.from];
        size_t kind = duet_instance_kind_of(instance, edge.from);
        int64_t end = before->start + duet_instance_time(instance, kind, (size_t)before->type);
        bool same = before->type == where.type && before->processor == where.processor;
        end += same ? 0
                    : duet_instance_transfer(instance, e, (size_t)before->type, (size_t)where.type);
        ready = end > ready ? end : ready;
    }
    return ready;
}

// A schedule that starts every task as soon as its processor, drawn at random, and its data allow.
static duet_solution *schedule(const duet_instance *instance, duet_random *random)
{
    duet_solution *solution;
    int32_t order[16];
    int64_t busy[4][3] = {{0}};
    int64_t tasks = duet_instance_tasks(instance);
    assert_int_equal(duet_solution_create(tasks, &solution, NULL), DUET_OK);
    for (int64_t j = 0; j < tasks; j++) {
        order[j] = (int32_t)j;
    }
    if (instance->graph != NULL) {
        assert_int_equal(duet_graph_sort(instance->graph, DUET_TOPOLOGICAL_STACK, order, NULL),
                         tasks);
    }
    for (int64_t i = 0; i < tasks; i++) {
        size_t kind = duet_instance_kind_of(instance, order[i]);
        size_t type;
        do {
            type = (size_t)duet_random_between(random, 0, (int64_t)instance->types - 1);
        } while (!duet_allowed(instance, kind, type));
        int64_t processor = duet_random_between(random, 0, instance->processors[type] - 1);
        duet_placement where = {0, (int32_t)processor, (int32_t)type};
        int64_t ready = ready_at(instance, solution, order[i], where);
        int64_t *free_from = &busy[type][processor];
        where.start = ready > *free_from ? ready : *free_from;
        *free_from = where.start + duet_time(instance, kind, type);
        solution->placement[order[i]] = where;
    }
    duet_solution_finish(solution, instance);
    return solution;
}

// A schedule that respects every edge is accepted; one in which a task starts one tick before its
// data are there is refused, and so is a run given up that began too early.
static void test_checker(void **state)
{
    (void)state;
    int refused = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 12, types_of(seed));
        duet_solution *solution = schedule(instance, &random);
        duet_error error = DUET_ERROR_INIT;
        if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
            duet_fail_instance(instance, "graph-check", seed, error.message);
        }
        int64_t task = duet_random_between(&random, 0, duet_instance_tasks(instance) - 1);
        size_t kind = duet_instance_kind_of(instance, task);
        duet_placement *placed = &solution->placement[task];
        int64_t ready = ready_at(instance, solution, task, *placed);
        if (ready > 0 && duet_time(instance, kind, (size_t)placed->type) > 0) {
            // Nothing else is wrong: the end stays, as an aborted run of no length shows.
            duet_aborted early = {task, ready - 1, ready - 1, placed->processor, placed->type};
            assert_int_equal(duet_solution_add_aborted(solution, early, NULL), DUET_OK);
            assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, &error),
                             DUET_E_INPUT);
            solution->aborted_count = 0;
            placed->start = ready - 1;
            solution->makespan = duet_solution_measure(solution, instance);
            assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, &error),
                             DUET_E_INPUT);
            refused++;
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(refused > GRAPHS / 4);
}

// Every sequence of tasks and every processor for each, without a cut.
static int64_t best_of_all(const duet_instance *instance, duet_solution *solution, int64_t placed,
                           int64_t busy[4][3])
{
    int64_t best = INT64_MAX;
    int64_t tasks = duet_instance_tasks(instance);
    if (placed == tasks) {
        return duet_solution_measure(solution, instance);
    }
    for (int64_t j = 0; j < tasks; j++) {
        bool ready = solution->placement[j].type < 0;
        for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
            duet_edge edge = duet_instance_edge(instance, e);
            ready = ready && (edge.to != j || solution->placement[edge.from].type >= 0);
        }
        size_t kind = duet_instance_kind_of(instance, j);
        for (size_t t = 0; t < instance->types && ready; t++) {
            for (int32_t p = 0; p < instance->processors[t] && duet_allowed(instance, kind, t);
                 p++) {
                duet_placement where = {0, p, (int32_t)t};
                int64_t before = busy[t][p];
                int64_t data = ready_at(instance, solution, j, where);
                where.start = data > before ? data : before;
                busy[t][p] = where.start + duet_time(instance, kind, t);
                solution->placement[j] = where;
                int64_t found = best_of_all(instance, solution, placed + 1, busy);
                best = found < best ? found : best;
                solution->placement[j].type = -1;
                busy[t][p] = before;
            }
        }
    }
    return best;
}

static void test_truth(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS / 4; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 4, types_of(seed));
        duet_solution *solution;
        int64_t busy[4][3] = {{0}};
        assert_int_equal(duet_solution_create(duet_instance_tasks(instance), &solution, NULL),
                         DUET_OK);
        int64_t best = best_of_all(instance, solution, 0, busy);
        if (duet_exhaustive_optimum(instance) != best) {
            duet_fail_instance(instance, "graph-truth", seed, "another optimum without cuts");
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// Two CPUs, ten tasks of 5 and four of 3: 0..4 then 10, 11 on one; 5..9 then 12, 13 on the other.
static duet_solution *make_runs(void)
{
    static const duet_task_run runs[] = {
        {0, 5, 0, 5, 0, 0}, {5, 5, 0, 5, 1, 0}, {10, 2, 25, 3, 0, 0}, {12, 2, 25, 3, 1, 0}};
    duet_solution *solution;
    assert_int_equal(duet_solution_create_blank(14, &solution, NULL), DUET_OK);
    assert_int_equal(duet_solution_hold_runs(solution, 8, NULL), DUET_OK);
    memcpy(solution->run, runs, sizeof runs);
    solution->runs = 4;
    solution->makespan = 31;
    return solution;
}

typedef void spoil(duet_solution *solution);

static void right(duet_solution *s)
{
    (void)s;
}
static void a_gap(duet_solution *s)
{
    s->run[1].first = 6;
}
static void twice(duet_solution *s)
{
    s->run[1].first = 4;
}
static void empty_run(duet_solution *s)
{
    s->run[2].count = 0;
}
static void end_missing(duet_solution *s)
{
    s->runs = 3;
}
static void too_many(duet_solution *s)
{
    s->run[3].count = 3;
}
static void over_the_kind(duet_solution *s)
{
    s->run[1].count = 6;
    s->run[2].first = 11;
    s->run[2].count = 1;
}
static void wrong_time(duet_solution *s)
{
    s->run[2].time = 2;
}
static void strange_type(duet_solution *s)
{
    s->run[0].type = 1;
}
static void strange_processor(duet_solution *s)
{
    s->run[3].processor = 2;
}
static void early(duet_solution *s)
{
    s->run[2].start = -1;
}
static void runs_overlap(duet_solution *s)
{
    s->run[2].start = 17; // while task 3, from 15 to 20, runs
}
static void wrong_end(duet_solution *s)
{
    s->makespan = 30;
}
static void aborted_before(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){11, 28, 29, 0, 0}, NULL);
}

static void checker_refuses(void **state)
{
    (void)state;
    static const struct {
        spoil *spoil;
        const char *fragment; // NULL: accepted
    } rows[] = {
        {right, NULL},
        {a_gap, "'t0#5': is not the next"},
        {twice, "'t0#5': is not the next"},
        {empty_run, "'t1#0': is not the next"},
        {end_missing, "'t1#2': is not scheduled"},
        {too_many, "'t1#2': is not the next"},
        {over_the_kind, "'t0#5': begins a run of tasks that are not equal"},
        {wrong_time, "'t1#0': begins a run of tasks that are not equal"},
        {strange_type, "'t0#0': runs on an unknown processor type"},
        {strange_processor, "'t1#2': runs on a processor that does not exist"},
        {early, "'t1#0': starts outside"},
        {runs_overlap, "tasks 't0#3' and 't1#0' overlap on processor 0 of type cpu"},
        {wrong_end, "claimed makespan 30: the latest completion is 31"},
        {aborted_before, "'t1#1': is restarted before"},
    };
    const int64_t processors[] = {2};
    const int64_t counts[] = {10, 4};
    const int64_t times[] = {5, 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_instance *instance = duet_test_instance(1, processors, 2, counts, times);
        duet_solution *solution = make_runs();
        rows[i].spoil(solution);
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_check_solution(instance, solution, NULL, NULL, &error);
        if (rows[i].fragment == NULL
                ? code != DUET_OK
                : (code != DUET_E_INPUT || strstr(error.message, rows[i].fragment) == NULL)) {
            fail_msg("row %zu: expected '%s', got '%s'", i,
                     rows[i].fragment == NULL ? "ok" : rows[i].fragment, error.message);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checker),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(checker_refuses),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
