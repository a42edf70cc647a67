// SPDX-License-Identifier: Apache-2.0
// Bound configuration on other than two types, without any schedule.
#ifndef DUET_SOLVERS_EXACT_TYPES_BOUND_H
#define DUET_SOLVERS_EXACT_TYPES_BOUND_H

#include "solvers/exact/types/types_state.h"

// Raises a bound by the configuration relaxation (solvers/exact/types/climb.h). On an error or
// where the context stops it, the bound is one that holds. *possible: there is a linear program, of
// not too many classes and types.
duet_code duet_types_raise(const duet_instance *instance, const duet_context *context,
                           duet_bound *bound, bool *possible, duet_error *error);

#endif
