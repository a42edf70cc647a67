// SPDX-License-Identifier: Apache-2.0
// The linear programming interface.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "core/system/context.h"
#include "lp/lp.h"
#include "tests/support/small_lp.h"

#ifdef DUET_WITH_GLPK

static void solves_relaxations(void **state)
{
    (void)state;
    duet_small_lp_check(false);
    duet_small_lp_check(true);
}

static void a_column_joins_a_solved_program(void **state)
{
    (void)state;
    duet_lp *lp = duet_small_lp();
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    duet_lp_add_column(lp, 0, 1, -10);
    duet_lp_add_entry(lp, 0, 2, 1);
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_true(fabs(duet_lp_objective(lp) + 19) < 1e-9);
    duet_lp_free(lp);
}

static double solve(duet_lp *lp)
{
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_OPTIMAL);
    return duet_lp_objective(lp);
}

// Bounds and costs that change between solves, by either simplex method; rows that come and go.
static void check_changes(bool dual)
{
    duet_lp *lp = duet_small_lp();
    duet_lp_set_dual(lp, dual);
    assert_true(fabs(solve(lp) + 11) < 1e-9);
    duet_lp_bound_column(lp, 0, 0, 2); // (2, 4/3)
    assert_true(fabs(solve(lp) + 6 + 8.0 / 3) < 1e-9);
    duet_lp_bound_row(lp, 1, 5, 5); // x + 3y = 5: (2, 1)
    assert_true(fabs(solve(lp) + 8) < 1e-9);
    duet_lp_price_column(lp, 1, 1); // the less y the better: still (2, 1)
    assert_true(fabs(solve(lp) + 5) < 1e-9);
    duet_lp_add_row(lp, -INFINITY, 1.5); // x <= 1.5
    duet_lp_add_column(lp, 0, INFINITY, 0);
    duet_lp_add_entry(lp, 2, 0, 1);
    duet_lp_add_entry(lp, 2, 2, 1);
    assert_true(fabs(solve(lp) + 4.5 - 3.5 / 3) < 1e-9); // (1.5, 3.5/3)
    duet_lp_cut(lp, 2, 2);
    assert_true(duet_lp_rows(lp) == 2 && duet_lp_columns(lp) == 2);
    assert_true(fabs(solve(lp) + 5) < 1e-9);
    duet_lp_free(lp);
}

static void changes_between_solves(void **state)
{
    (void)state;
    check_changes(false);
    check_changes(true);
}

// A column that is fixed at 0 is as good as none, and is back once its bounds are: the solve goes
// on from the basis of the others.
static void a_column_rests_at_zero(void **state)
{
    (void)state;
    duet_lp *lp = duet_small_lp();
    duet_lp_add_column(lp, 0, 0, -5);
    duet_lp_add_entry(lp, 0, 2, 1);
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_true(fabs(duet_lp_objective(lp) + 11) < 1e-9);
    assert_true(duet_lp_value(lp, 2) == 0);
    assert_int_equal(duet_lp_column_basis(lp, 2), DUET_LP_FIXED);
    duet_lp_bound_column(lp, 2, 0, INFINITY);
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_true(fabs(duet_lp_objective(lp) + 20) < 1e-9); // 4 of it alone
    assert_true(fabs(duet_lp_value(lp, 2) - 4) < 1e-9);
    // One that is in the basis stays in the program while it is forced to 0.
    duet_lp_bound_column(lp, 2, 0, 0);
    duet_lp_set_dual(lp, true);
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_true(fabs(duet_lp_objective(lp) + 11) < 1e-9);
    assert_true(fabs(duet_lp_value(lp, 2)) < 1e-9);
    duet_lp_free(lp);
}

// A trial comes to the optimum where its steps are enough, and else to no more; a solve goes on
// from the noted position.
static void trials_are_below_the_optimum(void **state)
{
    (void)state;
    const double optimum = -6 - 8.0 / 3;
    duet_lp *lp = duet_small_lp();
    assert_true(fabs(solve(lp) + 11) < 1e-9);
    duet_lp_position at;
    assert_int_equal(duet_lp_note_position(lp, &at, NULL), DUET_OK);
    duet_lp_bound_column(lp, 0, 0, 2); // (2, 4/3)
    for (int steps = 1; steps <= 100; steps += 99) {
        double objective;
        assert_int_equal(duet_lp_try(lp, steps, NULL, &objective, NULL), DUET_OK);
        assert_true(objective < optimum + 1e-9);
        assert_true(steps == 1 || objective > optimum - 1e-9);
        duet_lp_take_position(lp, &at);
    }
    assert_true(fabs(solve(lp) - optimum) < 1e-9);
    duet_lp_position_free(&at);
    duet_lp_free(lp);
}

static void tells_infeasible_and_unbounded(void **state)
{
    (void)state;
    for (int unbounded = 0; unbounded < 2; unbounded++) {
        duet_lp *lp = NULL;
        assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
        duet_lp_add_column(lp, 0, unbounded ? INFINITY : 1, -1);
        duet_lp_add_row(lp, 2, INFINITY);
        duet_lp_add_entry(lp, 0, 0, 1);
        assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
        assert_int_equal(duet_lp_get_status(lp),
                         unbounded ? DUET_LP_UNBOUNDED : DUET_LP_INFEASIBLE);
        duet_lp_free(lp);
    }
}

// The first of two failures is kept, with its code and its message, and a solve returns it.
static void check_failure(duet_lp *lp, const char *message)
{
    duet_error error = DUET_ERROR_INIT;
    duet_lp_add_row(lp, 0, -1);
    assert_int_equal(duet_lp_failure(lp, &error), DUET_E_INTERNAL);
    assert_non_null(strstr(error.message, message));
    duet_error_clear(&error);
    assert_int_equal(duet_lp_solve(lp, false, NULL, &error), DUET_E_INTERNAL);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(duet_lp_failure(lp, NULL), DUET_E_INTERNAL);
    double objective = 0;
    assert_int_equal(duet_lp_try(lp, 1, NULL, &objective, NULL), DUET_E_INTERNAL);
    assert_int_equal(duet_lp_solve_integer(lp, NULL, NULL, NULL, NULL), DUET_E_INTERNAL);
    duet_lp_free(lp);
}

static void the_first_failure_sticks(void **state)
{
    (void)state;
    duet_lp *lp = duet_small_lp();
    duet_lp_add_entry(lp, 7, 0, 1);
    check_failure(lp, "entry 1 at (7, 0)");
    lp = duet_small_lp();
    duet_lp_add_entry(lp, 0, 0, NAN);
    check_failure(lp, "nan at (0, 0)");
    lp = duet_small_lp();
    duet_lp_add_column(lp, 2, 1, 0);
    check_failure(lp, "bounds 2 .. 1");
    lp = duet_small_lp();
    duet_lp_add_row(lp, NAN, 1);
    check_failure(lp, "nan .. 1");
}

// What follows a failure leaves the program as it is, also with indices that were never given out.
static void what_follows_a_failure_is_ignored(void **state)
{
    (void)state;
    duet_lp *lp = duet_small_lp();
    duet_lp_add_entry(lp, 7, 0, 1);
    assert_int_equal(duet_lp_add_column(lp, 0, 1, 0), 2);
    assert_int_equal(duet_lp_add_row(lp, 0, 1), 2);
    duet_lp_add_entry(lp, 2, 2, 1);
    duet_lp_bound_row(lp, 2, 0, 1);
    duet_lp_bound_column(lp, 2, 0, 1);
    duet_lp_price_column(lp, 2, 1);
    duet_lp_set_integer(lp, 2);
    duet_lp_start_row(lp, 2, DUET_LP_BASIC);
    duet_lp_start_column(lp, 2, DUET_LP_BASIC);
    assert_int_equal(duet_lp_columns(lp), 2);
    assert_int_equal(duet_lp_rows(lp), 2);
    duet_lp_free(lp);
}

// A knapsack: max 5a + 4b + 3c, 2a + 3b + c <= 5, 4a + b + 2c <= 11, 3a + 4b + 2c <= 8, 0 .. 3.
static duet_lp *knapsack(void)
{
    duet_lp *lp = NULL;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    // Column 3 carries the objective: z + 5a + 4b + 3c >= 0.
    for (size_t j = 0; j < 3; j++) {
        duet_lp_add_column(lp, 0, 3, 0);
        duet_lp_set_integer(lp, j);
    }
    duet_lp_add_column(lp, -100, 100, 1);
    static const double rows[4][5] = {
        {2, 3, 1, 0, 5}, {4, 1, 2, 0, 11}, {3, 4, 2, 0, 8}, {5, 4, 3, 1, 0}};
    for (size_t i = 0; i < 4; i++) {
        double upper = i < 3 ? rows[i][4] : INFINITY;
        duet_lp_add_row(lp, i < 3 ? -INFINITY : 0, upper);
        for (size_t j = 0; j < 4; j++) {
            if (rows[i][j] != 0) {
                duet_lp_add_entry(lp, i, j, rows[i][j]);
            }
        }
    }
    return lp;
}

static double watch(void *user, const double *values, double bound, bool integral)
{
    double *seen = user;
    if (integral) {
        seen[0] = fmin(seen[0], values[3]);
    }
    seen[1] = fmax(seen[1], bound < INFINITY ? bound : seen[1]);
    return seen[2];
}

static void solves_integer_programs(void **state)
{
    (void)state;
    duet_lp *lp = knapsack();
    double seen[3] = {INFINITY, -INFINITY, INFINITY};
    assert_int_equal(duet_lp_solve_integer(lp, watch, seen, NULL, NULL), DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_OPTIMAL);
    assert_true(fabs(duet_lp_objective(lp) + 13) < 1e-7);
    assert_true(fabs(seen[0] + 13) < 1e-7);
    assert_true(seen[1] <= -13 + 1e-7);
    duet_lp_free(lp);
}

static void all_integer_columns(void **state)
{
    (void)state;
    // 2 (x + y) = 5 has no whole solution.
    duet_lp *lp = NULL;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    duet_lp_add_row(lp, 5, 5);
    for (size_t j = 0; j < 2; j++) {
        duet_lp_add_column(lp, 0, 9, 1);
        duet_lp_set_integer(lp, j);
        duet_lp_add_entry(lp, 0, j, 2);
    }
    assert_int_equal(duet_lp_solve_integer(lp, NULL, NULL, NULL, NULL), DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_INFEASIBLE);
    duet_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_relaxations),
        cmocka_unit_test(a_column_joins_a_solved_program),
        cmocka_unit_test(changes_between_solves),
        cmocka_unit_test(a_column_rests_at_zero),
        cmocka_unit_test(trials_are_below_the_optimum),
        cmocka_unit_test(tells_infeasible_and_unbounded),
        cmocka_unit_test(the_first_failure_sticks),
        cmocka_unit_test(what_follows_a_failure_is_ignored),
        cmocka_unit_test(solves_integer_programs),
        cmocka_unit_test(all_integer_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void says_what_is_missing(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_lp *lp = NULL;
    assert_false(duet_lp_available());
    assert_int_equal(duet_lp_create(&lp, &error), DUET_E_UNSUPPORTED);
    assert_null(lp);
    assert_non_null(strstr(error.message, "DUET_WITH_GLPK"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_is_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
