// SPDX-License-Identifier: Apache-2.0
// Rounds of growing effort. Two searches share them: one up from the bound, one down from the best
// schedule. From the second round on each has a state of its own from the start of the round, so
// that what a round finds does not depend on whether they run one after the other or on two
// threads.
#ifndef DUET_SOLVERS_EXACT_ROUNDS_H
#define DUET_SOLVERS_EXACT_ROUNDS_H

#include "solvers/exact/exact_state.h"

// Rounds from the first bound and schedule on, until they meet, the context stops or nothing is
// left to try.
duet_code duet_exact_solve(duet_exact *s, duet_error *error);

// More of everything, for the next round.
void duet_exact_raise_effort(duet_exact_effort *effort);

#endif
