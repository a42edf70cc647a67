// SPDX-License-Identifier: Apache-2.0
// Relaxations that begin where another one ended: whatever has become of the state since, their
// factor is that of a fresh start. And tallies, in states that keep classes off a type.
// DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

enum { TALLIES = 3 };

typedef struct setting {
    const duet_instance *instance;
    uint64_t seed;
    const duet_classes *classes;
    const bool *divisible;
    duet_branching_row branching_row[TALLIES];
    size_t branching_rows;
} setting;

static void fail_with(const setting *s, const char *why)
{
    duet_fail_instance(s->instance, "configuration-start-failure", s->seed, why);
}

// The factor of the relaxation; NAN: it could not be solved. Prices refute what it does.
static double factor_of(const setting *s, const duet_residual *state, duet_column_store *store,
                        const duet_configuration_start *from, duet_configuration_start *to)
{
    const double above = 1 + 1e-5;
    duet_prices prices;
    duet_configuration *program;
    duet_configuration_answer answer = {.refuted = false};
    duet_context context;
    duet_error error = DUET_ERROR_INIT;
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_prices_create(s->classes, &prices, NULL), DUET_OK);
    assert_int_equal(duet_prices_make_room(&prices, s->branching_rows, NULL), DUET_OK);
    if (duet_configuration_create(s->classes, state, s->divisible, store, from, &program, &error) !=
            DUET_OK ||
        duet_configuration_add_branching_rows(program, s->branching_row, s->branching_rows,
                                              &error) != DUET_OK ||
        duet_configuration_finish(program, 1000, &context, &prices, &answer, &error) != DUET_OK ||
        (to != NULL && duet_configuration_note(program, to, &error) != DUET_OK)) {
        fail_with(s, error.message);
    }
    bool single = true; // else prices hold for as many tasks of a class as there were
    for (size_t c = 0; c < s->classes->count; c++) {
        single = single && s->classes->tasks[c] == 1;
    }
    if (answer.finished && answer.factor > above && !answer.refuted && single) {
        fail_with(s, "the relaxation refutes the state, its prices do not");
    }
    duet_configuration_free(program);
    duet_prices_free(&prices);
    return answer.finished ? answer.factor : NAN;
}

// Narrows the range of some classes, and adds a branching row now and then.
static void go_down(setting *s, duet_residual *state, duet_random *random)
{
    for (int64_t times = duet_random_between(random, 1, 3); times > 0; times--) {
        size_t c = (size_t)duet_random_between(random, 0, (int64_t)s->classes->count - 1);
        int64_t low = duet_random_between(random, state->low[0][c], state->high[0][c]);
        int64_t high = duet_random_between(random, low, state->high[0][c]);
        duet_residual_limit(state, c, 0, low, high);
    }
    if (s->branching_rows < TALLIES && duet_random_between(random, 0, 1) == 0) {
        size_t type = s->divisible[0];
        s->branching_row[s->branching_rows++] = (duet_branching_row){
            type, duet_random_between(random, 0, s->classes->guess / 2),
            duet_random_between(random, 0, 1) == 0, duet_random_between(random, 0, 4), 0};
    }
}

// A way down, every step once from the step before and once afresh. Returns how many were compared.
static long walk_down(setting *s, duet_random *random)
{
    const double same = 1e-6;
    long compared = 0;
    duet_column_store store = {.columns = 0};
    duet_configuration_start from = {.classes = 0};
    duet_residual state;
    assert_int_equal(duet_residual_create(s->classes, &state, NULL), DUET_OK);
    factor_of(s, &state, &store, NULL, &from);
    for (int step = 0; step < 5; step++) {
        go_down(s, &state, random);
        duet_configuration_start next = {.classes = 0};
        double fresh = factor_of(s, &state, NULL, NULL, NULL);
        double carried = factor_of(s, &state, &store, &from, &next);
        if (isnan(fresh) != isnan(carried) || fabs(fresh - carried) > same * fresh) {
            fprintf(stderr, "step %d: afresh %g, from the step before %g\n", step, fresh, carried);
            fail_with(s, "where a relaxation begins changes its factor");
        }
        compared += !isnan(fresh);
        duet_configuration_start_free(&from);
        from = next;
    }
    duet_configuration_start_free(&from);
    duet_column_store_free(&store);
    duet_residual_free(&state);
    return compared;
}

static void starts_change_no_factor(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    long compared = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        const duet_shape shape = {
            .min_tasks = 2, .max_tasks = 12, .min_processors = 1, .max_processors = 4, .types = 2};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        duet_classes classes;
        int64_t guess = duet_test_makespan(instance, "heft") * (80 + (int64_t)(seed % 40)) / 100;
        assert_int_equal(duet_classes_create(instance, guess, &classes, NULL), DUET_OK);
        const bool divisible[2] = {seed % 3 == 1, seed % 3 == 2};
        setting s = {
            .instance = instance, .seed = seed, .classes = &classes, .divisible = divisible};
        if (classes.nowhere == SIZE_MAX && classes.count > 0) {
            compared += walk_down(&s, &random);
        }
        duet_classes_free(&classes);
        duet_instance_free(instance);
    }
    printf("%ld relaxations compared\n", compared);
    assert_true(instances < 100 || compared > instances);
}

// A CPU has room for the tasks of 6 and 4 ticks, not for those of 6 and 5. The one of 4 is kept
// off: then there are no two, and prices must show it.
static void what_is_kept_off_is_not_counted(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    static const int64_t times[] = {6, 5, 4, 1, 1, 1};
    duet_instance *instance = duet_test_pair(1, 1, 3, NULL, times);
    duet_classes classes;
    duet_residual residual;
    const bool divisible[2] = {false, true};
    assert_int_equal(duet_classes_create(instance, 10, &classes, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&classes, &residual, NULL), DUET_OK);
    setting s = {
        .instance = instance, .classes = &classes, .divisible = divisible, .branching_rows = 1};
    s.branching_row[0] = (duet_branching_row){0, 4, true, 2, 0};
    assert_true(factor_of(&s, &residual, NULL, NULL, NULL) <= 1);
    for (size_t c = 0; c < classes.count; c++) {
        if (classes.time[0][c] == 4) {
            duet_residual_limit(&residual, c, 0, 0, 0);
        }
    }
    assert_true(factor_of(&s, &residual, NULL, NULL, NULL) > 1.01);
    duet_residual_free(&residual);
    duet_classes_free(&classes);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(starts_change_no_factor),
                                       cmocka_unit_test(what_is_kept_off_is_not_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
