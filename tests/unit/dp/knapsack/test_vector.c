// SPDX-License-Identifier: Apache-2.0
// Allocations of tasks to any number of types against all that there are, and the loads that a
// processor can have against all sets of tasks. DUET_TEST_SEED chooses other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "dp/knapsack/sums.h"
#include "dp/knapsack/vector.h"
#include "tests/support/fixtures.h"
#include "tests/support/stretched.h"

static const duet_context no_limit = {.deadline_ns = INT64_MAX, .threads = 1};

enum { MOST_SETS = 1024 };

// What a search visited, or is to visit.
typedef struct tally {
    const duet_classes *classes;
    const duet_vector_problem *problem;
    int64_t allocations;
    int64_t least;
    uint64_t checksum; // of the allocations, whatever their order
    bool one_each;     // of those that have the same on the leading type, the first is enough
    int64_t guess;     // each visit lowers it below its own; INT64_MAX: none does
    uint64_t seen[MOST_SETS]; // what the leading type has in them
    size_t sets;
} tally;

static uint64_t checksum_of(const duet_classes *classes, const int64_t *tasks)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < classes->count * classes->types; i++) {
        hash = hash * UINT64_C(6364136223846793005) + (uint64_t)tasks[i] + 1;
    }
    return hash;
}

// The least guess whose capacities the works fit; INT64_MAX where a task is not allowed.
static int64_t guess_of(const duet_classes *classes, const int64_t *tasks)
{
    int64_t least = 0;
    for (size_t t = 0; t < classes->types; t++) {
        int64_t work = 0;
        for (size_t c = 0; c < classes->count; c++) {
            int64_t some = tasks[c * classes->types + t];
            if (some > 0 && !duet_class_fits(classes, c, t)) {
                return INT64_MAX;
            }
            work += some > 0 ? some * classes->time[t][c] : 0;
        }
        if (work > 0 && classes->processors[t] == 0) {
            return INT64_MAX;
        }
        int64_t units = work / classes->unit[t];
        int64_t each = classes->processors[t] > 0
                           ? (units + classes->processors[t] - 1) / classes->processors[t]
                           : 0;
        least = each * classes->unit[t] > least ? each * classes->unit[t] : least;
    }
    return least;
}

static bool is_allowed(const tally *s, const int64_t *tasks)
{
    const duet_classes *classes = s->classes;
    bool allowed = guess_of(classes, tasks) <= s->problem->guess;
    for (size_t i = 0; i < classes->count * classes->types && allowed; i++) {
        size_t type = i % classes->types;
        size_t class = i / classes->types;
        allowed = tasks[i] == 0 || classes->time[type][class] <= s->problem->guess;
    }
    if (allowed && s->problem->prices != NULL) {
        int64_t price = 0;
        int64_t limit = 0;
        for (size_t t = 0; t < classes->types; t++) {
            limit += s->problem->prices->limit[t] * classes->processors[t];
            for (size_t c = 0; c < classes->count; c++) {
                price += tasks[c * classes->types + t] * s->problem->prices->price[t][c];
            }
        }
        allowed = price <= limit;
    }
    return allowed;
}

// Adds the tasks of the leading type to those that were seen.
static void add_leading(tally *s, const int64_t *tasks)
{
    uint64_t hash = 1;
    for (size_t c = 0; c < s->classes->count; c++) {
        hash = hash * UINT64_C(6364136223846793005) +
               (uint64_t)tasks[c * s->classes->types + s->problem->leading] + 1;
    }
    size_t at = 0;
    while (at < s->sets && s->seen[at] != hash) {
        at++;
    }
    assert_true(at < MOST_SETS);
    s->seen[at] = hash;
    s->sets += at == s->sets;
}
// Class by class, type by type.
static void list_all(tally *s, int64_t *tasks, size_t class, size_t type, int64_t left)
{
    const duet_classes *classes = s->classes;
    if (class == classes->count) {
        if (is_allowed(s, tasks)) {
            int64_t guess = guess_of(classes, tasks);
            s->allocations++;
            s->least = guess < s->least ? guess : s->least;
            s->checksum += checksum_of(classes, tasks);
            add_leading(s, tasks);
        }
        return;
    }
    if (type + 1 == classes->types) {
        tasks[class * classes->types + type] = left;
        bool last = class + 1 == classes->count;
        list_all(s, tasks, class + 1, 0, last ? 0 : classes->tasks[class + 1]);
        return;
    }
    for (int64_t some = 0; some <= left; some++) {
        tasks[class * classes->types + type] = some;
        list_all(s, tasks, class, type + 1, left - some);
    }
}

static duet_code visit(void *self, const duet_vector_allocation *found, duet_vector_wish *wish,
                       duet_error *error)
{
    tally *s = self;
    (void)error;
    assert_true(is_allowed(s, found->tasks));
    assert_int_equal(found->guess, guess_of(s->classes, found->tasks));
    assert_true(found->guess <= wish->guess);
    s->allocations++;
    s->least = found->guess < s->least ? found->guess : s->least;
    s->checksum += checksum_of(s->classes, found->tasks);
    add_leading(s, found->tasks);
    wish->leave_leader = s->one_each;
    wish->guess = s->guess < wish->guess ? s->guess : wish->guess;
    s->guess = s->guess == INT64_MAX ? INT64_MAX : found->guess - 1;
    return DUET_OK;
}

static void draw_prices(duet_random *random, const duet_classes *classes, duet_prices *prices)
{
    for (size_t t = 0; t < classes->types; t++) {
        prices->limit[t] = duet_random_between(random, 5, 60);
        for (size_t c = 0; c < classes->count; c++) {
            prices->price[t][c] = duet_random_between(random, 0, 20);
        }
    }
}

static tally run(const tally *question, bool *complete)
{
    tally s = {.classes = question->classes,
               .problem = question->problem,
               .least = INT64_MAX,
               .one_each = question->one_each,
               .guess = question->guess};
    assert_int_equal(duet_vector_search(s.problem, visit, &s, complete, NULL), DUET_OK);
    return s;
}

static void check(duet_random *random, const duet_instance *instance, uint64_t seed)
{
    duet_classes classes;
    int64_t weight[DUET_MAX_TYPES];
    int64_t tasks[64] = {0};
    duet_prices prices;
    int64_t total = duet_total_work(instance);
    assert_int_equal(duet_classes_create(instance, total + 1, &classes, NULL), DUET_OK);
    assert_int_equal(duet_classes_weights(&classes, weight, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&classes, &prices, NULL), DUET_OK);
    draw_prices(random, &classes, &prices);
    duet_vector_problem problem = {
        .classes = &classes,
        .guess = duet_random_between(random, 1, total / (seed % 3 == 0 ? 1 : 2) + 1),
        .weight = weight,
        .prices = seed % 2 == 0 ? &prices : NULL,
        .leading = (size_t)duet_random_between(random, 0, (int64_t)classes.types - 1),
        .nodes = INT64_MAX,
        .context = &no_limit};
    tally all = {.classes = &classes, .problem = &problem, .least = INT64_MAX, .guess = INT64_MAX};
    if (classes.count > 0) {
        list_all(&all, tasks, 0, 0, classes.tasks[0]);
        bool complete;
        tally found = run(&all, &complete);
        if (!complete || found.allocations != all.allocations || found.least != all.least ||
            found.checksum != all.checksum) {
            duet_fail_instance(instance, "vector-failure", seed, "allocations are missing");
        }
        tally least = all;
        least.guess = problem.guess;
        found = run(&least, &complete);
        assert_true(complete && found.least == all.least);
        tally leaders = all;
        leaders.one_each = true;
        found = run(&leaders, &complete);
        assert_int_equal(found.sets, all.sets);
        assert_true(complete && found.allocations <= all.allocations);
        problem.nodes = 1;
        found = run(&all, &complete);
        assert_true(complete ? found.least == all.least : found.allocations <= 1);
    }
    duet_prices_free(&prices);
    duet_classes_free(&classes);
}

static void against_all(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + 2000; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        const duet_shape shape = {.min_tasks = 1,
                                  .max_tasks = 6,
                                  .min_processors = seed % 4 == 0 ? 0 : 1,
                                  .max_processors = 3,
                                  .types = 1 + seed % 4};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        check(&random, instance, seed);
        duet_instance_free(instance);
    }
}

// Times and weights at the limits of their type: no overflow, and nothing that fits is missed.
static void long_times(void **state)
{
    (void)state;
    const int64_t processors[3] = {1, 1, 1};
    const int64_t time = DUET_MAX_WORK / 8;
    const int64_t times[6] = {time, time - 1, time - 2, time, time, DUET_FORBIDDEN};
    duet_instance *instance = duet_test_instance(3, processors, 2, NULL, times);
    duet_classes classes;
    const int64_t weight[3] = {(INT64_C(1) << 31) - 1, 1, INT64_C(1) << 30};
    assert_int_equal(duet_classes_create(instance, time, &classes, NULL), DUET_OK);
    duet_vector_problem problem = {
        .classes = &classes, .guess = time, .weight = weight, .nodes = 100, .context = &no_limit};
    tally question = {.classes = &classes, .problem = &problem, .guess = INT64_MAX};
    bool complete;
    tally found = run(&question, &complete);
    assert_true(!complete || found.allocations == 4);
    duet_classes_free(&classes);
    duet_instance_free(instance);
}

static void sums(void **state)
{
    (void)state;
    enum { most = 200, kinds = 5 };
    duet_random random;
    duet_random_seed(&random, duet_test_seed());
    for (int trial = 0; trial < 2000; trial++) {
        int64_t time[kinds];
        int64_t tasks[kinds];
        bool is_sum[most + 1] = {true};
        for (size_t i = 0; i < kinds; i++) {
            time[i] = duet_random_between(&random, 1, trial % 2 == 0 ? 90 : 9) * (trial % 3 + 1);
            tasks[i] = duet_random_between(&random, 1, 7);
            for (int64_t j = 0; j < tasks[i]; j++) {
                for (int64_t sum = most; sum >= time[i]; sum--) {
                    is_sum[sum] = is_sum[sum] || is_sum[sum - time[i]];
                }
            }
        }
        const duet_sums_items items = {kinds, time, tasks};
        int64_t limit = duet_random_between(&random, 0, most);
        for (int64_t from = 0; from <= limit + 1; from++) {
            int64_t expected = from;
            while (expected <= limit && !is_sum[expected]) {
                expected++;
            }
            int64_t least = duet_sums_next(&items, from, limit);
            assert_int_equal(least, expected);
        }
    }
    const int64_t time = INT64_C(1) << 60;
    const int64_t one = 1;
    const duet_sums_items items = {1, &time, &one};
    int64_t least = duet_sums_next(&items, 1, time);
    assert_int_equal(least, 1); // too long for a table: what is sure
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all),
        cmocka_unit_test(long_times),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
