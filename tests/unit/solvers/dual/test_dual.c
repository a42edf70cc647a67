// SPDX-License-Identifier: Apache-2.0
// The dual-approximation driver with made-up guess functions: where it ends, what it keeps, how it
// stops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "solvers/dual/dual.h"

// One CPU, one task of 10 ticks; a "schedule" is the start of that task.
static duet_instance *make_instance(void)
{
    const duet_type platform[] = {{"cpu", 1}};
    const int64_t times[] = {10};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 1, .platform = platform, .kinds = 1, .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

typedef struct script {
    int64_t yes_from;  // YES at and above this guess...
    int64_t no_island; // ...except at this one
    int64_t asked[256];
    size_t count;
    int64_t last;        // the guess build() is for
    duet_cancel *cancel; // requested after the first YES
    bool prices;         // each NO comes with a price list; also a YES, and one that has stopped
    int64_t stop_at;     // stops before this guess
    int64_t limit_below; // guesses below fail with DUET_E_LIMIT
} script;

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    script *state = opaque;
    assert_true(state->count < 256);
    state->asked[state->count++] = lambda;
    if (lambda < state->limit_below) {
        return duet_error_set(error, DUET_E_LIMIT, "too large a table");
    }
    state->last = lambda;
    answer->yes = lambda >= state->yes_from && lambda != state->no_island;
    if (state->prices) {
        const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_AREA};
        const int64_t limits[] = {lambda, 2};
        const int64_t prices[] = {1, 2};
        answer->certificate.proof = DUET_PROOF_PRICES;
        answer->certificate.lambda = lambda + 1;
        assert_int_equal(
            duet_price_list_create(2, 1, modes, limits, prices, &answer->certificate.prices, NULL),
            DUET_OK);
    }
    answer->stopped = state->stop_at > 0 && lambda == state->stop_at;
    return DUET_OK;
}

// The schedule of guess lambda ends at lambda + 10.
static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    script *state = opaque;
    assert_int_equal(duet_solution_hold_placements(solution, error), DUET_OK);
    solution->placement[0] = (duet_placement){state->last, 0, 0};
    if (state->cancel != NULL) {
        duet_cancel_request(state->cancel);
    }
    return DUET_OK;
}

static duet_code run(script *state, int64_t lower, const duet_params *params,
                     duet_solution **solution, duet_error *error)
{
    duet_instance *instance = make_instance();
    duet_context context;
    duet_context_init(&context, params, NULL);
    duet_bound bound = {.name = "start", .value = lower};
    duet_dual dual = {"scripted", state, guess, build};
    assert_int_equal(duet_solution_create(1, solution, NULL), DUET_OK);
    duet_code code = duet_dual_run(instance, &context, &dual, &bound, *solution, error);
    if (code == DUET_OK) {
        duet_solution_finish(*solution, instance);
    }
    duet_instance_free(instance);
    return code;
}

static void finds_the_threshold(void **state)
{
    (void)state;
    for (int64_t threshold = 1; threshold < 200; threshold++) {
        script plan = {.yes_from = threshold};
        duet_solution *solution;
        assert_int_equal(run(&plan, 1, NULL, &solution, NULL), DUET_OK);
        assert_int_equal(duet_solution_lower_bound(solution), threshold);
        assert_int_equal(duet_solution_makespan(solution), threshold + 10);
        assert_string_equal(duet_solution_bound_name(solution),
                            threshold == 1 ? "start" : "scripted");
        assert_true(plan.count <= 18); // 2 log2 of the distance, and a little
        duet_solution_free(solution);
    }
}

// Price lists pass from the answers to the solution, and no reference is lost or used twice (which
// AddressSanitizer sees).
static void hands_prices_on(void **state)
{
    (void)state;
    for (int64_t threshold = 1; threshold < 60; threshold++) {
        script plan = {.yes_from = threshold, .prices = true, .no_island = 2 * threshold + 3};
        plan.stop_at = threshold % 5 == 0 ? threshold - 1 : 0;
        duet_solution *solution;
        duet_code code = run(&plan, 1, NULL, &solution, NULL);
        if (code == DUET_OK && duet_solution_lower_bound(solution) > 1) {
            const duet_certificate *certificate = duet_solution_certificate(solution);
            assert_int_equal(certificate->lambda, duet_solution_lower_bound(solution));
            assert_int_equal(certificate->prices->limit[0], certificate->lambda - 1);
        }
        duet_solution_free(solution);
    }
}

static void thresholds_far_away(void **state)
{
    (void)state;
    script plan = {.yes_from = (INT64_C(1) << 61) + 12345};
    duet_solution *solution;
    assert_int_equal(run(&plan, 0, NULL, &solution, NULL), DUET_OK);
    assert_int_equal(duet_solution_lower_bound(solution), plan.yes_from);
    duet_solution_free(solution);
}

// A NO above the threshold is a proof like any other: the bound follows it.
static void answers_need_not_be_monotone(void **state)
{
    (void)state;
    script plan = {.yes_from = 60, .no_island = 79};
    duet_solution *solution;
    assert_int_equal(run(&plan, 1, NULL, &solution, NULL), DUET_OK);
    int64_t bound = duet_solution_lower_bound(solution);
    assert_true(bound == 60 || bound == 80);
    assert_true(duet_solution_makespan(solution) >= bound);
    duet_solution_free(solution);
}

static void cancelled_before_a_schedule(void **state)
{
    (void)state;
    script plan = {.yes_from = 50};
    duet_params params = DUET_PARAMS_INIT;
    duet_cancel *cancel = duet_cancel_create();
    duet_cancel_request(cancel);
    params.cancel = cancel;
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(run(&plan, 1, &params, &solution, &error), DUET_E_CANCELLED);
    assert_non_null(strstr(error.message, "cancelled"));
    duet_solution_free(solution);
    duet_cancel_free(cancel);
}

static void cancelled_with_a_schedule(void **state)
{
    (void)state;
    duet_params params = DUET_PARAMS_INIT;
    duet_cancel *cancel = duet_cancel_create();
    params.cancel = cancel;
    script plan = {.yes_from = 50, .cancel = cancel};
    duet_solution *solution;
    assert_int_equal(run(&plan, 1, &params, &solution, NULL), DUET_OK);
    assert_true(duet_solution_interrupted(solution));
    assert_true(duet_solution_lower_bound(solution) <= 50);
    assert_true(duet_solution_makespan(solution) >= 60);
    duet_solution_free(solution);
    duet_cancel_free(cancel);
}

// A limit is an error only where there is nothing to show.
static void limit_with_a_schedule(void **state)
{
    (void)state;
    script plan = {.yes_from = 50, .limit_below = 60};
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(run(&plan, 1, NULL, &solution, &error), DUET_E_LIMIT);
    assert_string_equal(error.message, "too large a table");
    duet_solution_free(solution);
    duet_error_clear(&error);
    assert_int_equal(run(&plan, 60, NULL, &solution, &error), DUET_OK);
    assert_false(duet_solution_interrupted(solution)); // YES at the first guess: no other is asked
    assert_null(duet_solution_note(solution));
    duet_solution_free(solution);
    plan = (script){.yes_from = 50, .no_island = 59, .limit_below = 58};
    assert_int_equal(run(&plan, 58, NULL, &solution, &error), DUET_OK);
    duet_solution_free(solution);
}

// From a schedule that is there: it stays, with the bound so far, and its ratio is void.
static void limit_keeps_what_there_is(void **state)
{
    (void)state;
    script plan = {.yes_from = 50, .limit_below = 60};
    duet_instance *instance = make_instance();
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_bound bound = {.name = "start", .value = 20};
    duet_dual dual = {"scripted", &plan, guess, build};
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solution_create(1, &solution, NULL), DUET_OK);
    solution->placement[0] = (duet_placement){90, 0, 0};
    assert_int_equal(duet_dual_improve(instance, &context, &dual, &bound, solution, &error),
                     DUET_OK);
    assert_int_equal(error.code, DUET_OK);
    assert_int_equal(plan.count, 1);
    duet_solution_finish(solution, instance);
    assert_int_equal(duet_solution_makespan(solution), 100);
    assert_int_equal(duet_solution_lower_bound(solution), 20);
    assert_true(duet_solution_interrupted(solution));
    assert_true(solution->ratio_void);
    assert_string_equal(duet_solution_note(solution), "too large a table");
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void no_for_ever_is_a_bug(void **state)
{
    (void)state;
    script plan = {.yes_from = INT64_MAX};
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(run(&plan, 1, NULL, &solution, &error), DUET_E_INTERNAL);
    duet_solution_free(solution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_threshold),
        cmocka_unit_test(hands_prices_on),
        cmocka_unit_test(thresholds_far_away),
        cmocka_unit_test(answers_need_not_be_monotone),
        cmocka_unit_test(cancelled_before_a_schedule),
        cmocka_unit_test(cancelled_with_a_schedule),
        cmocka_unit_test(limit_with_a_schedule),
        cmocka_unit_test(limit_keeps_what_there_is),
        cmocka_unit_test(no_for_ever_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
