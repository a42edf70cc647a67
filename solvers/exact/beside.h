// SPDX-License-Identifier: Apache-2.0
// Searches beside the one of a state, each with a state of its own: they begin with its schedule
// and bound, and it learns what they have found. So what they do depends on none of the others, and
// any number of threads may run them.
#ifndef DUET_SOLVERS_EXACT_BESIDE_H
#define DUET_SOLVERS_EXACT_BESIDE_H

#include "solvers/exact/exact_state.h"

// `out` is zero before. Random numbers of its own; what guesses have shown so far is known to it.
// Free it with duet_exact_free_beside() whatever comes back. The context must outlive it.
duet_code duet_exact_create_beside(duet_exact *s, const duet_context *context, duet_exact *out,
                                   duet_error *error);
void duet_exact_free_beside(duet_exact *beside);

// Makes the best schedule and the bound those of `s`.
duet_code duet_exact_follow(duet_exact *beside, const duet_exact *s, duet_error *error);

// The shorter schedule goes to `s`, the higher bound with its proof, and what was counted.
void duet_exact_learn(duet_exact *s, duet_exact *beside);

#endif
