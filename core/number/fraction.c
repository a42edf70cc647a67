// SPDX-License-Identifier: Apache-2.0
#include "core/number/fraction.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/system/assert.h"

duet_uint128 duet_gcd(duet_uint128 a, duet_uint128 b)
{
    while (b != 0) {
        duet_uint128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

duet_fraction duet_fraction_reduce(duet_fraction fraction)
{
    duet_uint128 divisor = duet_gcd(fraction.num, fraction.den);
    if (divisor > 1) {
        fraction.num /= divisor;
        fraction.den /= divisor;
    }
    return fraction;
}

static int compare_uint128(duet_uint128 a, duet_uint128 b)
{
    return (a > b) - (a < b);
}

// Compares whole parts, then the reciprocals of what remains, as in Euclid's algorithm: no product
// is ever formed, so nothing can overflow.
int duet_fraction_compare(duet_fraction a, duet_fraction b)
{
    static const duet_uint128 half = (duet_uint128)1 << 64;
    if (a.num < half && a.den < half && b.num < half && b.den < half) {
        return compare_uint128(a.num * b.den, b.num * a.den);
    }
    int sign = 1;
    while (a.den != 0 && b.den != 0) {
        duet_uint128 whole_a = a.num / a.den;
        duet_uint128 whole_b = b.num / b.den;
        if (whole_a != whole_b) {
            return sign * compare_uint128(whole_a, whole_b);
        }
        a = (duet_fraction){a.den, a.num % a.den};
        b = (duet_fraction){b.den, b.num % b.den};
        sign = -sign;
    }
    return sign * ((a.den == 0) - (b.den == 0));
}

static int bit_length(duet_uint128 value)
{
    uint64_t high = (uint64_t)(value >> 64);
    if (high != 0) {
        return 128 - __builtin_clzll(high);
    }
    uint64_t low = (uint64_t)value;
    return low == 0 ? 0 : 64 - __builtin_clzll(low);
}

// The key where both numbers have at most 64 bits and differ by `bits` in length: one division,
// shifted so that the quotient has 57 or 58 bits.
static uint64_t key_by_division(duet_uint128 num, duet_uint128 den, int bits)
{
    int shift = 57 - bits;
    if (shift >= 0) {
        num <<= shift; // at most 57 + 64 + 1 bits
    } else {
        den <<= -shift;
    }
    uint64_t quotient = (uint64_t)(num / den); // 57 or 58 bits
    int length = 64 - __builtin_clzll(quotient);
    int exponent = length - shift; // value is in [2^(exponent-1), 2^exponent)
    uint64_t mantissa = length == 58 ? quotient >> 1 : quotient;
    mantissa &= (UINT64_C(1) << 56) - 1;
    return ((uint64_t)(exponent + 128) << 56) | mantissa;
}

// The same of longer numbers, by long division bit by bit: the exponent from the lengths, then 56
// bits of quotient.
static uint64_t key_by_bits(duet_uint128 num, duet_uint128 den, int bits)
{
    int exponent = bits;
    // Align without losing bits: compare num with den << exponent.
    if (exponent >= 0) {
        den <<= exponent;
    } else {
        num <<= -exponent;
    }
    if (num >= den) {
        exponent++;
    } else {
        num <<= 1;
    }
    uint64_t mantissa = 0;
    duet_uint128 rest = num - den;
    for (int bit = 0; bit < 56; bit++) {
        // rest < den <= 2^127, so doubling cannot overflow
        rest <<= 1;
        mantissa <<= 1;
        if (rest >= den) {
            rest -= den;
            mantissa |= 1;
        }
    }
    return ((uint64_t)(exponent + 128) << 56) | mantissa;
}

// A floating-point representation computed in integers: exponent above, 56 bits of mantissa below,
// both rounded down, so that the map is monotone.
uint64_t duet_fraction_key(duet_fraction fraction)
{
    if (fraction.num == 0) {
        return 0;
    }
    if (fraction.den == 0) {
        return UINT64_MAX;
    }
    int num_bits = bit_length(fraction.num);
    int den_bits = bit_length(fraction.den);
    bool short_ones = num_bits <= 64 && den_bits <= 64;
    return short_ones ? key_by_division(fraction.num, fraction.den, num_bits - den_bits)
                      : key_by_bits(fraction.num, fraction.den, num_bits - den_bits);
}

duet_uint128 duet_fraction_ceil(duet_fraction fraction)
{
    DUET_ASSERT(fraction.den > 0);
    return fraction.num / fraction.den + (fraction.num % fraction.den != 0);
}

char *duet_uint128_format(duet_uint128 value, char *buffer)
{
    char digits[40];
    int at = (int)sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value != 0);
    memcpy(buffer, digits + at, sizeof digits - (size_t)at);
    return buffer;
}

char *duet_fraction_format(duet_fraction fraction, char *buffer)
{
    fraction = duet_fraction_reduce(fraction);
    duet_uint128_format(fraction.num, buffer);
    if (fraction.den != 1) {
        size_t length = strlen(buffer);
        buffer[length] = '/';
        duet_uint128_format(fraction.den, buffer + length + 1);
    }
    return buffer;
}

// A 256-bit unsigned value.
typedef struct wide {
    duet_uint128 high, low;
} wide;

static wide multiply(duet_uint128 a, duet_uint128 b)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    duet_uint128 low = (duet_uint128)a0 * b0;
    duet_uint128 middle = (duet_uint128)a0 * b1 + (uint64_t)(low >> 64);
    duet_uint128 carry = (duet_uint128)a1 * b0 + (uint64_t)middle;
    wide product;
    product.low = (carry << 64) | (uint64_t)low;
    product.high = (duet_uint128)a1 * b1 + (uint64_t)(middle >> 64) + (uint64_t)(carry >> 64);
    return product;
}

static int compare_wide(wide a, wide b)
{
    return a.high != b.high ? compare_uint128(a.high, b.high) : compare_uint128(a.low, b.low);
}

// x <= (a + b sqrt(c)) y / d  <=>  x d - a y <= b y sqrt(c); both sides squared where the left is
// positive. x d - a y < 2^124 and y^2 b^2 c < 2^252.
int duet_ratio_holds(duet_ratio ratio, int64_t x, int64_t y)
{
    DUET_ASSERT(ratio.a >= 0 && ratio.b >= 0 && ratio.c >= 0 && ratio.d > 0 && x >= 0 && y >= 0);
    duet_int128 left = (duet_int128)x * ratio.d - (duet_int128)ratio.a * y;
    if (left <= 0) {
        return 1;
    }
    duet_uint128 square = (duet_uint128)ratio.b * (duet_uint128)ratio.b * (duet_uint128)ratio.c;
    wide right = multiply((duet_uint128)y * (duet_uint128)y, square);
    return compare_wide(multiply((duet_uint128)left, (duet_uint128)left), right) <= 0;
}

int64_t duet_root(duet_uint128 value)
{
    uint64_t root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        uint64_t next = root | UINT64_C(1) << bit;
        root = (duet_uint128)next * next <= value ? next : root;
    }
    return (int64_t)root;
}

// Takes the largest square out of c, then reduces.
static duet_ratio simplify(duet_ratio ratio)
{
    for (int64_t f = 2; f * f <= ratio.c && f < 100000; f++) {
        while (ratio.c % (f * f) == 0) {
            ratio.c /= f * f;
            ratio.b *= f;
        }
    }
    if (ratio.c == 1) {
        ratio.a += ratio.b;
        ratio.b = 0;
    }
    if (ratio.b == 0 || ratio.c == 0) {
        ratio.b = ratio.c = 0;
    }
    duet_uint128 divisor = duet_gcd((duet_uint128)ratio.a, (duet_uint128)ratio.d);
    divisor = duet_gcd(divisor, (duet_uint128)ratio.b);
    ratio.a /= (int64_t)divisor;
    ratio.b /= (int64_t)divisor;
    ratio.d /= (int64_t)divisor;
    return ratio;
}

char *duet_ratio_format(duet_ratio ratio, char *buffer)
{
    enum { size = 96 };
    ratio = simplify(ratio);
    char root[64] = "";
    if (ratio.b > 1) {
        snprintf(root, sizeof root, "%lld*sqrt(%lld)", (long long)ratio.b, (long long)ratio.c);
    } else if (ratio.b == 1) {
        snprintf(root, sizeof root, "sqrt(%lld)", (long long)ratio.c);
    }
    char top[90];
    if (root[0] == '\0') {
        snprintf(top, sizeof top, "%lld", (long long)ratio.a);
    } else if (ratio.a == 0) {
        snprintf(top, sizeof top, "%s", root);
    } else {
        snprintf(top, sizeof top, "%lld+%s", (long long)ratio.a, root);
    }
    if (ratio.d == 1) {
        snprintf(buffer, size, "%s", top);
    } else if (root[0] == '\0' || ratio.a == 0) {
        snprintf(buffer, size, "%s/%lld", top, (long long)ratio.d);
    } else {
        snprintf(buffer, size, "(%s)/%lld", top, (long long)ratio.d);
    }
    return buffer;
}
