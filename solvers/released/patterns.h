// SPDX-License-Identifier: Apache-2.0
// Loads of processors as classes of tasks, and the schedule that they make.
#ifndef DUET_SOLVERS_RELEASED_PATTERNS_H
#define DUET_SOLVERS_RELEASED_PATTERNS_H

#include "core/instance/classes.h"
#include "solvers/released/model.h"

typedef struct duet_released_pattern {
    size_t type;  // of the classes
    size_t begin; // of its parts
    size_t parts;
} duet_released_pattern;

// Starts as {0}.
typedef struct duet_released_patterns {
    duet_released_pattern *pattern;
    size_t count;
    duet_class_part *part;
    size_t part_count;
} duet_released_patterns;

duet_code duet_released_patterns_push(duet_released_patterns *patterns, size_t type,
                                      const duet_class_part *part, size_t parts, duet_error *error);
// Takes the last one away.
void duet_released_patterns_pop(duet_released_patterns *patterns);
void duet_released_patterns_free(duet_released_patterns *patterns);

// Gives each pattern a processor of its type, which runs its tasks in the order of their releases.
// *found: all tasks have a place, and the schedule is within the guess of the classes and shorter
// than the solution's, whose place it takes. What several patterns have too often stands in the
// first ones alone. Errors: DUET_E_MEMORY.
duet_code duet_released_patterns_place(const duet_released_patterns *patterns,
                                       const duet_released_model *model,
                                       const duet_classes *classes, duet_solution *solution,
                                       bool *found, duet_error *error);

#endif
