// SPDX-License-Identifier: Apache-2.0
// heteroprio on task graphs, and on a reality, on two types.
#ifndef DUET_HEURISTICS_RULES_HETEROPRIO_GRAPH_H
#define DUET_HEURISTICS_RULES_HETEROPRIO_GRAPH_H

#include "core/algorithm.h"
#include "heuristics/engine/places.h"

// DUET_E_UNSUPPORTED where there are other types than two.
duet_code duet_heteroprio_graph(const duet_instance *instance, const duet_context *context,
                                duet_level rank, duet_solution *solution, duet_error *error);

#endif
