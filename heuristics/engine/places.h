// SPDX-License-Identifier: Apache-2.0
// Which of several tasks comes first: the one of higher bottom level, the heaviest way from the
// task to a last one.
#ifndef DUET_HEURISTICS_ENGINE_PLACES_H
#define DUET_HEURISTICS_ENGINE_PLACES_H

#include "heuristics/engine/ranks.h"

// What a task weighs in a bottom level. Edges weigh nothing.
typedef enum duet_level {
    DUET_LEVEL_LEAST, // its shortest time
    DUET_LEVEL_MEAN   // its mean time over the processors that may run it
} duet_level;

// The place of every task: 0 for the highest bottom level; tasks of equal level share one. Owned by
// the caller. O(tasks + edges). DUET_E_MEMORY.
duet_code duet_places_by_bottom_level(const duet_instance *instance, duet_level level,
                                      int32_t **place, duet_error *error);

// The same with weight[j] of task j, which becomes its bottom level.
duet_code duet_places_by_weight(const duet_instance *instance, duet_rank *weight, int32_t **place,
                                duet_error *error);

// The same of bottom levels that are known, all at least 0.
duet_code duet_places_of_levels(int64_t tasks, const int64_t *level, int32_t **place,
                                duet_error *error);

#endif
