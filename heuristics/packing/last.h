// SPDX-License-Identifier: Apache-2.0
// Few items on few identical processors, decided exhaustively.
//
// Method:    processor by processor: every set with the longest item that is left whose sum wastes
//            no more than the idle time there is, listed by meet in the middle (two lists of subset
//            sums, sorted as they grow, and a window that slides over both). A set to which another
//            item could be added is skipped: with that item it does at least as well.
// Guarantee: exact where it ends within its work.
// Cost:      O(2^(items/2)) time for a processor and each set that is tried; O(2^(items/2)) memory
//            for each processor.
// Reference: Horowitz, Sahni, "Computing partitions with applications to the knapsack problem",
//            J. ACM 21(2), 1974; bins completed one at a time, dominated sets left out: Korf, "An
//            improved algorithm for optimal bin packing", IJCAI 2003.
#ifndef DUET_HEURISTICS_PACKING_LAST_H
#define DUET_HEURISTICS_PACKING_LAST_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

enum { DUET_LAST_ITEMS = 30, DUET_LAST_PROCESSORS = 8 };

typedef enum duet_last_answer {
    DUET_LAST_FITS,
    DUET_LAST_NEVER,   // they do not fit
    DUET_LAST_GIVEN_UP // the work was spent before that was known
} duet_last_answer;

typedef struct duet_last duet_last; // the room for the lists of subset sums

duet_code duet_last_create(duet_last **out, duet_error *error);
void duet_last_free(duet_last *last); // NULL is allowed

// Whether `items` items (at most DUET_LAST_ITEMS, longest first) fit on `processors` processors (at
// most DUET_LAST_PROCESSORS) with no load above `target`. *work is how many list entries it may
// look at, and what is left of that afterwards. Where they fit, chosen[] has the set of each
// processor.
duet_last_answer duet_last_pack(duet_last *last, const int64_t *time, size_t items,
                                size_t processors, int64_t target, int64_t *work, uint32_t *chosen);

#endif
