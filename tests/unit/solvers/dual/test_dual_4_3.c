// SPDX-License-Identifier: Apache-2.0
// dual-4-3 and dual-2 with all their options against exhaustive optima: ratio, bound, certificate,
// and the same bound from every form of the table.
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
#include "tests/support/fixtures.h"

static duet_options *options_of(const char *const *assignments, size_t count)
{
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(duet_options_add(options, assignments[i], NULL), DUET_OK);
    }
    return options;
}

// Solves and checks everything that is claimed; returns the lower bound.
static int64_t solve(const duet_instance *instance, const char *algorithm,
                     const duet_options *options, int64_t optimum, uint64_t seed)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.options = options;
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    if (duet_solve(instance, algorithm, &params, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    int64_t bound = duet_solution_lower_bound(solution);
    const int64_t counts[] = {duet_instance_type_count(instance, 0),
                              duet_instance_type_count(instance, 1)};
    if (bound > optimum || makespan < optimum ||
        duet_guarantee_holds(algorithm, 2, counts, options, makespan, optimum) != 1) {
        fail_msg("seed %llu: %s: makespan %lld, bound %lld, optimum %lld", (unsigned long long)seed,
                 algorithm, (long long)makespan, (long long)bound, (long long)optimum);
    }
    const duet_certificate *certificate = duet_solution_certificate(solution);
    if (certificate->proof == DUET_PROOF_TABLE) {
        assert_int_equal(duet_verify_deep(instance, certificate, NULL, &error), DUET_OK);
        duet_certificate raised = *certificate;
        raised.lambda = optimum + 1;
        assert_int_equal(duet_verify_deep(instance, &raised, NULL, NULL), DUET_E_INPUT);
    } else if (certificate->proof != DUET_PROOF_NONE) {
        assert_int_equal(duet_certificate_check(certificate, instance, NULL, &error), DUET_OK);
    } else {
        assert_int_equal(bound, 0);
    }
    duet_solution_free(solution);
    return bound;
}

static void every_option(void **state)
{
    (void)state;
    static const char *const rounds[] = {"round=gpu", "round=cpu", "round=auto"};
    static const char *const grids[] = {"grid=1", "grid=3", "grid=0"};
    static const char *const tables[] = {"table=adaptive", "table=collapsed", "table=published"};
    static const char *const places[] = {"place=longest", "place=shelves"};
    for (uint64_t seed = 1; seed <= duet_test_share(200); seed++) {
        duet_random random;
        duet_instance *instance = duet_random_of_seed(&random, seed, 1, 7, 3, 2);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t choice = 0; choice < 9; choice++) {
            int64_t bound = -1;
            // Exact work has a cell per tick: too many in the whole tables.
            size_t forms = choice % 3 == 2 ? 1 : 3;
            for (size_t form = 0; form < forms; form++) {
                const char *const assignments[] = {rounds[choice / 3], grids[choice % 3],
                                                   tables[form], places[seed % 4 == 0]};
                duet_options *options = options_of(assignments, 4);
                int64_t found = solve(instance, "dual-4-3", options, optimum, seed);
                duet_options_free(options);
                if (form > 0 && found != bound) {
                    fail_msg("seed %llu: %s: bound differs", (unsigned long long)seed,
                             tables[form]);
                }
                bound = found;
            }
        }
        duet_instance_free(instance);
    }
}

// Figure 1 of the paper at lambda = 12: a large task with a small one at the end, medium ones in a
// pair, and the last small one at the latest date.
static void shelves(void **state)
{
    (void)state;
    enum { TASKS = 5 };
    const int64_t times[2 * TASKS] = {9, 99, 6, 99, 6, 99, 2, 99, 1, 99};
    static const int64_t start[TASKS] = {0, 0, 10, 14, 13};
    duet_instance *instance = duet_test_pair(2, 1, TASKS, NULL, times);
    duet_solution *solution = duet_test_solve(instance, "dual-4-3", "place=shelves", NULL);
    assert_int_equal(duet_solution_lower_bound(solution), 12);
    for (size_t j = 0; j < TASKS; j++) {
        duet_placement at = duet_solution_placements(solution)[j];
        assert_int_equal(at.start, start[j]);
        assert_int_equal(at.processor, j == 1 || j == 2);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void relaxed(void **state)
{
    (void)state;
    static const char *const tables[] = {"table=adaptive", "table=collapsed"};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        duet_random random;
        duet_instance *instance = duet_random_of_seed(&random, seed, 1, 7, 3, 2);
        int64_t optimum = duet_exhaustive_optimum(instance);
        int64_t bounds[2];
        for (size_t form = 0; form < 2; form++) {
            duet_options *options = options_of(&tables[form], 1);
            bounds[form] = solve(instance, "dual-2", options, optimum, seed);
            duet_options_free(options);
        }
        assert_int_equal(bounds[0], bounds[1]);
        duet_instance_free(instance);
    }
}

static void check_guarantee(int64_t cpus, int64_t gpus, const char *const *assignments,
                            size_t count, const char *expected)
{
    const int64_t counts[] = {cpus, gpus};
    char buffer[96];
    duet_options *options = options_of(assignments, count);
    assert_string_equal(duet_guarantee("dual-4-3", 2, counts, options, buffer), expected);
    duet_options_free(options);
}

static void guarantees(void **state)
{
    (void)state;
    const char *const coarse[] = {"grid=1"};
    const char *const coarse_gpu[] = {"grid=1", "round=gpu"};
    const char *const fine[] = {"grid=10", "round=gpu"};
    check_guarantee(20, 4, NULL, 0, "4/3");
    check_guarantee(20, 4, coarse, 1, "27/20");     // the CPUs: 4/3 + 1/60
    check_guarantee(20, 4, coarse_gpu, 2, "17/12"); // 4/3 + 1/12
    check_guarantee(20, 4, fine, 2, "161/120");     // 4/3 + 1/120
    check_guarantee(3, 0, coarse, 1, "11/9");       // LPT
    check_guarantee(0, 2, NULL, 0, "7/6");
    const char *const on_shelves[] = {"place=shelves"};
    check_guarantee(3, 0, on_shelves, 1, "4/3");
}

// A schedule comes back however early the deadline is.
static void stopped(void **state)
{
    (void)state;
    duet_instance *instance;
    assert_int_equal(duet_test_generate("unif4", 200, 20, 4, 1, NULL, &instance, NULL), DUET_OK);
    const char *const assignments[] = {"table=collapsed", "grid=1"};
    duet_options *options = options_of(assignments, 2);
    duet_params params = DUET_PARAMS_INIT;
    params.options = options;
    params.time_limit = 1e-6;
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solve(instance, "dual-4-3", &params, &solution, &error), DUET_OK);
    assert_true(duet_solution_interrupted(solution));
    assert_null(duet_solution_guarantee(solution));
    assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, &error), DUET_OK);
    duet_solution_free(solution);
    duet_options_free(options);
    duet_instance_free(instance);
}

// The same tasks with every time `factor` as long.
static duet_instance *scaled(const duet_instance *from, int64_t factor)
{
    enum { MOST = 64 };
    size_t kinds = duet_instance_kinds(from);
    int64_t times[2 * MOST];
    assert_true(kinds <= MOST);
    for (size_t i = 0; i < 2 * kinds; i++) {
        times[i] = factor * duet_instance_time(from, i / 2, i % 2);
    }
    const duet_type platform[] = {{"cpu", duet_instance_type_count(from, 0)},
                                  {"gpu", duet_instance_type_count(from, 1)}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// Exact work has a cell per tick in the collapsed form: what was claimed in milliseconds took it
// minutes, wherever its table fitted into memory. A false claim is still refused.
static void deep_takes_the_form_that_suits(void **state)
{
    (void)state;
    duet_instance *small;
    assert_int_equal(duet_test_generate("unif4", 20, 4, 2, 2, NULL, &small, NULL), DUET_OK);
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    static const int64_t factors[] = {1, 200, 1000000};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        duet_instance *instance = scaled(small, factors[i]);
        params.time_limit = i == 0 ? 0 : 2; // the adaptive form takes milliseconds
        duet_solution *solution;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(duet_solve(instance, "dual-4-3", NULL, &solution, &error), DUET_OK);
        duet_certificate certificate = *duet_solution_certificate(solution);
        assert_int_equal(certificate.proof, DUET_PROOF_TABLE);
        if (duet_verify_deep(instance, &certificate, &params, &error) != DUET_OK) {
            fail_msg("factor %lld: %s", (long long)factors[i], error.message);
        }
        certificate.lambda = duet_solution_makespan(solution) + 1;
        assert_int_equal(duet_verify_deep(instance, &certificate, &params, NULL), DUET_E_INPUT);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    duet_instance_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option), cmocka_unit_test(shelves),
        cmocka_unit_test(relaxed),      cmocka_unit_test(guarantees),
        cmocka_unit_test(stopped),      cmocka_unit_test(deep_takes_the_form_that_suits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
