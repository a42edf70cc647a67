// SPDX-License-Identifier: Apache-2.0
// The area bound of what is released late, on processors that are busy at first.
#ifndef DUET_LP_AREA_RELEASED_H
#define DUET_LP_AREA_RELEASED_H

#include "core/algorithm.h"

// The best area bound over what is released at some time or later: of sequential tasks. Errors:
// DUET_E_MEMORY.
duet_code duet_released_area_bound(const duet_instance *instance, const duet_context *context,
                                   duet_bound *bound, duet_error *error);

#endif
