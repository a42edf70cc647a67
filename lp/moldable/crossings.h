// SPDX-License-Identifier: Apache-2.0
// One type: the multipliers at which the demand of a guess exceeds the supply by most, exactly.
#ifndef DUET_LP_MOLDABLE_CROSSINGS_H
#define DUET_LP_MOLDABLE_CROSSINGS_H

#include "lp/moldable/prices.h"

// With y = 1 the demand is a concave function of z, whose slope is the width of the cheapest modes.
// It falls at *crossings*, where a narrower mode of some kind gets as cheap as a wider one; the
// best z is the crossing where it falls to the supply of processors or below. O(modes log modes).
duet_code duet_best_crossing(const duet_modes *modes, size_t type, duet_multipliers *multipliers,
                             duet_error *error);

#endif
