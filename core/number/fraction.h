// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic for decisions: 128-bit integers, fractions, and comparison of fractions.
#ifndef DUET_CORE_NUMBER_FRACTION_H
#define DUET_CORE_NUMBER_FRACTION_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 duet_int128;
__extension__ typedef unsigned __int128 duet_uint128;

// A fraction num/den >= 0. den = 0 with num > 0 stands for infinity; 0/0 is not a value.
typedef struct duet_fraction {
    duet_uint128 num;
    duet_uint128 den;
} duet_fraction;

// -1, 0, 1 as a < b, a = b, a > b. Lexicographic over two keys: 2 * order of the first + order of
// the second has the sign.
static inline int duet_order(duet_int128 a, duet_int128 b)
{
    return (a > b) - (a < b);
}

duet_uint128 duet_gcd(duet_uint128 a, duet_uint128 b);
duet_fraction duet_fraction_reduce(duet_fraction fraction);

// -1, 0, 1 as a < b, a = b, a > b. Exact for every pair of values; never overflows.
int duet_fraction_compare(duet_fraction a, duet_fraction b);

// Order-preserving 64-bit key: a < b implies key(a) <= key(b), and equal fractions have equal keys.
// Used to sort fast; fractions with equal keys are told apart by duet_fraction_compare(). Terms are
// below 2^127.
uint64_t duet_fraction_key(duet_fraction fraction);

// ceil(num / den), den > 0.
duet_uint128 duet_fraction_ceil(duet_fraction fraction);

// The square root, rounded down; value < 2^126.
int64_t duet_root(duet_uint128 value);

// Decimal digits of a value into `buffer` of at least 40 bytes; returns `buffer`.
char *duet_uint128_format(duet_uint128 value, char *buffer);
// "p/q" or "p", reduced, into `buffer` of at least 80 bytes; returns `buffer`.
char *duet_fraction_format(duet_fraction fraction, char *buffer);

// A number (a + b*sqrt(c)) / d with a >= 0, b >= 0, c >= 0, d > 0: every ratio the literature
// proves for these algorithms has this form.
typedef struct duet_ratio {
    int64_t a, b, c, d;
} duet_ratio;

// Whether x <= ratio * y, exactly, for 0 <= x, y <= 2^62 and ratio terms up to 2^62 in a, c, d with
// b*b*c up to 2^128.
int duet_ratio_holds(duet_ratio ratio, int64_t x, int64_t y);
// "4/3", "(1+sqrt(5))/2", "2+sqrt(2)", ... into `buffer` of at least 96 bytes; returns `buffer`.
char *duet_ratio_format(duet_ratio ratio, char *buffer);

#endif
