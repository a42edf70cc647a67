// SPDX-License-Identifier: Apache-2.0
// The improvement search on whole schedules, as a function, as the algorithm local-search and as
// the option that every algorithm takes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "heuristics/improve/improve.h"
#include "lp/lp.h"
#include "solvers/features.h"
#include "tests/support/fixtures.h"

static duet_solution *solve(const duet_instance *instance, const char *name, const char *option,
                            uint64_t seed)
{
    duet_params params = DUET_PARAMS_INIT;
    params.seed = seed;
    params.threads = 1;
    return duet_test_solve(instance, name, option, &params);
}

// All tasks one after another on the last processor of a type that may run them, with idle gaps.
static duet_solution *worst_schedule(const duet_instance *instance)
{
    duet_solution *solution;
    assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, NULL), DUET_OK);
    int64_t start = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type = instance->types - 1;
        while (!duet_allowed(instance, i, type)) {
            type--;
        }
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            solution->placement[j] =
                (duet_placement){start, (int32_t)(instance->processors[type] - 1), (int32_t)type};
            start += duet_time(instance, i, type) + 1;
        }
    }
    duet_solution_finish(solution, instance);
    return solution;
}

static duet_improved improve(const duet_instance *instance, uint64_t seed, int64_t target,
                             int64_t effort, duet_solution *solution)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_improved improved;
    duet_context_init(&context, NULL, NULL);
    context.seed = seed;
    if (duet_improve(instance, &context, target, effort, solution, &improved, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_solution_finish(solution, instance);
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
    assert_int_equal(improved.after, duet_solution_makespan(solution));
    assert_true(improved.after <= improved.before);
    assert_false(improved.stopped);
    return improved;
}

static void improve_worst(size_t types, const int64_t *counts, size_t kinds,
                          const int64_t *kind_counts, const int64_t *times, int64_t expected)
{
    duet_instance *instance = duet_test_instance(types, counts, kinds, kind_counts, times);
    duet_solution *solution = worst_schedule(instance);
    improve(instance, 0, 0, 10, solution);
    assert_int_equal(duet_solution_makespan(solution), expected);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void by_hand(void **state)
{
    (void)state;
    const int64_t none[] = {3, 2};
    improve_worst(2, none, 0, NULL, NULL, 0);
    const int64_t one_cpu[] = {1, 0};
    const int64_t forbidden[] = {5, 1, 7, 1, 9, DUET_FORBIDDEN};
    improve_worst(2, one_cpu, 3, NULL, forbidden, 21); // only the gaps go
    const int64_t two_cpus[] = {2};
    const int64_t partition[] = {8, 7, 6, 5, 4};
    improve_worst(1, two_cpus, 5, NULL, partition, 15); // longest first: 16
    const int64_t equal_count[] = {1000};
    const int64_t equal[] = {10, 1};
    const int64_t cpu_gpu[] = {5, 1};
    improve_worst(2, cpu_gpu, 1, equal_count, equal, 670); // 67 on each CPU, 665 on the GPU
    const int64_t three_types[] = {1, 1, 1};
    const int64_t three[] = {2, 90, 90, 90, 3, 90, 90, 90, 4};
    improve_worst(3, three_types, 3, NULL, three, 4);
    const int64_t huge = INT64_C(1) << 59;
    const int64_t huge_times[] = {huge, huge, huge, huge, huge, huge, huge, huge};
    const int64_t two_two[] = {2, 2};
    improve_worst(2, two_two, 4, NULL, huge_times, huge);
    const int64_t zero_times[] = {0, 0, 0, 5, 5, 0, 0, DUET_FORBIDDEN};
    improve_worst(2, two_two, 4, NULL, zero_times, 0);
    const int64_t swap[] = {1, 1};
    const int64_t cyclic[] = {6, 4, 4, 6, 3, 2, 2, 3};
    improve_worst(2, swap, 4, NULL, cyclic, 6); // {4, 2} and {4, 2}
}

// Sixty tasks of a billion ticks on a CPU and a GPU that is as fast but for rounding: sums of
// sixteen of them miss the mean, those of 32 meet it.
static void fine_ticks(void **state)
{
    (void)state;
    enum { TASKS = 60 };
    const int64_t counts[] = {1, 1};
    uint64_t first = duet_test_seed();
    int64_t shorter = 0;
    for (uint64_t seed = first; seed < first + 5; seed++) {
        int64_t times[2 * TASKS];
        int64_t work = 0;
        duet_random random;
        duet_random_seed(&random, seed);
        for (size_t j = 0; j < TASKS; j++) {
            times[2 * j] = duet_random_between(&random, 1000000, 1000000000);
            times[2 * j + 1] = times[2 * j] + (int64_t)(j % 2);
            work += times[2 * j];
        }
        duet_instance *instance = duet_test_instance(2, counts, TASKS, NULL, times);
        duet_solution *solution = worst_schedule(instance);
        int64_t target = work / 2 + TASKS / 4;
        improve(instance, seed, target, 10, solution);
        int64_t coarse = duet_solution_makespan(solution);
        duet_context context;
        duet_improved improved;
        duet_context_init(&context, NULL, NULL);
        context.seed = seed;
        assert_int_equal(
            duet_improve_fine(instance, &context, target, 200, solution, &improved, NULL), DUET_OK);
        assert_int_equal(improved.before, coarse);
        duet_solution_finish(solution, instance);
        assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL), DUET_OK);
        assert_int_equal(improved.after, duet_solution_makespan(solution));
        assert_true(improved.after <= target);
        shorter += improved.after < coarse;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(shorter > 0);
}

// Two hundred tasks of seven kinds on a CPU and a GPU that is as fast: sums of 32 of them miss the
// mean by hundreds of ticks, groups of equal tasks meet it.
static void fine_ticks_of_few_kinds(void **state)
{
    (void)state;
    enum { KINDS = 7 };
    const int64_t counts[] = {1, 1};
    uint64_t first = duet_test_seed();
    int met = 0;
    for (uint64_t seed = first; seed < first + 5; seed++) {
        int64_t kind_counts[KINDS];
        int64_t times[2 * KINDS];
        int64_t work = 0;
        duet_random random;
        duet_random_seed(&random, seed);
        for (size_t i = 0; i < KINDS; i++) {
            kind_counts[i] = duet_random_between(&random, 20, 40);
            times[2 * i] = times[2 * i + 1] = duet_random_between(&random, 400000, 800000);
            work += kind_counts[i] * times[2 * i];
        }
        duet_instance *instance = duet_test_instance(2, counts, KINDS, kind_counts, times);
        duet_solution *solution = worst_schedule(instance);
        duet_context context;
        duet_improved improved;
        duet_context_init(&context, NULL, NULL);
        context.seed = seed;
        assert_int_equal(
            duet_improve_fine(instance, &context, (work + 1) / 2, 200, solution, &improved, NULL),
            DUET_OK);
        duet_solution_finish(solution, instance);
        assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL), DUET_OK);
        met += improved.after == (work + 1) / 2;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_in_range(met, 4, 5);
}

// A schedule is left alone where it meets the target, and where nothing is shorter.
static void target_and_nothing_to_gain(void **state)
{
    (void)state;
    const int64_t counts[] = {2};
    const int64_t times[] = {8, 7, 6, 5, 4};
    duet_instance *instance = duet_test_instance(1, counts, 5, NULL, times);
    duet_solution *solution = worst_schedule(instance);
    duet_placement kept[5];
    memcpy(kept, solution->placement, sizeof kept);
    duet_improved improved = improve(instance, 0, duet_solution_makespan(solution), 10, solution);
    assert_int_equal(improved.after, improved.before);
    assert_memory_equal(kept, solution->placement, sizeof kept);
    improved = improve(instance, 0, 20, 10, solution);
    assert_in_range(improved.after, 15, 20); // no search beyond the target
    duet_solution_free(solution);

    solution = solve(instance, "local-search", NULL, 0);
    assert_int_equal(duet_solution_makespan(solution), 15);
    memcpy(kept, duet_solution_placements(solution), sizeof kept);
    improved = improve(instance, 0, 0, 10, solution);
    assert_int_equal(improved.after, 15);
    assert_memory_equal(kept, duet_solution_placements(solution), sizeof kept);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// One CPU too slow for its task: heteroprio starts it there, then a GPU takes it over. What was
// aborted is gone where the schedule got shorter.
static void aborted_runs_go(void **state)
{
    (void)state;
    long shorter = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(300); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {4, 30, 1, 3, 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        duet_solution *solution = solve(instance, "heteroprio", NULL, seed);
        size_t before;
        size_t after;
        duet_solution_aborted(solution, &before);
        duet_improved improved = improve(instance, seed, 0, 5, solution);
        duet_solution_aborted(solution, &after);
        assert_int_equal(after, improved.after < improved.before ? 0 : before);
        shorter += before > 0 && improved.after < improved.before;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(shorter > 20 || duet_test_share(300) < 300);
}

static duet_instance *draw(uint64_t seed, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 8 != 0 ? 2 : (seed % 16 == 0 ? 1 : 3);
    duet_shape shape = {.min_tasks = 1,
                        .max_tasks = most_tasks,
                        .min_processors = seed % 5 == 0 ? 0 : 1,
                        .max_processors = types == 3 ? 2 : 3,
                        .types = types};
    return duet_random_instance(&random, &shape);
}

// The same seed, the same schedule; whatever the instance, it is valid and not longer.
static void deterministic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(200); seed++) {
        duet_instance *instance = draw(seed, 60);
        duet_solution *first = worst_schedule(instance);
        duet_solution *again = worst_schedule(instance);
        improve(instance, seed, 0, 1, first);
        improve(instance, seed, 0, 1, again);
        size_t size = (size_t)duet_tasks(instance) * sizeof(duet_placement);
        assert_memory_equal(first->placement, again->placement, size);
        duet_solution_free(first);
        duet_solution_free(again);
        duet_instance_free(instance);
    }
}

static double ratio_to(int64_t makespan, int64_t optimum)
{
    return optimum == 0 ? 1.0 : (double)makespan / (double)optimum;
}

// Against the optimum: from any schedule, never above it, never longer than before, and on average
// nearly optimal.
static void truth(void **state)
{
    (void)state;
    static const char *const starts[] = {NULL, "heft", "quickest", "lpt", "qa"};
    enum { STARTS = sizeof starts / sizeof *starts, ALL = 4000 };
    const uint64_t instances = duet_test_share(ALL);
    double before[STARTS] = {0};
    double after[STARTS] = {0};
    double worst[STARTS] = {0};
    uint64_t worst_seed[STARTS] = {0};
    for (uint64_t seed = 1; seed <= instances; seed++) {
        duet_instance *instance = draw(seed, seed % 16 == 8 ? 6 : 8);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t i = 0; i < STARTS; i++) {
            duet_solution *solution = starts[i] == NULL ? worst_schedule(instance)
                                                        : solve(instance, starts[i], NULL, seed);
            duet_improved improved =
                improve(instance, seed, optimum, DUET_IMPROVE_EFFORT, solution);
            if (improved.after < optimum) {
                fail_msg("seed %llu: below the optimum", (unsigned long long)seed);
            }
            before[i] += ratio_to(improved.before, optimum);
            double ratio = ratio_to(improved.after, optimum);
            after[i] += ratio;
            worst_seed[i] = ratio > worst[i] ? seed : worst_seed[i];
            worst[i] = ratio > worst[i] ? ratio : worst[i];
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
    for (size_t i = 0; i < STARTS; i++) {
        printf("from %-9s mean ratio %.4f, improved %.5f, at most %.4f (seed %llu)\n",
               starts[i] == NULL ? "the worst" : starts[i], before[i] / (double)instances,
               after[i] / (double)instances, worst[i], (unsigned long long)worst_seed[i]);
        assert_true(instances < ALL || after[i] / ALL < 1.0002);
    }
}

static void the_option(void **state)
{
    (void)state;
    long shorter = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(200); seed++) {
        duet_instance *instance = draw(seed, 40);
        duet_solution *plain = solve(instance, "heft", "improve=false", seed);
        duet_solution *improved = solve(instance, "heft", "improve=true", seed);
        int64_t before = duet_solution_makespan(plain);
        int64_t after = duet_solution_makespan(improved);
        assert_true(after <= before && after >= duet_solution_lower_bound(improved));
        assert_string_equal(duet_solution_algorithm(improved), "heft");
        assert_string_equal(duet_solution_found_by(improved),
                            after < before ? "heft, improved" : "");
        assert_int_equal(duet_solution_status(improved),
                         after == duet_solution_lower_bound(improved) ? DUET_OPTIMAL
                                                                      : DUET_BOUNDED);
        size_t counters;
        const duet_counter *counter = duet_solution_counters(improved, &counters);
        bool told = false;
        for (size_t i = 0; i < counters; i++) {
            told = told ||
                   (strcmp(counter[i].name, "improved_from") == 0 && counter[i].value == before);
        }
        assert_int_equal(told, after < before);
        shorter += after < before;
        duet_solution_free(plain);
        duet_solution_free(improved);
        duet_instance_free(instance);
    }
    assert_true(shorter > 50 || duet_test_share(200) < 200);
}

// A schedule held as runs: the runs of the longer one do not outlive it.
static void runs_of_equal_tasks(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 1};
    const int64_t kind_counts[] = {400, 301};
    const int64_t times[] = {10, 5, 70, 9};
    duet_instance *instance = duet_test_instance(2, counts, 2, kind_counts, times);
    size_t before;
    size_t after;
    duet_solution *lpt = solve(instance, "lpt", "allocation=quickest", 0);
    assert_non_null(duet_solution_runs(lpt, &before));
    duet_improved improved = improve(instance, 0, 0, 10, lpt);
    assert_true(improved.after < improved.before);
    assert_null(duet_solution_runs(lpt, &after));
    assert_int_equal(after, 0);
    assert_int_equal(duet_solution_makespan(lpt), improved.after);
    duet_solution_free(lpt);
    duet_instance_free(instance);
}

// Every algorithm takes the option, keeps what it proves, and gets no longer by it.
static void every_algorithm(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {6, 9, 1, 3, 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        for (size_t a = 0; a < duet_algorithm_count(); a++) {
            const duet_entry *entry = duet_algorithm_entry(a);
            bool built = (entry->needs & DUET_NEEDS_GLPK) == 0 || duet_lp_available();
            if (!built || !duet_handles(entry, duet_demand_of(instance))) {
                continue;
            }
            duet_solution *plain = solve(instance, entry->name, NULL, seed);
            duet_solution *improved = solve(instance, entry->name, "improve=true", seed);
            assert_true(duet_solution_makespan(improved) <= duet_solution_makespan(plain));
            assert_true(duet_solution_lower_bound(improved) == duet_solution_lower_bound(plain));
            const char *guarantee[2] = {duet_solution_guarantee(plain),
                                        duet_solution_guarantee(improved)};
            assert_true((guarantee[0] == NULL) == (guarantee[1] == NULL));
            if (guarantee[0] != NULL) {
                assert_string_equal(guarantee[0], guarantee[1]);
            }
            duet_solution_free(plain);
            duet_solution_free(improved);
        }
        duet_instance_free(instance);
    }
}

static void limits(void **state)
{
    (void)state;
    const size_t tasks = 20000;
    int64_t *times = malloc(2 * tasks * sizeof *times);
    assert_non_null(times);
    for (size_t j = 0; j < 2 * tasks; j++) {
        times[j] = 1000 + (int64_t)(j * 7919 % 1009);
    }
    const int64_t counts[] = {20, 4};
    duet_instance *instance = duet_test_instance(2, counts, tasks, NULL, times);
    free(times);
    duet_solution *solution = worst_schedule(instance);
    int64_t before = duet_solution_makespan(solution);
    duet_context context;
    duet_improved improved;
    duet_context_init(&context, NULL, NULL);
    context.memory_limit = 100000;
    assert_int_equal(duet_improve(instance, &context, 0, 10, solution, &improved, NULL),
                     DUET_E_LIMIT);
    assert_int_equal(duet_solution_measure(solution, instance), before);

    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    duet_context_init(&context, NULL, NULL);
    context.cancel = cancel;
    assert_int_equal(duet_improve(instance, &context, 0, 10, solution, &improved, NULL), DUET_OK);
    assert_true(improved.stopped);
    assert_true(improved.after < before); // the gaps
    duet_cancel_free(cancel);

    duet_context_init(&context, NULL, NULL);
    context.deadline_ns = context.start_ns + 20000000;
    assert_int_equal(duet_improve(instance, &context, 0, 1000000, solution, &improved, NULL),
                     DUET_OK);
    assert_true(improved.stopped);
    assert_true(duet_context_seconds(&context) < 5);
    assert_true(duet_solution_measure(solution, instance) <= improved.before);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// lpt is a start of local-search. More effort hardly ever finds a longer schedule: annealing draws
// other runs.
static void local_search(void **state)
{
    (void)state;
    int64_t longer = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(200); seed++) {
        duet_instance *instance = draw(seed, 40);
        duet_solution *lpt = solve(instance, "lpt", NULL, seed);
        duet_solution *little = solve(instance, "local-search", "effort=1", seed);
        duet_solution *more = solve(instance, "local-search", "effort=4", seed);
        assert_true(duet_solution_makespan(little) <= duet_solution_makespan(lpt));
        longer += duet_solution_makespan(more) > duet_solution_makespan(little);
        assert_true(duet_solution_makespan(more) <= duet_solution_makespan(lpt));
        assert_true(duet_solution_lower_bound(little) >= duet_solution_lower_bound(lpt));
        duet_solution_free(lpt);
        duet_solution_free(little);
        duet_solution_free(more);
        duet_instance_free(instance);
    }
    assert_true(longer <= (int64_t)duet_test_share(200) / 100 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(fine_ticks),
        cmocka_unit_test(fine_ticks_of_few_kinds),
        cmocka_unit_test(target_and_nothing_to_gain),
        cmocka_unit_test(aborted_runs_go),
        cmocka_unit_test(deterministic),
        cmocka_unit_test(truth),
        cmocka_unit_test(the_option),
        cmocka_unit_test(runs_of_equal_tasks),
        cmocka_unit_test(every_algorithm),
        cmocka_unit_test(limits),
        cmocka_unit_test(local_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
