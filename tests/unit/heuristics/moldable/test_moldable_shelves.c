// SPDX-License-Identifier: Apache-2.0
// The four transformations of moldable-3-2 on random partitions: where shelf 1 is no wider than the
// platform and the area of all is no larger than m times the guess, one always applies, and what
// they end with is a schedule within 3/2 of the guess.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "heuristics/moldable/shelf_plan.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

enum { MOST_TASKS = 16, MOST_PROCESSORS = 10 };

// A partition in the making.
typedef struct partition {
    duet_shelves shelves;
    duet_shelf_task task[MOST_TASKS];
    int64_t table[MOST_TASKS][MOST_PROCESSORS];
    duet_int128 area; // of all tasks where they are
} partition;

// A monotone table that is no small task: often one that more processors do not help, just above
// half the guess, since these are what rules 2 and 3 are about.
static void draw_table(duet_random *random, const duet_shelves *shelves, int64_t *table)
{
    int64_t guess = shelves->guess;
    size_t length = (size_t)shelves->processors;
    int64_t style = duet_random_between(random, 0, 3);
    if (style < 2) {
        int64_t most = style == 0 ? 3 * guess / 4 : guess;
        int64_t time = duet_random_between(random, guess / 2 + 1, most);
        for (size_t p = 0; p < length; p++) {
            table[p] = time;
        }
        return;
    }
    do {
        duet_random_monotone(random, (style == 2 ? 2 : 4) * guess, length, table);
    } while (2 * table[0] <= guess);
}

static duet_int128 area_of(const duet_shelf_task *task)
{
    return (duet_int128)task->size * duet_shelf_time(task);
}

// Adds a task to a shelf where the premises stay true; false where they would not.
static bool add(partition *part, duet_random *random, int shelf)
{
    duet_shelves *shelves = &part->shelves;
    size_t at = shelves->count;
    draw_table(random, shelves, part->table[at]);
    part->task[at] = (duet_shelf_task){.table = {.time = part->table[at],
                                                 .dense = shelves->processors,
                                                 .steps = shelves->processors,
                                                 .sizes = shelves->processors},
                                       .under = SIZE_MAX};
    int64_t width = shelves->width[shelf];
    if (!duet_shelves_put(shelves, at, shelf)) {
        return false;
    }
    duet_int128 area = part->area + area_of(&part->task[at]);
    if (shelves->width[1] > shelves->processors ||
        area > (duet_int128)shelves->processors * shelves->guess) {
        shelves->width[shelf] = width;
        return false;
    }
    part->area = area;
    shelves->count++;
    return true;
}

// Shelf 1 is filled first, so that shelf 2 has what is left of the area: few fit into little.
static void draw_partition(duet_random *random, partition *part)
{
    *part = (partition){.area = 0};
    part->shelves = (duet_shelves){.guess = duet_random_between(random, 8, 1000),
                                   .processors = duet_random_between(random, 1, MOST_PROCESSORS),
                                   .task = part->task};
    int64_t ones = duet_random_between(random, 0, MOST_TASKS / 2);
    for (int64_t i = 0; i < ones; i++) {
        (void)add(part, random, 1);
    }
    for (int failures = 0; failures < 8 && part->shelves.count < MOST_TASKS;) {
        failures += !add(part, random, 2);
    }
}

// Every task ends in time where it stands, and the widths are those of the tasks.
static void check_shelves(const partition *part)
{
    const duet_shelves *shelves = &part->shelves;
    int64_t width[3] = {0, 0, 0};
    duet_int128 area = 0;
    for (size_t j = 0; j < shelves->count; j++) {
        const duet_shelf_task *task = &shelves->task[j];
        int64_t end = duet_shelf_time(task);
        area += area_of(task);
        if (task->under != SIZE_MAX) {
            assert_int_equal(task->shelf, 0);
            assert_int_equal(task->size, 1);
            end += duet_shelf_time(&shelves->task[task->under]);
        } else {
            width[task->shelf] += task->size - (task->shelf == 1 ? task->tops : 0);
            width[0] += task->shelf == 1 ? task->tops : 0;
        }
        assert_true(task->shelf != 2 || 2 * end <= shelves->guess);
        assert_true(task->shelf != 1 || end <= shelves->guess);
        assert_true(end <= duet_shelves_end(shelves));
    }
    for (int s = 0; s < 3; s++) {
        assert_int_equal(shelves->width[s], width[s]);
    }
    assert_true(width[0] + width[1] <= shelves->processors);
    assert_true(width[0] + width[2] <= shelves->processors);
    assert_true(area <= part->area);
}

static bool overlap(const duet_planned *a, const duet_planned *b)
{
    return a->start < b->start + b->time && b->start < a->start + a->time;
}

static bool share_processor(const duet_plan *plan, size_t a, size_t b)
{
    for (int32_t i = 0; i < plan->task[a].size; i++) {
        for (int32_t j = 0; j < plan->task[b].size; j++) {
            if (duet_plan_set(plan, a)[i] == duet_plan_set(plan, b)[j]) {
                return true;
            }
        }
    }
    return false;
}

// The schedule that the shelves say: no two tasks on a processor at once, and all end by T.
static void check_plan(const partition *part)
{
    duet_plan plan;
    size_t count = part->shelves.count;
    size_t number[MOST_TASKS];
    for (size_t j = 0; j < count; j++) {
        number[j] = j;
    }
    const duet_shelf_tasks tasks = {.shelves = &part->shelves, .number = number};
    assert_int_equal(duet_plan_create(count, &plan, NULL), DUET_OK);
    assert_int_equal(duet_shelf_plan(&tasks, 0, &plan, NULL), DUET_OK);
    for (size_t a = 0; a < count; a++) {
        assert_true(plan.task[a].start + plan.task[a].time <= duet_shelves_end(&part->shelves));
        for (int32_t i = 0; i < plan.task[a].size; i++) {
            assert_in_range(duet_plan_set(&plan, a)[i], 0, part->shelves.processors - 1);
        }
        for (size_t b = a + 1; b < count; b++) {
            assert_false(overlap(&plan.task[a], &plan.task[b]) && share_processor(&plan, a, b));
        }
    }
    duet_plan_free(&plan);
}

static void one_always_applies(void **state)
{
    (void)state;
    int64_t partitions = duet_test_number("DUET_TEST_INSTANCES", 20000);
    int64_t applied[DUET_SHELF_RULES] = {0};
    duet_random random;
    duet_random_seed(&random, duet_test_seed());
    for (int64_t i = 0; i < partitions; i++) {
        partition part;
        draw_partition(&random, &part);
        if (!duet_shelves_fit(&part.shelves)) {
            fail_msg("partition %lld: none of the four transformations applies", (long long)i);
        }
        check_shelves(&part);
        if (part.shelves.count > 0) {
            check_plan(&part);
        }
        for (int rule = 0; rule < DUET_SHELF_RULES; rule++) {
            applied[rule] += part.shelves.applied[rule];
        }
    }
    for (int rule = 0; rule < DUET_SHELF_RULES; rule++) {
        printf("rule %d: %lld times\n", rule + 1, (long long)applied[rule]);
        assert_true(partitions < 20000 || applied[rule] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_always_applies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
