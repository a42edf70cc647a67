// SPDX-License-Identifier: Apache-2.0
// What searches of task graphs begin with; see search.c.
#ifndef DUET_SOLVERS_GRAPH_SEARCH_H
#define DUET_SOLVERS_GRAPH_SEARCH_H

#include "core/algorithm.h"
#include "heuristics/graph_search/search.h"

// Offers the solution a bound, and the search schedules: those that the context knows, or the cheap
// bounds, and what heteroprio and heft make. Errors: as of these.
duet_code duet_graph_begin(const duet_instance *instance, const duet_context *context,
                           duet_graph_search *search, duet_solution *solution, duet_error *error);

#endif
