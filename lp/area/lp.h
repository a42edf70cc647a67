// SPDX-License-Identifier: Apache-2.0
// The area bound through a linear program, for any number of processor types.
#ifndef DUET_LP_AREA_LP_H
#define DUET_LP_AREA_LP_H

#include "core/algorithm.h"

// Errors: DUET_E_UNSUPPORTED without a solver; DUET_E_LIMIT or DUET_E_CANCELLED where the context
// stopped it.
duet_code duet_area_lp_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error);

#endif
