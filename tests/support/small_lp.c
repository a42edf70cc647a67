// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_lp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "lp/lp.h"

duet_lp *duet_small_lp(void)
{
    duet_lp *lp = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_lp_create(&lp, &error), DUET_OK);
    duet_lp_add_column(lp, 0, 3, -3);
    duet_lp_add_column(lp, 0, INFINITY, -2);
    duet_lp_add_row(lp, -INFINITY, 4);
    duet_lp_add_row(lp, -INFINITY, 6);
    const double entries[2][2] = {{1, 1}, {1, 3}};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            duet_lp_add_entry(lp, i, j, entries[i][j]);
        }
    }
    return lp;
}

void duet_small_lp_check(bool exact)
{
    duet_lp *lp = duet_small_lp();
    assert_int_equal(duet_lp_solve(lp, exact, NULL, NULL), DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_OPTIMAL);
    assert_true(fabs(duet_lp_objective(lp) + 11) < 1e-9);
    assert_true(fabs(duet_lp_value(lp, 0) - 3) < 1e-9);
    assert_true(fabs(duet_lp_value(lp, 1) - 1) < 1e-9);
    // Either row is tight at (3, 1); one of them, and the bound on x, are out of the basis.
    assert_int_equal(duet_lp_column_basis(lp, 0) == DUET_LP_BASIC ? 1 : 0, 0);
    assert_int_equal(duet_lp_column_basis(lp, 1), DUET_LP_BASIC);
    assert_true(duet_lp_dual(lp, 0) <= 0 && duet_lp_dual(lp, 1) <= 0);
    // Once more, from the basis it ended with.
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_true(fabs(duet_lp_objective(lp) + 11) < 1e-9);
    duet_lp_free(lp);
}
