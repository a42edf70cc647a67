// SPDX-License-Identifier: Apache-2.0
// The bound of algorithm exact, raised without a linear program.
#ifndef DUET_SOLVERS_EXACT_RAISE_H
#define DUET_SOLVERS_EXACT_RAISE_H

#include "solvers/exact/exact_state.h"

// Runs the volume method (lp/volume/volume.h) for `iterations` iterations more, from the bound
// upward. What they refute lifts the bound, with a certificate and its proof.
duet_code duet_exact_raise(duet_exact *s, int64_t iterations, duet_error *error);
// The proof of a bound whose certificate is prices, in s->proof. Errors: DUET_E_MEMORY.
duet_code duet_exact_log_bound(duet_exact *s, const duet_bound *bound, duet_error *error);

#endif
