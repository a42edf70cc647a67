// SPDX-License-Identifier: Apache-2.0
// Lower bound of a task graph by windows between the tasks of a path; see bound.c.
#ifndef DUET_LP_GRAPH_CHAINS_CHAINS_H
#define DUET_LP_GRAPH_CHAINS_CHAINS_H

#include "core/algorithm.h"

// Whether the bound has anything to say of an instance in this build, and one type is so much
// faster than another that the bound may be the best there is.
bool duet_chains_dominated(const duet_instance *instance, const duet_context *context);

// Raises `bound`, which holds, where more is found: up to the deadline or, without one, within a
// number of steps of the simplex method. Unless it is `thorough` it ends after the linear program
// where that is far below the bound, and takes fewer steps. Where it raises the bound the
// certificate is the proof (DUET_PROOF_LINES). What is found does not depend on the machine unless
// the context stops. DUET_E_MEMORY, DUET_E_INTERNAL; `bound` holds whatever comes back.
duet_code duet_chains_raise(const duet_instance *instance, const duet_context *context,
                            bool thorough, const char *name, duet_bound *bound, duet_error *error);

#endif
