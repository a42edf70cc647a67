// SPDX-License-Identifier: Apache-2.0
// One mode for each task so that all fit on CPUs and GPUs together: a dynamic program over what the
// tasks so far take.
//
// Method:    a state is the width of shelf 1, the long tasks and the area of the GPUs; of equal
//            ones that of the least CPU area is kept. States that exceed a limit are dropped, and
//            those whose modes cost more above the cheapest ones, at the prices of the caller, than
//            its slack. Layers are sorted, so that the next one is a merge. Where a layer has more
//            states than are allowed, those of the least costs are kept, and no NO is given.
// Guarantee: exact where nothing was dropped for want of room.
// Cost:      O(modes of a task) for each state, O(states log states) for a layer that is cut.
// Memory:    four bytes for each state of each layer.
// Reference: Bleuse, Hunold, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent
//            moldable tasks on multi-cores with GPUs", IEEE TPDS 28(9), 2017.
#ifndef DUET_DP_MOLDABLE_MODE_CHOICE_H
#define DUET_DP_MOLDABLE_MODE_CHOICE_H

#include "core/number/fraction.h"
#include "core/system/context.h"

typedef struct duet_taken {
    int64_t cpu_area;
    int64_t gpu_area; // in any unit
    int64_t width;    // of shelf 1
    int64_t longs;    // on the GPUs
    duet_int128 cost; // above the cheapest mode of the task
} duet_taken;

enum { DUET_CHOICE_MODES = 4 };

// A task with its modes.
typedef struct duet_choice_item {
    duet_taken mode[DUET_CHOICE_MODES];
    int modes;
    int chosen; // the answer
} duet_choice_item;

typedef enum duet_choice_answer {
    DUET_CHOICE_FITS,
    DUET_CHOICE_NEVER,
    DUET_CHOICE_UNKNOWN, // states were dropped for want of room
    DUET_CHOICE_STOPPED  // by the context
} duet_choice_answer;

// Chooses within the limits. `states` is the most states of a layer. Errors: DUET_E_MEMORY,
// DUET_E_LIMIT.
duet_code duet_choose_modes(duet_choice_item *item, size_t count, const duet_taken *limit,
                            size_t states, const duet_context *context, duet_choice_answer *answer,
                            duet_error *error);

#endif
