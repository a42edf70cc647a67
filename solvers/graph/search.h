// SPDX-License-Identifier: Apache-2.0
// What searches of task graphs begin with; see search.c.
#ifndef DUET_SOLVERS_GRAPH_SEARCH_H
#define DUET_SOLVERS_GRAPH_SEARCH_H

#include "core/algorithm.h"
#include "heuristics/graph_search/search.h"

// The rules that a search of a graph begins with, in the order in which they run: those that take
// O(edges log tasks), or the slow ones. NULL behind the last.
const duet_algorithm *duet_graph_rule(const duet_instance *instance, bool slow, size_t index);
// Whether the graph is so small that the quick rules all run, whatever the time.
bool duet_graph_rules_are_quick(const duet_instance *instance);
// The context for one of them: where they run whatever the time it has no deadline, and a slow rule
// has a part of the time.
duet_context duet_graph_rule_context(const duet_instance *instance, const duet_context *context,
                                     bool slow);

// Offers the schedule of the first rule, whatever the time, and its bound to `solution`. Errors: as
// of that.
duet_code duet_graph_offer_first(const duet_instance *instance, const duet_context *context,
                                 duet_graph_search *search, duet_solution *solution,
                                 duet_error *error);

// If the context has a known solution, offers its bound to `solution` and its schedule to `search`.
// Otherwise offers the schedules of the quick rules and, each in a part of the time, those of the
// slow ones and the cheap bounds. Errors: as of these.
duet_code duet_graph_begin(const duet_instance *instance, const duet_context *context,
                           duet_graph_search *search, duet_solution *solution, duet_error *error);

// Offers the bound by chains (lp/graph/chains/chains.h) where one type is so much faster than
// another that it may be the best: after a fifth of the time, or some work where there is no
// deadline. DUET_E_MEMORY.
duet_code duet_graph_offer_chains(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

// What the row graph-search does where there are neither releases nor busy processors. `rounds` of
// growing effort, 0: as many as there is time for; `searches` of each, 0: as many as are usual.
duet_code duet_graph_search_solve(const duet_instance *instance, const duet_context *context,
                                  int64_t rounds, int64_t searches, duet_solution *solution,
                                  duet_error *error);

#endif
