// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger of two numbers of one type, each evaluated once.
#ifndef DUET_CORE_NUMBER_MINMAX_H
#define DUET_CORE_NUMBER_MINMAX_H

#include "core/number/fraction.h"

#define DUET_MINMAX_OF(name, type)                                                                 \
    static inline type duet_min_##name(type a, type b)                                             \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static inline type duet_max_##name(type a, type b)                                             \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }

DUET_MINMAX_OF(int, int)
DUET_MINMAX_OF(unsigned, unsigned)
DUET_MINMAX_OF(long, long)
DUET_MINMAX_OF(ulong, unsigned long)
DUET_MINMAX_OF(llong, long long)
DUET_MINMAX_OF(ullong, unsigned long long)
DUET_MINMAX_OF(float, float)
DUET_MINMAX_OF(double, double)
DUET_MINMAX_OF(int128, duet_int128)
DUET_MINMAX_OF(uint128, duet_uint128)

#undef DUET_MINMAX_OF

// The function of that name for the type that both numbers have together.
#define DUET_MINMAX_PICK(name, a, b)                                                               \
    _Generic((a) + (b), int                                                                        \
             : duet_##name##_int, unsigned                                                         \
             : duet_##name##_unsigned, long                                                        \
             : duet_##name##_long, unsigned long                                                   \
             : duet_##name##_ulong, long long                                                      \
             : duet_##name##_llong, unsigned long long                                             \
             : duet_##name##_ullong, float                                                         \
             : duet_##name##_float, double                                                         \
             : duet_##name##_double, duet_int128                                                   \
             : duet_##name##_int128, duet_uint128                                                  \
             : duet_##name##_uint128)(a, b)

#define duet_min(a, b) DUET_MINMAX_PICK(min, a, b)
#define duet_max(a, b) DUET_MINMAX_PICK(max, a, b)

#endif
