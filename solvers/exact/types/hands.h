// SPDX-License-Identifier: Apache-2.0
// States of their own for searches on any number of types that run beside each other, with the
// columns of the first one's program. They are made at their first use and stay.
#ifndef DUET_SOLVERS_EXACT_TYPES_HANDS_H
#define DUET_SOLVERS_EXACT_TYPES_HANDS_H

#include "solvers/exact/types/types_state.h"

// The state of a seat, which follows that of `s`; seat 0 is `s` itself. There is a program. Errors:
// those of duet_types_prepare().
duet_code duet_types_hand(duet_types *s, size_t seat, duet_types **out, duet_error *error);
// What the hands that were called have found and counted goes to `s`.
void duet_types_learn(duet_types *s);

void duet_types_free_hands(duet_types *s);

#endif
