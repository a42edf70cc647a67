// SPDX-License-Identifier: Apache-2.0
// Packing identical processors: what levelling and filling leave is a packing, and they find those
// that were planted. DUET_TEST_SEED and DUET_TEST_INSTANCES choose others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/system/tasks.h"
#include "heuristics/packing/last.h"
#include "heuristics/packing/packing.h"
#include "tests/support/fixtures.h"

// Every item once, in the list of its machine; loads as they should be.
static void check_packing(const duet_packing *packing, uint64_t seed)
{
    size_t listed = 0;
    for (size_t m = 0; m < packing->processors; m++) {
        int64_t load = 0;
        for (size_t j = packing->first[m]; j != SIZE_MAX; j = packing->next[j]) {
            if (packing->processor[j] != m || listed >= packing->items) {
                fail_msg("seed %llu: item %zu is listed twice or elsewhere",
                         (unsigned long long)seed, j);
            }
            load += packing->time[j];
            listed++;
        }
        if (load != packing->load[m]) {
            fail_msg("seed %llu: machine %zu has another load", (unsigned long long)seed, m);
        }
    }
    if (listed != packing->items) {
        fail_msg("seed %llu: %zu of %zu items are listed", (unsigned long long)seed, listed,
                 packing->items);
    }
}

// Cuts `target` into `pieces` for each machine, and shuffles them: a packing without idle time.
static duet_packing cut(duet_random *random, size_t processors, size_t pieces, int64_t target)
{
    duet_packing packing;
    assert_int_equal(duet_packing_create(processors * pieces, processors, &packing, NULL), DUET_OK);
    for (size_t m = 0; m < processors; m++) {
        int64_t left = target;
        for (size_t p = 0; p < pieces; p++) {
            int64_t later = (int64_t)(pieces - 1 - p);
            int64_t most = later == 0 ? left : 2 * left / (later + 1);
            most = most > left - later ? left - later : most;
            int64_t time = later == 0 ? left : duet_random_between(random, 1, most);
            packing.time[m * pieces + p] = time;
            left -= time;
        }
    }
    for (size_t j = packing.items; j-- > 1;) {
        size_t other = (size_t)duet_random_between(random, 0, (int64_t)j);
        int64_t time = packing.time[j];
        packing.time[j] = packing.time[other];
        packing.time[other] = time;
    }
    return packing;
}

static void place_anywhere(duet_random *random, duet_packing *packing)
{
    for (size_t j = 0; j < packing->items; j++) {
        packing->processor[j] =
            (size_t)duet_random_between(random, 0, (int64_t)packing->processors - 1);
    }
    duet_packing_link(packing);
}

// From any packing, with any target: never worse than before, and what it returns is true.
static void level_is_safe(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_packing packing;
        duet_random_seed(&random, seed);
        size_t items = (size_t)duet_random_between(&random, 0, 80);
        size_t processors = (size_t)duet_random_between(&random, 1, 9);
        int64_t longest = INT64_C(1) << duet_random_between(&random, 0, 50);
        assert_int_equal(duet_packing_create(items, processors, &packing, NULL), DUET_OK);
        for (size_t j = 0; j < items; j++) {
            packing.time[j] = duet_random_between(&random, 1, longest);
        }
        place_anywhere(&random, &packing);
        int64_t before = duet_packing_longest(&packing);
        int64_t target = duet_random_between(&random, 0, before);
        int64_t after = duet_packing_level(&packing, target, 30, &random, &context);
        check_packing(&packing, seed);
        if (after > before || after != duet_packing_longest(&packing)) {
            fail_msg("seed %llu: the longest load was %lld, is %lld", (unsigned long long)seed,
                     (long long)before, (long long)after);
        }
        duet_packing_free(&packing);
    }
}

// Many short items: levelling reaches the mean that they were cut from.
static void level_reaches(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 200);
    instances = instances < 200 ? instances : 200;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        size_t processors = (size_t)duet_random_between(&random, 2, 6);
        duet_packing packing = cut(&random, processors, 10, 1000);
        if (seed % 2 == 0) {
            assert_int_equal(duet_packing_longest_first(&packing, NULL), DUET_OK);
            check_packing(&packing, seed);
        } else {
            place_anywhere(&random, &packing);
        }
        int64_t longest = duet_packing_level(&packing, 1000, 5000, &random, &context);
        check_packing(&packing, seed);
        if (longest != 1000) {
            fail_msg("seed %llu: levelled to %lld, cut from 1000", (unsigned long long)seed,
                     (long long)longest);
        }
        duet_packing_free(&packing);
    }
}

// Fine ticks: loads end within a tick of the mean, for which the sums of 24 items are too few.
static void level_reaches_fine(void **state)
{
    (void)state;
    const int64_t target = INT64_C(1) << 32;
    uint64_t first = duet_test_seed();
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + 10; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        size_t processors = (size_t)duet_random_between(&random, 2, 4);
        duet_packing packing = cut(&random, processors, 40, target);
        place_anywhere(&random, &packing);
        int64_t longest = duet_packing_level(&packing, target + 1, 100, &random, &context);
        check_packing(&packing, seed);
        if (longest > target + 1) {
            fail_msg("seed %llu: levelled to %lld, cut from %lld", (unsigned long long)seed,
                     (long long)longest, (long long)target);
        }
        duet_packing_free(&packing);
    }
}

// Four items per machine and no idle time: most are found, and all that are said to fit do.
static void fill_finds(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 300);
    instances = instances < 300 ? instances : 300;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    long found = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        // A unit that is no divisor of the ticks' size goes with every length.
        int64_t unit = seed % 3 == 0 ? (INT64_C(1) << 40) + 1 : 1;
        duet_packing packing = cut(&random, 8, 4, 1000);
        for (size_t j = 0; j < packing.items; j++) {
            packing.time[j] *= unit;
        }
        place_anywhere(&random, &packing);
        bool fits;
        assert_int_equal(
            duet_packing_fill(&packing, 1000 * unit, 100, &random, &context, &fits, NULL), DUET_OK);
        check_packing(&packing, seed);
        if (fits && duet_packing_longest(&packing) > 1000 * unit) {
            fail_msg("seed %llu: what is said to fit does not", (unsigned long long)seed);
        }
        found += fits;
        duet_packing_free(&packing);
    }
    printf("found %ld of %lld\n", found, (long long)instances);
    assert_true(found >= instances * 3 / 4 || instances < 100);
}

// Whether the items of `processors` full processors are put back on them, with so much room more.
static bool fills_again(uint64_t seed, size_t processors, size_t each, int64_t target, int64_t room)
{
    duet_context context;
    duet_random random;
    duet_context_init(&context, NULL, NULL);
    duet_random_seed(&random, seed);
    duet_packing packing = cut(&random, processors, each, target);
    place_anywhere(&random, &packing);
    bool fits;
    assert_int_equal(
        duet_packing_fill(&packing, target + room, 300, &random, &context, &fits, NULL), DUET_OK);
    check_packing(&packing, seed);
    assert_true(!fits || duet_packing_longest(&packing) <= target + room);
    duet_packing_free(&packing);
    return fits;
}

// Fine ticks, and many items: next to no idle time is left.
static void fill_finds_fine(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    long found = 0;
    for (uint64_t seed = first; seed < first + 8; seed++) {
        bool few = seed % 2 == 0;
        found += fills_again(seed, 4, few ? 12 : 30, INT64_C(1) << 30, few ? 1000 : 2);
    }
    assert_true(found >= 6);
}

// Fine ticks, five items a processor: what is found leaves less idle time than rounding to coarser
// units would.
static void fill_finds_fine_of_few(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    long found = 0;
    for (uint64_t seed = first; seed < first + 8; seed++) {
        found += fills_again(seed, 20, 5, INT64_C(1) << 20, 100);
    }
    assert_true(found >= 6);
}

// Two of the longest items do not fit together, and there are more of them than processors, however
// much time there is: no effort is spent, or the test would take hours.
static void fill_sees_a_crowd(void **state)
{
    (void)state;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_random random;
    duet_random_seed(&random, 1);
    duet_packing packing;
    assert_int_equal(duet_packing_create(49, 48, &packing, NULL), DUET_OK);
    for (size_t j = 0; j < packing.items; j++) {
        packing.time[j] = 501 + (int64_t)j;
    }
    place_anywhere(&random, &packing);
    bool fits;
    assert_int_equal(duet_packing_fill(&packing, 1002, 10000000, &random, &context, &fits, NULL),
                     DUET_OK);
    assert_false(fits);
    assert_int_equal(duet_packing_fill(&packing, 1003, 10000000, &random, &context, &fits, NULL),
                     DUET_OK);
    assert_true(fits);
    check_packing(&packing, 1);
    assert_int_equal(duet_packing_longest(&packing), 1003);
    duet_packing_free(&packing);
}

// Targets below what there is: never said to fit, and the packing is as it was.
static void fill_is_honest(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 300);
    instances = instances < 300 ? instances : 300;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        size_t processors = (size_t)duet_random_between(&random, 2, 9);
        size_t pieces = (size_t)duet_random_between(&random, 1, 6);
        duet_packing packing = cut(&random, processors, pieces, 1000);
        place_anywhere(&random, &packing);
        size_t *before = malloc(packing.items * sizeof *before);
        assert_non_null(before);
        memcpy(before, packing.processor, packing.items * sizeof *before);
        bool fits;
        int64_t target = 999 - duet_random_between(&random, 0, 900);
        assert_int_equal(duet_packing_fill(&packing, target, 5, &random, &context, &fits, NULL),
                         DUET_OK);
        check_packing(&packing, seed);
        if (fits || memcmp(before, packing.processor, packing.items * sizeof *before) != 0) {
            fail_msg("seed %llu: nothing fits below the mean", (unsigned long long)seed);
        }
        // With room to spare, a packing it finds keeps to the target.
        target = 1000 + duet_random_between(&random, 0, 500);
        assert_int_equal(duet_packing_fill(&packing, target, 5, &random, &context, &fits, NULL),
                         DUET_OK);
        check_packing(&packing, seed);
        if (fits && duet_packing_longest(&packing) > target) {
            fail_msg("seed %llu: what is said to fit does not", (unsigned long long)seed);
        }
        free(before);
        duet_packing_free(&packing);
    }
}

// Whether items from `at` on fit, one after another on every machine.
static bool can_pack(const int64_t *time, size_t items, size_t at, int64_t *load, size_t processors,
                     int64_t target)
{
    if (at == items) {
        return true;
    }
    for (size_t m = 0; m < processors; m++) {
        load[m] += time[at];
        bool fits = load[m] <= target && can_pack(time, items, at + 1, load, processors, target);
        load[m] -= time[at];
        if (fits) {
            return true;
        }
        if (load[m] == 0) {
            break; // the other empty ones are alike
        }
    }
    return false;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

// The sets are a packing: each item in one of them, none above the target.
static void check_sets(const int64_t *time, size_t items, size_t processors, int64_t target,
                       const uint32_t *chosen, uint64_t seed)
{
    uint32_t seen = 0;
    for (size_t m = 0; m < processors; m++) {
        int64_t load = 0;
        for (size_t i = 0; i < items; i++) {
            load += (chosen[m] >> i & 1U) != 0 ? time[i] : 0;
        }
        if (load > target || (seen & chosen[m]) != 0) {
            fail_msg("seed %llu: set %zu is too long or not apart", (unsigned long long)seed, m);
        }
        seen |= chosen[m];
    }
    if (seen != (UINT32_C(1) << items) - 1) {
        fail_msg("seed %llu: an item is in no set", (unsigned long long)seed);
    }
}

// Few items on few machines: the answer is that of the exhaustive search, at targets where both
// occur.
static void last_is_exact(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 3000);
    duet_last *last;
    assert_int_equal(duet_last_create(&last, NULL), DUET_OK);
    long answers[3] = {0, 0, 0};
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        enum { most = 9 };
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t time[most];
        int64_t total = 0;
        size_t items = (size_t)duet_random_between(&random, 0, most);
        size_t processors = (size_t)duet_random_between(&random, 1, 4);
        int64_t longest = seed % 2 == 0 ? 12 : 1000;
        for (size_t i = 0; i < items; i++) {
            time[i] = duet_random_between(&random, seed % 5 == 0 ? 0 : 1, longest);
            total += time[i];
        }
        qsort(time, items, sizeof *time, by_time);
        int64_t target =
            total / (int64_t)processors + duet_random_between(&random, -2, longest / 9);
        target = target < 0 ? 0 : target;
        int64_t load[4] = {0, 0, 0, 0};
        bool truth = can_pack(time, items, 0, load, processors, target);
        uint32_t chosen[DUET_LAST_PROCESSORS] = {0};
        int64_t work = seed % 7 == 0 ? 20 : 1000000;
        duet_last_answer answer =
            duet_last_pack(last, time, items, processors, target, &work, chosen);
        answers[answer]++;
        if (answer == DUET_LAST_FITS) {
            check_sets(time, items, processors, target, chosen, seed);
        }
        if (answer != DUET_LAST_GIVEN_UP && (answer == DUET_LAST_FITS) != truth) {
            fail_msg("seed %llu: said to fit: %d, is: %d", (unsigned long long)seed,
                     answer == DUET_LAST_FITS, truth);
        }
        if (answer == DUET_LAST_GIVEN_UP && seed % 7 != 0) {
            fail_msg("seed %llu: given up", (unsigned long long)seed);
        }
    }
    printf("fits %ld, never %ld, given up %ld\n", answers[0], answers[1], answers[2]);
    assert_true(instances < 100 || (answers[0] > 20 && answers[1] > 20));
    duet_last_free(last);
}

// A filling, by as many as have their part in it.
typedef struct filling {
    uint64_t seed;
    duet_packing packing;
    bool fits;
} filling;

static void fill_one(void *of)
{
    filling *f = of;
    duet_context context;
    duet_random random;
    duet_context_init(&context, NULL, NULL);
    duet_random_seed(&random, f->seed);
    f->packing = cut(&random, 8 + f->seed % 5, 5, 1000);
    place_anywhere(&random, &f->packing);
    assert_int_equal(duet_packing_fill(&f->packing, 1000, 100, &random, &context, &f->fits, NULL),
                     DUET_OK);
    check_packing(&f->packing, f->seed);
}

// Walks beside each other come to the same packing for any number of threads.
static void fill_is_the_same(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + 6; seed++) {
        static const int threads[] = {1, 2, 3, 16};
        filling alone = {.seed = seed};
        fill_one(&alone);
        for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
            filling some = {.seed = seed};
            duet_tasks_lead(threads[i], fill_one, &some);
            assert_int_equal(some.fits, alone.fits);
            for (size_t j = 0; j < alone.packing.items; j++) {
                assert_int_equal(some.packing.processor[j], alone.packing.processor[j]);
            }
            duet_packing_free(&some.packing);
        }
        duet_packing_free(&alone.packing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_is_safe),      cmocka_unit_test(level_reaches),
        cmocka_unit_test(level_reaches_fine), cmocka_unit_test(fill_finds),
        cmocka_unit_test(fill_finds_fine),    cmocka_unit_test(fill_finds_fine_of_few),
        cmocka_unit_test(fill_is_honest),     cmocka_unit_test(last_is_exact),
        cmocka_unit_test(fill_sees_a_crowd),  cmocka_unit_test(fill_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
