// SPDX-License-Identifier: Apache-2.0
// Prices of guesses, kept for the next effort: those of the last DUET_EXACT_CACHE relaxations.
#ifndef DUET_SOLVERS_EXACT_PRICE_CACHE_H
#define DUET_SOLVERS_EXACT_PRICE_CACHE_H

#include "solvers/exact/exact_state.h"
#include "solvers/exact/search.h"

// The prices of an earlier relaxation of the search's guess with the same divisible types; sets the
// search's pooled types to those of then. False: there are none.
bool duet_price_cache_recall(const duet_exact *s, duet_search *search, duet_prices *prices);

// Keeps the prices of the search's guess and modes in the place of the oldest.
duet_code duet_price_cache_keep(duet_exact *s, const duet_search *search, const duet_prices *prices,
                                duet_error *error);

#endif
