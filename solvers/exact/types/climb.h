// SPDX-License-Identifier: Apache-2.0
// The bound by the configuration relaxation: guesses upward from the bound, in steps that grow
// where the relaxation refutes them.
#ifndef DUET_SOLVERS_EXACT_TYPES_CLIMB_H
#define DUET_SOLVERS_EXACT_TYPES_CLIMB_H

#include "solvers/exact/types/types_state.h"

// The linear program begins at the prices and patterns of the volume method, where these are of the
// same classes.
duet_code duet_types_seed(duet_types *s, duet_error *error);

// Raises the bound with certificates until the relaxation refutes no more, s->unrefuted then being
// the guess, or the context stops.
duet_code duet_types_climb(duet_types *s, duet_error *error);

#endif
