// SPDX-License-Identifier: Apache-2.0
// Tasks on the identical processors of one type, and the search that levels them.
//
// Method:    two processors are repartitioned: of their tasks (at most 24 that are chosen) every
//            subset sum is listed by meet in the middle, and the one that is nearest to a goal is
//            taken. The most loaded processor is repartitioned with others until all loads are
//            within the target; where no pair helps, random pairs are repartitioned without harm,
//            and it goes on. Loads that end a little above the target are repartitioned by 32
//            items: with fine ticks that many sums are needed to meet it.
// Guarantee: no load exceeds the largest one at the start.
// Cost:      O(2^12) time for a pair, or O(2^16), O(items + processors) memory beside that of a
// pair. Reference: Horowitz, Sahni, "Computing partitions with applications to the knapsack
//            problem", J. ACM 21(2), 1974.
#ifndef DUET_HEURISTICS_PACKING_PACKING_H
#define DUET_HEURISTICS_PACKING_PACKING_H

#include "core/number/random.h"
#include "core/system/context.h"

typedef struct duet_packing {
    size_t items;
    size_t processors;
    int64_t *time;     // of an item
    size_t *processor; // of an item
    int64_t *load;     // of a processor
    size_t *first;     // item of a processor; SIZE_MAX: it has none
    size_t *next;      // item on the same processor
} duet_packing;

// Room for `items` items on `processors` processors, none placed; the caller sets time[]. Free with
// duet_packing_free().
duet_code duet_packing_create(size_t items, size_t processors, duet_packing *packing,
                              duet_error *error);
void duet_packing_free(duet_packing *packing);

// Longest first, each on the least loaded processor. O(items log items).
duet_code duet_packing_longest_first(duet_packing *packing, duet_error *error);

// Builds loads and lists from processor[], which the caller filled in.
void duet_packing_link(duet_packing *packing);

// Repartitions pairs until no load exceeds `target`, or `effort` pairs were tried in vain one after
// another, or the context stops. Returns the largest load.
int64_t duet_packing_level(duet_packing *packing, int64_t target, int64_t effort,
                           duet_random *random, const duet_context *context);

int64_t duet_packing_longest(const duet_packing *packing);

// fill.c
// Tries to pack all items with no load above `target`. A unit of effort is about a millisecond.
// `*fits`: whether it did; the packing is then linked, else it is as it was.
duet_code duet_packing_fill(duet_packing *packing, int64_t target, int64_t effort,
                            duet_random *random, const duet_context *context, bool *fits,
                            duet_error *error);

#endif
