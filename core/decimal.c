// SPDX-License-Identifier: Apache-2.0
#include "core/decimal.h"

#include <stdbool.h>
#include <string.h>

#include <duet/instance.h>

#include "core/fraction.h"

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Reads digits with an optional point into an integer and counts the places. Zeros that end the
// fraction are dropped, so "1.5000000000000" is fine. *exact is cleared when the value outgrows
// 128 bits of digits.
static size_t parse_digits(const char *text, size_t length, duet_uint128 *value, long *places,
                           int *any, int *exact)
{
    static const duet_uint128 limit = ((duet_uint128)1 << 127) / 10 - 1;
    size_t at = 0;
    long pending = 0; // zeros not yet multiplied in
    int fraction = 0;
    *value = 0;
    *places = 0;
    for (; at < length; at++) {
        char c = text[at];
        if (c == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!is_digit(c)) {
            break;
        }
        *any = 1;
        *places += fraction;
        if (c == '0') {
            pending += *value != 0;
            continue;
        }
        for (; pending > 0 && *exact; pending--) {
            *exact = *value <= limit;
            *value *= *exact ? 10 : 1;
        }
        *exact = *exact && *value <= limit;
        if (*exact) {
            *value = *value * 10 + (unsigned)(c - '0');
        }
    }
    // Zeros that end the digits: value * 10^pending * 10^-places.
    *places -= pending;
    return at;
}

static size_t parse_exponent(const char *text, size_t length, long *exponent, int *ok)
{
    size_t at = 0;
    *exponent = 0;
    if (length == 0 || (text[0] != 'e' && text[0] != 'E')) {
        return 0;
    }
    at = 1;
    int negative = 0;
    if (at < length && (text[at] == '+' || text[at] == '-')) {
        negative = text[at] == '-';
        at++;
    }
    size_t first = at;
    for (; at < length && is_digit(text[at]); at++) {
        if (*exponent < 1000000) {
            *exponent = *exponent * 10 + (text[at] - '0');
        }
    }
    *ok = at > first;
    if (negative) {
        *exponent = -*exponent;
    }
    return at;
}

duet_decimal_fault duet_decimal_parse(const char *text, size_t length, duet_decimal *out)
{
    size_t at = 0;
    int negative = 0;
    *out = (duet_decimal){0, 0};
    if (at < length && (text[at] == '-' || text[at] == '+')) {
        negative = text[at] == '-';
        at++;
    }
    duet_uint128 value = 0;
    long places = 0;
    long exponent = 0;
    int any = 0;
    int exact = 1;
    int exponent_ok = 1;
    at += parse_digits(text + at, length - at, &value, &places, &any, &exact);
    at += parse_exponent(text + at, length - at, &exponent, &exponent_ok);
    if (!any || !exponent_ok || at != length) {
        return DUET_DECIMAL_SYNTAX;
    }
    if (value == 0) {
        return DUET_DECIMAL_OK;
    }
    if (negative) {
        return DUET_DECIMAL_NEGATIVE;
    }
    places -= exponent;
    if (places > DUET_MAX_DECIMALS) {
        return DUET_DECIMAL_PLACES;
    }
    if (!exact) {
        return DUET_DECIMAL_RANGE;
    }
    for (; places < 0; places++) {
        if (value > (duet_uint128)DUET_MAX_WORK) {
            return DUET_DECIMAL_RANGE;
        }
        value *= 10;
    }
    if (value > (duet_uint128)DUET_MAX_WORK) {
        return DUET_DECIMAL_RANGE;
    }
    out->mantissa = (int64_t)value;
    out->places = (int)places;
    return DUET_DECIMAL_OK;
}

const char *duet_decimal_expected(duet_decimal_fault fault)
{
    switch (fault) {
    case DUET_DECIMAL_NEGATIVE:
        return "a number of at least 0";
    case DUET_DECIMAL_PLACES:
        return "a number with at most 9 decimal places";
    case DUET_DECIMAL_RANGE:
        return "a number of at most 2^62 ticks";
    default:
        return "a decimal number";
    }
}

int duet_decimal_scale(duet_decimal value, int decimals, int64_t *ticks)
{
    if (value.mantissa == 0) {
        *ticks = 0;
        return 1;
    }
    if (value.places > decimals) {
        return 0;
    }
    int64_t scaled = value.mantissa;
    for (int place = value.places; place < decimals; place++) {
        if (scaled > DUET_MAX_WORK / 10) {
            return 0;
        }
        scaled *= 10;
    }
    *ticks = scaled;
    return 1;
}

char *duet_decimal_format(int64_t ticks, int decimals, char *buffer)
{
    enum { size = 32 };
    char digits[size];
    int at = size;
    bool negative = ticks < 0;
    uint64_t rest = negative ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    digits[--at] = '\0';
    bool significant = false; // zeros that end the fraction are left out
    for (int place = 0; place < decimals; place++) {
        char digit = (char)('0' + rest % 10);
        significant = significant || digit != '0';
        if (significant) {
            digits[--at] = digit;
        }
        rest /= 10;
    }
    if (significant) {
        digits[--at] = '.';
    }
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (negative) {
        digits[--at] = '-';
    }
    memcpy(buffer, digits + at, (size_t)(size - at));
    return buffer;
}
