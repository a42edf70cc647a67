// SPDX-License-Identifier: Apache-2.0
// The deep check of DUET_PROOF_MOLDABLE_KNAPSACK.
#ifndef DUET_SOLVERS_MOLDABLE_VERIFY_H
#define DUET_SOLVERS_MOLDABLE_VERIFY_H

#include "solvers/dual/dual.h"

// Answers a guess as moldable-3-2 or moldable-hybrid do, the latter with ever smaller units until
// the answer is NO or areas are exact. DUET_E_INPUT where the tables are not monotone, so that a NO
// would prove nothing.
duet_code duet_moldable_answer(const duet_instance *instance, const duet_context *context,
                               int64_t guess, duet_answer *answer, duet_error *error);

#endif
