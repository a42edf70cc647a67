// SPDX-License-Identifier: Apache-2.0
// What searches of task graphs begin with; see search.c.
#ifndef DUET_SOLVERS_GRAPH_SEARCH_H
#define DUET_SOLVERS_GRAPH_SEARCH_H

#include "core/algorithm.h"
#include "heuristics/graph_search/search.h"

// If the context has a known solution, offers its bound to `solution` and its schedule to `search`.
// Otherwise offers the cheap bounds, and the schedules of heteroprio and heft. Errors: as of these.
duet_code duet_graph_begin(const duet_instance *instance, const duet_context *context,
                           duet_graph_search *search, duet_solution *solution, duet_error *error);

// Offers the bound by chains (lp/graph/chains/chains.h) where one type is so much faster than
// another that it may be the best: after a fifth of the time, or some work where there is no
// deadline. DUET_E_MEMORY.
duet_code duet_graph_offer_chains(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

#endif
