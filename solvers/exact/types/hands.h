// SPDX-License-Identifier: Apache-2.0
// States of their own for searches on any number of types that run beside each other, with the
// columns of the first one's program. They are made at their first use and stay.
#ifndef DUET_SOLVERS_EXACT_TYPES_HANDS_H
#define DUET_SOLVERS_EXACT_TYPES_HANDS_H

#include "core/system/tasks.h"
#include "solvers/exact/types/types_state.h"

// The state of a seat, which follows that of `s`; seat 0 is `s` itself. Errors:
// those of duet_types_prepare().
duet_code duet_types_hand(duet_types *s, size_t seat, duet_types **out, duet_error *error);
// What the hands that were called have found and counted goes to `s`, up to seat `last`: what later
// ones came to is chance.
void duet_types_learn(duet_types *s, size_t last);

void duet_types_free_hands(duet_types *s);

// What one hand does of a job.
typedef struct duet_types_share {
    duet_types *types; // of its seat
    size_t seat;
    int64_t effort;                // of its own
    const duet_succession *series; // a share of some length asks now and then whether it may go on
} duet_types_share;

typedef duet_code duet_types_job(const duet_types_share *share, duet_error *error);

// Does a job by as many hands as get `least` of its effort each, at most DUET_PARTS, as if they
// came one after the other until one of them closes the gap.
duet_code duet_types_together(duet_types *s, int64_t effort, int64_t least, duet_types_job *job,
                              duet_error *error);

#endif
