// SPDX-License-Identifier: Apache-2.0
// heteroprio on independent tasks, on any number of types.
#ifndef DUET_HEURISTICS_RULES_HETEROPRIO_TYPES_H
#define DUET_HEURISTICS_RULES_HETEROPRIO_TYPES_H

#include "core/algorithm.h"

// `keeps`: no processor takes over what another one runs.
duet_code duet_heteroprio_types(const duet_instance *instance, bool keeps, duet_solution *solution,
                                duet_error *error);

#endif
