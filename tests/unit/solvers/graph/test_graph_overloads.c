// SPDX-License-Identifier: Apache-2.0
// The work of intervals in the learning search: an interval with too much work is found, as by
// adding up the work of all jobs in all intervals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/graph/learn/learn_state.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 4 != 0 ? 1 + seed / 4 % 2 : 1 + seed / 4 % 4;
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = types > 2 && most_tasks < 10 ? 6 : most_tasks,
                                        .min_processors = seed % 5 == 0 ? 0 : 1,
                                        .max_processors = types > 2 ? 2 : 3,
                                        .types = types},
                              .cost = seed % 3 == 0   ? 20
                                      : seed % 3 == 1 ? 5
                                                      : 0};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

// Whether the jobs of some row have more work in some interval than its processors can do.
static bool is_overloaded(duet_learn *learn)
{
    bool found = false;
    for (size_t r = 0; r < learn->rows; r++) {
        duet_learn_list_jobs(learn, &learn->row[r]);
        for (size_t i = 0; i < learn->jobs; i++) {
            for (size_t j = 0; j < learn->jobs; j++) {
                int64_t from = learn->job[i].earliest;
                int64_t to = learn->job[j].latest;
                int64_t work = 0;
                for (size_t k = 0; k < learn->jobs && from < to; k++) {
                    work += duet_learn_work_in(learn, &learn->job[k], from, to);
                }
                found = found || (from < to && work > (to - from) * learn->row[r].supply);
            }
        }
    }
    return found;
}

// An interval with too much work is never overlooked: it conflicts, or something else follows.
static void overloads(void **state)
{
    (void)state;
    enum { slices = 60 };
    enum { usual = 100 };
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", usual);
    bool enough = graphs >= usual; // sanitizers have few, of which none may be overloaded
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    int64_t met = 0;
    for (uint64_t seed = duet_test_seed(); graphs-- > 0; seed++) {
        duet_instance *instance = draw(seed, 8, 20);
        duet_solution *found = duet_test_solve(instance, "eft", NULL, NULL);
        duet_error error = DUET_ERROR_INIT;
        duet_learn *learn;
        assert_int_equal(duet_learn_create(instance, &context, found, &learn, &error), DUET_OK);
        for (int i = 0; i < slices && !learn->is_crowded; i++) {
            assert_int_equal(duet_learn_run(learn, 0, 1, found, &error), DUET_OK);
            if (duet_learn_is_proven(learn) || !duet_learn_propagate(&learn->engine)) {
                break;
            }
            memset(learn->changed, true, (size_t)learn->tasks * sizeof *learn->changed);
            learn->any_changed = true;
            bool overloaded = is_overloaded(learn);
            size_t before = learn->engine.entries;
            if (!duet_learn_weigh(learn)) {
                met += overloaded ? 1 : 0;
                break;
            }
            if (overloaded && learn->engine.entries == before) {
                duet_fail_instance(instance, "graph-overloads", seed, "an overload is overlooked");
            }
        }
        duet_learn_free(learn);
        duet_solution_free(found);
        duet_instance_free(instance);
    }
    assert_true(met > 0 || !enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overloads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
