// SPDX-License-Identifier: Apache-2.0
#include "core/number/wide.h"

#include "core/system/assert.h"

duet_wide duet_wide_of(duet_uint128 value)
{
    return (duet_wide){{(uint64_t)value, (uint64_t)(value >> 64)}};
}

int duet_wide_compare(duet_wide a, duet_wide b)
{
    for (int i = DUET_WIDE_LIMBS - 1; i >= 0; i--) {
        if (a.limb[i] != b.limb[i]) {
            return a.limb[i] < b.limb[i] ? -1 : 1;
        }
    }
    return 0;
}

duet_wide duet_wide_add(duet_wide a, duet_wide b)
{
    duet_uint128 carry = 0;
    for (int i = 0; i < DUET_WIDE_LIMBS; i++) {
        carry += (duet_uint128)a.limb[i] + b.limb[i];
        a.limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    DUET_ASSERT(carry == 0);
    return a;
}

duet_wide duet_wide_subtract(duet_wide a, duet_wide b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < DUET_WIDE_LIMBS; i++) {
        duet_uint128 taken = (duet_uint128)b.limb[i] + borrow;
        borrow = a.limb[i] < taken;
        a.limb[i] = (uint64_t)(a.limb[i] - taken);
    }
    DUET_ASSERT(borrow == 0);
    return a;
}

// a * b * 2^(64 shift)
static duet_wide multiply_limb(duet_wide a, uint64_t b, int shift)
{
    duet_wide product = duet_wide_of(0);
    duet_uint128 carry = 0;
    for (int i = 0; i < DUET_WIDE_LIMBS; i++) {
        carry += (duet_uint128)a.limb[i] * b;
        if (i + shift < DUET_WIDE_LIMBS) {
            product.limb[i + shift] = (uint64_t)carry;
        } else {
            DUET_ASSERT((uint64_t)carry == 0);
        }
        carry >>= 64;
    }
    DUET_ASSERT(carry == 0);
    return product;
}

duet_wide duet_wide_multiply(duet_wide a, duet_uint128 b)
{
    return duet_wide_add(multiply_limb(a, (uint64_t)b, 0),
                         multiply_limb(a, (uint64_t)(b >> 64), 1));
}

// Bit by bit, from the highest: there are few divisions.
duet_uint128 duet_wide_divide(duet_wide a, duet_wide b, duet_wide *rest)
{
    enum { BITS = 64 * DUET_WIDE_LIMBS };
    const duet_uint128 top = (duet_uint128)1 << 127;
    duet_uint128 quotient = 0;
    *rest = duet_wide_of(0);
    for (int bit = BITS - 1; bit >= 0; bit--) {
        uint64_t carried = rest->limb[DUET_WIDE_LIMBS - 1] >> 63;
        for (int i = DUET_WIDE_LIMBS - 1; i > 0; i--) {
            rest->limb[i] = rest->limb[i] << 1 | rest->limb[i - 1] >> 63;
        }
        rest->limb[0] = rest->limb[0] << 1 | (a.limb[bit / 64] >> (bit % 64) & 1);
        DUET_ASSERT(carried == 0);
        (void)carried;
        if (quotient >= top) {
            *rest = duet_wide_of(0);
            return ~(duet_uint128)0;
        }
        bool fits = duet_wide_compare(*rest, b) >= 0;
        quotient = quotient << 1 | (unsigned)fits;
        *rest = fits ? duet_wide_subtract(*rest, b) : *rest;
    }
    return quotient;
}
