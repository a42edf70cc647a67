// SPDX-License-Identifier: Apache-2.0
// Which types a relaxation of a guess divides, and which it fills by patterns.
#ifndef DUET_SOLVERS_EXACT_MODES_H
#define DUET_SOLVERS_EXACT_MODES_H

#include "lp/configuration/configuration.h"
#include "solvers/exact/exact_state.h"

// Few classes make few patterns, however many tasks a processor has.
bool duet_exact_has_few_classes(const duet_classes *classes);

// The type that is covered by patterns when the other is priced by area: fewer tasks per processor
// make fewer patterns. `of` says what a processor of each type holds.
size_t duet_exact_patterned_type(const duet_classes *classes, const duet_processor_holding of[2]);

// The divisible types of the coarse or the fine relaxation.
void duet_exact_choose_divisible(const duet_classes *classes, const duet_processor_holding of[2],
                                 duet_exact_modes modes, bool divisible[2]);

// Whether the two relaxations differ.
bool duet_exact_has_fine(const duet_classes *classes, const duet_processor_holding of[2]);

#endif
