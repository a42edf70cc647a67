// SPDX-License-Identifier: Apache-2.0
// A search that is stopped at each of its looks at whether to stop: what it then has is right, and
// its certificate is as quick to check as that of a search that was left alone.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/lp.h"
#include "lp/volume/core_knapsack.h"
#include "lp/volume/volume.h"
#include "tests/support/fixtures.h"

// The linker leads every look here (--wrap).
bool __real_duet_context_stop(const duet_context *context);
bool __wrap_duet_context_stop(const duet_context *context);

// So is every knapsack of the volume method.
duet_code __real_duet_dearest_solve(duet_dearest *core, const duet_dearest_items *items,
                                    int64_t capacity, int64_t number, duet_dearest_start *start,
                                    duet_dearest_result *result, duet_error *error);
duet_code __wrap_duet_dearest_solve(duet_dearest *core, const duet_dearest_items *items,
                                    int64_t capacity, int64_t number, duet_dearest_start *start,
                                    duet_dearest_result *result, duet_error *error);

static int64_t looks;       // since the run began
static int64_t late;        // knapsacks after the stop was asked for
static int64_t last_look;   // the stop is asked for at this one
static duet_cancel *cancel; // of the run

bool __wrap_duet_context_stop(const duet_context *context)
{
    if (++looks == last_look) {
        duet_cancel_request(cancel);
    }
    return __real_duet_context_stop(context);
}

duet_code __wrap_duet_dearest_solve(duet_dearest *core, const duet_dearest_items *items,
                                    int64_t capacity, int64_t number, duet_dearest_start *start,
                                    duet_dearest_result *result, duet_error *error)
{
    late += looks >= last_look;
    return __real_duet_dearest_solve(core, items, capacity, number, start, result, error);
}

static duet_params begin(int64_t stop_at)
{
    looks = 0;
    late = 0;
    last_look = stop_at;
    cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.cancel = cancel;
    return params;
}

// Whether the stop was reached.
static bool end(void)
{
    bool reached = looks >= last_look;
    duet_cancel_free(cancel);
    cancel = NULL;
    return reached;
}

// About four tasks on a processor, with times so long that prices are what proves a bound.
static duet_instance *sample(int64_t n, int64_t cpus, int64_t gpus, uint64_t seed)
{
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    static const char *const given[] = {"cpu-min=200000000", "cpu-max=999999999",
                                        "gpu-min=20000000", "gpu-max=999999999"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        assert_int_equal(duet_options_add(options, given[i], &error), DUET_OK);
    }
    assert_int_equal(duet_test_generate("uniform", n, cpus, gpus, seed, options, &instance, &error),
                     DUET_OK);
    duet_options_free(options);
    return instance;
}

// The checker's knapsack has a column for each price up to the limit of a type with sets.
static void check_certificate(const duet_instance *instance, const duet_certificate *certificate,
                              int64_t stopped_at)
{
    const int64_t quick = INT64_C(1) << 21; // left alone, they take half of that
    duet_error error = DUET_ERROR_INIT;
    if (certificate->proof == DUET_PROOF_NONE) {
        return;
    }
    if (certificate->proof == DUET_PROOF_PRICES) {
        for (size_t t = 0; t < 2; t++) {
            int64_t limit = certificate->prices->limit[t];
            if (certificate->prices->mode[t] == DUET_PRICE_SET && limit > quick) {
                fail_msg("stopped at look %" PRId64 ": type %zu has a limit of %" PRId64,
                         stopped_at, t, limit);
            }
        }
    }
    if (duet_certificate_check(certificate, instance, NULL, &error) != DUET_OK) {
        fail_msg("stopped at look %" PRId64 ": %s", stopped_at, error.message);
    }
}

static void bound_stopped(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    duet_instance *instance = sample(50, 12, 2, 1);
    int64_t by_prices = 0;
    bool reached = true;
    for (int64_t turn = 1; reached; turn += 1 + turn / (duet_test_share(32) < 32 ? 8 : 32)) {
        duet_params params = begin(turn);
        duet_bound bound;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_test_bound(instance, "configuration", &params, &bound, &error);
        reached = end();
        if (code == DUET_OK) {
            check_certificate(instance, &bound.certificate, turn);
            by_prices += bound.certificate.proof == DUET_PROOF_PRICES;
        } else {
            assert_int_equal(code, DUET_E_CANCELLED);
        }
        duet_bound_release(&bound);
    }
    printf("%" PRId64 " bounds by prices\n", by_prices);
    assert_true(by_prices > 10);
    duet_instance_free(instance);
}

static void search_stopped(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    duet_instance *instance = sample(25, 12, 2, 2); // prices hold for a while
    const int64_t most = 10000;                     // then the tree proves more than prices do
    const bool few = duet_test_share(64) < 64;
    int64_t by_prices = 0;
    int64_t before = 0;
    bool reached = true;
    for (int64_t turn = 1; reached && turn < most; turn += 1 + turn / (few ? 8 : 96)) {
        duet_params params = begin(turn);
        duet_solution *solution = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_solve(instance, "exact", &params, &solution, &error);
        reached = end();
        if (code != DUET_OK ||
            duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
            fail_msg("stopped at look %" PRId64 ": %s", turn, error.message);
        }
        const duet_certificate *certificate = duet_solution_certificate(solution);
        check_certificate(instance, certificate, turn);
        by_prices += certificate->proof == DUET_PROOF_PRICES;
        before += duet_solution_interrupted(solution);
        duet_solution_free(solution);
    }
    printf("%" PRId64 " searches stopped, %" PRId64 " bounds by prices\n", before, by_prices);
    assert_true(before > 10 && (few || by_prices > 10));
    duet_instance_free(instance);
}

// Unrelated processors with so many tasks that the volume method is what raises the bound. After
// the stop no knapsacks are solved but those of a certificate in up to three roundings.
static void volume_stopped(void **state)
{
    (void)state;
    enum { types = 3, tasks = 60 };
    const int64_t processors[types] = {1, 1, 1};
    int64_t times[types * tasks];
    duet_random random;
    duet_random_seed(&random, 1);
    for (size_t i = 0; i < types * tasks; i++) {
        times[i] = duet_random_between(&random, 10000, 20000);
    }
    duet_instance *instance = duet_test_instance(types, processors, tasks, NULL, times);
    int64_t raised = 0;
    bool reached = true;
    for (int64_t turn = 1; reached; turn += 1 + turn / (duet_test_share(32) < 32 ? 8 : 32)) {
        duet_params params = begin(turn);
        duet_context context;
        duet_volume *volume;
        duet_bound bound = {.value = 0};
        assert_int_equal(duet_context_init(&context, &params, NULL), DUET_OK);
        assert_int_equal(duet_volume_create(instance, 20000, 1000000, &volume, NULL), DUET_OK);
        assert_int_equal(duet_volume_run(volume, 50, &context, NULL), DUET_OK);
        assert_int_equal(duet_volume_certify(volume, &context, &bound, NULL), DUET_OK);
        if (late > 3 * types) {
            fail_msg("stopped at look %" PRId64 ": %" PRId64 " knapsacks later", turn, late);
        }
        reached = end();
        check_certificate(instance, &bound.certificate, turn);
        raised += bound.value > 20000;
        duet_bound_release(&bound);
        duet_volume_free(volume);
    }
    printf("%" PRId64 " bounds by the volume method\n", raised);
    assert_true(raised > 10);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volume_stopped),
                                       cmocka_unit_test(bound_stopped),
                                       cmocka_unit_test(search_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
