// SPDX-License-Identifier: Apache-2.0
// Classes of equal tasks: by hand, and against those that the checker of proofs derives by its own
// code. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "check/proof/tree/model.h"
#include "core/instance/classes.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"
#include "tests/support/stretched.h"

#define NO DUET_FORBIDDEN

static duet_instance *by_hand(void)
{
    static const duet_type platform[] = {{"cpu", 3}, {"gpu", 2}};
    static const int64_t times[] = {
        12, 6,  // class 0
        30, 9,  // class 1 within 20: the GPU's time alone
        12, 6,  // class 0 again
        0,  7,  // takes no time on a CPU
        NO, 9,  // class 1 within 20; one of its own from 30 on
        18, NO, // class 2
        40, 25, // nowhere within 20
        50, 0,  // takes no time on a GPU
    };
    static const int64_t counts[] = {2, 1, 3, 1, 4, 1, 5, 1};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 8,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static void worked_out(void **state)
{
    (void)state;
    duet_instance *instance = by_hand();
    duet_classes classes;
    assert_int_equal(duet_classes_create(instance, 20, &classes, NULL), DUET_OK);
    static const size_t of_kind[] = {0, 1, 0, SIZE_MAX, 1, 2, 3, SIZE_MAX};
    static const int64_t tasks[] = {5, 5, 1, 5};
    static const int64_t cpu[] = {12, NO, 18, NO};
    static const int64_t gpu[] = {6, 9, NO, NO};
    assert_int_equal(classes.count, 4);
    assert_int_equal(classes.total, 16);
    assert_memory_equal(classes.of_kind, of_kind, sizeof of_kind);
    assert_memory_equal(classes.tasks, tasks, sizeof tasks);
    assert_memory_equal(classes.time[0], cpu, sizeof cpu);
    assert_memory_equal(classes.time[1], gpu, sizeof gpu);
    assert_int_equal(classes.nowhere, 3);
    assert_int_equal(classes.processors[0], 3);
    assert_int_equal(classes.processors[1], 2);
    assert_int_equal(classes.unit[0], 6); // of 12 and 18
    assert_int_equal(classes.capacity[0], 18);
    assert_int_equal(classes.unit[1], 3); // of 6 and 9
    assert_int_equal(classes.capacity[1], 18);
    assert_int_equal(classes.valid, 24); // at 25 a GPU can run one more
    assert_false(duet_class_fits(&classes, 2, 1));
    duet_classes_free(&classes);

    assert_int_equal(duet_classes_create(instance, 50, &classes, NULL), DUET_OK);
    assert_int_equal(classes.count, 5);
    assert_int_equal(classes.nowhere, SIZE_MAX);
    assert_int_equal(classes.valid, DUET_MAX_WORK);
    assert_int_equal(classes.unit[0], 2);
    assert_int_equal(classes.capacity[1], 50);
    duet_classes_free(&classes);
    duet_instance_free(instance);
}

static duet_instance *draw(duet_random *random, uint64_t seed)
{
    duet_instance *plain = duet_random_of_seed(
        random, seed, 1, 30, 9, seed % 3 > 0 ? 2 : 1 + (seed / 3) % DUET_SHAPE_TYPES);
    assert_non_null(plain);
    if (seed % 4 != 0) {
        return plain;
    }
    duet_instance *stretched = duet_stretched_instance(random, plain, DUET_MAX_WORK);
    assert_non_null(stretched);
    duet_instance_free(plain);
    return stretched;
}

static bool same_time(int64_t own, int64_t other)
{
    return own == (other == 0 ? DUET_FORBIDDEN : other);
}

static bool same_classes(const duet_classes *classes, const duet_proof_model *model)
{
    bool same = classes->count == model->classes;
    for (size_t t = 0; t < classes->types; t++) {
        same = same && classes->processors[t] == model->processors[t] &&
               classes->unit[t] == model->divisor[t] && classes->capacity[t] == model->capacity[t];
        for (size_t c = 0; c < classes->count && same; c++) {
            same = classes->tasks[c] == model->count[c] &&
                   same_time(classes->time[t][c], model->time[t][c]);
        }
    }
    return same;
}

// Whether two guesses have the same classes: what `valid` promises.
static bool same_times(const duet_classes *a, const duet_classes *b)
{
    bool same = a->count == b->count;
    for (size_t c = 0; c < a->count && same; c++) {
        same = a->tasks[c] == b->tasks[c];
        for (size_t t = 0; t < a->types; t++) {
            same = same && a->time[t][c] == b->time[t][c];
        }
    }
    return same;
}

static void check_weights(const duet_instance *instance, const duet_classes *classes, uint64_t seed)
{
    int64_t weight[DUET_SHAPE_TYPES];
    bool positive = false;
    assert_int_equal(duet_classes_weights(classes, weight, NULL), DUET_OK);
    for (size_t t = 0; t < classes->types; t++) {
        positive = positive || weight[t] > 0;
        if (weight[t] < 0 || weight[t] >= INT64_C(1) << 31) {
            duet_fail_instance(instance, "classes-failure", seed, "a weight is out of range");
        }
    }
    if (!positive) {
        duet_fail_instance(instance, "classes-failure", seed, "all weights are 0");
    }
}

static void check_guess(const duet_instance *instance, int64_t guess, uint64_t seed)
{
    duet_classes classes;
    duet_proof_model model;
    assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
    assert_int_equal(duet_proof_model_init(&model, instance, guess, duet_test_watch(), NULL),
                     DUET_OK);
    if (!same_classes(&classes, &model)) {
        duet_fail_instance(instance, "classes-failure", seed, "the checker has other classes");
    }
    check_weights(instance, &classes, seed);
    if (classes.valid < guess) {
        duet_fail_instance(instance, "classes-failure", seed, "not even valid for its guess");
    }
    // (It may be valid for longer than it says: times of tasks that were dropped count too.)
    duet_classes longer;
    assert_int_equal(duet_classes_create(instance, classes.valid, &longer, NULL), DUET_OK);
    if (!same_times(&classes, &longer)) {
        duet_fail_instance(instance, "classes-failure", seed, "not valid for as long as it says");
    }
    duet_classes_free(&longer);
    duet_proof_model_free(&model);
    duet_classes_free(&classes);
}

static void as_the_checker_has_them(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 5000);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        int64_t total = duet_total_work(instance);
        check_guess(instance, total, seed);
        check_guess(instance, duet_random_between(&random, 0, total), seed);
        check_guess(instance, duet_random_between(&random, 0, total / 10), seed);
        size_t kind =
            (size_t)duet_random_between(&random, 0, (int64_t)duet_instance_kinds(instance) - 1);
        int64_t time = duet_instance_time(instance, kind, seed % duet_instance_types(instance));
        if (time != DUET_FORBIDDEN) {
            check_guess(instance, time, seed);
            check_guess(instance, time > 0 ? time - 1 : 0, seed);
        }
        duet_instance_free(instance);
    }
}

// On more types than two the weights come close to the area bound, most often within 0.5 %.
static void weights_of_many_types(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip(); // area-lp
    }
    enum { TYPES = 6, KINDS = 60, SEEDS = 60 };
    static const char *const names[TYPES] = {"a", "b", "c", "d", "e", "f"};
    int close = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t times[TYPES * KINDS];
        duet_type platform[TYPES];
        size_t types = (size_t)duet_random_between(&random, 3, TYPES);
        for (size_t t = 0; t < types; t++) {
            platform[t] = (duet_type){names[t], duet_random_between(&random, 1, 8)};
        }
        for (size_t i = 0; i < types * KINDS; i++) {
            times[i] = duet_random_between(&random, 0, 9) == 0
                           ? DUET_FORBIDDEN
                           : duet_random_between(&random, 100, 1000);
        }
        for (size_t i = 0; i < KINDS; i++) {
            times[types * i + i % types] = duet_random_between(&random, 100, 1000);
        }
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = types,
                                   .platform = platform,
                                   .kinds = KINDS,
                                   .times = times};
        duet_instance *instance;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        duet_bound best;
        assert_int_equal(duet_test_bound(instance, "area-lp", NULL, &best, NULL), DUET_OK);
        duet_classes classes;
        assert_int_equal(duet_classes_create(instance, duet_total_work(instance), &classes, NULL),
                         DUET_OK);
        int64_t weight[TYPES];
        assert_int_equal(duet_classes_weights(&classes, weight, NULL), DUET_OK);
        double work = 0;
        double room = 0;
        for (size_t t = 0; t < types; t++) {
            room += (double)weight[t] * (double)classes.processors[t];
        }
        for (size_t c = 0; c < classes.count; c++) {
            double least = INFINITY;
            for (size_t t = 0; t < types; t++) {
                if (duet_class_fits(&classes, c, t)) {
                    least = fmin(least, (double)weight[t] * (double)classes.time[t][c]);
                }
            }
            work += least * (double)classes.tasks[c];
        }
        double reached = work / room / (double)best.value;
        if (reached > 1.0 + 1e-9 || reached < 0.98) {
            fail_msg("seed %d: %.5f of the area bound", (int)seed, reached);
        }
        close += reached > 0.995;
        duet_bound_release(&best);
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
    printf("%d of %d within 0.5 %% of the area bound\n", close, SEEDS);
    assert_true(close > SEEDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_out),
                                       cmocka_unit_test(as_the_checker_has_them),
                                       cmocka_unit_test(weights_of_many_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
