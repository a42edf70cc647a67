// SPDX-License-Identifier: Apache-2.0
// Several types: a subgradient ascent towards multipliers that refute a guess.
#ifndef DUET_LP_MOLDABLE_ASCENT_H
#define DUET_LP_MOLDABLE_ASCENT_H

#include "lp/moldable/prices.h"

// Replaces the multipliers, from which it starts unless they are all 0, by the best that it finds.
// Ends at the first that refute. In floating point: they prove nothing until evaluated.
duet_code duet_ascend(const duet_modes *modes, duet_priced priced, const duet_context *context,
                      duet_multipliers *multipliers, duet_error *error);

#endif
