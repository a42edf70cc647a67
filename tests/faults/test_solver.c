// SPDX-License-Identifier: Apache-2.0
// The solver of linear programs gives up at each of its solves in turn, or at all of them: a search
// does without what it would have said, and ends with a schedule and a bound that are right.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

// The linker leads every solve here (--wrap).
duet_code __real_duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                       duet_error *error);
duet_code __wrap_duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                       duet_error *error);

static int64_t solves;  // since the run began
static int64_t failing; // the first one that fails
static int64_t every;   // and then each so-many-th one; 0: no other one

duet_code __wrap_duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                       duet_error *error)
{
    int64_t beyond = ++solves - failing;
    bool fails = beyond == 0 || (every > 0 && beyond > 0 && beyond % every == 0);
    return fails ? duet_error_set(error, DUET_E_LIMIT, "the solver gives up")
                 : __real_duet_lp_backend_solve(lp, exact, context, error);
}

typedef struct sample {
    const char *family;
    int64_t size, cpus, gpus;
    const char *option[3]; // of the family; NULL: no more
} sample;

static duet_instance *make(const sample *of, uint64_t seed)
{
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    for (size_t i = 0; i < 3 && of->option[i] != NULL; i++) {
        assert_int_equal(duet_options_add(options, of->option[i], &error), DUET_OK);
    }
    assert_int_equal(duet_test_generate(of->family, of->size, of->cpus, of->gpus, seed, options,
                                        &instance, &error),
                     DUET_OK);
    duet_options_free(options);
    return instance;
}

// Solves it with that solve failing. Whether there was one.
static bool solve(const duet_instance *instance, const char *family, const char *algorithm)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_options *options = NULL;
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    assert_int_equal(duet_options_add(options, "rounds=1", &error), DUET_OK);
    params.threads = 1;
    params.options = options;
    solves = 0;
    duet_code code = duet_solve(instance, algorithm, &params, &solution, &error);
    duet_options_free(options);
    if (code != DUET_OK || duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s of %s, solve %" PRId64 " fails, then each %" PRId64 ": %s", algorithm, family,
                 failing, every, error.message);
    }
    duet_solution_free(solution);
    return solves >= failing;
}

static void searches_do_without(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"uniform", 25, 8, 2, {"cpu-min=20000", "cpu-max=99999", "gpu-max=99999"}},
        {"uniform", 30, 9, 2, {"cpu-min=20000", "cpu-max=99999", "gpu-max=99999"}},
        {"layered", 60, 4, 2, {NULL}},
        {"layered", 40, 4, 2, {"cost=20"}},
    };
    const uint64_t base = duet_test_seed();
    int64_t failed = 0;
    if (!duet_lp_available()) {
        skip();
    }
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        duet_instance *instance = make(&samples[s], base + s);
        for (every = 0; every <= 1; every++) {
            failing = 1;
            while (solve(instance, samples[s].family, "exact")) {
                failed++;
                failing += 1 + failing / 4;
            }
        }
        duet_instance_free(instance);
    }
    printf("%" PRId64 " runs with a solve that failed, seed %" PRIu64 "\n", failed, base);
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_do_without),
    };
    return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
