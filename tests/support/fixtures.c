// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <duet/check.h>
#include <duet/generate.h>
#include <duet/io.h>
#include <duet/options.h>

#include "bench/run/random_instance.h"
#include "core/system/try.h"

duet_instance *duet_test_instance(size_t types, const int64_t *processors, size_t kinds,
                                  const int64_t *counts, const int64_t *times)
{
    static const char *const names[] = {"cpu", "gpu", "gpu2"};
    duet_type platform[3];
    assert_in_range(types, 1, 3);
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){names[t], processors[t]};
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

duet_instance *duet_test_pair(int64_t cpus, int64_t gpus, size_t kinds, const int64_t *counts,
                              const int64_t *times)
{
    const int64_t processors[] = {cpus, gpus};
    return duet_test_instance(2, processors, kinds, counts, times);
}

duet_instance *duet_test_graph(duet_random *random, uint64_t seed, int least, int most,
                               size_t types)
{
    const duet_graph_shape shape = {.tasks = {.min_tasks = least,
                                              .max_tasks = most,
                                              .min_processors = 1,
                                              .max_processors = 3,
                                              .types = types},
                                    .cost = seed % 2 == 0 ? 0 : 20};
    duet_random_seed(random, seed);
    duet_instance *instance = duet_random_graph(random, &shape);
    assert_non_null(instance);
    return instance;
}

// Adds what stands between spaces.
static void add_options(duet_options *options, const char *text)
{
    char word[64];
    duet_error error = DUET_ERROR_INIT;
    for (int length; sscanf(text, " %63s%n", word, &length) == 1; text += length) {
        assert_int_equal(duet_options_add(options, word, &error), DUET_OK);
    }
}

duet_code duet_test_generate(const char *family, int64_t size, int64_t cpus, int64_t gpus,
                             uint64_t seed, const duet_options *options, duet_instance **out,
                             duet_error *error)
{
    const int64_t counts[] = {cpus, gpus};
    size_t types = cpus == -1 && gpus == -1 ? 0 : 2;
    const duet_generate_params params = {sizeof params, size, types, counts, seed, options};
    return duet_generate(family, &params, out, error);
}

duet_code duet_test_bound(const duet_instance *instance, const char *name,
                          const duet_params *params, duet_bound *out, duet_error *error)
{
    duet_bound *bound;
    *out = (duet_bound){.name = NULL};
    DUET_TRY(duet_compute_bound(instance, name, params, &bound, error));
    *out = *bound;
    duet_certificate_retain(&out->certificate);
    duet_bound_free(bound);
    return DUET_OK;
}

// Bare: without a bound beside the schedule, which may take longer than the algorithm.
static duet_solution *solve(const duet_instance *instance, const char *algorithm,
                            const char *option, const duet_params *params, bool bare)
{
    duet_error error = DUET_ERROR_INIT;
    duet_options *options;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    if (option != NULL) {
        add_options(options, option);
    }
    if (bare) {
        assert_int_equal(duet_options_add(options, "bound=none", &error), DUET_OK);
    }
    duet_params given = DUET_PARAMS_INIT;
    given = params == NULL ? given : *params;
    given.options = options;
    duet_solution *solution = NULL;
    if (duet_solve(instance, algorithm, &given, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s: %s", algorithm, error.message);
    }
    duet_options_free(options);
    return solution;
}

duet_solution *duet_test_solve(const duet_instance *instance, const char *algorithm,
                               const char *option, const duet_params *params)
{
    return solve(instance, algorithm, option, params, false);
}

duet_solution *duet_test_schedule(const duet_instance *instance, const char *algorithm,
                                  const char *option)
{
    return solve(instance, algorithm, option, NULL, true);
}

int64_t duet_test_makespan(const duet_instance *instance, const char *algorithm)
{
    duet_solution *solution = duet_test_schedule(instance, algorithm, NULL);
    int64_t makespan = duet_solution_makespan(solution);
    duet_solution_free(solution);
    return makespan;
}

int64_t duet_test_number(const char *name, int64_t fallback)
{
    const char *text = getenv(name);
    const char *most =
        strcmp(name, "DUET_TEST_INSTANCES") == 0 ? getenv("DUET_TEST_AT_MOST") : NULL;
    if (text == NULL && most != NULL && strtoll(most, NULL, 10) < fallback) {
        text = most;
    }
    return text == NULL ? fallback : strtoll(text, NULL, 10);
}

duet_watch *duet_test_watch(void)
{
    static const duet_context context = {.deadline_ns = INT64_MAX, .memory_limit = (size_t)1 << 30};
    static _Thread_local duet_watch watch;
    watch = (duet_watch){.context = &context};
    return &watch;
}

uint64_t duet_test_seed(void)
{
    return (uint64_t)duet_test_number("DUET_TEST_SEED", 1);
}

uint64_t duet_test_share(uint64_t all)
{
    enum { usual = 5000, least = 4 };
    uint64_t wanted = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", usual);
    uint64_t share = wanted < usual ? all * wanted / usual : all;
    uint64_t floor = all < least ? all : least;
    return share > floor ? share : floor;
}

void duet_test_has_one_thread(void)
{
    if (duet_test_number("DUET_TEST_THREADS", 0) > 0) {
        skip();
    }
}

bool duet_test_proves(const duet_instance *instance, const char *text, size_t length,
                      int64_t lambda)
{
    duet_certificate claimed = {.proof = DUET_PROOF_LINES, .lambda = lambda};
    assert_int_equal(duet_proof_lines_create(text, length, &claimed.lines, NULL), DUET_OK);
    bool holds = duet_certificate_check(&claimed, instance, NULL, NULL) == DUET_OK;
    duet_certificate_release(&claimed);
    return holds;
}

void duet_fail_instance(const duet_instance *instance, const char *name, uint64_t seed,
                        const char *why)
{
    char path[96];
    snprintf(path, sizeof path, "%s-%llu.json", name, (unsigned long long)seed);
    duet_write_instance(path, "json", instance, NULL);
    fail_msg("seed %llu: %s (instance in %s)", (unsigned long long)seed, why, path);
}
