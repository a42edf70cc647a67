// SPDX-License-Identifier: Apache-2.0
// Algorithm exact on other than two types: what follows the first schedules.
//
// Method:    all schedules of few tasks; the bound by the configuration relaxation; then rounds of
//            annealing, the allocations that fit close to the bound, dives into the relaxation,
//            branch and price on the numbers of tasks of a class on each type, and local search,
//            each with a multiple of the effort of the one before.
// Guarantee: 1 where it ends. A bound of the relaxation has its prices as a certificate; one that a
//            tree or allocations gave has the nodes of its proof.
// Cost:      exponential in the worst case.
// Memory:    O(types x classes) and the patterns.
// Reference: docs/theory/exact.md, "Other than two types".
#ifndef DUET_SOLVERS_EXACT_TYPES_TYPES_H
#define DUET_SOLVERS_EXACT_TYPES_TYPES_H

#include "solvers/exact/exact_state.h"

duet_code duet_exact_solve_types(duet_exact *exact, duet_error *error);

#endif
