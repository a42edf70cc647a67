// SPDX-License-Identifier: Apache-2.0
// `exact` on task graphs: against exhaustive optima, with and without communication, on one to four
// types; certificates hold, and do not prove more; the same answer with any number of threads;
// stops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/measure.h"
#include "bench/run/random_instance.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/graph/bound/share.h"
#include "solvers/graph/bound/tuning.h"
#include "solvers/graph/gains.h"
#include "solvers/graph/learning.h"
#include "solvers/graph/search.h"
#include "solvers/graph/tuning.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 4 != 0 ? 2 : 1 + seed / 4 % 4;
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = types > 2 && most_tasks < 10 ? 6 : most_tasks,
                                        .min_processors = seed % 5 == 0 ? 0 : 1,
                                        .max_processors = types > 2 ? 2 : 3,
                                        .types = types},
                              .cost = seed % 3 == 0 ? 20 : 0};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

// A certificate holds, and does not prove one tick more than the optimum.
static void check_certificate(const duet_instance *instance, const duet_solution *solution,
                              int64_t optimum, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate certificate = *duet_solution_certificate(solution);
    if (certificate.proof == DUET_PROOF_NONE) {
        return;
    }
    if (duet_certificate_check(&certificate, instance, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, "graph-exact", seed, error.message);
    }
    certificate.lambda = optimum + 1;
    if (duet_certificate_check(&certificate, instance, NULL, &error) == DUET_OK) {
        duet_fail_instance(instance, "graph-exact", seed, "its certificate proves too much");
    }
}

static void truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 400);
    uint64_t uncertified = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        duet_instance *instance = draw(seed, 5, seed % 16 == 1 ? 9 : 7);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_solution *solution = duet_test_solve(instance, "exact", NULL, NULL);
        if (duet_solution_makespan(solution) != optimum ||
            duet_solution_lower_bound(solution) != optimum) {
            duet_fail_instance(instance, "graph-exact", seed, "not the optimum");
        }
        check_certificate(instance, solution, optimum, seed);
        uncertified += duet_solution_certificate(solution)->proof == DUET_PROOF_NONE;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    printf("%llu of %llu without a certificate\n", (unsigned long long)uncertified,
           (unsigned long long)graphs);
}

// The bound's share of the time: up and down with what the sides gain, within limits, and else back
// to what is usual.
static void shares(void **state)
{
    (void)state;
    enum { few = 300, many = 301, large = 1001 };
    const duet_bound_step raised = {.raised = 5, .shortened = 4, .gap = 1000};
    const duet_bound_step shortened = {.raised = 4, .shortened = 5, .gap = 1000};
    const duet_bound_step same = {.raised = 5, .shortened = 5, .gap = 1000};
    const duet_bound_step little = {.raised = 3, .gap = 1000};
    int64_t usual = duet_bound_usual_share(few, true);
    int64_t less = duet_bound_usual_share(many, true);
    assert_int_equal(duet_bound_usual_share(many, false), usual);
    assert_int_equal(usual, DUET_SHARE_FIRST);
    assert_true(less < usual);
    assert_true(duet_bound_usual_share(large, false) < less);
    assert_int_equal(duet_bound_share(50, usual, &raised), 55);
    assert_int_equal(duet_bound_share(75, usual, &raised), 75);
    assert_int_equal(duet_bound_share(50, usual, &shortened), 45);
    assert_int_equal(duet_bound_share(40, usual, &shortened), 40);
    assert_int_equal(duet_bound_share(50, usual, &same), 50);
    assert_int_equal(duet_bound_share(45, usual, &same), 46);
    assert_int_equal(duet_bound_share(60, usual, &little), 59);
    assert_int_equal(duet_bound_share(50, less, &little), 49);
    assert_int_equal(duet_bound_share(less, less, &little), less);
    assert_int_equal(duet_bound_share(20, less, &shortened), 20);
}

// The learning search's share: less the more the search gains, more if it gains itself or if the
// graph is small, all of it once the search has gained nothing for long, and never nothing.
static void shares_by_gains(void **state)
{
    (void)state;
    enum { few = 30, many = 120 };
    duet_graph_gain searched = duet_graph_gain_begin(0.1);
    duet_graph_gain learned = {.gained = 0};
    int64_t first = duet_graph_gain_share(&learned, &searched, many, false);
    assert_true(first >= 1);
    assert_true(duet_graph_gain_share(&learned, &searched, few, false) > first);
    assert_true(duet_graph_gain_share(&learned, &searched, many, true) > first);
    duet_graph_gain_note(&searched, 0.01, 100, 20);
    assert_true(duet_graph_gain_share(&learned, &searched, few, false) <
                duet_graph_gain_share(&learned, &(duet_graph_gain){.gained = 0.5, .seconds = 0.1},
                                      few, false));
    duet_graph_gain_note(&learned, 0.01, 20, 10);
    assert_true(duet_graph_gain_share(&learned, &searched, many, false) > first);
    learned = (duet_graph_gain){.gained = 0};
    duet_graph_gain_note(&searched, 0.01, 10, 20); // a larger gap is no gain
    for (int i = 0; i < 2000; i++) {
        duet_graph_gain_note(&searched, 0.01, 0, 0);
    }
    assert_true(duet_graph_gain_share(&learned, &searched, many, false) > 90);
}

// A turn of the learning search is never longer than a part of the time, however short that is.
static void turns_within_the_limit(void **state)
{
    (void)state;
    const int64_t second = INT64_C(1000000000);
    const int64_t a_second =
        INT64_C(1000000) * DUET_GRAPH_PLACED_A_MICROSECOND * DUET_GRAPH_PLACING_WORK;
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_learning_least(&context, false), DUET_GRAPH_LEARN_WORK);
    int64_t before = 0;
    for (int64_t limit = second / 1000; limit <= 100 * second; limit *= 10) {
        context.deadline_ns = context.start_ns + limit;
        int64_t least = duet_learning_least(&context, false);
        assert_true(least > 0 && least >= before && least <= DUET_GRAPH_LEARN_WORK);
        assert_true(least - 1 <= a_second / DUET_GRAPH_LEARN_TURNS * (limit / 1000) / 1000000);
        assert_int_equal(duet_learning_least(&context, true), DUET_GRAPH_LEARN_WORK);
        before = least;
    }
    assert_int_equal(before, DUET_GRAPH_LEARN_WORK);
}

// Of the slow rules of a small graph, the one that solves the program of the bounds has their part
// of the time, and the others have less.
static void time_of_rules(void **state)
{
    (void)state;
    const int64_t limit = INT64_C(1000000000000);
    duet_instance *instance = draw(7, 20, 60);
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    const duet_algorithm *row;
    int programs = 0;
    for (size_t i = 0; (row = duet_graph_rule(instance, true, i)) != NULL; i++) {
        context.deadline_ns = duet_clock_ns() + limit;
        duet_context part = duet_graph_rule_context(instance, &context, row);
        bool program = strcmp(row->entry.name, "hlp") == 0;
        int64_t others = context.deadline_ns - limit / DUET_GRAPH_SHORT_RULE_PART;
        int64_t least = context.deadline_ns - limit + limit / DUET_GRAPH_BOUNDS_PART;
        programs += program;
        assert_true(program ? part.deadline_ns >= least : part.deadline_ns < others);
    }
    assert_int_equal(programs, 1);
    duet_instance_free(instance);
}

static duet_solution *solve_in(const duet_instance *instance, const char *rounds, int threads)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    return duet_test_solve(instance, "exact", rounds, &params);
}

// The same schedule, bound and counters.
static void assert_same(const duet_solution *one, const duet_solution *other)
{
    size_t counters[2];
    const duet_counter *first = duet_solution_counters(one, &counters[0]);
    const duet_counter *second = duet_solution_counters(other, &counters[1]);
    assert_memory_equal(duet_solution_placements(one), duet_solution_placements(other),
                        (size_t)one->tasks * sizeof(duet_placement));
    assert_int_equal(duet_solution_lower_bound(one), duet_solution_lower_bound(other));
    assert_int_equal(counters[0], counters[1]);
    for (size_t i = 0; i < counters[0]; i++) {
        assert_string_equal(first[i].name, second[i].name);
        assert_int_equal(first[i].value, second[i].value);
    }
}

static void any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {2, 3, 16};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        duet_instance *instance = draw(seed, 20, 40);
        duet_solution *one = solve_in(instance, "rounds=2", 1);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            duet_solution *other = solve_in(instance, "rounds=2", threads[i]);
            assert_same(one, other);
            duet_solution_free(other);
        }
        duet_solution_free(one);
        duet_instance_free(instance);
    }
}

static int64_t counter_of(const duet_solution *solution, const char *name)
{
    size_t count;
    const duet_counter *counter = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counter[i].name, name) == 0) {
            return counter[i].value;
        }
    }
    return 0;
}

// Where tasks are many, sixteen threads could do nearly all at the same time: searches and the
// bound beside them, and what the work before tasks says of many at once. The result is the same
// for any number of threads, and its proof holds.
static void many_tasks(void **state)
{
    (void)state;
    static const char *const options[] = {"width=100", "width=20"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = NULL;
        uint64_t seed = 511 + i;
        int64_t tasks = i == 0 ? 1200 : 320;
        assert_int_equal(
            duet_bench_generate("layered", tasks, 20, 4, seed, options[i], &instance, &error),
            DUET_OK);
        duet_solution *one = solve_in(instance, "rounds=1", 1);
        duet_solution *other = solve_in(instance, "rounds=1", 16);
        duet_certificate certificate = *duet_solution_certificate(one);
        assert_same(one, other);
        if (counter_of(one, "work") < 12 * counter_of(one, "span") ||
            (certificate.proof != DUET_PROOF_NONE &&
             duet_certificate_check(&certificate, instance, NULL, &error) != DUET_OK)) {
            duet_fail_instance(instance, "exact", seed, "a long chain, or a proof that fails");
        }
        duet_solution_free(other);
        duet_solution_free(one);
        duet_instance_free(instance);
    }
}

// Under a time limit the search and the bound run side by side, or in turns that leave the search
// its share: whatever the threads, schedule and bound hold.
static void within_time(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            duet_instance *instance = draw(seed, 60, 120);
            duet_params params = DUET_PARAMS_INIT;
            params.threads = threads;
            params.time_limit = 0.1;
            duet_solution *solution = duet_test_solve(instance, "exact", NULL, &params);
            duet_error error = DUET_ERROR_INIT;
            if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
                duet_fail_instance(instance, "exact", seed, error.message);
            }
            assert_true(duet_solution_lower_bound(solution) <= duet_solution_makespan(solution));
            duet_solution_free(solution);
            duet_instance_free(instance);
        }
    }
}

// A limit that is never near takes no proof away that was asked for: here the learning search
// comes first, and lines take many times as long.
static void asked_proof(void **state)
{
    (void)state;
    static const char path[] = "graph-exact-asked.proof";
    duet_instance *instance = NULL;
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 600;
    params.threads = 1;
    assert_int_equal(duet_bench_generate("mixed-graph", 21, 2, 2, 11, "cost=200", &instance, NULL),
                     DUET_OK);
    duet_solution *solution =
        duet_test_solve(instance, "exact", "proof=graph-exact-asked.proof", &params);
    assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
    assert_int_equal(duet_solution_certificate(solution)->proof, DUET_PROOF_LINES);
    assert_int_equal(remove(path), 0);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void stops(void **state)
{
    (void)state;
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        duet_instance *instance = draw(seed, 20, 60);
        duet_params params = DUET_PARAMS_INIT;
        params.cancel = cancel;
        duet_solution *solution = duet_test_solve(instance, "exact", NULL, &params);
        assert_true(duet_solution_interrupted(solution) ||
                    duet_solution_status(solution) == DUET_OPTIMAL);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    duet_cancel_free(cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth),           cmocka_unit_test(shares),
        cmocka_unit_test(shares_by_gains), cmocka_unit_test(turns_within_the_limit),
        cmocka_unit_test(time_of_rules),   cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(many_tasks),      cmocka_unit_test(within_time),
        cmocka_unit_test(asked_proof),     cmocka_unit_test(stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
