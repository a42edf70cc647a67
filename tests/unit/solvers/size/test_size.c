// SPDX-License-Identifier: Apache-2.0
// Sizing against the exhaustive optima of all platforms of a range, with prices and without; its
// border is proven; the instance is left as it was. Deadlines of single platforms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = 1 + seed % 3;
    duet_graph_shape shape = {.tasks = {.min_tasks = 3,
                                        .max_tasks = types > 2 ? 5 : 6,
                                        .min_processors = 1,
                                        .max_processors = 2,
                                        .types = types},
                              .cost = seed % 4 == 3 ? 20 : 0};
    duet_instance *instance = seed % 2 == 0 ? duet_random_graph(&random, &shape)
                                            : duet_random_instance(&random, &shape.tasks);
    assert_non_null(instance);
    return instance;
}

// The optimum on a platform; DUET_FORBIDDEN: there is no schedule.
static int64_t truth_on(duet_instance *instance, const int64_t *counts)
{
    int64_t total = 0;
    for (size_t t = 0; t < instance->types; t++) {
        total += counts[t];
    }
    if (total == 0) {
        return DUET_FORBIDDEN;
    }
    assert_int_equal(duet_instance_set_counts(instance, instance->types, counts, NULL), DUET_OK);
    return duet_instance_ready(instance, NULL) == DUET_OK ? duet_exhaustive_optimum(instance)
                                                          : DUET_FORBIDDEN;
}

static bool is_below(const duet_sized *a, const duet_sized *b, size_t types)
{
    bool below = true;
    for (size_t t = 0; t < types; t++) {
        below = below && a->counts[t] <= b->counts[t];
    }
    return below;
}

// Whether a platform belongs to the answer, by the optima of all.
static bool belongs(const duet_sizing *sizing, const int64_t *optimum, size_t index,
                    int64_t deadline, bool priced, size_t types)
{
    size_t count = duet_sizing_platforms(sizing);
    duet_sized own = duet_sizing_platform(sizing, index);
    bool good = optimum[index] <= deadline;
    for (size_t i = 0; i < count; i++) {
        duet_sized other = duet_sizing_platform(sizing, i);
        bool better = i != index && optimum[i] <= deadline;
        good = good && !(better && is_below(&other, &own, types)) &&
               !(better && priced && other.price < own.price);
    }
    return good;
}

// The solutions that are kept prove what is said of their platforms.
static void check_border(duet_instance *instance, const duet_sizing *sizing, int64_t deadline,
                         uint64_t seed)
{
    for (size_t i = 0; i < duet_sizing_platforms(sizing); i++) {
        const duet_solution *solution = duet_sizing_solution(sizing, i);
        duet_sized sized = duet_sizing_platform(sizing, i);
        if (solution == NULL) {
            continue;
        }
        assert_int_equal(duet_instance_set_counts(instance, instance->types, sized.counts, NULL),
                         DUET_OK);
        if (duet_check_solution(instance, solution, NULL, NULL, NULL) != DUET_OK ||
            duet_solution_meets(solution, deadline) != sized.feasible) {
            duet_fail_instance(instance, "size", seed, "its border is not proven");
        }
    }
}

static void check_one(duet_instance *instance, uint64_t seed, int64_t deadline, bool priced)
{
    enum { most_cells = 64 };
    static const int64_t least[] = {0, 0, 1};
    static const int64_t most[] = {3, 3, 2};
    static const int64_t price[] = {3, 5, 2};
    int64_t optimum[most_cells];
    duet_sizing *sizing = NULL;
    const duet_size_desc desc = {.struct_size = sizeof desc,
                                 .deadline = deadline,
                                 .least = least,
                                 .most = most,
                                 .price = priced ? price : NULL};
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_OK);
    size_t cells = duet_sizing_platforms(sizing);
    assert_true(cells <= most_cells);
    bool any = false;
    for (size_t i = 0; i < cells; i++) {
        duet_sized sized = duet_sizing_platform(sizing, i);
        optimum[i] = truth_on(instance, sized.counts);
        any = any || optimum[i] <= deadline;
        if (sized.makespan < optimum[i] || sized.lower_bound > optimum[i] ||
            (sized.feasible == DUET_YES && optimum[i] > deadline) ||
            (sized.feasible == DUET_NO && optimum[i] <= deadline)) {
            duet_fail_instance(instance, "size", seed, "a platform is judged wrongly");
        }
    }
    if (duet_sizing_answer(sizing) != (any ? DUET_YES : DUET_NO)) {
        duet_fail_instance(instance, "size", seed, "not decided, or wrongly");
    }
    for (size_t i = 0; i < cells; i++) {
        if (duet_sizing_platform(sizing, i).smallest !=
            belongs(sizing, optimum, i, deadline, priced, instance->types)) {
            duet_fail_instance(instance, "size", seed, "not the smallest platforms");
        }
    }
    check_border(instance, sizing, deadline, seed);
    duet_sizing_free(sizing);
}

static void truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t count = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 24);
    for (uint64_t seed = first; seed < first + count; seed++) {
        duet_instance *instance = draw(seed);
        int64_t before[DUET_MAX_TYPES];
        memcpy(before, instance->processors, sizeof before);
        int64_t optimum = duet_exhaustive_optimum(instance);
        check_one(instance, seed, optimum, seed % 4 < 2);
        check_one(instance, seed, optimum > 0 ? optimum - 1 : 0, seed % 4 >= 2);
        duet_instance_free(instance);
    }
}

// What is asked may be wrong, and the platform of the instance comes back.
static void usage(void **state)
{
    (void)state;
    static const int64_t least[] = {1, 0};
    static const int64_t most[] = {3, 2};
    static const int64_t price[] = {-1, 2};
    duet_random random;
    duet_instance *instance = duet_random_of_seed(&random, 6, 5, 5, 2, 2);
    int64_t before[DUET_MAX_TYPES];
    memcpy(before, instance->processors, sizeof before);
    duet_sizing *sizing = NULL;
    duet_size_desc desc = {
        .struct_size = sizeof desc, .deadline = -1, .least = least, .most = most};
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_E_USAGE);
    desc.deadline = 5;
    desc.price = price;
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_E_USAGE);
    desc.price = NULL;
    desc.most = least;
    desc.least = most;
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_E_USAGE);
    desc.least = NULL;
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_E_USAGE);
    desc.least = least;
    desc.most = most;
    assert_int_equal(duet_size(instance, &desc, &sizing, NULL), DUET_OK);
    assert_memory_equal(before, instance->processors, sizeof before);
    duet_sizing_free(sizing);
    duet_sizing_free(NULL);
    duet_instance_free(instance);
}

// A search ends with the answer, which is that of the optimum.
static void deadlines(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + 60; seed++) {
        duet_instance *instance = draw(seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (int64_t deadline = optimum > 1 ? optimum - 1 : 1; deadline <= optimum + 1;
             deadline++) {
            static const char *const algorithms[] = {"exact", "auto"};
            duet_params params = DUET_PARAMS_INIT;
            params.deadline = deadline;
            duet_solution *solution = NULL;
            assert_int_equal(duet_solve(instance, algorithms[seed % 2], &params, &solution, NULL),
                             DUET_OK);
            if (duet_solution_meets(solution, deadline) !=
                    (optimum <= deadline ? DUET_YES : DUET_NO) ||
                duet_solution_makespan(solution) < optimum ||
                duet_solution_lower_bound(solution) > optimum) {
                duet_fail_instance(instance, "deadline", seed, "not decided, or wrongly");
            }
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(truth), cmocka_unit_test(usage),
                                       cmocka_unit_test(deadlines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
