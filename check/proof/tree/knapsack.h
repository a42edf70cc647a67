// SPDX-License-Identifier: Apache-2.0
// Whether the work of a state fits when it is divided between the types: a knapsack in two
// dimensions.
#ifndef DUET_CHECK_PROOF_TREE_KNAPSACK_H
#define DUET_CHECK_PROOF_TREE_KNAPSACK_H

#include "check/proof/tree/vector.h"

// Pairs of works that the list may hold at once.
enum { DUET_PROOF_MAX_PAIRS = 1 << 24 };

// On a platform of two types: DUET_OK where no allocation within low and high of each class gives
// each type at most the work that its `processors` have room for by their capacity. `vector` is an
// area vector, whose weights guide the search. Otherwise DUET_E_INPUT: some allocation fits, or the
// list is longer than DUET_PROOF_MAX_PAIRS. Errors also: DUET_E_LIMIT, DUET_E_CANCELLED (from
// `watch`), DUET_E_MEMORY; DUET_E_UNSUPPORTED on another number of types.
duet_code duet_proof_knapsack(const duet_proof_model *model, const duet_proof_vector *vector,
                              const duet_proof_residuals *left, const int64_t *processors,
                              duet_watch *watch, duet_error *error);

#endif
