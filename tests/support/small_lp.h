// SPDX-License-Identifier: Apache-2.0
// A linear program of two variables.
#ifndef DUET_TESTS_SUPPORT_SMALL_LP_H
#define DUET_TESTS_SUPPORT_SMALL_LP_H

#include "lp/lp.h"

// min -3x - 2y, x + y <= 4, x + 3y <= 6, 0 <= x <= 3, y >= 0: optimum -11 at (3, 1).
duet_lp *duet_small_lp(void);
// Solves it, and fails the test where that is not what comes of it.
void duet_small_lp_check(bool exact);

#endif
