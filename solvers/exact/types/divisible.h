// SPDX-License-Identifier: Apache-2.0
// Which types divide their tasks in the relaxation, and which has the fewest for each processor.
//
// Method:    an estimate of how many tasks a processor runs: those that a program that divides all
//            tasks gives to the types, or with every class on the type that is cheapest by the
//            weights of the area bound. The second cannot tell types apart that are a constant
//            factor from each other: both are the cheapest for every task.
// Guarantee: none is needed; a relaxation is one with any choice.
// Cost:      a linear program of a row for each class, or O(types x classes).
// Memory:    that of the program.
#ifndef DUET_SOLVERS_EXACT_TYPES_DIVISIBLE_H
#define DUET_SOLVERS_EXACT_TYPES_DIVISIBLE_H

#include "solvers/exact/types/types_state.h"

// Sets s->divisible and s->leading. `program`: by a linear program.
duet_code duet_types_choose_divisible(duet_types *s, bool program, duet_error *error);

#endif
