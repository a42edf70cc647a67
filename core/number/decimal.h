// SPDX-License-Identifier: Apache-2.0
// Exact decimals: a number is read as a whole mantissa and a number of places, never as a double.
#ifndef DUET_CORE_NUMBER_DECIMAL_H
#define DUET_CORE_NUMBER_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/number/fraction.h"

// mantissa * 10^-places, without trailing zeros in the fraction; places is 0 where it is whole.
typedef struct duet_decimal {
    int64_t mantissa;
    int places;
} duet_decimal;

// Why a text is no usable decimal.
typedef enum duet_decimal_fault {
    DUET_DECIMAL_OK = 0,
    DUET_DECIMAL_SYNTAX,   // not a number at all (NaN and infinities included)
    DUET_DECIMAL_NEGATIVE, // below zero
    DUET_DECIMAL_PLACES,   // more than DUET_MAX_DECIMALS places
    DUET_DECIMAL_RANGE     // beyond DUET_MAX_WORK
} duet_decimal_fault;

// Most places of a decimal that was read; what is smaller is a tail. 10^36 fits into 128 bits.
enum { DUET_DECIMAL_MOST_PLACES = 36 };

// What a decimal that was read has beyond its mantissa and places: digits that do not fit. They
// are worth less than one unit of the last place.
typedef enum duet_decimal_tail {
    DUET_DECIMAL_NO_TAIL,
    DUET_DECIMAL_BELOW_HALF,
    DUET_DECIMAL_HALF_OR_MORE
} duet_decimal_tail;

// Parses the same grammar as duet_decimal_parse(), and any number of digits: as many as fit are
// kept (18 at least), and `*tail` says what the others are worth. Never DUET_DECIMAL_PLACES.
duet_decimal_fault duet_decimal_read(const char *text, size_t length, duet_decimal *out,
                                     duet_decimal_tail *tail);

// The nearest whole number to value * 10^decimals (halves go up) into *ticks, and by how much it is
// off at most into *error, in units of 10^-DUET_DECIMAL_MOST_PLACES; 0: it is exact. False where
// the number exceeds DUET_MAX_WORK.
bool duet_decimal_round(duet_decimal value, duet_decimal_tail tail, int decimals, int64_t *ticks,
                        duet_uint128 *error);

// Parses the same grammar, numbers below 0 as well, into the nearest whole number to
// number * 10^(decimals + DUET_FINER_PLACES), halves up: a time in ticks with DUET_FINER_PLACES
// more places. Every digit counts. DUET_DECIMAL_RANGE where it exceeds DUET_MAX_WORK ticks either
// way.
enum { DUET_FINER_PLACES = 9 };
duet_decimal_fault duet_decimal_read_finer(const char *text, size_t length, int decimals,
                                           duet_int128 *fine);

// The least whole number at or above value * 10^decimals into *ticks, and whether it is that very
// number into *exact. False where the number exceeds DUET_MAX_WORK.
bool duet_decimal_raise(duet_decimal value, duet_decimal_tail tail, int decimals, int64_t *ticks,
                        bool *exact);

// Parses the JSON number grammar (an optional minus, digits, fraction, exponent; leading zeros and
// a leading '+' or '.' are accepted for text formats) over exactly `length` bytes.
duet_decimal_fault duet_decimal_parse(const char *text, size_t length, duet_decimal *out);
// What was expected, for an error message ("a time of at least 0", ...).
const char *duet_decimal_expected(duet_decimal_fault fault);

// A decimal with its tail.
typedef struct duet_long_decimal {
    duet_decimal value;
    duet_decimal_tail tail;
} duet_long_decimal;

// a * b + c, with as many of its places as fit. False where it exceeds DUET_MAX_WORK.
bool duet_decimal_product_sum(duet_long_decimal a, duet_long_decimal b, duet_long_decimal c,
                              duet_long_decimal *sum);

// a / b, b not 0, with as many places as fit. False where it exceeds DUET_MAX_WORK.
bool duet_decimal_quotient(duet_long_decimal a, duet_long_decimal b, duet_long_decimal *quotient);

// 10^exponent, from 0 to 38.
duet_uint128 duet_power_of_ten(int exponent);

// value * 10^decimals as an integer into *ticks; 0 where it is not whole or exceeds DUET_MAX_WORK.
int duet_decimal_scale(duet_decimal value, int decimals, int64_t *ticks);

// ticks * 10^-decimals without trailing zeros into `buffer` of at least 32 bytes; returns it.
char *duet_decimal_format(int64_t ticks, int decimals, char *buffer);

#endif
