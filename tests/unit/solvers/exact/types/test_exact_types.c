// SPDX-License-Identifier: Apache-2.0
// Algorithm `exact` on one, three, four and five types, and its parts each by itself, against
// exhaustive optima: nothing that has a schedule is refuted, what is found is a schedule, and every
// certificate passes the checker. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
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
#include "solvers/exact/types/allocations.h"
#include "solvers/exact/types/dive.h"
#include "solvers/exact/types/hands.h"
#include "solvers/exact/types/tree.h"
#include "tests/support/fixtures.h"
#include "tests/support/multisets.h"
#include "tests/support/stretched.h"

static void fail_with(const duet_instance *instance, uint64_t seed, const char *why)
{
    duet_fail_instance(instance, "exact-types-failure", seed, why);
}

// Every shape: types without processors, equal tasks, forbidden types, zero times, long times.
static duet_instance *draw(duet_random *random, uint64_t seed)
{
    static const size_t types[] = {3, 1, 4, 3, 5, 3};
    duet_shape shape = {.min_tasks = 1,
                        .max_tasks = 6,
                        .min_processors = seed % 5 == 0 ? 0 : 1,
                        .max_processors = 2,
                        .types = types[seed % 6]};
    if (shape.types == 1) {
        shape.max_tasks = 8;
        shape.max_processors = 4;
    }
    duet_random_seed(random, seed);
    duet_instance *plain = duet_random_instance(random, &shape);
    assert_non_null(plain);
    if (seed % 4 != 0) {
        return plain;
    }
    duet_instance *stretched =
        duet_stretched_instance(random, plain, seed % 8 == 0 ? DUET_MAX_WORK : DUET_MAX_WORK >> 24);
    assert_non_null(stretched);
    duet_instance_free(plain);
    return stretched;
}

// The optimum, claimed as such, with a certificate that holds wherever there is one: types that are
// equal may leave two, of which a search has its proof in a file alone.
static void check_solution(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    if (duet_solve(instance, "exact", NULL, &solution, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    const duet_certificate *certificate = duet_solution_certificate(solution);
    if (duet_solution_makespan(solution) != optimum) {
        fail_with(instance, seed, "the schedule is not optimal");
    }
    if (duet_solution_lower_bound(solution) != optimum ||
        duet_solution_status(solution) != DUET_OPTIMAL) {
        fail_with(instance, seed, "the optimum is not proven");
    }
    if (certificate->proof != DUET_PROOF_NONE &&
        duet_certificate_check(certificate, instance, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    duet_solution_free(solution);
}

static void small_instances(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        check_solution(instance, duet_exhaustive_optimum(instance), seed);
        duet_instance_free(instance);
    }
}

// Three kinds on three types, against all divisions of them.
static void check_kinds(const int64_t *processors, const int64_t *counts, const int64_t *times,
                        uint64_t seed)
{
    duet_instance *instance = duet_test_instance(3, processors, 3, counts, times);
    int64_t optimum = duet_multisets_optimum(instance);
    if (duet_lp_available()) {
        check_solution(instance, optimum, seed);
    }
    duet_instance_free(instance);
}

// More tasks than are enumerated, of few kinds: the bound comes from the relaxation and from trees.
static void many_equal_tasks(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000) / 20;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t processors[3];
        int64_t counts[3];
        int64_t times[9];
        for (size_t t = 0; t < 3; t++) {
            processors[t] = duet_random_between(&random, 1, 2);
            counts[t] = duet_random_between(&random, 8, 10);
        }
        for (size_t i = 0; i < 9; i++) {
            times[i] = duet_random_between(&random, 3, seed % 2 == 0 ? 40 : 4000);
        }
        check_kinds(processors, counts, times, seed);
    }
}

// Times that run opposite ways: what a task has more on one type it has less on another, so that
// the numbers of tasks on the types decide, and the relaxation would have them divided.
static void opposed_times(void **state)
{
    (void)state;
    enum { whole = 60, least = 5 };
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000) / 20;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t processors[3];
        int64_t counts[3];
        int64_t times[9];
        for (size_t i = 0; i < 3; i++) {
            processors[i] = duet_random_between(&random, 1, 2);
            counts[i] = duet_random_between(&random, 8, 10);
            times[3 * i] = duet_random_between(&random, least, whole - least);
            times[3 * i + 1] = whole - times[3 * i];
            times[3 * i + 2] = seed % 2 == 0 ? times[3 * i] / 2 + 1 : 2 * times[3 * i + 1];
        }
        check_kinds(processors, counts, times, seed);
    }
}

// A family of three kinds (mixed, seed 612): its trees ended with allocations open until the sets
// of each type were packed by the searches of two types, which takes a tenth of a second.
static void few_kinds(void **state)
{
    (void)state;
    static const int64_t processors[] = {13, 1, 8};
    static const int64_t counts[] = {36, 43, 55};
    static const int64_t times[] = {341537, 15520,   111185, 342809, 17810,
                                    111599, 3305339, 172205, 1076029};
    duet_instance *instance = duet_test_instance(3, processors, 3, counts, times);
    if (duet_lp_available()) {
        check_solution(instance, 3673655, 612);
    }
    duet_instance_free(instance);
}

// What the searches are run on: classes up to a guess, with a schedule that every task alone on one
// processor would make, so that whatever they find is better.
typedef struct bench {
    duet_context context;
    duet_exact exact;
    duet_types types;
} bench;

static void bench_create(bench *b, const duet_instance *instance, uint64_t seed)
{
    *b = (bench){.exact = {.instance = instance, .searchable = true}};
    duet_context_init(&b->context, NULL, NULL);
    b->exact.context = &b->context;
    duet_random_seed(&b->exact.random, seed);
    duet_error error = DUET_ERROR_INIT;
    if (duet_solve(instance, "lpt", NULL, &b->exact.best, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    assert_int_equal(
        duet_solution_create_blank(duet_instance_tasks(instance), &b->exact.trial, NULL), DUET_OK);
    b->exact.best->makespan = duet_total_work(instance) + 1;
    b->types.exact = &b->exact;
    if (duet_types_prepare(&b->types, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
}

static void bench_free(bench *b)
{
    duet_types_free_hands(&b->types);
    duet_types_free(&b->types);
    duet_solution_free(b->exact.best);
    duet_exact_free(&b->exact);
}

// Prices that refute a guess: not one that has a schedule, and with a certificate for what they
// prove.
static void check_relaxation(bench *b, int64_t guess, int64_t optimum, uint64_t seed)
{
    const duet_instance *instance = b->exact.instance;
    duet_types *s = &b->types;
    duet_configuration_answer answer;
    duet_error error = DUET_ERROR_INIT;
    duet_generation_set_guess(s->program, guess);
    duet_code code = duet_generation_solve(s->program, &s->root,
                                           (duet_generation_request){DUET_GENERATION_REFUTE, 1000},
                                           &b->context, &s->prices, &answer, &error);
    if (code != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
    if (answer.refuted && (answer.proven < guess || answer.proven >= optimum)) {
        fail_with(instance, seed, "the relaxation refutes a guess that has a schedule");
    }
    if (!answer.refuted) {
        return;
    }
    assert_int_equal(duet_types_claim(s, answer.proven, NULL), DUET_OK);
    if (b->exact.bound.certificate.proof == DUET_PROOF_PRICES &&
        duet_certificate_check(&b->exact.bound.certificate, instance, NULL, &error) != DUET_OK) {
        fail_with(instance, seed, error.message);
    }
}

typedef struct outcomes {
    long refuted, found, open;
} outcomes;

static void check_tree(bench *b, int64_t guess, int64_t optimum, uint64_t seed, outcomes *count)
{
    duet_verdict verdict;
    duet_error error = DUET_ERROR_INIT;
    const duet_exact_effort one = {.nodes = 100, .patterns = 100, .allocations = 1};
    b->exact.best->makespan = duet_total_work(b->exact.instance) + 1;
    if (duet_types_tree(&b->types, guess, 300, &one, &verdict, &error) != DUET_OK) {
        fail_with(b->exact.instance, seed, error.message);
    }
    if (verdict == DUET_REFUTED && guess >= optimum) {
        fail_with(b->exact.instance, seed, "a tree refutes a guess that has a schedule");
    }
    if (verdict == DUET_FOUND && b->exact.best->makespan > guess) {
        fail_with(b->exact.instance, seed, "a tree finds a schedule that is too long");
    }
    count->refuted += verdict == DUET_REFUTED;
    count->found += verdict == DUET_FOUND;
    count->open += verdict == DUET_OPEN;
}

// The same by counts alone, which find nothing.
static void check_count_tree(bench *b, int64_t guess, int64_t optimum, uint64_t seed,
                             outcomes *count)
{
    duet_verdict verdict;
    duet_error error = DUET_ERROR_INIT;
    if (duet_types_tree(&b->types, guess, 300, NULL, &verdict, &error) != DUET_OK) {
        fail_with(b->exact.instance, seed, error.message);
    }
    if (verdict == DUET_FOUND || (verdict == DUET_REFUTED && guess >= optimum)) {
        fail_with(b->exact.instance, seed, "counts refute a guess that has a schedule");
    }
    count->refuted += verdict == DUET_REFUTED;
    count->open += verdict == DUET_OPEN;
}

// Whether prices refute a guess where a type gets so many tasks.
static bool refutes_count(bench *b, size_t index, int64_t low, int64_t high)
{
    duet_types *s = &b->types;
    duet_configuration_answer answer;
    duet_generation_limit_count(s->program, index, low, high);
    assert_int_equal(duet_generation_solve(s->program, &s->root,
                                           (duet_generation_request){DUET_GENERATION_NODE, 200},
                                           &b->context, &s->prices, &answer, NULL),
                     DUET_OK);
    bool refuted = answer.any && duet_branching_rows_slack(&s->classes, &s->root, &s->prices,
                                                           duet_generation_rows(s->program)) < 0;
    duet_generation_limit_count(s->program, index, 0, INT64_MAX);
    return refuted;
}

// At the optimum a type has so many tasks or more: never are both refuted.
static void check_counts(bench *b, int64_t optimum, uint64_t seed, outcomes *count)
{
    duet_types *s = &b->types;
    duet_generation_set_guess(s->program, optimum);
    duet_generation_take_none(s->program);
    for (size_t i = 0; i < duet_generation_counts(s->program); i++) {
        for (int64_t most = 0; most < s->classes.total; most++) {
            bool fewer = refutes_count(b, i, 0, most);
            bool more = refutes_count(b, i, most + 1, INT64_MAX);
            if (fewer && more) {
                fail_with(b->exact.instance, seed, "no number of tasks is left for a type");
            }
            count->refuted += fewer + more;
            count->open += !fewer && !more;
        }
    }
}

static void check_dive(bench *b, int64_t guess, int64_t optimum, uint64_t seed, outcomes *count)
{
    bool found;
    duet_error error = DUET_ERROR_INIT;
    b->exact.best->makespan = duet_total_work(b->exact.instance) + 1;
    if (duet_types_dive(&b->types, guess, &found, &error) != DUET_OK) {
        fail_with(b->exact.instance, seed, error.message);
    }
    int64_t makespan = duet_solution_measure(b->exact.best, b->exact.instance);
    if (makespan < optimum || (found && makespan > guess)) {
        fail_with(b->exact.instance, seed, "a dive finds what is no schedule");
    }
    count->found += found;
    count->open += !found;
}

// Allocations: a bound that is none above the optimum, and a schedule.
static void check_allocations(bench *b, int64_t optimum, uint64_t seed, outcomes *count)
{
    duet_error error = DUET_ERROR_INIT;
    const duet_types_allocating effort = {
        .nodes = 10000, .schedules = 5, .one = {.nodes = 100, .patterns = 100, .allocations = 1}};
    b->exact.best->makespan = b->types.classes.guess + 1;
    duet_bound_release(&b->exact.bound);
    b->exact.bound = (duet_bound){.value = optimum / 2};
    if (duet_types_try_allocations(&b->types, &effort, &error) != DUET_OK) {
        fail_with(b->exact.instance, seed, error.message);
    }
    if (b->exact.bound.value > optimum) {
        fail_with(b->exact.instance, seed, "allocations prove more than the optimum");
    }
    if (b->exact.best->makespan < optimum ||
        (b->exact.best->makespan <= b->types.classes.guess &&
         duet_solution_measure(b->exact.best, b->exact.instance) != b->exact.best->makespan)) {
        fail_with(b->exact.instance, seed, "allocations lead to what is no schedule");
    }
    bool closed = b->exact.bound.value == b->exact.best->makespan;
    count->found += closed;
    count->open += !closed;
}

// Every part at guesses around the optimum.
static void parts(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000) / 4;
    outcomes trees = {0, 0, 0};
    outcomes dives = {0, 0, 0};
    outcomes allocations = {0, 0, 0};
    outcomes count_trees = {0, 0, 0};
    outcomes counts = {0, 0, 0};
    for (uint64_t seed = first; seed < first + (uint64_t)instances && duet_lp_available(); seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        bench b;
        bench_create(&b, instance, seed);
        const int64_t guesses[] = {optimum / 2, optimum - optimum / 10 - 1, optimum - 1, optimum,
                                   optimum + optimum / 10};
        for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
            if (b.types.program == NULL || guesses[i] <= 0 || guesses[i] > b.types.classes.guess) {
                continue;
            }
            check_relaxation(&b, guesses[i], optimum, seed);
            check_tree(&b, guesses[i], optimum, seed, &trees);
            check_count_tree(&b, guesses[i], optimum, seed, &count_trees);
            check_dive(&b, guesses[i], optimum, seed, &dives);
        }
        if (optimum > 0 && b.types.program != NULL) {
            check_counts(&b, optimum, seed, &counts);
        }
        if (optimum > 0) {
            check_allocations(&b, optimum, seed, &allocations);
        }
        bench_free(&b);
        duet_instance_free(instance);
    }
    if (instances >= 500 && duet_lp_available()) {
        assert_true(trees.refuted > instances);
        assert_true(trees.found > instances);
        assert_true(trees.open < instances / 20);
        assert_true(dives.found > instances);
        assert_true(allocations.found > instances / 2);
        assert_true(count_trees.refuted > instances);
        assert_true(counts.refuted > instances);
    }
    printf("trees: %ld refuted, %ld found, %ld open; dives: %ld found; allocations: %ld proven, "
           "%ld open; counts: %ld refuted, %ld open\n",
           trees.refuted, trees.found, trees.open, dives.found, allocations.found, allocations.open,
           count_trees.refuted + counts.refuted, counts.open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_instances), cmocka_unit_test(many_equal_tasks),
        cmocka_unit_test(opposed_times),   cmocka_unit_test(few_kinds),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
