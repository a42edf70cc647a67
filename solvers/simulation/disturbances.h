// SPDX-License-Identifier: Apache-2.0
// Slow and lost processors as users write them.
#ifndef DUET_SOLVERS_SIMULATION_DISTURBANCES_H
#define DUET_SOLVERS_SIMULATION_DISTURBANCES_H

#include <duet/simulate.h>

#include "core/instance/reality.h"

// Reads `desc->slow` and `desc->fail`, by instant, those of one instant in the order given. *out is
// the caller's (duet_free()), *count how many there are. DUET_E_USAGE with what was expected,
// DUET_E_MEMORY.
duet_code duet_read_disturbances(const duet_instance *instance, const duet_simulation_desc *desc,
                                 duet_disturbance **out, size_t *count, duet_error *error);

#endif
