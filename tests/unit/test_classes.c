// SPDX-License-Identifier: Apache-2.0
// Classes of equal tasks: by hand, and against those that the checker of proofs derives by its own
// code. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "check/proof/model.h"
#include "core/classes.h"
#include "tests/support/fixtures.h"

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
    duet_shape shape = {.min_tasks = 1,
                        .max_tasks = 30,
                        .min_processors = seed % 5 == 0 ? 0 : 1,
                        .max_processors = 9,
                        .types = 2};
    duet_random_seed(random, seed);
    duet_instance *plain = duet_random_instance(random, &shape);
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
    for (size_t t = 0; t < 2; t++) {
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
        same = a->tasks[c] == b->tasks[c] && a->time[0][c] == b->time[0][c] &&
               a->time[1][c] == b->time[1][c];
    }
    return same;
}

static void check_weights(const duet_instance *instance, const duet_classes *classes, uint64_t seed)
{
    int64_t weight[2];
    assert_int_equal(duet_classes_weights(classes, weight, NULL), DUET_OK);
    for (size_t t = 0; t < 2; t++) {
        if (weight[t] < 0 || weight[t] >= INT64_C(1) << 31) {
            duet_fail_instance(instance, "classes-failure", seed, "a weight is out of range");
        }
    }
    if (weight[0] == 0 && weight[1] == 0) {
        duet_fail_instance(instance, "classes-failure", seed, "both weights are 0");
    }
}

static void check_guess(const duet_instance *instance, int64_t guess, uint64_t seed)
{
    duet_classes classes;
    duet_proof_model model;
    assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
    assert_int_equal(duet_proof_model_init(&model, instance, guess, NULL), DUET_OK);
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
    uint64_t first = (uint64_t)duet_test_number("DUET_TEST_SEED", 1);
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
        int64_t time = duet_instance_time(instance, kind, seed % 2);
        if (time != DUET_FORBIDDEN) {
            check_guess(instance, time, seed);
            check_guess(instance, time > 0 ? time - 1 : 0, seed);
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_out),
                                       cmocka_unit_test(as_the_checker_has_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
