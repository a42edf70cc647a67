// SPDX-License-Identifier: Apache-2.0
// The three forms of the 4/3 table against each other on thousands of random guesses: same answer,
// same least work, allocations that keep every constraint, certificates that hold. A failure prints
// the seed; DUET_TEST_SEED and DUET_TEST_GUESSES choose others.
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
#include "dp/table/adaptive.h"
#include "dp/table/problem.h"
#include "tests/support/fixtures.h"

enum { MAX_KINDS = 64 };

// A guess near where answers change: around the best bound that costs little.
static int64_t draw_lambda(duet_random *random, const duet_instance *instance)
{
    duet_bound longest;
    duet_bound area;
    assert_int_equal(duet_test_bound(instance, "longest", NULL, &longest, NULL), DUET_OK);
    assert_int_equal(duet_test_bound(instance, "area", NULL, &area, NULL), DUET_OK);
    duet_bound_release(&longest);
    duet_bound_release(&area);
    int64_t bound = longest.value > area.value ? longest.value : area.value;
    int64_t reach = bound / duet_random_between(random, 3, 40) + 2;
    return bound + duet_random_between(random, -(reach < bound ? reach / 4 : bound), reach);
}

static duet_table_guess draw_guess(duet_random *random, const duet_instance *instance)
{
    static const int64_t grids[] = {1, 1, 1, 2, 3, 0};
    duet_table_guess guess = {.instance = instance, .lambda = draw_lambda(random, instance)};
    guess.rounded = (size_t)duet_random_between(random, 0, 1);
    guess.grid = grids[duet_random_between(random, 0, 5)];
    guess.relaxed = duet_random_between(random, 0, 9) == 0;
    // Exact work needs one cell per tick.
    if (guess.grid == 0 && guess.lambda > 300) {
        guess.grid = 1;
    }
    return guess;
}

// The allocation of a YES keeps every constraint and has the work that was claimed.
static void check_allocation(const duet_table_guess *guess, const duet_table_answer *answer,
                             uint64_t seed)
{
    duet_table_problem problem;
    assert_int_equal(duet_table_problem_create(guess, &problem, NULL), DUET_OK);
    int64_t c = 0;
    int64_t g = 0;
    int64_t units = 0;
    int64_t work = 0;
    for (size_t i = 0; i < problem.kinds; i++) {
        const duet_table_item *item = &problem.items[i];
        int64_t on_r =
            guess->rounded == DUET_GPU ? answer->on_gpu[i] : item->count - answer->on_gpu[i];
        int64_t on_v = item->count - on_r;
        if (on_r < 0 || on_v < 0 || (on_r > 0 && !item->on_r) || (on_v > 0 && !item->on_v)) {
            fail_msg("seed %llu: kind %zu is misplaced", (unsigned long long)seed, i);
        }
        c += item->c * on_v;
        g += item->g * on_r;
        units += item->weight * on_r;
        work += item->value * on_v;
    }
    if (c > problem.c_cap || g > problem.g_cap || units > problem.cap || work > problem.limit ||
        (answer->has_work && work != answer->work)) {
        fail_msg("seed %llu: the allocation breaks a constraint or its work",
                 (unsigned long long)seed);
    }
    duet_table_problem_free(&problem);
}

static void check_answer(const duet_table_guess *guess, const duet_table_answer *answer,
                         uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    assert_false(answer->stopped);
    if (answer->yes && answer->on_gpu == NULL) {
        return;
    }
    if (answer->yes) {
        check_allocation(guess, answer, seed);
        return;
    }
    assert_int_equal(answer->certificate.lambda, guess->lambda + 1);
    duet_code code = duet_certificate_check(&answer->certificate, guess->instance, NULL, &error);
    duet_code expected =
        answer->certificate.proof == DUET_PROOF_TABLE ? DUET_E_UNSUPPORTED : DUET_OK;
    if (code != expected) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
}

static void decide(duet_table_form form, const duet_table_guess *guess, duet_table_answer *answer,
                   int64_t *on_gpu, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_context_init(&context, &(duet_params){.struct_size = sizeof(duet_params), .threads = 1},
                      NULL);
    memset(answer, 0, sizeof *answer);
    answer->on_gpu = on_gpu;
    if (duet_table_decide(form, guess, &context, answer, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
    check_answer(guess, answer, seed);
}

// The parts of the adaptive form that its own shortcuts would hide.
static void decide_by_parts(const duet_table_guess *guess, unsigned parts, bool yes, int64_t work,
                            uint64_t seed)
{
    int64_t on_gpu[MAX_KINDS];
    duet_table_answer answer = {.on_gpu = on_gpu};
    duet_table_problem problem;
    duet_context context;
    duet_context_init(&context, &(duet_params){.struct_size = sizeof(duet_params), .threads = 1},
                      NULL);
    assert_int_equal(duet_table_problem_create(guess, &problem, NULL), DUET_OK);
    if (problem.misfit < 0) {
        assert_int_equal(duet_adaptive_decide(&problem, &context, parts, &answer, NULL), DUET_OK);
        if (answer.yes != yes || (yes && answer.has_work && answer.work != work)) {
            fail_msg("seed %llu: adaptive parts %u differ", (unsigned long long)seed, parts);
        }
        if (yes) {
            check_allocation(guess, &answer, seed);
        }
    }
    duet_table_problem_free(&problem);
}

static void check_guess(const duet_table_guess *guess, uint64_t seed, long *settled)
{
    int64_t on_gpu[3][MAX_KINDS];
    duet_table_answer answer[3];
    duet_table_answer values;
    for (int form = 0; form < 3; form++) {
        decide((duet_table_form)form, guess, &answer[form], on_gpu[form], seed);
    }
    decide(DUET_TABLE_COLLAPSED, guess, &values, NULL, seed);
    const duet_table_answer *published = &answer[DUET_TABLE_PUBLISHED];
    const duet_table_answer *collapsed = &answer[DUET_TABLE_COLLAPSED];
    if (published->yes != collapsed->yes || published->has_work != collapsed->has_work ||
        (published->has_work && published->work != collapsed->work)) {
        fail_msg("seed %llu: published and collapsed differ", (unsigned long long)seed);
    }
    if (values.yes != collapsed->yes || values.has_work != collapsed->has_work ||
        values.work != collapsed->work) {
        fail_msg("seed %llu: values alone differ", (unsigned long long)seed);
    }
    const duet_table_answer *adaptive = &answer[DUET_TABLE_ADAPTIVE];
    if (adaptive->yes != published->yes ||
        (adaptive->has_work && adaptive->work != published->work)) {
        fail_msg("seed %llu: published (%d) and adaptive (%d) differ", (unsigned long long)seed,
                 published->yes, adaptive->yes);
    }
    settled[adaptive->settled_by]++;
    for (unsigned parts = 0; parts < DUET_ADAPTIVE_ALL; parts++) {
        decide_by_parts(guess, parts, published->yes, published->work, seed);
    }
}

static void all_forms_agree(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t guesses = duet_test_number("DUET_TEST_GUESSES", (int64_t)duet_test_share(5000));
    long settled[8] = {0};
    for (uint64_t seed = first; seed < first + (uint64_t)guesses; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {.min_tasks = 1,
                            .max_tasks = seed % 3 == 0 ? 11 : 7,
                            .min_processors = seed % 7 == 0 ? 0 : 1,
                            .max_processors = seed % 3 == 0 ? 2 : 4,
                            .types = 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        duet_table_guess guess = draw_guess(&random, instance);
        check_guess(&guess, seed, settled);
        duet_instance_free(instance);
    }
    printf("adaptive settled by: misfit %ld, LP %ld, rounding %ld, list %ld, table %ld\n",
           settled[0], settled[1], settled[2], settled[3], settled[4]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_forms_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
