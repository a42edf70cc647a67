// SPDX-License-Identifier: Apache-2.0
// The knapsack over both types against all allocations of small instances. DUET_TEST_SEED and
// DUET_TEST_INSTANCES choose others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/number/fraction.h"
#include "dp/knapsack/knapsack.h"
#include "tests/support/fixtures.h"
#include "tests/support/stretched.h"

enum { MAX_CLASSES = 64 };

// What all allocations say of a guess.
typedef struct truth {
    const duet_classes *classes;
    long allocations; // that fit
    int64_t guess;    // of the best of them
} truth;

// The least makespan for the work of an allocation; -1 where it does not fit.
static int64_t makespan_of(const duet_classes *classes, const int64_t work[2])
{
    int64_t longest = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t processors = classes->processors[t];
        if (work[t] > (duet_int128)processors * classes->capacity[t]) {
            return -1;
        }
        int64_t guess = processors == 0 ? 0 : work[t] / processors + (work[t] % processors != 0);
        longest = guess > longest ? guess : longest;
    }
    return longest;
}

static void allocate_all(truth *all, size_t class, const int64_t work[2])
{
    const duet_classes *classes = all->classes;
    if (class == classes->count) {
        int64_t guess = makespan_of(classes, work);
        if (guess >= 0) {
            all->guess = all->allocations == 0 || guess < all->guess ? guess : all->guess;
            all->allocations++;
        }
        return;
    }
    int64_t tasks = classes->tasks[class];
    for (int64_t cpu = 0; cpu <= tasks; cpu++) {
        int64_t gpu = tasks - cpu;
        if ((cpu > 0 && !duet_class_fits(classes, class, 0)) ||
            (gpu > 0 && !duet_class_fits(classes, class, 1))) {
            continue;
        }
        int64_t next[2] = {work[0], work[1]};
        next[0] += cpu > 0 ? cpu * classes->time[0][class] : 0;
        next[1] += gpu > 0 ? gpu * classes->time[1][class] : 0;
        allocate_all(all, class + 1, next);
    }
}

static truth find_truth(const duet_classes *classes)
{
    truth all = {classes, 0, 0};
    allocate_all(&all, 0, (const int64_t[2]){0, 0});
    return all;
}

static void fail_with(const duet_instance *instance, uint64_t seed, const char *why)
{
    duet_fail_instance(instance, "knapsack-failure", seed, why);
}

static duet_instance *draw(duet_random *random, uint64_t seed)
{
    duet_instance *plain = duet_random_of_seed(random, seed, 1, seed % 4 == 0 ? 12 : 8, 4, 2);
    assert_non_null(plain);
    if (seed % 3 != 0) {
        return plain;
    }
    // The longest times are about 2^50, or as long as they may be.
    int64_t work = seed % 2 == 0 ? INT64_C(1) << 52 : DUET_MAX_WORK;
    duet_instance *stretched = duet_stretched_instance(random, plain, work);
    assert_non_null(stretched);
    duet_instance_free(plain);
    return stretched;
}

// The smallest guess that fits: what fits into a guess fits into a longer one.
static int64_t smallest_guess(const duet_instance *instance)
{
    int64_t low = 0;
    int64_t high = DUET_MAX_WORK;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        duet_classes classes;
        assert_int_equal(duet_classes_create(instance, middle, &classes, NULL), DUET_OK);
        if (find_truth(&classes).allocations > 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
        duet_classes_free(&classes);
    }
    return low;
}

// Weights as the solver has them, or any: small, one of them 0, large.
static void draw_weights(duet_random *random, const duet_classes *classes, int64_t weight[2])
{
    const int64_t largest = (INT64_C(1) << 31) - 1;
    switch (duet_random_between(random, 0, 3)) {
    case 0:
        weight[0] = duet_random_between(random, 0, 5);
        weight[1] = duet_random_between(random, weight[0] == 0, 5);
        break;
    case 1:
        weight[0] = duet_random_between(random, 1, largest);
        weight[1] = duet_random_between(random, 1, largest);
        break;
    default:
        assert_int_equal(duet_classes_weights(classes, weight, NULL), DUET_OK);
        break;
    }
}

// An allocation keeps to the types that its tasks can run on, fits, and is no shorter than all are
// said to be.
static void check_allocation(const duet_instance *instance, const duet_classes *classes,
                             const int64_t *on_cpu, int64_t least, uint64_t seed)
{
    int64_t work[2] = {0, 0};
    for (size_t c = 0; c < classes->count; c++) {
        const int64_t tasks[2] = {on_cpu[c], classes->tasks[c] - on_cpu[c]};
        for (size_t t = 0; t < 2; t++) {
            if (tasks[t] < 0 || (tasks[t] > 0 && !duet_class_fits(classes, c, t))) {
                fail_with(instance, seed, "an allocation misplaces tasks");
            }
            work[t] += tasks[t] > 0 ? tasks[t] * classes->time[t][c] : 0;
        }
    }
    if (makespan_of(classes, work) < least) {
        fail_with(instance, seed, "an allocation does not fit, or is shorter than all");
    }
}

// Deals that can_fit() leads to. Where it says yes, there is one.
static long walk(const duet_knapsack *problem, const duet_classes *classes, size_t index,
                 const int64_t work[2], bool *dead_end)
{
    if (!duet_knapsack_can_fit(problem, index, work)) {
        return 0;
    }
    if (index == 0) {
        return 1;
    }
    duet_knapsack_free f = duet_knapsack_free_at(problem, index - 1);
    long allocations = 0;
    for (int64_t y = 0; y <= f.most; y++) {
        int64_t next[2] = {work[0], work[1]};
        next[f.cheaper] -= y * classes->time[f.cheaper][f.class];
        next[1 - f.cheaper] += y * classes->time[1 - f.cheaper][f.class];
        allocations += walk(problem, classes, index - 1, next, dead_end);
    }
    *dead_end = *dead_end || allocations == 0;
    return allocations;
}

static void check_lists(const duet_instance *instance, const duet_classes *classes,
                        const int64_t weight[2], const truth *all, uint64_t seed)
{
    duet_knapsack *problem;
    duet_knapsack_answer answer;
    assert_int_equal(duet_knapsack_create(classes, weight, &problem, &answer, NULL), DUET_OK);
    if ((problem != NULL) != (all->allocations > 0)) {
        fail_with(instance, seed, "lists without an allocation, or the other way round");
    }
    if (problem != NULL) {
        bool dead_end = false;
        long allocations = walk(problem, classes, duet_knapsack_free_count(problem),
                                (const int64_t[2]){0, 0}, &dead_end);
        if (allocations != all->allocations || dead_end) {
            printf("%ld allocations by the lists, %ld in truth\n", allocations, all->allocations);
            fail_with(instance, seed, "the lists do not lead to all allocations, or astray");
        }
    }
    duet_knapsack_free_lists(problem);
}

// One that is cut short refutes no guess that fits, and gives no allocation.
static void check_stopped(const duet_classes *classes, const int64_t weight[2], bool fits)
{
    duet_context context;
    duet_knapsack_answer answer;
    duet_cancel *cancel = duet_cancel_create();
    duet_cancel_request(cancel);
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    context.cancel = cancel;
    assert_int_equal(duet_knapsack_decide(classes, weight, &context, NULL, &answer, NULL), DUET_OK);
    assert_true(answer.exceeded || !fits || answer.states == 1);
    duet_cancel_free(cancel);
}

static void check_guess(const duet_instance *instance, int64_t guess, duet_random *random,
                        uint64_t seed, long *cores)
{
    duet_classes classes;
    int64_t weight[2];
    int64_t on_cpu[MAX_CLASSES];
    duet_knapsack_answer answer;
    assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
    assert_true(classes.count <= MAX_CLASSES);
    truth all = find_truth(&classes);
    draw_weights(random, &classes, weight);
    check_stopped(&classes, weight, all.allocations > 0);
    assert_int_equal(duet_knapsack_decide(&classes, weight, NULL, on_cpu, &answer, NULL), DUET_OK);
    if (answer.exceeded || answer.fits != (all.allocations > 0)) {
        fail_with(instance, seed, "decide: not what all allocations say");
    }
    if (answer.fits) {
        if (answer.guess != all.guess) {
            fail_with(instance, seed, "decide: not the shortest allocation");
        }
        check_allocation(instance, &classes, on_cpu, answer.guess, seed);
    }
    check_lists(instance, &classes, weight, &all, seed);
    assert_int_equal(duet_knapsack_core(&classes, weight, random, on_cpu, &answer, NULL), DUET_OK);
    if (answer.fits) {
        check_allocation(instance, &classes, on_cpu, answer.guess, seed);
        (*cores)++;
    }
    duet_classes_free(&classes);
}

static void all_allocations(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 5000);
    long cores = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        int64_t smallest = smallest_guess(instance);
        int64_t reach = smallest / 4 + 1;
        check_guess(instance, smallest, &random, seed, &cores);
        check_guess(instance, smallest > 0 ? smallest - 1 : 0, &random, seed, &cores);
        check_guess(instance, smallest + duet_random_between(&random, 0, reach), &random, seed,
                    &cores);
        check_guess(instance, duet_random_between(&random, 0, smallest), &random, seed, &cores);
        duet_instance_free(instance);
    }
    printf("cores found %ld allocations\n", cores);
    assert_true(cores >= instances / 2);
}

// Of two tasks one has to run on each type. The idle time goes to the type whose processors have
// few tasks, and which of the two types that is only the numbers of tasks say.
static void idle_time_goes_where_tasks_are_few(void **state)
{
    (void)state;
    enum { others = 40, kinds = others + 2 };
    for (size_t few = 0; few < 2; few++) {
        size_t many = 1 - few;
        duet_type platform[2] = {{"cpu", 0}, {"gpu", 0}};
        platform[few].count = 5;
        platform[many].count = 2;
        int64_t time[kinds][2];
        int64_t count[kinds];
        for (size_t i = 0; i < kinds; i++) {
            time[i][0] = time[i][1] = DUET_FORBIDDEN;
            time[i][i < 15 ? few : many] = i < 15 ? 300 + 7 * (int64_t)i : 50 + (int64_t)i;
            count[i] = 1;
        }
        for (size_t i = others; i < kinds; i++) { // the last is shorter where tasks are few
            time[i][few] = i == others ? 300 : 280;
            time[i][many] = i == others ? 56 : 63;
        }
        int64_t work[2] = {300, 63}; // of the two tasks, where they take most
        for (size_t i = 0; i < others; i++) {
            work[i >= 15] += time[i][i < 15 ? few : many];
        }
        int64_t guess = (work[0] + 4) / 5;
        time[others - 1][many] += 2 * guess - work[1]; // no room for both of them
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = 2,
                                         .platform = platform,
                                         .kinds = kinds,
                                         .counts = count,
                                         .times = time[0]};
        duet_instance *instance;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        duet_classes classes;
        int64_t weight[2];
        int64_t on_cpu[kinds];
        duet_knapsack_answer answer;
        assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
        assert_int_equal(duet_classes_weights(&classes, weight, NULL), DUET_OK);
        assert_int_equal(duet_knapsack_decide(&classes, weight, NULL, on_cpu, &answer, NULL),
                         DUET_OK);
        assert_true(answer.fits);
        assert_int_equal(on_cpu[classes.of_kind[others]], few == 1);
        assert_int_equal(on_cpu[classes.of_kind[others + 1]], few == 0);
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
}

// The bound is the smallest guess that fits, its certificate holds, and not for a tick more.
static void raise_to_the_smallest(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 5000);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = draw(&random, seed);
        int64_t smallest = smallest_guess(instance);
        int64_t off = duet_random_between(&random, 0, 3);
        int64_t below =
            seed % 2 == 0 || smallest + off > DUET_MAX_WORK ? DUET_MAX_WORK : smallest + off;
        int64_t from = duet_random_between(&random, 0, smallest);
        duet_bound bound = {.name = "test", .value = from};
        assert_int_equal(duet_knapsack_raise(instance, &context, below, &bound, NULL), DUET_OK);
        if (bound.value != smallest) {
            printf("from %lld: %lld, the smallest guess is %lld\n", (long long)from,
                   (long long)bound.value, (long long)smallest);
            fail_with(instance, seed, "raise: not the smallest guess");
        }
        if (from < smallest) {
            if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
                fail_with(instance, seed, error.message);
            }
            bound.certificate.lambda++;
            if (duet_certificate_check(&bound.certificate, instance, NULL, NULL) != DUET_E_INPUT) {
                fail_with(instance, seed, "raise: its certificate proves more than is true");
            }
        }
        duet_bound_release(&bound);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_allocations),
                                       cmocka_unit_test(idle_time_goes_where_tasks_are_few),
                                       cmocka_unit_test(raise_to_the_smallest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
