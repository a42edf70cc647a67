// SPDX-License-Identifier: Apache-2.0
// Whole numbers of up to 384 bits: products of exact decimals, which do not fit into 128.
#ifndef DUET_CORE_NUMBER_WIDE_H
#define DUET_CORE_NUMBER_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/number/fraction.h"

enum { DUET_WIDE_LIMBS = 6 };

// The least significant limb comes first.
typedef struct duet_wide {
    uint64_t limb[DUET_WIDE_LIMBS];
} duet_wide;

duet_wide duet_wide_of(duet_uint128 value);
// -1, 0, 1 as a < b, a = b, a > b.
int duet_wide_compare(duet_wide a, duet_wide b);
// The result must fit.
duet_wide duet_wide_add(duet_wide a, duet_wide b);
// a >= b.
duet_wide duet_wide_subtract(duet_wide a, duet_wide b);
// The product must fit.
duet_wide duet_wide_multiply(duet_wide a, duet_uint128 b);
// The whole part of a / b, b > 0, which is kept below 2^128; *rest receives what remains of a. A
// larger quotient is reported as the largest value there is.
duet_uint128 duet_wide_divide(duet_wide a, duet_wide b, duet_wide *rest);

#endif
