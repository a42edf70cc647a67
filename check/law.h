// SPDX-License-Identifier: Apache-2.0
// What moldable tasks and their data take, computed from what the instance says: tables that were
// given, laws, speeds, bandwidths. None of it comes from core/instance/law.c or
// core/instance/moldable_fit.c, which make the tables that algorithms use.
#ifndef DUET_CHECK_LAW_H
#define DUET_CHECK_LAW_H

#include "core/instance/moldable.h"
#include "core/number/wide.h"
#include "core/system/watch.h"

// The last time that was computed: equal tasks ask for it again.
typedef struct duet_check_memo {
    const duet_law *law;
    duet_decimal speed;
    int64_t size;
    int64_t ticks;
    duet_watch *watch; // where it says stop, times count for nothing
} duet_check_memo;

// A law on processors of one speed, in ticks.
typedef struct duet_check_law {
    duet_uint128 all, alpha; // alpha is a part of `all`
    duet_wide scale, unit;
    duet_uint128 narrow_scale, narrow_unit; // the same where `narrow`
    bool narrow;
    duet_uint128 shared;           // ticks on one processor of what is not sequential, rounded down
    long double sequential, ticks; // near alpha, and the ticks on one processor: guesses only
} duet_check_law;

duet_check_law duet_check_law_on(const duet_law *law, duet_decimal speed, int decimals);
// On p processors, rounded up.
int64_t duet_check_law_ticks(const duet_check_law *law, int64_t p);
// The entry p of its table, which follows the entry `before`; 0 where p is 1.
int64_t duet_check_law_next(const duet_check_law *law, int64_t p, int64_t before);
// Whether no entry behind p, which has `ticks`, needs the one before it: up to the size at which
// the law, rounded up, is at most the size, it is that, and from there on the same.
bool duet_check_law_is_plain(const duet_check_law *law, int64_t p, int64_t ticks);
// The first size beyond p, up to `last`, on which the law takes less than `ticks`; last + 1: none.
int64_t duet_check_law_below(const duet_check_law *law, int64_t p, int64_t ticks, int64_t last);

// Ticks of a kind on `size` processors of a type, or DUET_FORBIDDEN where it cannot run on that
// number. The memo is zeroed at first, but for its watch. O(1) for a table, for a law O(the root of
// its ticks).
int64_t duet_check_time(const duet_instance *instance, size_t kind, size_t type, int64_t size,
                        duet_check_memo *memo);
// The same for a set of several types (S1 with mixed sets): the kind follows one law on all of
// them, else DUET_FORBIDDEN, and the slowest speed decides.
int64_t duet_check_mixed_time(const duet_instance *instance, size_t kind, duet_processor_set set,
                              duet_check_memo *memo);
// What the law of a kind says of `size` processors of the speed of a type, whether or not the type
// has that number. 0, which bounds any time, where the kind follows no law there.
int64_t duet_check_law_time(const duet_instance *instance, size_t kind, size_t type, int64_t size,
                            duet_check_memo *memo);
// Ticks to move the data of an edge from a set to another one that is not equal.
int64_t duet_check_move(const duet_instance *instance, int64_t edge, duet_processor_set from,
                        duet_processor_set to);

#endif
