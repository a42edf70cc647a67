// SPDX-License-Identifier: Apache-2.0
// One guess: the ways to refute it or to find a schedule within it.
#ifndef DUET_SOLVERS_EXACT_DECIDE_H
#define DUET_SOLVERS_EXACT_DECIDE_H

#include "solvers/exact/exact_state.h"
#include "solvers/exact/search.h"

// Decides whether there is a schedule within `guess`. On FOUND the best schedule is replaced where
// the new one is better; on REFUTED, `log` is the proof that there is none within *refuted, which
// is at least `guess`.
duet_code duet_exact_decide(duet_exact *s, int64_t guess, const duet_exact_effort *effort,
                            duet_verdict *verdict, int64_t *refuted, duet_error *error);

#endif
