// SPDX-License-Identifier: Apache-2.0
// Annealing of whole schedules: against exhaustive optima, on sizes and times at the limits, and
// with little memory or time.
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
#include "heuristics/improve/annealing/annealing.h"
#include "heuristics/improve/annealing/annealing_state.h"
#include "heuristics/rules/rules.h"
#include "tests/support/fixtures.h"

static duet_context context_of(uint64_t seed)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    context.seed = seed;
    return context;
}

static duet_annealer *create(const duet_instance *instance, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context = context_of(seed);
    duet_annealer *annealer;
    if (duet_annealer_create(instance, &context, &annealer, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
    return annealer;
}

// Every task where it is fastest, one after the other on the first processor there.
static duet_solution *placed(const duet_instance *instance)
{
    duet_solution *solution;
    int64_t end[DUET_MAX_TYPES] = {0};
    assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, NULL), DUET_OK);
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type = duet_allocate_quickest(instance, i);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            solution->placement[j] = (duet_placement){end[type], 0, (int32_t)type};
            end[type] += duet_time(instance, i, type);
        }
    }
    solution->makespan = duet_solution_measure(solution, instance);
    return solution;
}

static void check(const duet_instance *instance, duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution_finish(solution, instance);
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
}

// Anneals from a poor start; what comes of it is a schedule and not longer.
static duet_annealed anneal(const duet_instance *instance, uint64_t seed, int64_t target,
                            int64_t moves, duet_solution **out)
{
    duet_annealer *annealer = create(instance, seed);
    duet_solution *solution = placed(instance);
    duet_context context = context_of(seed);
    duet_annealed annealed;
    check(instance, solution, seed);
    int64_t start = duet_solution_makespan(solution);
    assert_int_equal(
        duet_annealer_run(annealer, &context, target, moves, solution, &annealed, NULL), DUET_OK);
    check(instance, solution, seed);
    assert_int_equal(annealed.before, start);
    assert_int_equal(annealed.after, duet_solution_makespan(solution));
    assert_true(annealed.after <= annealed.before);
    assert_true(annealed.moves <= moves);
    assert_false(annealed.stopped);
    duet_annealer_free(annealer);
    if (out != NULL) {
        *out = solution;
    } else {
        duet_solution_free(solution);
    }
    return annealed;
}

static int64_t annealed_times(size_t types, const int64_t *counts, size_t kinds,
                              const int64_t *kind_counts, const int64_t *times)
{
    duet_instance *instance = duet_test_instance(types, counts, kinds, kind_counts, times);
    int64_t makespan = anneal(instance, 1, 0, 200000, NULL).after;
    duet_instance_free(instance);
    return makespan;
}

static void by_hand(void **state)
{
    (void)state;
    const int64_t none[] = {3, 2};
    assert_int_equal(annealed_times(2, none, 0, NULL, NULL), 0);
    const int64_t one_cpu[] = {1, 0};
    const int64_t forbidden[] = {5, 1, 7, 1, 9, DUET_FORBIDDEN};
    assert_int_equal(annealed_times(2, one_cpu, 3, NULL, forbidden), 21);
    const int64_t two_cpus[] = {2};
    const int64_t partition[] = {8, 7, 6, 5, 4};
    assert_int_equal(annealed_times(1, two_cpus, 5, NULL, partition), 15);
    const int64_t equal_count[] = {1000};
    const int64_t equal[] = {10, 1};
    const int64_t cpu_gpu[] = {5, 1};
    assert_int_equal(annealed_times(2, cpu_gpu, 1, equal_count, equal), 670);
    const int64_t zero_times[] = {0, 0, 0, 5, 5, 0, 0, DUET_FORBIDDEN};
    const int64_t two_two[] = {2, 2};
    assert_int_equal(annealed_times(2, two_two, 4, NULL, zero_times), 0);
    const int64_t one_each[] = {1, 1};
    const int64_t cyclic[] = {6, 4, 4, 6, 3, 2, 2, 3};
    assert_int_equal(annealed_times(2, one_each, 4, NULL, cyclic), 6); // {4, 2} and {4, 2}
}

// Works near 2^62 in all, and more processors than tasks.
static void at_the_limits(void **state)
{
    (void)state;
    const int64_t huge = INT64_C(1) << 59;
    const int64_t times[] = {huge, huge, huge, huge, huge, huge, huge, huge};
    const int64_t two_two[] = {2, 2};
    assert_int_equal(annealed_times(2, two_two, 4, NULL, times), huge);
    const int64_t one_one[] = {1, 1};
    assert_int_equal(annealed_times(2, one_one, 4, NULL, times), 2 * huge);
    const int64_t many[] = {INT32_MAX, INT32_MAX};
    const int64_t few[] = {9, 8, 7, 9};
    assert_int_equal(annealed_times(2, many, 2, NULL, few), 8);
}

static duet_instance *draw(uint64_t seed, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = 1 + seed % 5;
    duet_shape shape = {.min_tasks = 1,
                        .max_tasks = most_tasks,
                        .min_processors = 1,
                        .max_processors = types > 2 ? 2 : 3,
                        .types = types};
    return duet_random_instance(&random, &shape);
}

// One to five types against the optimum: never below it, and nearly always at it.
static void truth(void **state)
{
    (void)state;
    const uint64_t instances = duet_test_share(3000);
    long optimal = 0;
    for (uint64_t seed = 1; seed <= instances; seed++) {
        duet_instance *instance = draw(seed, seed % 5 > 1 ? 6 : 8);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_annealed annealed = anneal(instance, seed, optimum, 200000, NULL);
        if (annealed.after < optimum) {
            fail_msg("seed %llu: below the optimum", (unsigned long long)seed);
        }
        optimal += annealed.after == optimum;
        duet_instance_free(instance);
    }
    printf("%ld of %llu at the optimum\n", optimal, (unsigned long long)instances);
    assert_true(optimal + (long)instances / 300 >= (long)instances);
}

// The same seed, the same schedule, and of several calls, too.
static void deterministic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        duet_instance *instance = draw(seed, 40);
        duet_solution *first;
        duet_solution *again;
        anneal(instance, seed, 0, 100000, &first);
        anneal(instance, seed, 0, 100000, &again);
        size_t size = (size_t)duet_tasks(instance) * sizeof(duet_placement);
        assert_memory_equal(first->placement, again->placement, size);
        duet_solution_free(first);
        duet_solution_free(again);
        duet_instance_free(instance);
    }
}

// A schedule that meets the target stays as it is; else the search ends where it is met.
static void target(void **state)
{
    (void)state;
    const int64_t counts[] = {2};
    const int64_t times[] = {8, 7, 6, 5, 4};
    duet_instance *instance = duet_test_instance(1, counts, 5, NULL, times);
    assert_int_equal(anneal(instance, 1, 30, 1000000, NULL).moves, 0);
    duet_annealed annealed = anneal(instance, 1, 15, 100000000, NULL);
    assert_int_equal(annealed.after, 15);
    assert_true(annealed.moves < 1000000);
    duet_instance_free(instance);
}

// It goes on from any schedule, and what it found helps it on.
static void goes_on(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 2, 2};
    enum { KINDS = 60 };
    int64_t times[3 * KINDS];
    for (int64_t i = 0; i < 3 * KINDS; i++) {
        times[i] = 1000 + i * 7919 % 9001;
    }
    duet_instance *instance = duet_test_instance(3, counts, KINDS, NULL, times);
    duet_annealer *annealer = create(instance, 3);
    duet_context context = context_of(3);
    duet_solution *solution = duet_test_solve(instance, "quickest", NULL, NULL);
    int64_t before = duet_solution_makespan(solution);
    for (int call = 0; call < 5; call++) {
        duet_annealed annealed;
        assert_int_equal(
            duet_annealer_run(annealer, &context, 0, 200000, solution, &annealed, NULL), DUET_OK);
        assert_int_equal(annealed.before, before);
        assert_true(annealed.after <= before);
        before = annealed.after;
        check(instance, solution, 3);
    }
    duet_solution *start = placed(instance);
    assert_true(before < duet_solution_makespan(start));
    duet_solution_free(start);
    duet_solution_free(solution);
    duet_annealer_free(annealer);
    duet_instance_free(instance);
}

static void limits(void **state)
{
    (void)state;
    enum { TASKS = 20000 };
    int64_t *times = malloc(2 * TASKS * sizeof *times);
    assert_non_null(times);
    for (size_t j = 0; j < 2 * TASKS; j++) {
        times[j] = 1000 + (int64_t)(j * 7919 % 1009);
    }
    const int64_t counts[] = {20, 4};
    duet_instance *instance = duet_test_instance(2, counts, TASKS, NULL, times);
    free(times);
    duet_context context = context_of(1);
    duet_annealer *annealer;
    context.memory_limit = 100000;
    assert_int_equal(duet_annealer_create(instance, &context, &annealer, NULL), DUET_E_LIMIT);
    assert_null(annealer);

    annealer = create(instance, 1);
    duet_solution *solution = placed(instance);
    duet_annealed annealed;
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    context = context_of(1);
    context.cancel = cancel;
    assert_int_equal(duet_annealer_run(annealer, &context, 0, INT64_MAX, solution, &annealed, NULL),
                     DUET_OK);
    assert_true(annealed.stopped);
    duet_cancel_free(cancel);

    context = context_of(1);
    context.deadline_ns = context.start_ns + 20000000;
    assert_int_equal(duet_annealer_run(annealer, &context, 0, INT64_MAX, solution, &annealed, NULL),
                     DUET_OK);
    assert_true(annealed.stopped);
    assert_true(duet_context_seconds(&context) < 5);
    check(instance, solution, 1);
    duet_solution_free(solution);
    duet_annealer_free(annealer);
    duet_annealer_free(NULL);
    duet_instance_free(instance);
}

// Short times and few tasks a processor, so that pairs of processors are divided by their tables.
static duet_instance *coarse(void)
{
    enum { KINDS = 40 };
    static const int64_t counts[] = {2, 2, 2};
    int64_t times[3 * KINDS];
    for (int64_t i = 0; i < 3 * KINDS; i++) {
        times[i] = 1 + i * 7919 % 97;
    }
    return duet_test_instance(3, counts, KINDS, NULL, times);
}

// Goes on until a deadline that is near.
static void stop_soon(const duet_instance *instance, duet_annealer *annealer,
                      duet_solution *solution)
{
    duet_context context = context_of(1);
    duet_annealed annealed;
    context.deadline_ns = duet_clock_ns() + 20000000;
    assert_int_equal(duet_annealer_run(annealer, &context, 0, INT64_MAX, solution, &annealed, NULL),
                     DUET_OK);
    assert_true(annealed.stopped);
    check(instance, solution, 1);
}

// Runs over pairs get about half of the moves, and stop with the context.
static void over_pairs(void **state)
{
    (void)state;
    duet_instance *instance = coarse();
    duet_annealer *annealer = create(instance, 1);
    duet_solution *solution = placed(instance);
    duet_context context = context_of(1);
    duet_annealed annealed;
    assert_int_equal(duet_annealer_run(annealer, &context, 0, 4000000, solution, &annealed, NULL),
                     DUET_OK);
    assert_in_range(annealer->spent_on_pairs, annealer->spent / 4, annealer->spent / 4 * 3);
    check(instance, solution, 1);
    stop_soon(instance, annealer, solution);
    duet_solution_free(solution);
    duet_annealer_free(annealer);
    duet_instance_free(instance);
}

// Processors that differ each from each, with 16 tasks each: twelve types of one.
static duet_instance *each_its_own(void)
{
    enum { TYPES = 12, KINDS = 200 };
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    duet_type platform[TYPES];
    int64_t times[TYPES * KINDS];
    duet_random random;
    duet_random_seed(&random, 1);
    for (size_t t = 0; t < TYPES; t++) {
        platform[t] = (duet_type){names[t], 1};
    }
    for (size_t i = 0; i < TYPES * KINDS; i++) {
        times[i] = i % 17 == 0 ? DUET_FORBIDDEN : duet_random_between(&random, 10, 100);
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = TYPES,
                               .platform = platform,
                               .kinds = KINDS,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// There, some of the moves are runs of cyclic exchanges, which stop with the context.
static void cyclic(void **state)
{
    (void)state;
    duet_instance *instance = each_its_own();
    duet_annealer *annealer = create(instance, 1);
    duet_solution *solution = placed(instance);
    duet_context context = context_of(1);
    duet_annealed annealed;
    assert_int_equal(duet_annealer_run(annealer, &context, 0, 8000000, solution, &annealed, NULL),
                     DUET_OK);
    assert_in_range(annealer->spent_on_cycles, annealer->spent / 32, annealer->spent / 8 * 7);
    check(instance, solution, 1);
    stop_soon(instance, annealer, solution);
    duet_solution_free(solution);
    duet_annealer_free(annealer);
    duet_instance_free(instance);
}

// An annealer that has just the memory that single moves need.
static duet_annealer *create_small(const duet_instance *instance)
{
    duet_context context = context_of(1);
    duet_annealer *annealer = NULL;
    context.memory_limit = 1000;
    duet_code code = duet_annealer_create(instance, &context, &annealer, NULL);
    while (code == DUET_E_LIMIT) {
        context.memory_limit += 200;
        code = duet_annealer_create(instance, &context, &annealer, NULL);
    }
    assert_int_equal(code, DUET_OK);
    return annealer;
}

// Where there is memory for the rest alone, single moves go on without pairs and cycles.
static void no_room(duet_instance *instance)
{
    duet_annealer *annealer = create_small(instance);
    duet_solution *solution = placed(instance);
    duet_context context = context_of(1);
    duet_annealed annealed;
    assert_false(annealer->pair.allowed);
    assert_false(annealer->cycles_allowed);
    assert_int_equal(duet_annealer_run(annealer, &context, 0, 1000000, solution, &annealed, NULL),
                     DUET_OK);
    assert_true(annealed.after < annealed.before);
    assert_int_equal(annealer->spent_on_pairs + annealer->spent_on_cycles, 0);
    check(instance, solution, 1);
    duet_solution_free(solution);
    duet_annealer_free(annealer);
    duet_instance_free(instance);
}

static void no_room_for_pairs(void **state)
{
    (void)state;
    no_room(coarse());
}

static void no_room_for_cycles(void **state)
{
    (void)state;
    no_room(each_its_own());
}

// Small instances whose first run is one of cyclic exchanges: nearly all optima are met by these.
static void cyclic_truth(void **state)
{
    (void)state;
    const uint64_t instances = duet_test_share(300);
    enum { moves = 200000, spent = 1 << 20 };
    uint64_t by_cycles = 0;
    uint64_t searched = 0;
    for (uint64_t seed = 1; seed <= instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {.min_tasks = 4,
                            .max_tasks = 7,
                            .min_processors = 1,
                            .max_processors = 1,
                            .types = 3 + seed % 3};
        duet_instance *instance = duet_random_instance(&random, &shape);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_annealer *annealer = create(instance, seed);
        duet_solution *solution = placed(instance);
        duet_context context = context_of(seed);
        duet_annealed annealed;
        annealer->spent = spent; // so that it is the turn of cycles
        assert_int_equal(
            duet_annealer_run(annealer, &context, optimum, moves, solution, &annealed, NULL),
            DUET_OK);
        check(instance, solution, seed);
        assert_int_equal(annealed.after, optimum);
        searched += annealed.moves > 0;
        by_cycles += annealed.moves > 0 && annealed.moves == annealer->spent_on_cycles;
        duet_solution_free(solution);
        duet_annealer_free(annealer);
        duet_instance_free(instance);
    }
    printf("%llu of %llu by cycles alone\n", (unsigned long long)by_cycles,
           (unsigned long long)searched);
    assert_true(by_cycles >= searched - searched / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(at_the_limits),
        cmocka_unit_test(truth),
        cmocka_unit_test(deterministic),
        cmocka_unit_test(target),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(limits),
        cmocka_unit_test(over_pairs),
        cmocka_unit_test(cyclic),
        cmocka_unit_test(no_room_for_pairs),
        cmocka_unit_test(no_room_for_cycles),
        cmocka_unit_test(cyclic_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
