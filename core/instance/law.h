// SPDX-License-Identifier: Apache-2.0
// Amdahl's law in whole ticks: on p processors of speed s a task of `work`, of which the part
// `alpha` is sequential, takes (alpha + (1 - alpha)/p) work/s.
//
// A *table* of it is the least one at or above the law that never increases and whose area p t(p)
// never decreases: t(1) = ceil(law), t(p) = max(ceil(law), ceil((p - 1) t(p - 1) / p)). To round up
// alone would not do: work 4 without a sequential part on 1 to 4 processors of speed 1 gave 4 2 2
// 1, whose area falls from 6 to 4.
#ifndef DUET_CORE_INSTANCE_LAW_H
#define DUET_CORE_INSTANCE_LAW_H

#include "core/number/decimal.h"
#include "core/number/wide.h"

// Both have at most DUET_MAX_DECIMALS places.
typedef struct duet_law {
    duet_decimal work;  // above 0
    duet_decimal alpha; // 0 to 1
} duet_law;

// The law on processors of one speed in ticks: (same + shared/p) + (same_rest + shared_rest/p) /
// unit, both rests below the unit. Everything is exact.
typedef struct duet_law_ticks {
    int64_t same;
    int64_t shared;
    duet_wide same_rest, shared_rest, unit;
    bool narrow;                   // all of them times 2^31 fit into 128 bits
    double same_part, shared_part; // near the rests over the unit: for guesses alone
} duet_law_ticks;

// A decimal as a fraction.
duet_fraction duet_decimal_fraction(duet_decimal value);
// The law in ticks of 10^-decimals on a speed above 0. False where one processor would take more
// than DUET_MAX_WORK ticks.
bool duet_law_prepare(const duet_law *law, duet_fraction speed, int decimals, duet_law_ticks *out);
// ceil(law) on p >= 1 processors, p < 2^31.
int64_t duet_law_ceil(const duet_law_ticks *law, int64_t p);
// t(p) of the table where t(p - 1) is `before` (not looked at where p is 1).
int64_t duet_law_next(const duet_law_ticks *law, int64_t p, int64_t before);
// t(1) to t(length) of the table. The slow reference of what follows.
void duet_law_table(const duet_law_ticks *law, int64_t length, int64_t *table);

// A table in steps: one for each of the first sizes, and from some size on one for each at which a
// shorter time begins. Their number grows with the root of the law's ticks, whatever the length.
// The first DUET_LAW_DENSE sizes have a step of their own in any case.
enum { DUET_LAW_DENSE = 4096 };
typedef struct duet_law_step {
    int64_t size; // 0: before the first one
    int64_t ticks;
    bool dense; // every size up to this one has a step
} duet_law_step;

// Goes on to the next step of a table of `length` sizes. False: that was the last one.
bool duet_law_advance(const duet_law_ticks *law, int64_t length, duet_law_step *step);
// t(size) of the table. O(the root of the law's ticks).
int64_t duet_law_at(const duet_law_ticks *law, int64_t size);

#endif
