// SPDX-License-Identifier: Apache-2.0
// The rules and bounds with which searches of task graphs begin, and the row graph-search; see
// search.c.
#ifndef DUET_SOLVERS_GRAPH_SEARCH_H
#define DUET_SOLVERS_GRAPH_SEARCH_H

#include "core/algorithm.h"
#include "heuristics/graph_search/search.h"

// Returns the rule number `index` of those that run before a search, in the order in which they
// run: of the quick ones, which take O(edges log tasks), or of the slow ones. NULL: there are
// fewer.
const duet_algorithm *duet_graph_rule(const duet_instance *instance, bool slow, size_t index);
// Whether the graph is so small that the quick rules all run, whatever the time.
bool duet_graph_rules_are_quick(const duet_instance *instance);
// Returns the context of a rule: a slow one has a part of the time, and a quick one has no deadline
// if the graph is so small (duet_graph_rules_are_quick()).
duet_context duet_graph_rule_context(const duet_instance *instance, const duet_context *context,
                                     const duet_algorithm *row);

// Runs the first rule without a deadline, and offers its schedule to `search` and its bound to
// `solution`. Errors: as of the rule.
duet_code duet_graph_offer_first(const duet_instance *instance, const duet_context *context,
                                 duet_graph_search *search, duet_solution *solution,
                                 duet_error *error);

// If the context has a known solution, offers its bound to `solution` and its schedule to `search`.
// Otherwise offers the schedules of the quick rules and, each in a part of the time, those of the
// slow ones and the cheap bounds. Errors: as of the rules and bounds.
duet_code duet_graph_begin(const duet_instance *instance, const duet_context *context,
                           duet_graph_search *search, duet_solution *solution, duet_error *error);

// Offers the bound by chains (lp/graph/chains/chains.h) to `solution` if one type is so much faster
// than another that it may be the best. It takes up to a fifth of the time, or some work without a
// deadline. DUET_E_MEMORY.
duet_code duet_graph_offer_chains(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

// The row graph-search for instances without releases and busy processors. `rounds` limits the
// rounds of growing effort; 0: there is no limit with a deadline, and six without one. `searches`
// is the number of searches of a round; 0: the usual one. Errors: as of duet_solve().
duet_code duet_graph_search_solve(const duet_instance *instance, const duet_context *context,
                                  int64_t rounds, int64_t searches, duet_solution *solution,
                                  duet_error *error);

#endif
