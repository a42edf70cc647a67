// SPDX-License-Identifier: Apache-2.0
// Whether the work of what is left can be divided between the types within their room.
#ifndef DUET_CHECK_PROOF_KNAPSACK_H
#define DUET_CHECK_PROOF_KNAPSACK_H

#include "check/proof/vector.h"

// Pairs of works that the search may hold at once.
enum { DUET_PROOF_MAX_PAIRS = 1 << 24 };

// DUET_OK where no number of tasks between low and high of each class goes to the CPUs with CPU and
// GPU work within `processors` times the capacities. `vector` is an area vector, whose weights
// guide the search. Otherwise DUET_E_INPUT: the work can be divided, or it takes more than
// DUET_PROOF_MAX_PAIRS. Errors also: DUET_E_LIMIT, DUET_E_CANCELLED (from `context`, which may be
// NULL), DUET_E_MEMORY.
duet_code duet_proof_knapsack(const duet_proof_model *model, const duet_proof_vector *vector,
                              const duet_proof_left *left, const int64_t *processors,
                              const duet_context *context, duet_error *error);

#endif
