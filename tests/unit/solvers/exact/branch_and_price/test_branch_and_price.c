// SPDX-License-Identifier: Apache-2.0
// Branch and price on the types of the tasks against exhaustive optima: it refutes no guess that
// has a schedule, its proofs pass the checker, and what it finds is a schedule within the guess.
// DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
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
#include "lp/lp.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "tests/support/fixtures.h"
#include "tests/support/loads.h"
#include "tests/support/proof_file.h"

typedef struct outcomes {
    long found, refuted, open;
    long trees;   // with branches
    long pooled;  // with a pool of patterns
    long counted; // whose proof has a count
    long early;   // whose proof has one above its first list, or no list
} outcomes;

static void check_proof(const duet_instance *instance, const duet_classes *classes,
                        const duet_log *log, uint64_t seed)
{
    size_t room = log->out.length + 128;
    char *text = malloc(room);
    assert_non_null(text);
    int64_t bound = classes->guess + 1;
    int guess = snprintf(text, room, "duet-proof 1\nbound %lld\nclasses %zu\n%.*send\n",
                         (long long)bound, classes->count, (int)log->out.length, log->out.text);
    duet_error error = DUET_ERROR_INIT;
    if (duet_verify_text(instance, text, (size_t)guess, bound, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.message, text);
    }
    free(text);
}

// Where a proof has the first node of a kind; the length where it has none.
static size_t first_of(const duet_log *log, const char *mark)
{
    size_t length = strlen(mark);
    for (size_t i = 0; i + length <= log->out.length; i++) {
        if (memcmp(log->out.text + i, mark, length) == 0) {
            return i;
        }
    }
    return log->out.length;
}

static duet_verdict search(duet_random *random, const duet_instance *instance, int64_t guess,
                           uint64_t seed, outcomes *count)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_classes classes;
    assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
    bool divisible[2] = {classes.processors[0] == 0 || duet_random_between(random, 0, 2) == 0,
                         classes.processors[1] == 0 || duet_random_between(random, 0, 2) == 0};
    if (divisible[0] && divisible[1]) {
        divisible[classes.processors[0] == 0] = false;
    }
    const bool pooled[2] = {!divisible[0], !divisible[1]};
    // Hardly any nodes for the cover searches, so that the tree has something to do.
    // A third of the trees goes on with pools early, a third late, a third never.
    static const size_t pools[] = {500000, 12, 0};
    const duet_search_limits limits = {.nodes = 3,
                                       .patterns = 50,
                                       .pack_effort = 1,
                                       .complete = true,
                                       .pool = pools[duet_random_between(random, 0, 2)],
                                       .divided = seed % 2 == 0};
    duet_column_store store = {.columns = 0};
    duet_log log = {.out.text = NULL};
    duet_loads loads = {.loads = 0};
    duet_search_stats counts = {.nodes = 0};
    duet_tree_stats stats = {0, 0, 0, false};
    duet_residual all = {.left = NULL};
    assert_int_equal(duet_residual_create(&classes, &all, NULL), DUET_OK);
    duet_search asked = {.classes = &classes,
                         .state = &all,
                         .divisible = {divisible[0], divisible[1]},
                         .pooled = {pooled[0], pooled[1]},
                         .context = &context,
                         .random = random,
                         .store = &store,
                         .limits = limits,
                         .log = &log,
                         .loads = &loads,
                         .stats = &counts};
    duet_verdict verdict = DUET_OPEN;
    if (classes.nowhere == SIZE_MAX && classes.count > 0) {
        duet_log_start(&log, &classes, 1 << 24);
        duet_error error = DUET_ERROR_INIT;
        if (duet_branch_and_price(&asked, 2000, &stats, &error) != DUET_OK) {
            fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
        }
        verdict = asked.verdict;
        count->trees += stats.nodes > 1;
        count->pooled += stats.pooled > 0;
        size_t first = first_of(&log, "\ncount ");
        count->counted += verdict == DUET_REFUTED && first < log.out.length;
        count->early += verdict == DUET_REFUTED && first < first_of(&log, "\nlist ");
        count->found += verdict == DUET_FOUND;
        count->refuted += verdict == DUET_REFUTED;
        count->open += verdict == DUET_OPEN;
    }
    if (verdict == DUET_FOUND) {
        int64_t makespan;
        const char *fault = duet_loads_fault(&classes, &loads, &makespan);
        if (fault != NULL || makespan > guess) {
            fail_msg("seed %llu: found, but %s", (unsigned long long)seed,
                     fault == NULL ? "longer than asked" : fault);
        }
    } else if (verdict == DUET_REFUTED) {
        check_proof(instance, &classes, &log, seed);
    }
    duet_log_free(&log);
    duet_loads_free(&loads);
    duet_column_store_free(&store);
    duet_residual_free(&all);
    duet_classes_free(&classes);
    return verdict;
}

static void trees_are_right(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 600);
    instances = instances < 600 ? instances : 600;
    outcomes count = {.found = 0};
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = duet_random_of_seed(&random, seed, 4, 9, 3, 2);
        assert_non_null(instance);
        int64_t optimum = duet_exhaustive_optimum(instance);
        if (optimum > 1 && search(&random, instance, optimum - 1, seed, &count) == DUET_FOUND) {
            fail_msg("seed %llu: found below the optimum", (unsigned long long)seed);
        }
        if (optimum > 0 && search(&random, instance, optimum, seed, &count) == DUET_REFUTED) {
            fail_msg("seed %llu: the optimum is refuted", (unsigned long long)seed);
        }
        duet_instance_free(instance);
    }
    printf(
        "%ld found, %ld refuted, %ld open; %ld with branches, %ld pools, %ld counts, %ld early\n",
        count.found, count.refuted, count.open, count.trees, count.pooled, count.counted,
        count.early);
    assert_true(instances < 100 || (count.found > 50 && count.refuted > 50 && count.trees > 20));
}

// Few classes of many tasks: what prices cut off may leave the relaxation's share of a class
// outside of its range. Too large to try everything: what is found must be a schedule and not below
// the configuration bound, what is refuted must have a proof.
static void search_classes(uint64_t seed, outcomes *count)
{
    static const int64_t longest[] = {20, 100, 1000, 100000, INT64_C(1) << 50};
    static const int64_t most[] = {2, 4, 10, 40};
    enum { KINDS = 10 };
    duet_random random;
    duet_random_seed(&random, seed);
    const duet_type platform[] = {{"cpu", duet_random_between(&random, 1, 8)},
                                  {"gpu", duet_random_between(&random, 1, 5)}};
    int64_t times[2 * KINDS];
    int64_t counts[KINDS];
    int64_t high = longest[duet_random_between(&random, 0, 4)];
    int64_t tasks = most[duet_random_between(&random, 0, 3)];
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = (size_t)duet_random_between(&random, 2, KINDS),
                                     .counts = counts,
                                     .times = times};
    for (size_t i = 0; i < desc.kinds; i++) {
        counts[i] = duet_random_between(&random, 1, tasks);
        times[2 * i] = duet_random_between(&random, high / 6 + 1, high);
        times[2 * i + 1] = duet_random_between(&random, high / 20 + 1, high / 2);
    }
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_bound bound;
    assert_int_equal(duet_test_bound(instance, "configuration", NULL, &bound, NULL), DUET_OK);
    for (int64_t above = -1; above < 3; above++) {
        int64_t guess = bound.value + above + above * bound.value / 400;
        duet_verdict verdict =
            guess < 1 ? DUET_OPEN : search(&random, instance, guess, seed, count);
        if (verdict == DUET_FOUND && guess < bound.value) {
            fail_msg("seed %llu: found below the bound", (unsigned long long)seed);
        }
    }
    duet_bound_release(&bound);
    duet_instance_free(instance);
}

static void shares_stay_in_range(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = (int64_t)duet_test_share(1000);
    instances = instances < 200 ? instances : 200;
    outcomes count = {.found = 0};
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        search_classes(seed, &count);
    }
    printf(
        "%ld found, %ld refuted, %ld open; %ld with branches, %ld pools, %ld counts, %ld early\n",
        count.found, count.refuted, count.open, count.trees, count.pooled, count.counted,
        count.early);
    assert_true(instances < 200 || (count.found > 50 && count.refuted > 50 && count.trees > 50 &&
                                    count.counted > 3 && count.early > 3));
}

// GLPK's primal simplex method went in circles here from where another program's had ended.
static void circles_end(void **state)
{
    (void)state;
    if (!duet_lp_available() || duet_test_share(5) < 5) { // it is a large one
        skip();
    }
    const uint64_t seed = 35156;
    outcomes count = {.found = 0};
    search_classes(seed, &count);
    assert_true(count.found + count.refuted + count.open > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_are_right),
                                       cmocka_unit_test(shares_stay_in_range),
                                       cmocka_unit_test(circles_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
