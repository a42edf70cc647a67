// SPDX-License-Identifier: Apache-2.0
// What the tasks of an instance can be at a guess (λ): the modes of each kind, of which a schedule
// of that length takes one.
//
// A mode counts by its area and, where it is longer than λ/2, by its processors: within λ all such
// tasks run at the same time, so that they have at most the processors of their type together. Of
// two modes on a type the one that is no better in either is left out.
#ifndef DUET_LP_MOLDABLE_MODES_H
#define DUET_LP_MOLDABLE_MODES_H

#include "core/instance/time_table.h"
#include "core/system/context.h"

typedef struct duet_mode {
    int64_t area;
    int64_t width; // processors where it is longer than half the guess, else 0
    size_t type;
} duet_mode;

typedef struct duet_modes {
    const duet_instance *instance;
    bool *monotone; // of each kind

    // At the guess. Of a type the modes are together, by falling width and rising area.
    int64_t guess;
    duet_mode *mode;
    size_t *first;  // of each kind, and one after the last
    size_t nowhere; // a kind that has none; SIZE_MAX: all have some
} duet_modes;

// Says for each kind whether its tables are monotone. O(sizes of the tables). Free with
// duet_modes_free(), also after an error.
duet_code duet_modes_create(const duet_instance *instance, duet_modes *modes, duet_error *error);
void duet_modes_free(duet_modes *modes);

// Lists the modes at a guess. O(kinds x types) times the logarithm of the sizes where tables are
// monotone, else O(sizes of the tables). Errors: DUET_E_MEMORY.
duet_code duet_modes_list(duet_modes *modes, int64_t guess, duet_error *error);

#endif
