// SPDX-License-Identifier: Apache-2.0
#include "core/number/decimal.h"

#include <stdbool.h>
#include <string.h>

#include <duet/instance.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Digits as they are read: mantissa * 10^exponent, and less than 10^exponent beyond it, as `tail`
// says. Zeros wait in `pending` until another digit follows, so that those that end the number
// cost nothing: "1.5000000000000" is 15 * 10^-1.
typedef struct scanned {
    int64_t mantissa; // at most DUET_MAX_WORK
    long exponent;
    long pending;
    bool full; // no digit fits any more
    duet_decimal_tail tail;
} scanned;

static bool append_digit(scanned *number, int digit)
{
    bool fits = number->mantissa <= (DUET_MAX_WORK - digit) / 10;
    if (fits) {
        number->mantissa = number->mantissa * 10 + digit;
    }
    return fits;
}

// A digit that is not 0.
static void take_digit(scanned *number, int digit)
{
    while (!number->full && number->pending > 0 && append_digit(number, 0)) {
        number->pending--;
    }
    if (!number->full && number->pending == 0 && append_digit(number, digit)) {
        return;
    }
    if (!number->full) {
        number->full = true;
        bool half = number->pending == 0 && digit >= 5;
        number->tail = half ? DUET_DECIMAL_HALF_OR_MORE : DUET_DECIMAL_BELOW_HALF;
        number->exponent += number->pending; // zeros that stay away
        number->pending = 0;
    }
    number->exponent++;
}

// Digits with an optional point. Returns how many bytes they are; *any is set where a digit is one.
static size_t parse_digits(const char *text, size_t length, scanned *number, bool *any)
{
    size_t at = 0;
    bool fraction = false;
    for (; at < length; at++) {
        char c = text[at];
        if (c == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(c)) {
            break;
        }
        *any = true;
        number->exponent -= fraction;
        if (c != '0') {
            take_digit(number, c - '0');
        } else if (number->full) {
            number->exponent++;
        } else {
            number->pending += number->mantissa != 0;
        }
    }
    number->exponent += number->pending;
    number->pending = 0;
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

// No more than DUET_DECIMAL_MOST_PLACES: what is behind them becomes the tail.
static void cut_places(scanned *number)
{
    for (; number->exponent < -DUET_DECIMAL_MOST_PLACES && number->mantissa > 0;
         number->exponent++) {
        int64_t last = number->mantissa % 10;
        number->tail = last >= 5 ? DUET_DECIMAL_HALF_OR_MORE
                       : last > 0 || number->tail != DUET_DECIMAL_NO_TAIL ? DUET_DECIMAL_BELOW_HALF
                                                                          : DUET_DECIMAL_NO_TAIL;
        number->mantissa /= 10;
    }
    if (number->mantissa == 0) {
        number->exponent = -DUET_DECIMAL_MOST_PLACES;
        number->tail =
            number->tail == DUET_DECIMAL_NO_TAIL ? DUET_DECIMAL_BELOW_HALF : number->tail;
    }
}

duet_decimal_fault duet_decimal_read(const char *text, size_t length, duet_decimal *out,
                                     duet_decimal_tail *tail)
{
    size_t at = 0;
    bool negative = false;
    *out = (duet_decimal){0, 0};
    *tail = DUET_DECIMAL_NO_TAIL;
    if (at < length && (text[at] == '-' || text[at] == '+')) {
        negative = text[at] == '-';
        at++;
    }
    scanned number = {.tail = DUET_DECIMAL_NO_TAIL};
    long exponent = 0;
    bool any = false;
    int exponent_ok = 1;
    at += parse_digits(text + at, length - at, &number, &any);
    at += parse_exponent(text + at, length - at, &exponent, &exponent_ok);
    if (!any || !exponent_ok || at != length) {
        return DUET_DECIMAL_SYNTAX;
    }
    if (number.mantissa == 0) {
        return DUET_DECIMAL_OK;
    }
    if (negative) {
        return DUET_DECIMAL_NEGATIVE;
    }
    number.exponent += exponent;
    if (number.exponent > 0 && number.tail != DUET_DECIMAL_NO_TAIL) {
        return DUET_DECIMAL_RANGE; // digits of the whole part do not fit
    }
    while (number.exponent > 0 && append_digit(&number, 0)) {
        number.exponent--;
    }
    if (number.exponent > 0) {
        return DUET_DECIMAL_RANGE;
    }
    cut_places(&number);
    *out = (duet_decimal){number.mantissa, (int)-number.exponent};
    *tail = number.tail;
    return DUET_DECIMAL_OK;
}

duet_decimal_fault duet_decimal_parse(const char *text, size_t length, duet_decimal *out)
{
    duet_decimal_tail tail;
    duet_decimal_fault fault = duet_decimal_read(text, length, out, &tail);
    if (fault != DUET_DECIMAL_OK) {
        return fault;
    }
    bool exact = tail == DUET_DECIMAL_NO_TAIL && out->places <= DUET_MAX_DECIMALS;
    // A number without a fraction whose digits do not fit is too large.
    fault = exact ? DUET_DECIMAL_OK : out->places == 0 ? DUET_DECIMAL_RANGE : DUET_DECIMAL_PLACES;
    if (fault != DUET_DECIMAL_OK) {
        *out = (duet_decimal){0, 0};
    }
    return fault;
}

const char *duet_decimal_expected(duet_decimal_fault fault)
{
    switch (fault) {
    case DUET_DECIMAL_NEGATIVE:
        return "a number of at least 0";
    case DUET_DECIMAL_PLACES:
        return "a number with at most 18 decimal places";
    case DUET_DECIMAL_RANGE:
        return "a number of at most 2^62 ticks";
    default:
        return "a decimal number";
    }
}

bool duet_decimal_round(duet_decimal value, duet_decimal_tail tail, int decimals, int64_t *ticks,
                        duet_uint128 *error)
{
    enum { most = 18 }; // 10^18 is the largest power of ten in 64 bits with a sign
    int surplus = value.places - decimals;
    *error = 0;
    if (surplus <= 0) {
        // Digits beyond the value's own are there only where it is too long for a finer scale.
        bool up = surplus == 0 && tail == DUET_DECIMAL_HALF_OR_MORE;
        if ((surplus < 0 && tail != DUET_DECIMAL_NO_TAIL) ||
            !duet_decimal_scale(value, decimals, ticks) || *ticks > DUET_MAX_WORK - up) {
            return false;
        }
        *ticks += up;
    } else {
        int64_t unit = surplus > most ? INT64_MAX : (int64_t)duet_power_of_ten(surplus);
        int64_t rest = value.mantissa % unit;
        bool up = surplus <= most && rest >= unit - rest;
        *ticks = value.mantissa / unit + up;
        *error = (duet_uint128)(up ? unit - rest : rest);
    }
    *error += tail != DUET_DECIMAL_NO_TAIL;
    for (int place = value.places; place < DUET_DECIMAL_MOST_PLACES && *error != 0; place++) {
        *error *= 10;
    }
    return true;
}

duet_uint128 duet_power_of_ten(int exponent)
{
    duet_uint128 power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

// The digits of a number, of which those from 10^-places on make `whole`.
typedef struct fine_digits {
    duet_uint128 whole;
    long place; // of the next digit: it is worth 10^place
    long last;  // the place of the last digit in `whole`
    bool half;  // of the digits behind it the first is at least 5
    bool more;  // they are more than 5 and zeros
    bool full;  // it exceeds `most`
} fine_digits;

static void take_fine_digit(fine_digits *digits, unsigned digit, duet_uint128 most)
{
    long behind = digits->last - digits->place;
    if (behind > 0) {
        digits->more = digits->more || (behind == 1 ? digit > 5 : digit > 0);
        digits->half = digits->half || (behind == 1 && digit >= 5);
    } else if (!digits->full) {
        digits->whole = digits->whole * 10 + digit;
        digits->full = digits->whole > most;
    }
    digits->place--;
}

// How many digits stand before the point into *before, and whether there is any digit into *any.
// Returns how many bytes the digits take, the point included.
static size_t measure_digits(const char *text, size_t length, long *before, bool *any)
{
    size_t at = 0;
    bool fraction = false;
    *before = 0;
    for (; at < length && (is_digit(text[at]) || (text[at] == '.' && !fraction)); at++) {
        fraction = fraction || text[at] == '.';
        *before += !fraction;
        *any = *any || text[at] != '.';
    }
    return at;
}

duet_decimal_fault duet_decimal_read_finer(const char *text, size_t length, int decimals,
                                           duet_int128 *fine)
{
    const duet_uint128 most =
        (duet_uint128)DUET_MAX_WORK * duet_power_of_ten(DUET_FINER_PLACES); // below 2^92
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    bool negative = sign > 0 && text[0] == '-';
    long before = 0;
    long exponent = 0;
    bool any = false;
    int exponent_ok = 1;
    size_t size = measure_digits(text + sign, length - sign, &before, &any);
    size_t rest = length - sign - size;
    size_t behind = parse_exponent(text + sign + size, rest, &exponent, &exponent_ok);
    *fine = 0;
    if (!any || !exponent_ok || behind != rest) {
        return DUET_DECIMAL_SYNTAX;
    }
    fine_digits digits = {.place = before - 1 + exponent, .last = -decimals - DUET_FINER_PLACES};
    for (size_t i = sign; i < sign + size; i++) {
        if (text[i] != '.') {
            take_fine_digit(&digits, (unsigned)(text[i] - '0'), most);
        }
    }
    while (digits.place >= digits.last && digits.whole > 0 && !digits.full) {
        take_fine_digit(&digits, 0, most);
    }
    digits.whole += negative ? digits.half && digits.more : digits.half;
    if (digits.full || digits.whole > most) {
        return DUET_DECIMAL_RANGE;
    }
    *fine = negative ? -(duet_int128)digits.whole : (duet_int128)digits.whole;
    return DUET_DECIMAL_OK;
}

bool duet_decimal_raise(duet_decimal value, duet_decimal_tail tail, int decimals, int64_t *ticks,
                        bool *exact)
{
    bool rest = tail != DUET_DECIMAL_NO_TAIL;
    if (rest && value.places < decimals) {
        return false; // a finer scale makes a number with that many digits too large
    }
    for (; value.places > decimals; value.places--) {
        rest = rest || value.mantissa % 10 != 0;
        value.mantissa /= 10;
    }
    if (!duet_decimal_scale(value, decimals, ticks) || *ticks > DUET_MAX_WORK - rest) {
        return false;
    }
    *ticks += rest;
    *exact = !rest;
    return true;
}

// A decimal of 128 bits while it is computed, and what was dropped behind its last place, as far as
// that fits: `rest` is its digits, of some places, and it says whether there is more behind those.
typedef struct wide_decimal {
    duet_uint128 mantissa;
    int places;
    duet_uint128 rest;
    int rest_places;
    bool more;
} wide_decimal;

enum { MOST_REST = 37 }; // twice 10^37 fits into 128 bits

static bool is_exact(const wide_decimal *wide)
{
    return wide->rest == 0 && !wide->more;
}

static void drop_place(wide_decimal *wide)
{
    unsigned last = (unsigned)(wide->mantissa % 10);
    wide->mantissa /= 10;
    wide->places--;
    if (last == 0 && is_exact(wide)) {
        return;
    }
    if (wide->rest_places == MOST_REST) {
        wide->more = wide->more || wide->rest % 10 != 0;
        wide->rest /= 10;
        wide->rest_places--;
    }
    wide->rest += last * duet_power_of_ten(wide->rest_places++);
}

// Drops zeros at the end, then places until the mantissa is at most `most`; false where there are
// not that many places.
static bool shorten(wide_decimal *wide, duet_uint128 most)
{
    while (wide->places > 0 && wide->mantissa % 10 == 0 && is_exact(wide)) {
        drop_place(wide);
    }
    while (wide->places > 0 && (wide->mantissa > most || wide->places > DUET_DECIMAL_MOST_PLACES)) {
        drop_place(wide);
    }
    return wide->mantissa <= most;
}

// The sum of what was dropped of two decimals of as many places, and its carry.
static void add_rest(wide_decimal *sum, wide_decimal other)
{
    while (sum->rest_places != other.rest_places) {
        wide_decimal *fewer = sum->rest_places < other.rest_places ? sum : &other;
        fewer->rest *= 10;
        fewer->rest_places++;
    }
    duet_uint128 unit = duet_power_of_ten(sum->rest_places);
    sum->rest += other.rest;
    sum->more = sum->more || other.more;
    if (sum->rest >= unit) {
        sum->rest -= unit;
        sum->mantissa++;
    }
}

static duet_decimal_tail tail_of(const wide_decimal *wide)
{
    bool half = wide->rest * 2 >= duet_power_of_ten(wide->rest_places) && wide->rest != 0;
    return is_exact(wide) ? DUET_DECIMAL_NO_TAIL
           : half         ? DUET_DECIMAL_HALF_OR_MORE
                          : DUET_DECIMAL_BELOW_HALF;
}

bool duet_decimal_product_sum(duet_long_decimal a, duet_long_decimal b, duet_long_decimal c,
                              duet_long_decimal *sum)
{
    const duet_uint128 most = (duet_uint128)DUET_MAX_WORK;
    bool half = c.tail == DUET_DECIMAL_HALF_OR_MORE;
    wide_decimal product = {
        .mantissa = (duet_uint128)a.value.mantissa * (duet_uint128)b.value.mantissa,
        .places = a.value.places + b.value.places,
        .more = a.tail != DUET_DECIMAL_NO_TAIL || b.tail != DUET_DECIMAL_NO_TAIL};
    wide_decimal other = {.mantissa = (duet_uint128)c.value.mantissa,
                          .places = c.value.places,
                          .rest = half ? 5 : 0,
                          .rest_places = half,
                          .more = c.tail != DUET_DECIMAL_NO_TAIL};
    *sum = (duet_long_decimal){{0, 0}, DUET_DECIMAL_NO_TAIL};
    if (!shorten(&product, most)) {
        return false;
    }
    // As many places as both can have: the one with fewer gains some while it fits.
    while (product.places != other.places) {
        wide_decimal *fewer = product.places < other.places ? &product : &other;
        wide_decimal *further = product.places < other.places ? &other : &product;
        if (fewer->mantissa <= most / 10 && is_exact(fewer)) {
            fewer->mantissa *= 10;
            fewer->places++;
        } else {
            drop_place(further);
        }
    }
    product.mantissa += other.mantissa;
    add_rest(&product, other);
    if (!shorten(&product, most)) {
        return false;
    }
    sum->value = (duet_decimal){(int64_t)product.mantissa, product.places};
    sum->tail = tail_of(&product);
    return true;
}

bool duet_decimal_quotient(duet_long_decimal a, duet_long_decimal b, duet_long_decimal *quotient)
{
    const duet_uint128 most = (duet_uint128)DUET_MAX_WORK;
    duet_uint128 divisor = (duet_uint128)b.value.mantissa;
    duet_uint128 digits = (duet_uint128)a.value.mantissa / divisor;
    duet_uint128 rest = (duet_uint128)a.value.mantissa % divisor;
    int places = a.value.places - b.value.places;
    while (digits <= most / 10 - 1 && places < DUET_DECIMAL_MOST_PLACES &&
           (rest != 0 || places < 0)) {
        rest *= 10;
        digits = digits * 10 + rest / divisor;
        rest %= divisor;
        places++;
    }
    bool exact = rest == 0 && a.tail == DUET_DECIMAL_NO_TAIL && b.tail == DUET_DECIMAL_NO_TAIL;
    places = exact && digits == 0 ? 0 : places;
    *quotient = (duet_long_decimal){{(int64_t)digits, places},
                                    exact                 ? DUET_DECIMAL_NO_TAIL
                                    : rest * 2 >= divisor ? DUET_DECIMAL_HALF_OR_MORE
                                                          : DUET_DECIMAL_BELOW_HALF};
    return places >= 0 && digits <= most;
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
