// SPDX-License-Identifier: Apache-2.0
// Shortens the best schedule without moving a task from one type to the other.
//
// Method:    between the least guess that the work on each type allows and the best makespan,
//            halfway each time: the type with fewer tasks per processor gets the pool of all
//            patterns that are full enough for the guess, the relaxation over the pool may rule
//            the guess out, and else dives (solvers/exact/pool/dive.h) look for a schedule.
// Guarantee: none; the schedule does not become longer.
// Cost:      some dives for each of a few guesses.
// Memory:    an eighth of the limit at most for the pool.
#ifndef DUET_SOLVERS_EXACT_REPACK_H
#define DUET_SOLVERS_EXACT_REPACK_H

#include "solvers/exact/exact_state.h"

duet_code duet_exact_repack(duet_exact *s, duet_error *error);

#endif
