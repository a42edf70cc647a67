// SPDX-License-Identifier: Apache-2.0
// Tables of laws in steps: of the solvers and of the checker, each against the table entry by
// entry; and that their number grows with the root of the ticks, whatever the number of processors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "check/law.h"
#include "check/modes.h"
#include "core/instance/time_table.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"

enum { LENGTH = 60000 };

static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// Works from 1 to 10^8 of up to three places; sequential parts of every size, none and all too.
static duet_law draw_law(duet_random *random)
{
    int places = (int)duet_random_between(random, 0, 8);
    int64_t form = duet_random_between(random, 0, 3);
    int64_t most = form == 0 ? 0 : form == 1 ? (powers[places] + 999) / 1000 : powers[places];
    return (duet_law){{duet_random_between(random, 1, powers[duet_random_between(random, 0, 8)]),
                       (int)duet_random_between(random, 0, 3)},
                      {form == 3 ? powers[places] : duet_random_between(random, 0, most), places}};
}

static void steps_are_the_table(void **state)
{
    (void)state;
    static int64_t table[LENGTH];
    uint64_t laws = duet_test_share(800);
    duet_random random;
    for (uint64_t i = 0; i < laws; i++) {
        uint64_t seed = duet_test_seed() + i;
        duet_random_seed(&random, seed);
        duet_law law = draw_law(&random);
        duet_fraction speed = {(uint64_t)duet_random_between(&random, 1, 20),
                               (uint64_t)duet_random_between(&random, 1, 10)};
        duet_law_ticks ticks;
        assert_true(duet_law_prepare(&law, speed, (int)(i % 4), &ticks));
        ticks.narrow = ticks.narrow && i % 5 != 0;
        int64_t length = duet_random_between(&random, 1, LENGTH);
        duet_law_table(&ticks, length, table);
        duet_law_step step = {.size = 0};
        int64_t size = 0;
        bool dense = true;
        while (duet_law_advance(&ticks, length, &step)) {
            int64_t before = size == 0 ? 0 : table[size - 1];
            while (++size < step.size) {
                assert_int_equal(table[size - 1], before); // without a step of its own
            }
            assert_true(dense || !step.dense);
            assert_true(!step.dense || table[size - 1] == step.ticks);
            assert_true(step.dense || size > DUET_LAW_DENSE);
            assert_true(step.dense || step.ticks < before);
            if (table[size - 1] != step.ticks) {
                fail_msg("seed %llu: size %lld", (unsigned long long)seed, (long long)size);
            }
            dense = step.dense;
        }
        for (int64_t p = size + 1; p <= length; p++) {
            assert_int_equal(table[p - 1], table[size - 1]);
        }
        for (int times = 0; times < 20; times++) {
            int64_t p = duet_random_between(&random, 1, length);
            assert_int_equal(duet_law_at(&ticks, p), table[p - 1]);
        }
    }
}

// --- instances -----------------------------------------------------------------------------------

enum { KINDS = 3, TYPES = 2 };

static duet_instance *make(duet_random *random, int64_t processors, duet_fraction *speed)
{
    duet_moldable_times times[KINDS * TYPES];
    duet_number speeds[TYPES];
    duet_type platform[TYPES] = {{"a", processors}, {"b", processors / 2 + 1}};
    for (size_t t = 0; t < TYPES; t++) {
        speeds[t] = (duet_number){duet_random_between(random, 1, 20), 1};
        speed[t] = duet_decimal_fraction((duet_decimal){speeds[t].mantissa, 1});
    }
    for (size_t i = 0; i < KINDS; i++) {
        duet_law law = draw_law(random);
        for (size_t t = 0; t < TYPES; t++) {
            times[i * TYPES + t] =
                (duet_moldable_times){.work = {law.work.mantissa, law.work.places},
                                      .alpha = {law.alpha.mantissa, law.alpha.places}};
        }
    }
    const duet_moldable_desc moldable = {
        .struct_size = sizeof moldable, .times = times, .speed = speeds};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = TYPES,
                                     .platform = platform,
                                     .kinds = KINDS,
                                     .moldable = &moldable};
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

// The first size of the table within so many ticks; 0: none.
static int64_t first_within(const int64_t *table, int64_t sizes, int64_t ticks)
{
    int64_t p = 1;
    while (p <= sizes && table[p - 1] > ticks) {
        p++;
    }
    return p <= sizes ? p : 0;
}

// The sizes that take less time than every smaller one, by the checker.
static void check_modes(duet_check_modes *modes, const duet_instance *instance, size_t kind,
                        size_t type, const int64_t *table, int64_t sizes)
{
    duet_check_table found;
    assert_int_equal(duet_check_modes_of(modes, instance, kind, type, &found, NULL), DUET_OK);
    int64_t mode = 0;
    for (int64_t p = 1; p <= sizes; p++) {
        if (p == 1 || table[p - 1] < table[p - 2]) {
            assert_true(mode < found.count);
            assert_int_equal(duet_check_size(&found, mode), p);
            assert_int_equal(found.time[mode++], table[p - 1]);
        }
    }
    assert_int_equal(mode, found.count);
}

static void check_kind(duet_random *random, const duet_instance *instance, size_t kind, size_t type,
                       const int64_t *table)
{
    int64_t sizes = duet_moldable_sizes(instance, kind, type);
    assert_int_equal(sizes, instance->processors[type]);
    duet_time_table steps = duet_table_of(instance, kind, type);
    duet_watch watch = {.context = NULL};
    duet_check_memo memo = {.watch = &watch};
    for (int times = 0; times < 50; times++) {
        int64_t p = duet_random_between(random, 1, sizes);
        assert_int_equal(duet_moldable_time(instance, kind, type, p), table[p - 1]);
        assert_int_equal(duet_time_at(steps, p), table[p - 1]);
        assert_int_equal(duet_check_time(instance, kind, type, p, &memo), table[p - 1]);
        int64_t wanted = table[p - 1] + duet_random_between(random, -1, 1);
        int64_t least = first_within(table, sizes, wanted);
        assert_int_equal(duet_least_size(steps, wanted, 1), least);
        assert_int_equal(duet_cheapest_size(steps, false, wanted), least);
        int64_t from = duet_random_between(random, 0, steps.steps - 1);
        int64_t next = duet_next_step(steps, from, steps.time[from]);
        assert_true(next == steps.steps || steps.time[next] < steps.time[from]);
        assert_int_equal(steps.time[next - 1], steps.time[from]);
    }
    assert_true(duet_check_time(instance, kind, type, sizes + 1, &memo) == DUET_FORBIDDEN);
    assert_int_equal(duet_step_size(steps, 0), 1);
    assert_true(duet_step_size(steps, steps.steps - 1) <= sizes);
}

static void instances_have_them(void **state)
{
    (void)state;
    static int64_t table[LENGTH];
    uint64_t instances = duet_test_share(200);
    for (uint64_t n = 0; n < instances; n++) {
        duet_random random;
        duet_random_seed(&random, duet_test_seed() + n);
        duet_fraction speed[TYPES];
        int64_t processors = duet_random_between(&random, 1, LENGTH);
        duet_instance *instance = make(&random, processors, speed);
        duet_watch watch = {.context = NULL};
        duet_check_modes modes = {.watch = &watch};
        // Two types of the same speed share tables, the shorter one being cut; so do types that
        // have fewer processors now.
        for (size_t i = 0; i < KINDS; i++) {
            for (size_t t = 0; t < TYPES; t++) {
                duet_law_ticks ticks;
                assert_true(
                    duet_law_prepare(duet_moldable_law(instance, i, t), speed[t], 0, &ticks));
                duet_law_table(&ticks, instance->processors[t], table);
                check_kind(&random, instance, i, t, table);
                check_modes(&modes, instance, i, t, table, instance->processors[t]);
            }
        }
        duet_check_modes_free(&modes);
        duet_instance_free(instance);
    }
}

// Twice as many ticks as the square of the limit, on any number of processors.
static void steps_are_few(void **state)
{
    (void)state;
    static const int64_t alphas[] = {0, 1, 100, 5000, 9999, 10000};
    for (int digits = 0; digits <= 11; digits++) {
        for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
            int64_t work = 3;
            for (int i = 0; i < digits; i++) {
                work *= 10;
            }
            duet_law law = {{work, 0}, {alphas[a], 4}};
            duet_law_ticks ticks;
            assert_true(duet_law_prepare(&law, (duet_fraction){1, 1}, 0, &ticks));
            int64_t root = 1;
            while (root * root < work) {
                root++;
            }
            int64_t count = 0;
            duet_law_step step = {.size = 0};
            while (duet_law_advance(&ticks, DUET_MAX_PROCESSORS, &step)) {
                count++;
            }
            assert_true(count <= DUET_LAW_DENSE + 3 * root);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_the_table),
        cmocka_unit_test(instances_have_them),
        cmocka_unit_test(steps_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
