// SPDX-License-Identifier: Apache-2.0
// Exchanges of two tasks: an allocation that they leave has a schedule wherever any has, and what
// they narrow of a part of the allocations loses none of those that they leave. DUET_TEST_SEED and
// DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "solvers/exact/exchange.h"
#include "tests/support/fixtures.h"

enum { MOST_KINDS = 5 };

// An instance whose classes are those of the optimum as a guess.
typedef struct fixture {
    duet_random random;
    duet_instance *instance;
    duet_classes classes;
    duet_residual state;
    duet_exchange exchange;
    int64_t optimum;
} fixture;

// Short times, so that many are equal; in every other instance those of the types run opposite
// ways.
static void begin(fixture *f, uint64_t seed)
{
    int64_t processors[2];
    int64_t tasks[MOST_KINDS];
    int64_t times[2 * MOST_KINDS];
    duet_random_seed(&f->random, seed);
    size_t kinds = (size_t)duet_random_between(&f->random, 1, MOST_KINDS);
    for (size_t t = 0; t < 2; t++) {
        processors[t] = duet_random_between(&f->random, 1, 3);
    }
    for (size_t i = 0; i < kinds; i++) {
        int64_t time = duet_random_between(&f->random, 1, 9);
        tasks[i] = duet_random_between(&f->random, 1, 2);
        times[2 * i] = time;
        times[2 * i + 1] = seed % 2 == 0 ? 10 - time : duet_random_between(&f->random, 1, 9);
        if (duet_random_between(&f->random, 0, 5) == 0) {
            times[2 * i + (size_t)duet_random_between(&f->random, 0, 1)] = DUET_FORBIDDEN;
        }
    }
    f->instance = duet_test_instance(2, processors, kinds, tasks, times);
    f->optimum = duet_exhaustive_optimum(f->instance);
    assert_int_equal(duet_classes_create(f->instance, f->optimum, &f->classes, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&f->classes, &f->state, NULL), DUET_OK);
    assert_int_equal(duet_exchange_create(&f->classes, &f->exchange, NULL), DUET_OK);
}

static void end(fixture *f)
{
    duet_exchange_free(&f->exchange);
    duet_residual_free(&f->state);
    duet_classes_free(&f->classes);
    duet_instance_free(f->instance);
}

// The next allocation between the limits, as a number with a digit for each class. False: that was
// the last one.
static bool next_allocation(const fixture *f, int64_t *on_cpu)
{
    for (size_t c = 0; c < f->classes.count; c++) {
        if (on_cpu[c] < f->state.high[0][c]) {
            on_cpu[c]++;
            return true;
        }
        on_cpu[c] = f->state.low[0][c];
    }
    return false;
}

static void first_allocation(const fixture *f, int64_t *on_cpu)
{
    for (size_t c = 0; c < f->classes.count; c++) {
        on_cpu[c] = f->state.low[0][c];
    }
}

// Whether exchanges leave the allocation.
static bool is_left(fixture *f, const int64_t *on_cpu)
{
    duet_residual decided;
    assert_int_equal(duet_residual_create(&f->classes, &decided, NULL), DUET_OK);
    for (size_t c = 0; c < f->classes.count; c++) {
        duet_residual_limit(&decided, c, 0, on_cpu[c], on_cpu[c]);
    }
    bool left = duet_exchange_narrow(&f->exchange, &decided);
    duet_residual_free(&decided);
    return left;
}

// Whether it has a schedule within the optimum.
static bool has_schedule(const fixture *f, const int64_t *on_cpu)
{
    int64_t tasks[2 * MOST_KINDS];
    int64_t times[4 * MOST_KINDS];
    size_t kinds = 0;
    for (size_t c = 0; c < f->classes.count; c++) {
        int64_t share[2] = {on_cpu[c], f->classes.tasks[c] - on_cpu[c]};
        for (size_t t = 0; t < 2; t++) {
            if (share[t] > 0) {
                tasks[kinds] = share[t];
                times[2 * kinds + t] = f->classes.time[t][c];
                times[2 * kinds + 1 - t] = DUET_FORBIDDEN;
                kinds++;
            }
        }
    }
    const int64_t processors[2] = {f->classes.processors[0], f->classes.processors[1]};
    duet_instance *allocated = duet_test_instance(2, processors, kinds, tasks, times);
    int64_t optimum = duet_exhaustive_optimum(allocated);
    duet_instance_free(allocated);
    return optimum <= f->optimum;
}

static void test_truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t count = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 3000);
    int64_t left = 0;
    int64_t all = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        fixture f;
        int64_t on_cpu[MOST_KINDS];
        bool found = false;
        begin(&f, seed);
        first_allocation(&f, on_cpu);
        do {
            bool one = is_left(&f, on_cpu);
            found = found || (one && has_schedule(&f, on_cpu));
            left += one;
            all++;
        } while (next_allocation(&f, on_cpu));
        if (!found) {
            duet_fail_instance(f.instance, "exchange", seed, "the optimum is lost");
        }
        end(&f);
    }
    assert_true(count < 100 || all > 2 * left); // it is of use
}

// Some classes are decided in part, as by branching.
static void test_parts(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t count = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 3000);
    int64_t narrowed = 0;
    int64_t impossible = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        fixture f;
        int64_t on_cpu[MOST_KINDS];
        begin(&f, seed);
        for (size_t c = 0; c < f.classes.count; c++) {
            int64_t low = duet_random_between(&f.random, f.state.low[0][c], f.state.high[0][c]);
            int64_t high = duet_random_between(&f.random, low, f.state.high[0][c]);
            if (duet_random_between(&f.random, 0, 1) == 0) {
                duet_residual_limit(&f.state, c, 0, low, high);
            }
        }
        bool possible = duet_exchange_narrow(&f.exchange, &f.state);
        impossible += !possible;
        int64_t low[MOST_KINDS];
        int64_t high[MOST_KINDS];
        for (size_t c = 0; c < f.classes.count; c++) {
            low[c] = f.exchange.low[c];
            high[c] = f.exchange.high[c];
            narrowed += low[c] > f.state.low[0][c] || high[c] < f.state.high[0][c];
        }
        first_allocation(&f, on_cpu);
        do {
            bool kept = possible;
            for (size_t c = 0; c < f.classes.count; c++) {
                kept = kept && low[c] <= on_cpu[c] && on_cpu[c] <= high[c];
            }
            if (!kept && is_left(&f, on_cpu)) {
                duet_fail_instance(f.instance, "exchange", seed, "an allocation is lost");
            }
        } while (next_allocation(&f, on_cpu));
        end(&f);
    }
    assert_true(count < 100 || narrowed + impossible > (int64_t)count / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
