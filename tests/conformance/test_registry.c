// SPDX-License-Identifier: Apache-2.0
// One suite that every registered algorithm passes: what a user may take for granted of any of
// them. DUET_TEST_ALGORITHM runs one algorithm alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "solvers/registry.h"
#include "tests/support/fixtures.h"

// Solves with one algorithm and checks the schedule. NULL where the algorithm does not support it.
static duet_solution *solve(const duet_instance *instance, const char *name, int threads,
                            uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.seed = seed;
    params.time_limit = 5; // only a stop for what searches; never what is tested
    duet_solution *solution;
    duet_code code = duet_solve(instance, name, &params, &solution, &error);
    if (code == DUET_E_UNSUPPORTED) {
        assert_null(solution);
        assert_true(error.message[0] != '\0');
        return NULL;
    }
    if (code != DUET_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    assert_string_equal(duet_solution_algorithm(solution), name);
    return solution;
}

static bool is_asked_for(const char *name)
{
    const char *only = getenv("DUET_TEST_ALGORITHM");
    return only == NULL || strcmp(only, name) == 0;
}

// Whether a row says that tasks of no time may delay it.
static bool delays_zero_times(const char *name)
{
    return duet_find_algorithm(name)->delays_zero_times;
}

// Runs every algorithm on an instance; where `optimum` >= 0 every one must reach it, but for those
// that are `excused` (NULL: none is).
static void every_algorithm_but(const duet_instance *instance, int64_t optimum,
                                bool excused(const char *name))
{
    int supported = 0;
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        const char *name = duet_algorithm_entry(a)->name;
        duet_solution *solution = is_asked_for(name) ? solve(instance, name, 1, 0) : NULL;
        if (solution == NULL) {
            continue;
        }
        supported++;
        bool must = optimum >= 0 && (excused == NULL || !excused(name));
        if (must && duet_solution_makespan(solution) != optimum) {
            fail_msg("%s: makespan %lld, expected %lld", name,
                     (long long)duet_solution_makespan(solution), (long long)optimum);
        }
        duet_solution_free(solution);
    }
    assert_true(supported > 0 || getenv("DUET_TEST_ALGORITHM") != NULL); // it may need two types
}

static void every_algorithm(const duet_instance *instance, int64_t optimum)
{
    every_algorithm_but(instance, optimum, NULL);
}

static void empty_set(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 2};
    duet_instance *instance = duet_test_instance(2, counts, 0, NULL, NULL);
    every_algorithm(instance, 0);
    duet_instance_free(instance);
}

static void one_task(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 1};
    const int64_t times[] = {5, 5};
    duet_instance *instance = duet_test_instance(2, counts, 1, NULL, times);
    every_algorithm(instance, 5);
    duet_instance_free(instance);
}

static void one_processor(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 0};
    const int64_t times[] = {5, 1, 7, 1, 9, DUET_FORBIDDEN};
    duet_instance *instance = duet_test_instance(2, counts, 3, NULL, times);
    every_algorithm(instance, 21);
    duet_instance_free(instance);
}

static void no_gpu_no_cpu(void **state)
{
    (void)state;
    const int64_t times[] = {4, 6, 4, 6, 4, 6, 4, 6};
    const int64_t cpus[] = {2, 0};
    const int64_t gpus[] = {0, 2};
    duet_instance *instance = duet_test_instance(2, cpus, 4, NULL, times);
    every_algorithm(instance, 8);
    duet_instance_free(instance);
    instance = duet_test_instance(2, gpus, 4, NULL, times);
    every_algorithm(instance, 12);
    duet_instance_free(instance);
}

static void other_numbers_of_types(void **state)
{
    (void)state;
    const int64_t one[] = {3};
    const int64_t one_times[] = {4, 4, 4};
    duet_instance *instance = duet_test_instance(1, one, 3, NULL, one_times);
    every_algorithm(instance, 4);
    duet_instance_free(instance);
    const int64_t three[] = {1, 1, 1};
    const int64_t three_times[] = {2, 90, 90, 90, 3, 90, 90, 90, 4};
    instance = duet_test_instance(3, three, 3, NULL, three_times);
    every_algorithm(instance, 4);
    duet_instance_free(instance);
}

// Whether the message of a refusal lists a name.
static bool is_listed(const char *message, const char *name)
{
    const char *list = strstr(message, "expected one of ");
    for (const char *at = list; at != NULL; at = strchr(at + 1, ' ')) {
        const char *word = at + (*at == ' ');
        if (strcspn(word, ",") == strlen(name) && strncmp(word, name, strlen(name)) == 0) {
            return true;
        }
    }
    return list != NULL && strcmp(list + strlen("expected one of "), name) == 0;
}

// Whether a row does what it claims on an instance of other than two types.
static void as_claimed(const duet_entry *entry, const duet_entry *entry_at(size_t), duet_code code,
                       const char *message)
{
    bool built = (entry->needs & DUET_NEEDS_GLPK) == 0 || strstr(duet_features(), "glpk") != NULL;
    bool moldable = (entry->needs & DUET_NEEDS_MOLDABLE) != 0; // these tasks are sequential
    if ((entry->handles & DUET_FEATURE_ANY_TYPES) != 0 && !moldable) {
        bool lacks_glpk = strstr(message, "needs GLPK, and this build has none") != NULL;
        if (code != DUET_OK && !lacks_glpk) {
            fail_msg("%s claims any number of types: %s", entry->name, message);
        }
        assert_true(code != DUET_OK || built);
        return;
    }
    assert_int_equal(code, DUET_E_UNSUPPORTED);
    assert_non_null(strstr(message, entry->name));
    for (size_t i = 0; entry_at(i) != NULL; i++) {
        const duet_entry *other = entry_at(i);
        bool would = (other->handles & DUET_FEATURE_ANY_TYPES) != 0 &&
                     (other->needs & DUET_NEEDS_MOLDABLE) == 0 &&
                     ((other->needs & DUET_NEEDS_GLPK) == 0 || strstr(duet_features(), "glpk"));
        if (is_listed(message, other->name) != would) {
            fail_msg("%s: would %sdo: %s", other->name, would ? "" : "not ", message);
        }
    }
}

static void claims_of_any_types(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 1, 1};
    const int64_t times[] = {5, 3, 4, 6, 2, DUET_FORBIDDEN, 7, 8, 1};
    for (size_t types = 1; types <= 3; types += 2) {
        duet_instance *instance = duet_test_instance(types, counts, types, NULL, times);
        for (size_t a = 0; a < duet_algorithm_count(); a++) {
            const duet_entry *entry = duet_algorithm_entry(a);
            duet_error error = DUET_ERROR_INIT;
            duet_solution *solution;
            duet_code code = duet_solve(instance, entry->name, NULL, &solution, &error);
            as_claimed(entry, duet_algorithm_entry, code, error.message);
            if (code == DUET_OK) {
                assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL),
                                 DUET_OK);
            }
            duet_solution_free(solution);
        }
        for (size_t b = 0; b < duet_bound_count(); b++) {
            const duet_entry *entry = duet_bound_entry(b);
            duet_error error = DUET_ERROR_INIT;
            duet_bound bound;
            duet_code code = duet_test_bound(instance, entry->name, NULL, &bound, &error);
            as_claimed(entry, duet_bound_entry, code, error.message);
            duet_bound_release(&bound);
        }
        duet_instance_free(instance);
    }
}

static void forbidden_types(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 1};
    const int64_t times[] = {DUET_FORBIDDEN, 3, 8, DUET_FORBIDDEN, DUET_FORBIDDEN, 5};
    duet_instance *instance = duet_test_instance(2, counts, 3, NULL, times);
    every_algorithm(instance, 8);
    duet_instance_free(instance);
}

static void nowhere_to_run(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 0};
    const int64_t times[] = {DUET_FORBIDDEN, 3};
    duet_instance *instance = duet_test_instance(2, counts, 1, NULL, times);
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        duet_solution *solution;
        duet_error error = DUET_ERROR_INIT;
        duet_code code =
            duet_solve(instance, duet_algorithm_entry(a)->name, NULL, &solution, &error);
        assert_true(code == DUET_E_INFEASIBLE || code == DUET_E_UNSUPPORTED);
        assert_null(solution);
    }
    duet_instance_free(instance);
}

static void equal_tasks(void **state)
{
    (void)state;
    const int64_t counts[] = {4, 2};
    const int64_t kind_counts[] = {200};
    const int64_t times[] = {10, 1};
    duet_instance *instance = duet_test_instance(2, counts, 1, kind_counts, times);
    every_algorithm(instance, -1);
    duet_instance_free(instance);
}

static void zero_times(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 1};
    const int64_t times[] = {0, 0, 0, 5, 5, 0, 0, DUET_FORBIDDEN};
    duet_instance *instance = duet_test_instance(2, counts, 4, NULL, times);
    every_algorithm_but(instance, 0, delays_zero_times);
    duet_instance_free(instance);
}

static void huge_times(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 1};
    const int64_t huge = INT64_C(1) << 60;
    const int64_t times[] = {huge, huge - 1, huge - 3, huge - 7, huge, 1, 1, huge};
    duet_instance *instance = duet_test_instance(2, counts, 4, NULL, times);
    every_algorithm(instance, -1);
    duet_instance_free(instance);
}

static void many_processors(void **state)
{
    (void)state;
    const int64_t counts[] = {DUET_MAX_PROCESSORS, DUET_MAX_PROCESSORS};
    const int64_t times[] = {7, 7, 7, 7, 7, 7};
    duet_instance *instance = duet_test_instance(2, counts, 3, NULL, times);
    every_algorithm(instance, 7);
    duet_instance_free(instance);
}

static bool same_schedule(const duet_solution *a, const duet_solution *b)
{
    size_t size = (size_t)duet_solution_tasks(a) * sizeof(duet_placement);
    return memcmp(duet_solution_placements(a), duet_solution_placements(b), size) == 0 &&
           duet_solution_lower_bound(a) == duet_solution_lower_bound(b) &&
           strcmp(duet_solution_bound_name(a), duet_solution_bound_name(b)) == 0;
}

static void deterministic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(50); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {1, 8, 1, 3, 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        for (size_t a = 0; a < duet_algorithm_count(); a++) {
            const char *name = duet_algorithm_entry(a)->name;
            if (!is_asked_for(name)) {
                continue;
            }
            duet_solution *first = solve(instance, name, 1, seed);
            duet_solution *again = solve(instance, name, 1, seed);
            duet_solution *threads = solve(instance, name, 4, seed);
            if (first != NULL && (!same_schedule(first, again) || !same_schedule(first, threads))) {
                fail_msg("%s: seed %llu: runs differ", name, (unsigned long long)seed);
            }
            duet_solution_free(first);
            duet_solution_free(again);
            duet_solution_free(threads);
        }
        duet_instance_free(instance);
    }
}

static void tables_are_sound(void **state)
{
    (void)state;
    typedef const duet_entry *entry_at(size_t);
    entry_at *const tables[] = {duet_algorithm_entry, duet_bound_entry, duet_family_entry,
                                duet_format_entry};
    for (size_t table = 0; table < 4; table++) {
        for (size_t i = 0; tables[table](i) != NULL; i++) {
            const duet_entry *entry = tables[table](i);
            assert_true(entry->name[0] != '\0' && entry->summary[0] != '\0');
            assert_non_null(entry->reference);
            assert_int_equal(entry->needs & DUET_NEEDS_TWO_TYPES, 0); // said by `handles`
            for (size_t other = 0; other < i; other++) {
                assert_string_not_equal(entry->name, tables[table](other)->name);
            }
            for (const duet_option_spec *option = entry->options;
                 option != NULL && option->name != NULL; option++) {
                char text[128];
                snprintf(text, sizeof text, "%s=%s", option->name, option->fallback);
                duet_options *options;
                assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
                assert_int_equal(duet_options_add(options, text, NULL), DUET_OK);
                assert_int_equal(duet_options_check(options, entry->options, entry->name, NULL),
                                 DUET_OK);
                duet_options_free(options);
                assert_true(option->text[0] != '\0');
            }
        }
    }
    assert_null(duet_algorithm_entry(duet_algorithm_count()));
    assert_null(duet_bound_entry(duet_bound_count()));
}

static void unknown_names(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 1};
    const int64_t times[] = {1, 1};
    duet_instance *instance = duet_test_instance(2, counts, 1, NULL, times);
    duet_solution *solution;
    duet_bound bound;
    assert_int_equal(duet_solve(instance, "nonsense", NULL, &solution, NULL), DUET_E_USAGE);
    assert_int_equal(duet_test_bound(instance, "nonsense", NULL, &bound, NULL), DUET_E_USAGE);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_set),           cmocka_unit_test(one_task),
        cmocka_unit_test(one_processor),       cmocka_unit_test(no_gpu_no_cpu),
        cmocka_unit_test(forbidden_types),     cmocka_unit_test(other_numbers_of_types),
        cmocka_unit_test(nowhere_to_run),      cmocka_unit_test(equal_tasks),
        cmocka_unit_test(zero_times),          cmocka_unit_test(huge_times),
        cmocka_unit_test(claims_of_any_types), cmocka_unit_test(many_processors),
        cmocka_unit_test(deterministic),       cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
