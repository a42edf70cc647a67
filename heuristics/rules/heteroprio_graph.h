// SPDX-License-Identifier: Apache-2.0
// heteroprio on task graphs, and on a reality, on two types.
#ifndef DUET_HEURISTICS_RULES_HETEROPRIO_GRAPH_H
#define DUET_HEURISTICS_RULES_HETEROPRIO_GRAPH_H

#include "core/algorithm.h"
#include "heuristics/engine/places.h"
#include "heuristics/engine/ready.h"

// Which ready task of an acceleration of at least 1 a CPU takes of several.
typedef enum duet_heteroprio_ties {
    DUET_HETEROPRIO_HIGHEST,  // that of highest rank, as GPUs do
    DUET_HETEROPRIO_PUBLISHED // that of lowest rank, the end of the published queue
} duet_heteroprio_ties;

typedef struct duet_heteroprio_choices {
    duet_level rank;
    bool given; // rank by the priorities of the instance instead; where it has none all are alike
    duet_heteroprio_ties ties;
    bool keeps;                     // no processor takes over what another one runs
    const duet_task_source *source; // NULL: the edges of the instance say what becomes ready; else
                                    // ranks are its bottom levels
} duet_heteroprio_choices;

// DUET_E_UNSUPPORTED where there are other types than two.
duet_code duet_heteroprio_graph(const duet_instance *instance, const duet_context *context,
                                const duet_heteroprio_choices *choices, duet_solution *solution,
                                duet_error *error);

#endif
