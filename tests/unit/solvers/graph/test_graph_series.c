// SPDX-License-Identifier: Apache-2.0
// Stages of task graphs one after another: the cuts are those of the transitive closure; schedules
// hold, bounds are no longer than exhaustive optima, and certificates pass the checker; where each
// stage is solved to its optimum so is the graph.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/graph/series/series.h"
#include "tests/support/fixtures.h"

enum { MOST = 32, TYPES = 3, LONGEST = 12 };

// A graph of stages, in an order of tasks that says nothing.
typedef struct drawn {
    duet_random random;
    int64_t tasks;
    int64_t name[MOST]; // Of the tasks in the order in which they are drawn.
    duet_edge edge[MOST * MOST];
    size_t edges;
} drawn;

static void join(drawn *d, int64_t from, int64_t to)
{
    d->edge[d->edges++] = (duet_edge){d->name[from], d->name[to], 0};
}

// Some tasks with some edges between them, which come behind the last `before` tasks.
static int64_t add_stage(drawn *d, int64_t count, int64_t before)
{
    int64_t begin = d->tasks;
    bool edges = duet_random_between(&d->random, 0, 1) == 0;
    bool barrier = duet_random_between(&d->random, 0, 3) > 0; // else one edge is missing
    for (int64_t i = 0; i < before; i++) {
        for (int64_t j = 0; j < count; j++) {
            if (barrier || i > 0 || j > 0) {
                join(d, begin - before + i, begin + j);
            }
        }
    }
    for (int64_t j = 0; j < count && edges; j++) {
        for (int64_t i = 0; i < j; i++) {
            if (duet_random_between(&d->random, 0, 2) == 0) {
                join(d, begin + i, begin + j);
            }
        }
    }
    d->tasks += count;
    return count;
}

static duet_instance *draw(uint64_t seed, int64_t most)
{
    drawn d = {.tasks = 0};
    duet_random_seed(&d.random, seed);
    size_t types = 1 + seed % TYPES;
    for (int64_t i = 0; i < most; i++) {
        d.name[i] = i;
    }
    for (int64_t i = most - 1; i > 0; i--) {
        int64_t other = duet_random_between(&d.random, 0, i);
        int64_t kept = d.name[i];
        d.name[i] = d.name[other];
        d.name[other] = kept;
    }
    for (int64_t before = 0; d.tasks < most;) {
        int64_t count = duet_random_between(&d.random, 1, 4);
        count = count < most - d.tasks ? count : most - d.tasks;
        before = add_stage(&d, count, before);
    }
    int64_t times[MOST * TYPES];
    for (int64_t i = 0; i < most * (int64_t)types; i++) {
        times[i] = duet_random_between(&d.random, seed % 4 == 0 ? 0 : 1, LONGEST);
    }
    duet_type platform[TYPES] = {{"a", duet_random_between(&d.random, 1, 3)},
                                 {"b", duet_random_between(&d.random, 1, 2)},
                                 {"c", 1}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = (size_t)most,
                               .times = times,
                               .edges = d.edges,
                               .edge = d.edge};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    return instance;
}

// Whether each of the first `count` tasks in the order of the stages is before each of the others.
static bool is_cut(const duet_instance *instance, const int32_t *task, int64_t count)
{
    int64_t tasks = duet_instance_tasks(instance);
    bool before[MOST][MOST] = {{false}};
    const duet_graph *graph = instance->graph;
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        before[graph->tail[e]][graph->head[e]] = true;
    }
    for (int64_t k = 0; k < tasks; k++) {
        for (int64_t i = 0; i < tasks; i++) {
            for (int64_t j = 0; j < tasks; j++) {
                before[i][j] = before[i][j] || (before[i][k] && before[k][j]);
            }
        }
    }
    bool all = true;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = count; j < tasks; j++) {
            all = all && before[task[i]][task[j]];
        }
    }
    return all;
}

// How many tasks are before a task.
static int64_t count_before(const duet_instance *instance, int64_t task)
{
    bool before[MOST] = {false};
    const duet_graph *graph = instance->graph;
    int64_t count = 0;
    before[task] = true;
    for (int64_t pass = 0; pass < MOST; pass++) {
        for (int64_t e = 0; e < graph->edges; e++) {
            before[graph->tail[e]] = before[graph->tail[e]] || before[graph->head[e]];
        }
    }
    for (int64_t i = 0; i < MOST; i++) {
        count += before[i] ? 1 : 0;
    }
    return count - 1;
}

static void cuts(void **state)
{
    (void)state;
    enum { graphs = 400 };
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        duet_instance *instance = draw(seed, 2 + (int64_t)(seed % 15));
        duet_error error = DUET_ERROR_INIT;
        duet_series series;
        if (instance->graph == NULL) {
            duet_instance_free(instance);
            continue;
        }
        assert_int_equal(duet_series_find(instance, &series, &error), DUET_OK);
        int64_t tasks = duet_instance_tasks(instance);
        for (int64_t i = 1; i < series.count; i++) {
            if (!is_cut(instance, series.task, series.begin[i])) {
                duet_fail_instance(instance, "series", seed, "no cut");
            }
        }
        // A cut is behind the tasks that are before some task, if these are before all others.
        for (int64_t j = 0; j < tasks; j++) {
            int64_t before = count_before(instance, j);
            bool found = before == 0;
            for (int64_t i = 1; i < series.count; i++) {
                found = found || series.begin[i] == before;
            }
            int64_t others = 0;
            for (int64_t i = 0; i < tasks; i++) {
                others += count_before(instance, i) >= before ? 1 : 0;
            }
            if (!found && others == tasks - before && is_cut(instance, series.task, before)) {
                duet_fail_instance(instance, "series", seed, "a cut that was not found");
            }
        }
        duet_series_free(&series);
        duet_instance_free(instance);
    }
}

static void truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 300);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    int64_t certified = 0;
    int64_t optimal = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        duet_instance *instance = draw(seed, 4 + (int64_t)(seed % 5));
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_error error = DUET_ERROR_INIT;
        for (int proven = 0; proven < 2; proven++) {
            duet_solution *solution = duet_test_schedule(instance, "quickest", NULL);
            solution->lower_bound = 0;
            solution->bound_name[0] = '\0';
            assert_int_equal(
                duet_graph_offer_series(instance, &context, proven == 1, solution, &error),
                DUET_OK);
            bool claimed = solution->bound_name[0] != '\0';
            bool lines = solution->certificate.proof == DUET_PROOF_LINES;
            duet_solution_finish(solution, instance);
            if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
                duet_fail_instance(instance, "series", seed, error.message);
            }
            if (solution->makespan < optimum || solution->lower_bound > optimum) {
                duet_fail_instance(instance, "series", seed, "a bound above the optimum");
            }
            if (claimed && proven == 1 && !lines && solution->lower_bound > 0) {
                duet_fail_instance(instance, "series", seed, "a bound without lines");
            }
            certified += lines ? 1 : 0;
            optimal += claimed && solution->lower_bound == optimum ? 1 : 0;
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
    assert_true(certified > (int64_t)graphs / 4);
    assert_true(optimal > (int64_t)graphs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts), cmocka_unit_test(truth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
