// SPDX-License-Identifier: Apache-2.0
// The shelf relaxation against the same three rows in a linear programming solver, its certificates
// against the checker, its solution against its own rows in integers; then bound `shelf` and
// algorithm shelf-3-2 against exhaustive optima. DUET_TEST_SEED and DUET_TEST_INSTANCES choose
// other instances.
#include <inttypes.h>
#include <math.h>
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
#include "core/number/fraction.h"
#include "lp/lp.h"
#include "lp/shelf/shelf.h"
#include "tests/support/fixtures.h"
#include "tests/support/shelf_program.h"

// Tasks that are long or short on either type at a guess near 1000: few of class A, so that the
// counting rows are full and all patterns of division turn up.
static duet_instance *draw_classes(duet_random *random, int max_tasks)
{
    int64_t times[2 * 16];
    int64_t tasks = duet_random_between(random, 3, max_tasks);
    for (int64_t i = 0; i < tasks; i++) {
        int64_t class = duet_random_between(random, 0, 9);
        bool cpu_long = class != 0 && class < 7;
        bool gpu_long = class > 3;
        times[2 * i] = duet_random_between(random, cpu_long ? 501 : 1, cpu_long ? 1000 : 500);
        times[2 * i + 1] = duet_random_between(random, gpu_long ? 501 : 1, gpu_long ? 1000 : 500);
    }
    return duet_test_pair(duet_random_between(random, 1, 4), duet_random_between(random, 1, 4),
                          (size_t)tasks, NULL, times);
}

// Two types, a few tasks; seeds also decide whether a type may be missing.
static duet_instance *draw(uint64_t seed, int max_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    if (seed % 3 == 0) {
        return draw_classes(&random, max_tasks);
    }
    duet_shape shape = {.min_tasks = 3,
                        .max_tasks = max_tasks,
                        .min_processors = seed % 10 == 0 ? 0 : 1,
                        .max_processors = 3,
                        .types = 2};
    duet_instance *instance = duet_random_instance(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static duet_shelf *make_shelf(const duet_instance *instance)
{
    duet_acceleration_order order;
    duet_shelf *shelf;
    assert_int_equal(duet_acceleration_order_create(instance, &order, NULL), DUET_OK);
    assert_int_equal(duet_shelf_create(instance, &order, &shelf, NULL), DUET_OK);
    duet_acceleration_order_free(&order);
    return shelf;
}

static double fixed_cpu_work(const duet_instance *instance, int64_t lambda)
{
    double work = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_shelf_time_within(instance, i, DUET_GPU, lambda) == DUET_FORBIDDEN) {
            work += (double)duet_time(instance, i, DUET_CPU) * (double)duet_count(instance, i);
        }
    }
    return work;
}

// What the solver says of a guess must be what we say. It takes a row that is missed by 1e-9 for
// met, so a NO that close below the smallest YES, `bound`, is beyond it.
static void compare_with_solver(const duet_instance *instance, int64_t lambda, int64_t bound,
                                const duet_shelf_answer *answer, uint64_t seed)
{
    double value = duet_shelf_program_value(instance, lambda);
    double room = (double)instance->processors[DUET_CPU] * (double)lambda;
    if (answer->yes) {
        double ours = (double)answer->value_num / (double)answer->value_den +
                      fixed_cpu_work(instance, lambda);
        if (!isfinite(value) || fabs(value - ours) > 1e-9 * fmax(1, fmax(ours, (double)lambda))) {
            fail_msg("seed %" PRIu64 " lambda %" PRId64 ": %.17g, the solver says %.17g", seed,
                     lambda, ours, value);
        }
    } else if (isfinite(value) && value < room * (1 - 1e-9) - 1e-9 &&
               (double)(bound - lambda) > 1e-8 * (double)bound) {
        fail_msg("seed %" PRIu64 " lambda %" PRId64 ": NO, the solver says %.17g within %.17g",
                 seed, lambda, value, room);
    }
}

static void check_no(const duet_instance *instance, int64_t lambda, const duet_shelf_answer *answer,
                     uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(answer->certificate.proof, DUET_PROOF_SHELF);
    assert_int_equal(answer->certificate.parts, 2);
    assert_int_equal(answer->certificate.lambda, lambda + 1);
    if (duet_certificate_check(&answer->certificate, instance, NULL, &error) != DUET_OK) {
        fail_msg("seed %" PRIu64 " lambda %" PRId64 ": %s", seed, lambda, error.message);
    }
}

// Sums of one row in units of 1 / answer->fraction.den.
typedef struct rows {
    duet_int128 cpu_long, gpu_long, cpu_work, gpu_work;
} rows;

static void add_to_rows(rows *sums, const duet_instance *instance, size_t kind, size_t type,
                        duet_int128 amount, int64_t lambda)
{
    int64_t time = duet_time(instance, kind, type);
    bool counted = duet_shelf_is_long(time, lambda);
    if (type == DUET_CPU) {
        sums->cpu_work += amount * time;
        sums->cpu_long += counted ? amount : 0;
    } else {
        sums->gpu_work += amount * time;
        sums->gpu_long += counted ? amount : 0;
    }
}

// The solution of a YES: its rows hold exactly, its patterns are among those that can be rounded.
static void check_yes(const duet_instance *instance, int64_t lambda, const duet_shelf *shelf,
                      const duet_shelf_answer *answer, int *patterns)
{
    int64_t share[64 * 2];
    assert_true(instance->kinds <= 64);
    duet_shelf_shares(shelf, share);
    duet_int128 den = answer->parts > 0 ? (duet_int128)answer->fraction.den : 1;
    rows sums = {0};
    for (size_t i = 0; i < instance->kinds; i++) {
        assert_int_equal(share[2 * i] + share[2 * i + 1], duet_count(instance, i));
        for (size_t t = 0; t < 2; t++) {
            assert_true(share[2 * i + t] >= 0);
            if (share[2 * i + t] > 0) {
                assert_true(duet_shelf_time_within(instance, i, t, lambda) != DUET_FORBIDDEN);
                add_to_rows(&sums, instance, i, t, den * share[2 * i + t], lambda);
            }
        }
    }
    int pattern = 0;
    for (size_t part = 0; part < answer->parts; part++) {
        const duet_shelf_part *divided = &answer->part[part];
        duet_int128 moved = (duet_int128)answer->fraction.num;
        assert_true(moved > 0 && moved < den);
        size_t from = divided->to_cpu ? DUET_GPU : DUET_CPU;
        assert_true(share[2 * divided->kind + from] > 0);
        add_to_rows(&sums, instance, divided->kind, from, -moved, lambda);
        add_to_rows(&sums, instance, divided->kind, 1 - from, moved, lambda);
        pattern = pattern * 5 + (int)divided->class + 1;
    }
    assert_true(sums.cpu_long <= den * instance->processors[DUET_CPU]);
    assert_true(sums.gpu_long <= den * instance->processors[DUET_GPU]);
    assert_true(sums.cpu_work <= den * lambda * instance->processors[DUET_CPU]);
    assert_true(sums.gpu_work <= den * lambda * instance->processors[DUET_GPU]);
    assert_true(pattern < 25);
    patterns[pattern]++;
}

// Guesses around everything that can change the classes, and around the optimum.
static size_t choose_guesses(const duet_instance *instance, int64_t bound, int64_t *guesses)
{
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds && i < 9; i++) {
        for (size_t t = 0; t < 2; t++) {
            int64_t time = duet_time(instance, i, t);
            if (time != DUET_FORBIDDEN) {
                guesses[count++] = time;
                guesses[count++] = 2 * time;
                guesses[count++] = time > 0 ? 2 * time - 1 : 0;
            }
        }
    }
    for (int64_t near = -3; near <= 3; near++) {
        guesses[count++] = bound + near > 0 ? bound + near : 0;
    }
    for (int64_t part = 16; part <= 128; part *= 2) {
        guesses[count++] = bound + bound / part;
    }
    guesses[count++] = bound + bound / 7;
    guesses[count++] = bound - bound / 9;
    return count;
}

static void guesses_agree(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 4000);
    int patterns[25] = {0};
    int64_t no = 0;
    int64_t yes = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_instance *instance = draw(seed, 14);
        duet_shelf *shelf = make_shelf(instance);
        duet_bound bound;
        assert_int_equal(duet_test_bound(instance, "shelf", NULL, &bound, NULL), DUET_OK);
        duet_bound_release(&bound);
        int64_t guesses[80];
        size_t count = choose_guesses(instance, bound.value, guesses);
        for (size_t i = 0; i < count; i++) {
            duet_shelf_answer answer;
            duet_shelf_solve(shelf, guesses[i], &answer);
            assert_int_equal(answer.yes, guesses[i] >= bound.value);
            if (answer.yes) {
                check_yes(instance, guesses[i], shelf, &answer, patterns);
                yes++;
            } else {
                check_no(instance, guesses[i], &answer, seed);
                no++;
            }
            if (duet_lp_available() && seed % 8 < 2) {
                compare_with_solver(instance, guesses[i], bound.value, &answer, seed);
            }
        }
        duet_shelf_free(shelf);
        duet_instance_free(instance);
    }
    printf("%" PRId64 " yes, %" PRId64 " no; divided:", yes, no);
    // Every pattern that the rounding knows, and no other.
    static const char *const known[] = {"", "A", "B", "C", "D", "BB", "CC", "DD", "BC", "CD"};
    int64_t seen = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int pattern = 0;
        for (const char *class = known[i]; *class != '\0'; class ++) {
            pattern = pattern * 5 + (*class - 'A') + 1;
        }
        printf(" %s %d", known[i][0] == '\0' ? "none" : known[i], patterns[pattern]);
        seen += patterns[pattern];
        assert_true(patterns[pattern] > 0 || instances < 4000);
    }
    printf("\n");
    assert_int_equal(seen, yes);
}

static void note_worst(int64_t makespan, int64_t optimum, int64_t *worst)
{
    if (optimum > 0 && (duet_int128)makespan * worst[1] > (duet_int128)worst[0] * optimum) {
        worst[0] = makespan;
        worst[1] = optimum;
    }
}

// 3 to 9 tasks: bound and makespan against the optimum.
static void small_instances(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 20000);
    int64_t worst[2] = {1, 1};
    int64_t tight = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_instance *instance = draw(seed * 7919, 9);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_error error = DUET_ERROR_INIT;
        duet_solution *solution;
        if (duet_solve(instance, "shelf-3-2", NULL, &solution, &error) != DUET_OK ||
            duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
            fail_msg("seed %" PRIu64 ": %s", seed, error.message);
        }
        int64_t makespan = duet_solution_makespan(solution);
        int64_t lower = duet_solution_lower_bound(solution);
        if (lower > optimum || 2 * (duet_int128)makespan > 3 * (duet_int128)lower ||
            duet_guarantee_holds("shelf-3-2", 2, instance->processors, NULL, makespan, optimum) !=
                1) {
            fail_msg("seed %" PRIu64 ": %" PRId64 " and bound %" PRId64 ", optimum %" PRId64, seed,
                     makespan, lower, optimum);
        }
        duet_bound area;
        duet_bound longest;
        assert_int_equal(duet_test_bound(instance, "area", NULL, &area, NULL), DUET_OK);
        assert_int_equal(duet_test_bound(instance, "longest", NULL, &longest, NULL), DUET_OK);
        duet_bound_release(&area);
        duet_bound_release(&longest);
        assert_true(lower >= area.value && lower >= longest.value);
        tight += lower == optimum;
        note_worst(makespan, optimum, worst);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    printf("worst %" PRId64 "/%" PRId64 " = %.4f; the bound is the optimum on %" PRId64
           " of %" PRId64 "\n",
           worst[0], worst[1], (double)worst[0] / (double)worst[1], tight, instances);
}

// Tasks one by one, or as kinds: the same bound and the same makespan.
static void kinds_like_tasks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t counts[4];
        int64_t times[8];
        int64_t single[4 * 40 * 2];
        size_t tasks = 0;
        for (size_t i = 0; i < 4; i++) {
            counts[i] = duet_random_between(&random, 1, 40);
            times[2 * i] = duet_random_between(&random, 1, 100);
            times[2 * i + 1] = duet_random_between(&random, 1, 100);
            for (int64_t j = 0; j < counts[i]; j++, tasks++) {
                single[2 * tasks] = times[2 * i];
                single[2 * tasks + 1] = times[2 * i + 1];
            }
        }
        int64_t m = duet_random_between(&random, 1, 30);
        int64_t k = duet_random_between(&random, 1, 30);
        duet_instance *kinds = duet_test_pair(m, k, 4, counts, times);
        duet_instance *expanded = duet_test_pair(m, k, tasks, NULL, single);
        duet_solution *a;
        duet_solution *b;
        assert_int_equal(duet_solve(kinds, "shelf-3-2", NULL, &a, NULL), DUET_OK);
        assert_int_equal(duet_solve(expanded, "shelf-3-2", NULL, &b, NULL), DUET_OK);
        assert_int_equal(duet_check_solution(kinds, a, NULL, NULL, NULL), DUET_OK);
        assert_int_equal(duet_solution_lower_bound(a), duet_solution_lower_bound(b));
        assert_true(2 * duet_solution_makespan(a) <= 3 * duet_solution_lower_bound(a));
        assert_true(2 * duet_solution_makespan(b) <= 3 * duet_solution_lower_bound(b));
        duet_solution_free(a);
        duet_solution_free(b);
        duet_instance_free(kinds);
        duet_instance_free(expanded);
    }
}

// Times close to the largest total work: nothing overflows, all is proven.
static void huge_times(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        enum { TASKS = 6 };
        int64_t times[2 * TASKS];
        int64_t most = DUET_MAX_WORK / TASKS;
        for (size_t i = 0; i < TASKS; i++) {
            int64_t base =
                duet_random_between(&random, most - most / (1 + (int64_t)(seed % 7)), most);
            bool same = duet_random_between(&random, 0, 1) == 0;
            times[2 * i] = base;
            times[2 * i + 1] = same ? duet_random_between(&random, base - base / 3, most)
                                    : duet_random_between(&random, 0, most);
        }
        duet_instance *instance =
            duet_test_pair(duet_random_between(&random, 1, 3), duet_random_between(&random, 1, 3),
                           TASKS, NULL, times);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_shelf *shelf = make_shelf(instance);
        duet_bound bound;
        assert_int_equal(duet_test_bound(instance, "shelf", NULL, &bound, NULL), DUET_OK);
        duet_bound_release(&bound);
        assert_true(bound.value <= optimum);
        for (int64_t step = 1; step < bound.value / 8; step *= 8) {
            duet_shelf_answer answer;
            duet_shelf_solve(shelf, bound.value - step, &answer);
            assert_false(answer.yes);
            check_no(instance, bound.value - step, &answer, seed);
        }
        duet_solution *solution;
        assert_int_equal(duet_solve(instance, "shelf-3-2", NULL, &solution, NULL), DUET_OK);
        assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL), DUET_OK);
        assert_true(2 * (duet_int128)duet_solution_makespan(solution) <=
                    3 * (duet_int128)bound.value);
        duet_solution_free(solution);
        duet_shelf_free(shelf);
        duet_instance_free(instance);
    }
}

// More processors than tasks, one task as many processors as there can be.
static void extreme_platforms(void **state)
{
    (void)state;
    const int64_t huge = INT64_C(1) << 60;
    const int64_t times[] = {huge, huge - 1, 5, 7, 1, huge};
    const int64_t counts[][2] = {{DUET_MAX_PROCESSORS, DUET_MAX_PROCESSORS},
                                 {DUET_MAX_PROCESSORS, 0},
                                 {0, DUET_MAX_PROCESSORS},
                                 {1, DUET_MAX_PROCESSORS},
                                 {DUET_MAX_PROCESSORS, 1}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        duet_instance *instance = duet_test_pair(counts[i][0], counts[i][1], 3, NULL, times);
        duet_solution *solution;
        duet_bound_check check;
        assert_int_equal(duet_solve(instance, "shelf-3-2", NULL, &solution, NULL), DUET_OK);
        assert_int_equal(duet_check_solution(instance, solution, NULL, &check, NULL), DUET_OK);
        assert_int_equal(check, DUET_BOUND_CERTIFIED);
        assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// Breakpoints spread over many orders of magnitude: few multipliers all the same.
static void few_multipliers(void **state)
{
    (void)state;
    int most = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        enum { TASKS = 2000 };
        static int64_t times[2 * TASKS];
        duet_random random;
        duet_random_seed(&random, seed);
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            int64_t magnitude = duet_random_between(&random, 0, 48);
            times[i] = duet_random_between(&random, 1, (INT64_C(1) << magnitude) + 10);
        }
        duet_instance *instance =
            duet_test_pair(duet_random_between(&random, 1, 300),
                           duet_random_between(&random, 1, 300), TASKS, NULL, times);
        duet_shelf *shelf = make_shelf(instance);
        duet_bound bound;
        assert_int_equal(duet_test_bound(instance, "shelf", NULL, &bound, NULL), DUET_OK);
        duet_bound_release(&bound);
        for (int64_t lambda = bound.value; lambda < bound.value * 4;
             lambda += bound.value / 3 + 1) {
            duet_shelf_answer answer;
            duet_shelf_solve(shelf, lambda, &answer);
            assert_true(answer.yes);
            most = answer.evaluations > most ? answer.evaluations : most;
        }
        duet_shelf_free(shelf);
        duet_instance_free(instance);
    }
    printf("at most %d multipliers for a guess\n", most);
    assert_true(most <= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_agree),     cmocka_unit_test(small_instances),
        cmocka_unit_test(kinds_like_tasks),  cmocka_unit_test(huge_times),
        cmocka_unit_test(extreme_platforms), cmocka_unit_test(few_multipliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
