// SPDX-License-Identifier: Apache-2.0
// What the dual approximations of moldable tasks share: the types that have processors, refusals of
// instances that they do not take, and option `guess`.
#ifndef DUET_SOLVERS_MOLDABLE_GUESS_H
#define DUET_SOLVERS_MOLDABLE_GUESS_H

#include "core/algorithm.h"
#include "heuristics/moldable/plan.h"
#include "lp/moldable/prices.h"
#include "solvers/dual/dual.h"

// The types that have processors; SIZE_MAX for one that is missing.
typedef struct duet_used_types {
    size_t first;
    size_t second;
    size_t count;
} duet_used_types;

duet_used_types duet_find_used_types(const duet_instance *instance);

// DUET_E_UNSUPPORTED, naming a kind, unless the tables of all kinds are monotone on `type`.
duet_code duet_require_monotone(const duet_instance *instance, const char *algorithm, size_t type,
                                duet_error *error);

// Runs the dual approximation from a bound, or only the guess of option `guess` where that is
// given: DUET_E_INFEASIBLE where its answer is NO.
duet_code duet_moldable_dual(const duet_instance *instance, const duet_context *context,
                             const duet_dual *dual, duet_priced priced, duet_solution *solution,
                             duet_error *error);

// That option, also as a row for other tables.
#define DUET_OPTION_GUESS                                                                          \
    {                                                                                              \
        .name = "guess", .type = DUET_OPTION_INTEGER, .fallback = "0", .minimum = 0,               \
        .maximum = DUET_MAX_WORK, .unit = "ticks",                                                 \
        .text = "ask only this guess; 0: look for the least one with YES"                          \
    }
extern const duet_option_spec duet_guess_options[];

#endif
