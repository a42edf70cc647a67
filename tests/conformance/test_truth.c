// SPDX-License-Identifier: Apache-2.0
// Every algorithm and bound against the truth: thousands of small random instances of every shape,
// solved exhaustively, and of task graphs. Schedules pass the checker, bounds stay below the
// optimum, proven ratios hold, `ilp` and `exact` are optimal. A failure prints the seed and leaves
// the instance as a file; DUET_TEST_SEED, DUET_TEST_INSTANCES and DUET_TEST_GRAPHS choose others;
// DUET_TEST_ALGORITHM takes one algorithm alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/number/fraction.h"
#include "tests/support/fixtures.h"

enum { MAX_ENTRIES = 64 };

// The worst ratio of an algorithm so far, as makespan / optimum.
typedef struct worst {
    int64_t makespan;
    int64_t optimum;
    uint64_t seed;
    long runs;
} worst;

static void fail_with(const duet_instance *instance, uint64_t seed, const char *what,
                      const char *name, const char *why)
{
    char path[64];
    snprintf(path, sizeof path, "truth-failure-%llu.json", (unsigned long long)seed);
    duet_write_instance(path, "json", instance, NULL);
    fail_msg("seed %llu, %s %s: %s (instance in %s)", (unsigned long long)seed, what, name, why,
             path);
}

static void note_ratio(worst *entry, int64_t makespan, int64_t optimum, uint64_t seed)
{
    entry->runs++;
    if (optimum == 0) {
        return;
    }
    duet_fraction ratio = {(uint64_t)makespan, (uint64_t)optimum};
    duet_fraction known = {(uint64_t)entry->makespan, (uint64_t)entry->optimum};
    if (entry->optimum == 0 || duet_fraction_compare(ratio, known) > 0) {
        *entry = (worst){makespan, optimum, seed, entry->runs};
    }
}

// Without the bound that stands beside every schedule: check_bounds() has it, and one algorithm of
// each instance.
static duet_options *no_bound(void)
{
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "bound=none", NULL), DUET_OK);
    return options;
}

static void check_algorithm(const duet_instance *instance, const char *name,
                            const duet_options *options, int64_t optimum, uint64_t seed,
                            worst *entry)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = (size_t)1 << 30; // the system is not asked each time
    params.options = options;
    duet_code code = duet_solve(instance, name, &params, &solution, &error);
    if (code == DUET_E_UNSUPPORTED) {
        return;
    }
    if (code != DUET_OK) {
        fail_with(instance, seed, "algorithm", name, error.message);
    }
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, "algorithm", name, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    if (makespan < optimum || duet_solution_lower_bound(solution) > optimum) {
        fail_with(instance, seed, "algorithm", name, "makespan or bound contradicts the optimum");
    }
    if (duet_instance_guarantee_holds(name, instance, NULL, makespan, optimum) == 0) {
        fail_with(instance, seed, "algorithm", name, "proven ratio exceeded");
    }
    bool optimal = strcmp(name, "ilp") == 0 || strcmp(name, "exact") == 0;
    if (optimal && makespan != optimum) {
        fail_with(instance, seed, "algorithm", name, "not optimal");
    }
    note_ratio(entry, makespan, optimum, seed);
    duet_solution_free(solution);
}

static void check_bound(const duet_instance *instance, const char *name, int64_t optimum,
                        uint64_t seed, duet_bound *bound)
{
    duet_error error = DUET_ERROR_INIT;
    *bound = (duet_bound){.value = -1};
    duet_code code = duet_test_bound(instance, name, NULL, bound, &error);
    if (code == DUET_E_UNSUPPORTED) {
        *bound = (duet_bound){.value = -1};
        return;
    }
    if (code != DUET_OK) {
        fail_with(instance, seed, "bound", name, error.message);
    }
    if (bound->value > optimum) {
        fail_with(instance, seed, "bound", name, "exceeds the optimum");
    }
    if (bound->certificate.proof != DUET_PROOF_NONE && bound->certificate.lambda < bound->value) {
        fail_with(instance, seed, "bound", name, "its certificate proves less");
    }
    if (bound->certificate.proof != DUET_PROOF_NONE &&
        duet_certificate_check(&bound->certificate, instance, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, "bound", name, error.message);
    }
}

// A certificate must not prove one tick more than it claims to.
static void check_too_much(const duet_instance *instance, const duet_bound *bound, int64_t optimum,
                           uint64_t seed)
{
    duet_certificate raised = bound->certificate;
    raised.lambda = optimum + 1;
    if (raised.proof != DUET_PROOF_NONE &&
        duet_certificate_check(&raised, instance, NULL, NULL) == DUET_OK) {
        fail_with(instance, seed, "bound", bound->name, "its certificate proves more than true");
    }
}

static void check_bounds(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    duet_bound area = {.value = -1};
    duet_bound area_lp = {.value = -1};
    for (size_t b = 0; b < duet_bound_count(); b++) {
        const char *name = duet_bound_entry(b)->name;
        duet_bound bound;
        check_bound(instance, name, optimum, seed, &bound);
        if (bound.value >= 0) {
            check_too_much(instance, &bound, optimum, seed);
        }
        duet_bound_release(&bound);
        area = strcmp(name, "area") == 0 ? bound : area;
        area_lp = strcmp(name, "area-lp") == 0 ? bound : area_lp;
    }
    bool closed_form = duet_instance_types(instance) == 2;
    if (closed_form && area.value >= 0 && area_lp.value >= 0 &&
        strcmp(area.exact, area_lp.exact) != 0) {
        fail_with(instance, seed, "bound", "area-lp", "differs from the closed form");
    }
}

static void print_worst(const worst *entries)
{
    printf("%-18s %8s %12s   seed of the worst\n", "algorithm", "runs", "worst ratio");
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        const worst *entry = &entries[a];
        printf("%-18s %8ld %12.6f   %llu\n", duet_algorithm_entry(a)->name, entry->runs,
               entry->optimum == 0 ? 1.0 : (double)entry->makespan / (double)entry->optimum,
               (unsigned long long)entry->seed);
    }
}

// Every bound, unless one algorithm is asked for alone, and the algorithms against the optimum.
// Returns how many of them.
static long check_all(const duet_instance *instance, const char *only, uint64_t seed,
                      worst *entries)
{
    int64_t optimum = duet_exhaustive_optimum(instance);
    long checked = 0;
    if (only == NULL) {
        check_bounds(instance, optimum, seed);
    }
    duet_options *bare = no_bound();
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        const char *name = duet_algorithm_entry(a)->name;
        bool in_turn = seed % duet_algorithm_count() == a;
        if (only == NULL || strcmp(only, name) == 0) {
            check_algorithm(instance, name, in_turn ? NULL : bare, optimum, seed, &entries[a]);
            checked++;
        }
    }
    duet_options_free(bare);
    return checked;
}

static void small_instances(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    const char *only = getenv("DUET_TEST_ALGORITHM");
    long ran = 0;
    worst entries[MAX_ENTRIES] = {{0, 0, 0, 0}};
    assert_true(duet_algorithm_count() <= MAX_ENTRIES);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        // Three in four have two types, the others one, three, four or five.
        static const size_t others[] = {1, 3, 4, 5};
        size_t types = seed % 4 != 0 ? 2 : others[seed / 4 % 4];
        bool many = types > 2;
        duet_shape shape = {.min_tasks = 1,
                            .max_tasks = types > 3 ? 5
                                         : many    ? 6
                                                   : 8,
                            .min_processors = seed % 5 == 0 ? 0 : 1,
                            .max_processors = many ? 2 : 3,
                            .types = types};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        ran += check_all(instance, only, seed, entries);
        duet_instance_free(instance);
    }
    print_worst(entries);
    assert_true(ran > 0);
}

// The same on task graphs, one in three with communication.
static void small_graphs(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t graphs =
        duet_test_number("DUET_TEST_GRAPHS", duet_test_number("DUET_TEST_INSTANCES", 2000));
    const char *only = getenv("DUET_TEST_ALGORITHM");
    worst entries[MAX_ENTRIES] = {{0, 0, 0, 0}};
    for (uint64_t seed = first; seed < first + (uint64_t)graphs; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        size_t types = seed % 4 != 0 ? 2 : 1 + seed / 4 % 4;
        duet_graph_shape shape = {.tasks = {.min_tasks = types > 2 ? 3 : 4,
                                            .max_tasks = types > 2 ? 5 : 7,
                                            .min_processors = seed % 5 == 0 ? 0 : 1,
                                            .max_processors = types > 2 ? 2 : 3,
                                            .types = types},
                                  .cost = seed % 3 == 0 ? 20 : 0};
        duet_instance *instance = duet_random_graph(&random, &shape);
        assert_non_null(instance);
        check_all(instance, only, seed, entries);
        duet_instance_free(instance);
    }
    print_worst(entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_instances),
                                       cmocka_unit_test(small_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
