// SPDX-License-Identifier: Apache-2.0
// Types of tasks by rounding a linear program; see hlp.c.
#ifndef DUET_SOLVERS_GRAPH_HLP_H
#define DUET_SOLVERS_GRAPH_HLP_H

#include "core/algorithm.h"

// Writes the type of every task into `type`, and the bound that the program proves into `*bound`,
// which the caller releases. The instance must have no communication costs. DUET_E_LIMIT,
// DUET_E_CANCELLED, DUET_E_MEMORY.
duet_code duet_hlp_types(const duet_instance *instance, const duet_context *context, int32_t *type,
                         duet_bound *bound, duet_error *error);

#endif
