// SPDX-License-Identifier: Apache-2.0
// Exact decimals: a number is read as a whole mantissa and a number of places, never as a double.
#ifndef DUET_CORE_DECIMAL_H
#define DUET_CORE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

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

// Parses the JSON number grammar (an optional minus, digits, fraction, exponent; leading zeros and
// a leading '+' or '.' are accepted for text formats) over exactly `length` bytes.
duet_decimal_fault duet_decimal_parse(const char *text, size_t length, duet_decimal *out);
// What was expected, for an error message ("a time of at least 0", ...).
const char *duet_decimal_expected(duet_decimal_fault fault);

// value * 10^decimals as an integer into *ticks; 0 where it is not whole or exceeds DUET_MAX_WORK.
int duet_decimal_scale(duet_decimal value, int decimals, int64_t *ticks);

// ticks * 10^-decimals without trailing zeros into `buffer` of at least 32 bytes; returns it.
char *duet_decimal_format(int64_t ticks, int decimals, char *buffer);

#endif
