// SPDX-License-Identifier: Apache-2.0
// The linear program of lst for any number of types, and the rounding of its vertex.
#ifndef DUET_SOLVERS_DUAL_LST_PROGRAM_H
#define DUET_SOLVERS_DUAL_LST_PROGRAM_H

#include "heuristics/engine/longest_first.h"
#include "solvers/dual/dual.h"

// Whole tasks for every type, and how they came about.
typedef struct duet_lst_vertex {
    duet_allocation allocation;
    bool by_share; // tasks left over are rounded by their shares; else by a matching
    bool unproven; // there was a YES whose ratio integers could not confirm
} duet_lst_vertex;

// Answers the guess lambda: NO with weights that prove it, or YES with an allocation, of which any
// list schedule ends by 2 lambda, by shares by 2 - 1 / M of it on M processors. Where the solver's
// rounding stands in the way of both, the answer is YES and `unproven` is set. No solver is asked
// where every kind fits on one type only. Errors: DUET_E_UNSUPPORTED without a solver,
// DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_lst_program(const duet_instance *instance, const duet_context *context,
                           int64_t lambda, duet_lst_vertex *vertex, duet_answer *answer,
                           duet_error *error);

#endif
