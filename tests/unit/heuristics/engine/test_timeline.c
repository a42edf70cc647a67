// SPDX-License-Identifier: Apache-2.0
// Insertion on the timelines of one and of several processors, against arrays of ticks.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "heuristics/engine/insertion.h"

enum { SEQUENCES = 3000, STEPS = 40, HORIZON = 2000, PROCESSORS = 7 };

// A processor tick by tick: which ticks are busy, and before which of them a task of no time lies,
// which nothing runs across.
typedef struct ticks {
    bool busy[HORIZON];
    bool moment[HORIZON];
    int64_t last; // end of the last task
} ticks;

static bool fits(const ticks *t, int64_t start, int64_t time)
{
    for (int64_t at = start; at < start + time; at++) {
        if (t->busy[at] || (at > start && t->moment[at])) {
            return false;
        }
    }
    // A task of no time needs some idle time beside it.
    return time > 0 || !t->busy[start] || (start > 0 && !t->busy[start - 1]);
}

static int64_t earliest(const ticks *t, int64_t from, int64_t time)
{
    while (!fits(t, from, time)) {
        from++;
    }
    return from;
}

static void occupy(ticks *t, int64_t start, int64_t time)
{
    memset(&t->busy[start], 1, (size_t)time);
    t->moment[start] = t->moment[start] || time == 0;
    t->last = start + time > t->last ? start + time : t->last;
}

// Inserting and taking back leaves everything as it was.
static void try_undo(duet_timeline *timeline, int64_t start, int64_t time)
{
    duet_gap before[STEPS];
    size_t gaps = timeline->gaps;
    int64_t free_from = timeline->free_from;
    assert_true(gaps <= STEPS);
    memcpy(before, gaps > 0 ? timeline->gap : before, gaps * sizeof *before);
    duet_timeline_change change = duet_timeline_foresee(timeline, start);
    assert_int_equal(duet_timeline_insert(timeline, start, time, NULL), DUET_OK);
    duet_timeline_undo(timeline, &change);
    assert_int_equal(timeline->gaps, gaps);
    assert_int_equal(timeline->free_from, free_from);
    assert_memory_equal(before, gaps > 0 ? timeline->gap : before, gaps * sizeof *before);
}

static int64_t draw_time(duet_random *random, uint64_t seed)
{
    return duet_random_between(random, 0, seed % 2 == 0 ? 4 : 30);
}

static void insertion(void **state)
{
    (void)state;
    static ticks model;
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_timeline timeline = {.gaps = 0};
        memset(&model, 0, sizeof model);
        for (size_t step = 0; step < STEPS; step++) {
            int64_t from = duet_random_between(&random, 0, 300);
            int64_t time = draw_time(&random, seed);
            int64_t expected = earliest(&model, from, time);
            int64_t start = duet_timeline_earliest(&timeline, from, time);
            if (start != expected) {
                fail_msg("seed %llu, step %zu: %lld ticks from %lld start at %lld, expected %lld",
                         (unsigned long long)seed, step, (long long)time, (long long)from,
                         (long long)start, (long long)expected);
            }
            try_undo(&timeline, start, time);
            assert_int_equal(duet_timeline_insert(&timeline, start, time, NULL), DUET_OK);
            occupy(&model, start, time);
            assert_int_equal(timeline.free_from, model.last);
        }
        duet_timeline_free(&timeline);
    }
}

// Several processors: the earliest start of all, on the lowest of those that have it.
static void first_of_several(void **state)
{
    (void)state;
    static ticks model[PROCESSORS];
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int32_t count = (int32_t)duet_random_between(&random, 1, PROCESSORS);
        duet_insertion machine;
        assert_int_equal(duet_insertion_create(count, STEPS, &machine, NULL), DUET_OK);
        memset(model, 0, sizeof model);
        for (size_t step = 0; step < STEPS; step++) {
            int64_t from = duet_random_between(&random, 0, 200);
            int64_t time = draw_time(&random, seed);
            duet_slot expected = {INT64_MAX, -1};
            for (int32_t p = 0; p < count; p++) {
                int64_t start = earliest(&model[p], from, time);
                expected = start < expected.start ? (duet_slot){start, p} : expected;
            }
            duet_slot slot = duet_insertion_earliest(&machine, from, time);
            if (slot.start != expected.start || slot.processor != expected.processor) {
                fail_msg("seed %llu, step %zu: processor %d at %lld, expected %d at %lld",
                         (unsigned long long)seed, step, slot.processor, (long long)slot.start,
                         expected.processor, (long long)expected.start);
            }
            duet_insertion_change change = duet_insertion_foresee(&machine, slot);
            assert_int_equal(duet_insertion_add(&machine, slot, time, NULL), DUET_OK);
            duet_insertion_undo(&machine, &change);
            // Lists also put tasks where they would not start first.
            slot.processor = (int32_t)duet_random_between(&random, 0, count - 1);
            slot.start = earliest(&model[slot.processor], from, time);
            assert_int_equal(duet_insertion_add(&machine, slot, time, NULL), DUET_OK);
            occupy(&model[slot.processor], slot.start, time);
        }
        duet_insertion_free(&machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(insertion),
                                       cmocka_unit_test(first_of_several)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
