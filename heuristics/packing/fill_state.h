// SPDX-License-Identifier: Apache-2.0
// Inside of filling processors (heuristics/packing/fill.c): what its parts share.
//
// in_units.c and in_ticks.c fill one processor; refill.c fills all of them, and again some that are
// emptied; fill.c chooses between them. Each calls only those before it.
#ifndef DUET_HEURISTICS_PACKING_FILL_STATE_H
#define DUET_HEURISTICS_PACKING_FILL_STATE_H

#include "core/system/context.h"
#include "core/system/tasks.h"
#include "heuristics/packing/last.h"
#include "heuristics/packing/packing.h"
#include "heuristics/packing/subset_sums.h"

enum {
    DUET_FILL_FINE_ITEMS = 32, // whose sums are listed at most, where ticks are fine
};

// Which items are where. The processors below `processors` are empty; what is not on the others is
// left.
typedef struct duet_fill_placing {
    size_t *position; // processor of an item in order; SIZE_MAX: left
    size_t *left;     // items that are left: places in the order
    size_t left_count;
    size_t processors;
    int64_t idle; // that the filled processors have not used up; below 0: too much
} duet_fill_placing;

// The question, which those that walk beside each other share.
typedef struct duet_fill_question {
    duet_packing *packing;
    int64_t target; // units
    int64_t unit;   // ticks, of which all times are multiples
    int64_t end;    // the target in ticks, less what no sum of times can use
    size_t *order;  // items, longest first
    int64_t *time;  // of order[i], units
    bool fine;      // in ticks, by the sums of a few items at a time
    size_t words;   // of a row of sums

    // Limits.
    const duet_context *context;
    duet_succession series; // of those that walk
} duet_fill_question;

// One that walks.
typedef struct duet_fill {
    const duet_fill_question *of;

    // The answer as far as it is there, and the one before.
    duet_fill_placing placing;
    duet_fill_placing before;

    // How processors are filled.
    bool bold;      // a little idle time is given away now and then
    unsigned eager; // of 8 choices, those for the longer item
    size_t spared;  // number of the shortest items, which are kept for the last processors
    size_t last;    // processors that are packed exhaustively
    duet_random random;

    // Room.
    uint64_t *reach; // row i: sums of the i shortest of those left
    duet_subset_sums sums;
    duet_last *exhaustive;

    // Limits.
    int64_t work; // that is left
    size_t seat;  // in the series
} duet_fill;

// Whether the context stops it, or one before it has packed all.
static inline bool duet_fill_is_stopped(const duet_fill *f)
{
    return duet_context_stop(f->of->context) || !duet_succession_goes_on(&f->of->series, f->seat);
}

// Each fills the processor of the highest number that is empty: with the longest item that is left,
// or with that at `seed`, and those that fill it best.
void duet_fill_in_units(duet_fill *f, size_t seed);
// With random items up to where about half of a few others are wanted, then those of them that fill
// it best.
void duet_fill_in_ticks(duet_fill *f);

// Packs all items exhaustively: few of them, on few processors.
duet_last_answer duet_fill_decide(duet_fill *f);

// Fills all processors but the last, which are packed exhaustively; where that fails, or wastes
// more idle time than there is, some random ones are emptied and filled again, up to `times`
// times. Returns whether all fits.
bool duet_refill(duet_fill *f, int64_t times);

#endif
