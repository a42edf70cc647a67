// SPDX-License-Identifier: Apache-2.0
// All algorithms and bounds, in one table each. An algorithm comes in by its own file and one line,
// in solvers/solvers.h or heuristics/heuristics.h.
#ifndef DUET_SOLVERS_REGISTRY_H
#define DUET_SOLVERS_REGISTRY_H

#include "core/algorithm.h"

// The row of that name, or NULL.
const duet_algorithm *duet_find_algorithm(const char *name);
const duet_bound_method *duet_find_bound(const char *name);
const duet_algorithm *duet_algorithm_at(size_t index);
// Whether the algorithm of that name, NULL being "auto", may find more in more time: it searches,
// or it is none of the library's.
bool duet_searches(const char *name);

// The row of that name, NULL being "auto": one of the library's, or of context->registry, which
// sets context->custom. DUET_E_USAGE.
duet_code duet_pick_algorithm(const char *name, duet_context *context, duet_algorithm *row,
                              duet_error *error);
#endif
