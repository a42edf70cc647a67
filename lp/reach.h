// SPDX-License-Identifier: Apache-2.0
// Longer guesses that the same dual prices refute: in growing steps, and back.
#ifndef DUET_LP_REACH_H
#define DUET_LP_REACH_H

#include "core/system/context.h"

// Whether the prices, rounded for a guess, refute it.
typedef duet_code duet_reach_refutes(void *self, int64_t guess, bool *refuted, duet_error *error);

typedef struct duet_reach {
    duet_reach_refutes *refutes;
    void *self;
    int64_t step;  // the first one: duet_reach_step()
    int64_t least; // steps end there: the last millionths of a long guess are not worth the time
    int64_t most;  // no longer guess is asked
} duet_reach;

// A first step from a guess by the factor that the relaxation stretches the processors with, which
// tells how far prices may go.
int64_t duet_reach_step(double factor, int64_t guess, int64_t most);

// *guess is refuted, and stays so.
duet_code duet_reach_guess(const duet_reach *reach, const duet_context *context, int64_t *guess,
                           duet_error *error);

#endif
