// SPDX-License-Identifier: Apache-2.0
// Few items on few identical machines, decided exhaustively.
//
// Method:    machine by machine: every set with the longest item that is left whose sum wastes no
//            more than the idle time there is, listed by meet in the middle (two lists of subset
//            sums, sorted as they grow, and a window that slides over both). A set to which another
//            item could be added is skipped: with that item it does at least as well.
// Cost:      O(2^(items/2)) for a machine and each set that is tried; exact where it ends.
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
    DUET_LAST_NEVER,   // there is no way
    DUET_LAST_GIVEN_UP // the work came first
} duet_last_answer;

typedef struct duet_last duet_last; // room for the lists

duet_code duet_last_create(duet_last **out, duet_error *error);
void duet_last_free(duet_last *last); // NULL is allowed

// Whether `items` items (at most DUET_LAST_ITEMS, longest first) fit on `processors` machines (at
// most DUET_LAST_PROCESSORS) with no load above `target`. *work is what it may cost, in list
// entries, and what is left of that afterwards. Where they fit, chosen[] has the set of each
// machine.
duet_last_answer duet_last_pack(duet_last *last, const int64_t *time, size_t items,
                                size_t processors, int64_t target, int64_t *work, uint32_t *chosen);

#endif
