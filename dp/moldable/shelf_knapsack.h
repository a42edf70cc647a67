// SPDX-License-Identifier: Apache-2.0
// Which tasks go to shelf 1 of the 3/2 approximation of moldable tasks: a 0/1 knapsack in which a
// task has its width on shelf 1, and the area that it saves there.
//
// Method:    the question is whether `needed` can be saved. Greedily by saving per width first.
//            Where that is not enough, items are fixed that the fractional optimum decides: without
//            one of those it takes, or with one of those it leaves, less than `needed` would be
//            saved. The others go through a table over the widths.
// Guarantee: exact.
// Cost:      O(n log n), and O(1) for each cell of the table: items not fixed times widths.
// Memory:    a bit for each cell.
// Reference: Mounie, Rapine, Trystram, SIAM J. Computing 37(2), 2007, for the knapsack; Ingargiola,
//            Korsh, "Reduction algorithm for zero-one single knapsack problems", Management Science
//            20(4), 1973.
#ifndef DUET_DP_MOLDABLE_SHELF_KNAPSACK_H
#define DUET_DP_MOLDABLE_SHELF_KNAPSACK_H

#include "core/system/context.h"

typedef struct duet_width_item {
    int64_t width;  // at least 1
    int64_t saving; // at least 0
    size_t task;    // the caller's
    bool taken;     // the answer
} duet_width_item;

typedef enum duet_width_answer {
    DUET_WIDTH_ENOUGH, // the items that are taken save at least what is needed
    DUET_WIDTH_NEVER,  // none of the sets does
    DUET_WIDTH_STOPPED // the context stopped it
} duet_width_answer;

// Sorts the items and takes some, none that saves nothing. Sums of widths and of savings are below
// 2^63. Errors: DUET_E_LIMIT where the table is too large, DUET_E_MEMORY.
duet_code duet_shelf_knapsack(duet_width_item *item, size_t count, int64_t capacity, int64_t needed,
                              const duet_context *context, duet_width_answer *answer,
                              duet_error *error);

#endif
