// SPDX-License-Identifier: Apache-2.0
// Lower bound of a task graph by windows between the tasks of a path; see bound.c.
#ifndef DUET_LP_GRAPH_CHAINS_CHAINS_H
#define DUET_LP_GRAPH_CHAINS_CHAINS_H

#include "core/algorithm.h"

// Returns whether the bound applies to an instance in this build, and one type is so much faster
// than another that the bound may be the best one.
bool duet_chains_dominated(const duet_instance *instance, const duet_context *context);

// Raises `bound`, a proven bound, if it finds a larger one: it then has the name `name` and the
// proof as its certificate (DUET_PROOF_LINES). It ends at the deadline or, without one, after a
// number of steps of the simplex method. Unless it is `thorough` it takes fewer steps, and does not
// branch if the root proves far less than the bound. The result is the same on every machine unless
// the context stops. DUET_E_MEMORY, DUET_E_INTERNAL; `bound` holds whatever comes back.
duet_code duet_chains_raise(const duet_instance *instance, const duet_context *context,
                            bool thorough, const char *name, duet_bound *bound, duet_error *error);

#endif
