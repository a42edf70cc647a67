// SPDX-License-Identifier: Apache-2.0
// Algorithm `exact` under deadlines, cancellation, threads and little memory: whatever stops it,
// the schedule is valid and the bound is true. And instances of middle size: optimum and proof.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/system/counted.h"
#include "core/system/tasks.h"
#include "lp/lp.h"
#include "solvers/exact/incumbent.h"
#include "tests/support/exact_run.h"
#include "tests/support/fixtures.h"
#include "tests/support/proof_file.h"

// What an instance of a family is, for messages.
typedef struct sized {
    const char *family;
    int64_t n, cpus, gpus;
    uint64_t seed;
} sized;

static duet_instance *generate_with(const sized *what, const duet_options *options)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    if (duet_test_generate(what->family, what->n, what->cpus, what->gpus, what->seed, options,
                           &instance, &error) != DUET_OK) {
        fail_msg("%s: %s", what->family, error.message);
    }
    return instance;
}

static duet_instance *generate(const sized *what)
{
    return generate_with(what, NULL);
}

static void fail_with(const sized *what, const char *why)
{
    fail_msg("duet generate %s -n %lld -m %lld -k %lld --seed %llu: %s", what->family,
             (long long)what->n, (long long)what->cpus, (long long)what->gpus,
             (unsigned long long)what->seed, why);
}

// A valid schedule, and a bound that its proof shows.
static void check_run(const duet_instance *instance, const duet_exact_run *run, const sized *what)
{
    duet_error error = DUET_ERROR_INIT;
    if (run->code != DUET_OK) {
        fail_with(what, run->error.message);
    }
    if (duet_check_solution(instance, run->solution, NULL, NULL, &error) != DUET_OK) {
        fail_with(what, error.message);
    }
    int64_t bound = duet_solution_lower_bound(run->solution);
    bool optimal = duet_solution_status(run->solution) == DUET_OPTIMAL;
    if (optimal != (bound == duet_solution_makespan(run->solution)) ||
        (optimal && duet_solution_interrupted(run->solution))) {
        fail_with(what, "the status is not what the numbers say");
    }
    if (run->proof != NULL &&
        duet_verify_text(instance, run->proof, run->length, bound, NULL, &error) != DUET_OK) {
        fail_with(what, error.message);
    }
}

static bool is_stopped_or_optimal(const duet_exact_run *run)
{
    return duet_solution_interrupted(run->solution) ==
           (duet_solution_status(run->solution) != DUET_OPTIMAL);
}

// Each is solved within a second, in a build that is fast; the proofs are accepted at the optimum.
static void middle_sizes(void **state)
{
    (void)state;
    duet_test_has_one_thread();
    if (!duet_lp_available()) {
        skip();
    }
    static const sized all[] = {
        {"unif4", 30, 8, 2, 1},  {"unif4", 60, 8, 2, 2},   {"corr", 30, 8, 2, 3},
        {"corr", 60, 20, 4, 4},  {"acc", 40, 8, 2, 5},     {"acc", 60, 20, 4, 6},
        {"bimod", 30, 20, 4, 7}, {"bimod", 60, 8, 2, 8},   {"chol", 4, 8, 2, 9},
        {"chol", 6, 20, 4, 10},  {"unif4", 60, 20, 4, 11}, {"corr", 45, 8, 2, 12},
    };
    for (size_t i = 0; i < duet_test_share(sizeof all / sizeof all[0]); i++) {
        duet_instance *instance = generate(&all[i]);
        duet_params params = DUET_PARAMS_INIT;
        params.threads = 1;
        params.time_limit = 600;
        duet_exact_run run = duet_exact_run_with_proof(instance, &params);
        check_run(instance, &run, &all[i]);
        if (run.proof == NULL || duet_solution_status(run.solution) != DUET_OPTIMAL) {
            fail_with(&all[i], "not proven");
        }
        duet_code code = duet_verify_text(instance, run.proof, run.length,
                                          duet_solution_lower_bound(run.solution) + 1, NULL, NULL);
        if (code != DUET_E_INPUT) {
            fail_with(&all[i], "the proof is accepted for more than it claims");
        }
        printf("%-6s n = %2lld (%lld,%lld): %6.3f s, proof of %zu bytes\n", all[i].family,
               (long long)all[i].n, (long long)all[i].cpus, (long long)all[i].gpus,
               duet_solution_seconds(run.solution), run.length);
        duet_exact_run_free(&run);
        duet_instance_free(instance);
    }
}

// Deadlines before and during the search: the bound is below every schedule that there is.
static void deadlines(void **state)
{
    (void)state;
    static const double limits[] = {1e-9, 1e-4, 1e-3, 1e-2};
    for (uint64_t seed = 1; seed <= duet_test_share(12); seed++) {
        const sized what = {seed % 2 == 0 ? "corr" : "unif4", 100, 20, 4, seed};
        duet_instance *instance = generate(&what);
        int64_t shortest = INT64_MAX;
        int64_t bound = 0;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            duet_params params = DUET_PARAMS_INIT;
            params.threads = 1;
            params.time_limit = limits[i];
            duet_exact_run run = duet_exact_run_plain(instance, &params);
            check_run(instance, &run, &what);
            if (!is_stopped_or_optimal(&run)) {
                fail_with(&what, "stopped by the deadline, it does not say so");
            }
            int64_t makespan = duet_solution_makespan(run.solution);
            shortest = makespan < shortest ? makespan : shortest;
            int64_t own = duet_solution_lower_bound(run.solution);
            bound = own > bound ? own : bound;
            if (duet_solution_seconds(run.solution) > 600) {
                fail_with(&what, "it went on after the deadline");
            }
            duet_exact_run_free(&run);
        }
        if (bound > shortest) {
            fail_with(&what, "a bound exceeds a schedule");
        }
        duet_instance_free(instance);
    }
}

typedef struct stopper {
    duet_cancel *cancel;
    int after; // reports
} stopper;

static void count_down(void *user, const duet_progress *progress)
{
    stopper *s = user;
    (void)progress;
    if (s->after-- == 0) {
        duet_cancel_request(s->cancel);
    }
}

// Cancelled before it begins, or after some reports of progress.
static void cancellation(void **state)
{
    (void)state;
    duet_test_has_one_thread();
    const uint64_t all = 12;
    const int64_t tasks = duet_test_share(all) < all ? 40 : 60;
    for (uint64_t seed = 1; seed <= duet_test_share(all); seed++) {
        const sized what = {seed % 2 == 0 ? "corr" : "unif4", tasks, 20, 4, seed};
        duet_instance *instance = generate(&what);
        stopper stop = {duet_cancel_create(), (int)seed % 4};
        assert_non_null(stop.cancel);
        if (seed % 3 == 0) {
            duet_cancel_request(stop.cancel);
        }
        duet_params params = DUET_PARAMS_INIT;
        params.threads = 1;
        params.time_limit = 600;
        params.cancel = stop.cancel;
        params.progress = count_down;
        params.user = &stop;
        duet_exact_run run = duet_exact_run_plain(instance, &params);
        check_run(instance, &run, &what);
        if (!is_stopped_or_optimal(&run)) {
            fail_with(&what, "cancelled, it does not say so");
        }
        if (duet_solution_seconds(run.solution) > 600) {
            fail_with(&what, "cancelled, it went on");
        }
        duet_exact_run_free(&run);
        duet_cancel_free(stop.cancel);
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
    return -1;
}

// What was counted, too, and the longest chain of it is no longer than all of it.
static void check_counters(const duet_solution *a, const duet_solution *b, const sized *what)
{
    static const char *const names[] = {"lengths", "nodes", "programs", "work", "span"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (counter_of(a, names[i]) != counter_of(b, names[i])) {
            fail_with(what, "two runs have counted differently");
        }
    }
    if (counter_of(a, "span") < 1 || counter_of(a, "work") < counter_of(a, "span")) {
        fail_with(what, "the span is longer than the work");
    }
}

// Two runs that must not differ: schedule, bound, proof.
static void check_same(const duet_exact_run *a, const duet_exact_run *b, int64_t tasks,
                       const sized *what)
{
    const duet_placement *left = duet_solution_placements(a->solution);
    const duet_placement *right = duet_solution_placements(b->solution);
    for (int64_t j = 0; j < tasks; j++) {
        if (left[j].start != right[j].start || left[j].processor != right[j].processor ||
            left[j].type != right[j].type) {
            fail_with(what, "the schedules of two runs differ");
        }
    }
    if (duet_solution_lower_bound(a->solution) != duet_solution_lower_bound(b->solution) ||
        a->length != b->length || memcmp(a->proof, b->proof, a->length) != 0) {
        fail_with(what, "the proofs of two runs differ");
    }
    check_counters(a->solution, b->solution, what);
}

// To the end, by one thread, by two, and once more, where the tests have the time.
static void check_threads(const sized *what)
{
    enum { all = 16 };
    const size_t runs = duet_test_share(all) < all ? 2 : 3;
    duet_instance *instance = generate(what);
    duet_exact_run run[3];
    for (size_t i = 0; i < runs; i++) {
        duet_params params = DUET_PARAMS_INIT;
        params.threads = i == 1 ? 2 : 1;
        run[i] = duet_exact_run_with_proof(instance, &params);
        check_run(instance, &run[i], what);
    }
    for (size_t i = 1; i < runs; i++) {
        check_same(&run[0], &run[i], duet_instance_tasks(instance), what);
    }
    for (size_t i = 0; i < runs; i++) {
        duet_exact_run_free(&run[i]);
    }
    duet_instance_free(instance);
}

static void same_result(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    for (uint64_t seed = 1; seed <= duet_test_share(8); seed++) {
        const sized what = {seed % 2 == 0 ? "corr" : "unif4", 24, 4, 2, seed};
        check_threads(&what);
    }
}

// What the first round leaves open: two threads share the later ones.
static void later_rounds(void **state)
{
    (void)state;
    // Where fewest instances are asked for, under AddressSanitizer, it takes as long as all others.
    if (!duet_lp_available() || duet_test_number("DUET_TEST_INSTANCES", 5000) < 50) {
        skip();
    }
    static const sized what = {"corr", 40, 10, 3, 3};
    duet_instance *instance = generate(&what);
    duet_params params = DUET_PARAMS_INIT;
    if (duet_test_share(16) < 16) { // the build is slow: that they share them, and no more
        params.threads = 2;
        duet_exact_run run = duet_exact_run_with_proof(instance, &params);
        check_run(instance, &run, &what);
        duet_exact_run_free(&run);
        duet_instance_free(instance);
        return;
    }
    params.threads = 1;
    duet_solution *solution = duet_test_solve(instance, "exact", "rounds=1", &params);
    if (duet_solution_status(solution) == DUET_OPTIMAL) {
        fail_with(&what, "one round is enough by now: this test needs another instance");
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    check_threads(&what);
}

// Three types: hands beside each other anneal, level, dive and branch.
static void many_types(void **state)
{
    (void)state;
    duet_options *options;
    if (!duet_lp_available()) {
        skip();
    }
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "types=3", NULL), DUET_OK);
    const uint64_t most = duet_test_share(16) < 16 ? 1 : 2;
    for (uint64_t i = 0; i < most; i++) {
        static const int threads[] = {1, 3, 16};
        const sized what = {"mixed", 0, -1, -1, 7032 + i};
        duet_instance *instance = generate_with(&what, options);
        duet_exact_run run[3];
        for (size_t k = 0; k < 3; k++) {
            duet_params params = DUET_PARAMS_INIT;
            params.threads = threads[k];
            run[k] = duet_exact_run_with_proof(instance, &params);
            check_run(instance, &run[k], &what);
        }
        for (size_t k = 0; k < 3; k++) {
            check_same(&run[0], &run[k], duet_instance_tasks(instance), &what);
        }
        for (size_t k = 0; k < 3; k++) {
            duet_exact_run_free(&run[k]);
        }
        duet_instance_free(instance);
    }
    duet_options_free(options);
}

// More tasks than it searches: it gives up by itself, which is no interruption.
static void too_many_tasks(void **state)
{
    (void)state;
    static const int64_t counts[] = {10000001, 3};
    static const int64_t times[] = {60494, 65125, 15306, 43936};
    static const duet_type platform[] = {{"cpu", 3}, {"gpu", 2}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "many",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 2,
                                     .counts = counts,
                                     .times = times};
    static const sized what = {"many", 10000004, 3, 2, 0};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 600;
    duet_exact_run run = duet_exact_run_plain(instance, &params);
    check_run(instance, &run, &what);
    assert_int_equal(duet_solution_status(run.solution), DUET_BOUNDED);
    assert_false(duet_solution_interrupted(run.solution));
    assert_null(duet_solution_guarantee(run.solution));
    duet_exact_run_free(&run);
    duet_instance_free(instance);
}

// Little memory: an honest answer, or a limit that says so.
static void little_memory(void **state)
{
    (void)state;
    duet_test_has_one_thread();
    static const size_t limits[] = {1, 4096, (size_t)1 << 16, (size_t)1 << 20};
    long refused = 0;
    const uint64_t seeds = duet_test_share(8);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const sized what = {seed % 2 == 0 ? "acc" : "bimod", 40, 8, 2, seed};
        duet_instance *instance = generate(&what);
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            duet_params params = DUET_PARAMS_INIT;
            params.threads = 1;
            params.time_limit = 2;
            params.memory_limit = limits[i];
            duet_exact_run run = duet_exact_run_plain(instance, &params);
            if (run.code == DUET_E_LIMIT || run.code == DUET_E_MEMORY) {
                assert_null(run.solution);
                assert_string_not_equal(run.error.message, "");
                refused++;
            } else {
                check_run(instance, &run, &what);
            }
            duet_exact_run_free(&run);
        }
        duet_instance_free(instance);
    }
    assert_true(refused >= (long)seeds); // nothing fits into a byte
}

// A search with annealing beside it.
typedef struct beside {
    duet_exact exact;
    bool closes; // The search closes the gap.
    duet_code code;
} beside;

static bool search_plainly(void *of)
{
    beside *b = of;
    if (b->closes) {
        b->exact.bound.value = b->exact.best->makespan;
    }
    return b->closes;
}

static void anneal_beside(void *of)
{
    beside *b = of;
    b->code = duet_incumbent_anneal_beside(&b->exact, search_plainly, b, NULL);
}

// Returns what a search and the annealing beside it count; *after: the makespan.
static duet_counted count_beside(const sized *what, int threads, bool closes, int64_t *after)
{
    enum { few = 1 << 10 };
    duet_instance *instance = generate(what);
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    beside b = {.exact = {.instance = instance,
                          .context = &context,
                          .searchable = true,
                          .programs = closes ? INT32_MAX : few,
                          .bound = {.value = 1}},
                .closes = closes};
    assert_int_equal(duet_solve(instance, "lpt", NULL, &b.exact.best, NULL), DUET_OK);
    int64_t before = b.exact.best->makespan;
    duet_counted none = duet_counted_enter((duet_counted){0, 0});
    duet_tasks_lead(threads, anneal_beside, &b);
    duet_counted counted = duet_counted_enter(none);
    assert_int_equal(b.code, DUET_OK);
    assert_true(b.exact.best->makespan == before || !closes);
    assert_int_equal(b.exact.moves > 0, !closes);
    *after = b.exact.best->makespan;
    duet_solution_free(b.exact.best);
    duet_exact_free(&b.exact);
    duet_instance_free(instance);
    return counted;
}

// Annealing beside a search that closes the gap stops, however many moves it has left, and leaves
// no trace. Beside one that does not, all of it counts.
static void annealing_beside(void **state)
{
    (void)state;
    const sized what = {"unif4", 30, 8, 2, 1};
    int64_t first = 0;
    duet_counted open = count_beside(&what, 1, false, &first);
    assert_true(open.done > 0);
    for (int threads = 1; threads <= 3; threads++) {
        int64_t after = 0;
        duet_counted counted = count_beside(&what, threads, false, &after);
        assert_true(counted.done == open.done && counted.span == open.span && after == first);
        counted = count_beside(&what, threads, true, &after);
        assert_true(counted.done == 0 && counted.span == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(middle_sizes),    cmocka_unit_test(deadlines),
        cmocka_unit_test(cancellation),    cmocka_unit_test(same_result),
        cmocka_unit_test(later_rounds),    cmocka_unit_test(many_types),
        cmocka_unit_test(too_many_tasks),  cmocka_unit_test(little_memory),
        cmocka_unit_test(annealing_beside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
