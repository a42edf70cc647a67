// SPDX-License-Identifier: Apache-2.0
// The checker's knapsack by its core against a table over all loads, and against its own table over
// prices: thousands of random classes, with times and prices of many kinds.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "check/proof/tree/vector.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"

enum { KINDS = 30, CAPACITY = 1000 };

typedef struct fixture {
    duet_random random;
    duet_instance *instance;
    duet_proof_model model;
    int64_t price[KINDS];
} fixture;

static int64_t between(fixture *f, int64_t least, int64_t most)
{
    return duet_random_between(&f->random, least, most);
}

// Times near each other, of two sizes, or any; prices by time, nearly so, all alike, or any.
static void draw(fixture *f, int64_t *times, int64_t *prices, size_t kinds, int64_t capacity)
{
    int64_t style = between(f, 0, 3);
    int64_t by = between(f, 0, 3);
    int64_t parts = between(f, 1, 8);
    int64_t most = INT64_C(1) << between(f, 1, 11);
    for (size_t i = 0; i < kinds; i++) {
        int64_t near = capacity / parts - between(f, 0, capacity / parts / 8);
        times[i] = style == 0   ? near
                   : style == 1 ? between(f, 1, capacity)
                   : style == 2 ? between(f, 1, capacity / parts + 1)
                                : (between(f, 0, 3) == 0 ? near : between(f, 1, 20));
        times[i] = times[i] > 0 ? times[i] : 1;
        int64_t in_time = times[i] * most / capacity;
        prices[i] = by == 0   ? in_time
                    : by == 1 ? in_time + between(f, 0, most / 16 + 1)
                    : by == 2 ? most + between(f, -1, 1)
                              : between(f, 0, most);
    }
}

static void open_fixture(fixture *f, uint64_t seed)
{
    int64_t times[KINDS];
    int64_t prices[KINDS];
    int64_t counts[KINDS];
    duet_random_seed(&f->random, seed);
    size_t kinds = (size_t)between(f, 1, KINDS);
    int64_t capacity = between(f, 10, CAPACITY);
    bool many = between(f, 0, 2) == 0;
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = many ? between(f, 1, 40) : 1;
    }
    draw(f, times, prices, kinds, capacity);
    const duet_type platform[] = {{"cpu", 1}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 1,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    assert_int_equal(
        duet_proof_model_init(&f->model, f->instance, capacity, duet_test_watch(), NULL), DUET_OK);
    size_t numbered = 0; // classes come in the order of their first kinds
    for (size_t i = 0; i < kinds; i++) {
        times[i] = times[i] <= capacity ? times[i] : 0;
        bool first = true;
        for (size_t j = 0; j < i; j++) {
            first = first && times[j] != times[i];
        }
        if (first) {
            f->price[numbered++] = times[i] > 0 ? prices[i] : 0;
        }
    }
    assert_int_equal(numbered, f->model.classes);
}

static void close_fixture(fixture *f)
{
    duet_proof_model_free(&f->model);
    duet_instance_free(f->instance);
}

// The highest price of a set that fits: task by task, over all loads.
static int64_t highest(const fixture *f)
{
    static int64_t best[CAPACITY + 1];
    memset(best, 0, sizeof best);
    int64_t capacity = f->model.capacity[0];
    for (size_t c = 0; c < f->model.classes; c++) {
        int64_t time = f->model.time[0][c];
        for (int64_t i = 0; time > 0 && i < f->model.count[c] && i < capacity / time; i++) {
            for (int64_t load = capacity; load >= time; load--) {
                int64_t with = best[load - time] + f->price[c];
                best[load] = with > best[load] ? with : best[load];
            }
        }
    }
    return best[capacity];
}

static duet_proof_core_answer ask(const fixture *f, int64_t limit, size_t most)
{
    duet_proof_core_answer answer;
    const duet_proof_core_question question = {0, f->price, limit, most};
    assert_int_equal(
        duet_proof_core_knapsack(&f->model, &question, duet_test_watch(), &answer, NULL), DUET_OK);
    return answer;
}

// A limit is held or broken as it should be, and the table agrees.
static void check_limit(const fixture *f, int64_t limit, bool holds, uint64_t seed)
{
    duet_proof_core_answer answer = ask(f, limit, SIZE_MAX);
    int64_t time;
    assert_int_equal(
        duet_proof_dense_knapsack(&f->model, 0, f->price, limit, duet_test_watch(), &time, NULL),
        DUET_OK);
    if (answer.verdict != (holds ? DUET_PROOF_CORE_HOLDS : DUET_PROOF_CORE_BROKEN) ||
        (time > f->model.capacity[0]) != holds) {
        fail_msg("seed %" PRIu64 ", limit %" PRId64 ": verdict %d, expected it to be %s", seed,
                 limit, (int)answer.verdict, holds ? "held" : "broken");
    }
    if (!holds && (answer.time < time || answer.time > f->model.capacity[0])) {
        fail_msg("seed %" PRIu64 ", limit %" PRId64 ": a set of %" PRId64
                 " ticks, expected %" PRId64 " to %" PRId64,
                 seed, limit, answer.time, time, f->model.capacity[0]);
    }
}

static void limits(void **state)
{
    (void)state;
    long open = 0;
    long few = 0;
    uint64_t seeds = duet_test_share(4000);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        fixture f;
        open_fixture(&f, seed);
        int64_t most = highest(&f);
        check_limit(&f, most, true, seed);
        check_limit(&f, most + between(&f, 0, most / 8 + 1), true, seed);
        if (most > 0) {
            check_limit(&f, most - 1, false, seed);
            check_limit(&f, between(&f, 0, most - 1), false, seed);
        }
        // With few states the answer may stay open, and is never a wrong one.
        duet_proof_core_answer answer = ask(&f, most, 4);
        assert_true(answer.verdict != DUET_PROOF_CORE_BROKEN);
        open += answer.verdict == DUET_PROOF_CORE_OPEN;
        few += answer.verdict == DUET_PROOF_CORE_HOLDS;
        close_fixture(&f);
    }
    printf("with 4 states %ld limits stay open, %ld hold\n", open, few);
    assert_true(seeds < 4000 || (open > 100 && few > 100));
}

// Prices and counts as large as they come.
static void extremes(void **state)
{
    (void)state;
    static const int64_t counts[] = {INT64_C(1) << 40, 3, INT64_C(1) << 30};
    static const int64_t times[] = {1, INT64_C(1) << 20, 7};
    const duet_type platform[] = {{"cpu", 1}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 1,
                               .platform = platform,
                               .kinds = 3,
                               .counts = counts,
                               .times = times};
    fixture f;
    assert_int_equal(duet_instance_create(&desc, &f.instance, NULL), DUET_OK);
    assert_int_equal(
        duet_proof_model_init(&f.model, f.instance, INT64_C(1) << 21, duet_test_watch(), NULL),
        DUET_OK);
    for (int64_t dear = DUET_PROOF_MAX_PRICE - 1; dear <= DUET_PROOF_MAX_PRICE; dear++) {
        const int64_t prices[] = {1, dear, 0};
        memcpy(f.price, prices, sizeof prices);
        assert_int_equal(ask(&f, DUET_PROOF_MAX_SET, SIZE_MAX).verdict, DUET_PROOF_CORE_BROKEN);
        f.price[1] = 0;
        assert_int_equal(ask(&f, INT64_C(1) << 21, SIZE_MAX).verdict, DUET_PROOF_CORE_HOLDS);
        assert_int_equal(ask(&f, (INT64_C(1) << 21) - 1, SIZE_MAX).verdict, DUET_PROOF_CORE_BROKEN);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
