// SPDX-License-Identifier: Apache-2.0
// What the algorithms on clusters share: the options of the allocation, the real platform's moves,
// and the list of ready tasks by their bottom levels.
#ifndef DUET_HEURISTICS_MOLDABLE_ROWS_H
#define DUET_HEURISTICS_MOLDABLE_ROWS_H

#include "core/algorithm.h"
#include "heuristics/moldable/allocation.h"
#include "heuristics/moldable/clusters.h"

extern const duet_option_spec duet_allocation_options[];
// What they say; `schedule` is the caller's.
duet_allocation_choice duet_allocation_choice_of(const duet_options *options);

// The counters that say how the allocation came about.
void duet_count_allocation(duet_solution *solution, const duet_allocated *allocated);

// Clusters of the instance's types. Free with duet_clusters_free(), also after an error.
duet_code duet_clusters_of_instance(const duet_instance *instance, duet_clusters *clusters,
                                    duet_error *error);

// Chooses where a ready task goes.
typedef duet_code duet_try_function(void *user, int32_t task, duet_trial *trial, duet_error *error);

// Places all tasks, of those that are ready the one of the highest level (the lower id) first.
// Errors: those of `choose`, DUET_E_MEMORY, and those of the context where it stops.
duet_code duet_place_by_level(duet_clusters *clusters, const int64_t *level,
                              duet_try_function *choose, void *user, const duet_context *context,
                              duet_error *error);

#endif
