// SPDX-License-Identifier: Apache-2.0
#include "core/instance/law.h"

#include <duet/instance.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"

duet_fraction duet_decimal_fraction(duet_decimal value)
{
    return (duet_fraction){(duet_uint128)value.mantissa, duet_power_of_ten(value.places)};
}

// Cancels what two numbers have in common.
static void cancel(duet_uint128 *a, duet_uint128 *b)
{
    duet_uint128 divisor = duet_gcd(*a, *b);
    if (divisor > 1) {
        *a /= divisor;
        *b /= divisor;
    }
}

// The parts of alpha and 1 - alpha over their common denominator.
typedef struct parts {
    duet_uint128 same, shared, all;
} parts;

static parts parts_of(const duet_law *law)
{
    duet_fraction alpha = duet_fraction_reduce(duet_decimal_fraction(law->alpha));
    return (parts){alpha.num, alpha.den - alpha.num, alpha.den};
}

static bool fits_narrowly(duet_wide unit)
{
    bool high = unit.limb[1] >> 30 != 0; // below 2^94, and three terms of at most 2^125 each
    for (int i = 2; i < DUET_WIDE_LIMBS; i++) {
        high = high || unit.limb[i] != 0;
    }
    return !high;
}

static double nearly(duet_wide value)
{
    double sum = 0.0;
    for (int i = DUET_WIDE_LIMBS; i-- > 0;) {
        sum = sum * 0x1p64 + (double)value.limb[i];
    }
    return sum;
}

bool duet_law_prepare(const duet_law *law, duet_fraction speed, int decimals, duet_law_ticks *out)
{
    DUET_ASSERT(law->work.mantissa > 0 && speed.num > 0 && speed.den > 0);
    // work 10^decimals / speed = work * scale * speed.den / (places * speed.num)
    duet_uint128 work = (duet_uint128)law->work.mantissa;
    duet_uint128 scale = duet_power_of_ten(decimals);
    duet_uint128 places = duet_power_of_ten(law->work.places);
    parts part = parts_of(law);
    cancel(&scale, &places);
    cancel(&work, &places);
    cancel(&speed.den, &places);
    cancel(&speed.den, &speed.num);
    cancel(&work, &speed.num);
    cancel(&scale, &speed.num);
    duet_wide ticks = duet_wide_multiply(duet_wide_multiply(duet_wide_of(work), scale), speed.den);
    out->unit = duet_wide_multiply(duet_wide_multiply(duet_wide_of(speed.num), places), part.all);
    duet_wide same = duet_wide_multiply(ticks, part.same);
    duet_wide shared = duet_wide_multiply(ticks, part.shared);
    duet_wide rest;
    duet_uint128 most = duet_wide_divide(duet_wide_multiply(ticks, part.all), out->unit, &rest);
    if (most >= (duet_uint128)DUET_MAX_WORK) {
        return false;
    }
    out->same = (int64_t)duet_wide_divide(same, out->unit, &out->same_rest);
    out->shared = (int64_t)duet_wide_divide(shared, out->unit, &out->shared_rest);
    out->narrow = fits_narrowly(out->unit);
    out->same_part = nearly(out->same_rest) / nearly(out->unit);
    out->shared_part = nearly(out->shared_rest) / nearly(out->unit);
    return true;
}

static duet_uint128 narrow(duet_wide value)
{
    return (duet_uint128)value.limb[1] << 64 | value.limb[0];
}

// shared = whole * p + left: what is not whole is (left * unit + same_rest * p + shared_rest) over
// p * unit, and less than 2.
int64_t duet_law_ceil(const duet_law_ticks *law, int64_t p)
{
    DUET_ASSERT(p >= 1 && p <= DUET_MAX_PROCESSORS);
    int64_t whole = law->same + law->shared / p;
    duet_uint128 left = (duet_uint128)(law->shared % p);
    duet_uint128 share = (duet_uint128)p;
    if (law->narrow) {
        duet_uint128 rest =
            left * narrow(law->unit) + share * narrow(law->same_rest) + narrow(law->shared_rest);
        return whole + (rest > 0) + (rest > share * narrow(law->unit));
    }
    duet_wide rest =
        duet_wide_add(duet_wide_multiply(law->unit, left),
                      duet_wide_add(duet_wide_multiply(law->same_rest, share), law->shared_rest));
    return whole + (duet_wide_compare(rest, duet_wide_of(0)) > 0) +
           (duet_wide_compare(rest, duet_wide_multiply(law->unit, share)) > 0);
}

int64_t duet_law_next(const duet_law_ticks *law, int64_t p, int64_t before)
{
    int64_t ticks = duet_law_ceil(law, p);
    if (p == 1) {
        return ticks;
    }
    int64_t least = before - before / p; // ceil((p - 1) before / p)
    return duet_max(least, ticks);
}

void duet_law_table(const duet_law_ticks *law, int64_t length, int64_t *table)
{
    for (int64_t p = 1; p <= length; p++) {
        table[p - 1] = duet_law_next(law, p, p == 1 ? 0 : table[p - 2]);
    }
}

// --- steps ---------------------------------------------------------------------------------------
//
// From some size on a table needs no recursion. Let f be the law, F(p) = ceil(f(p)).
//
// 1. Where t(p) <= p, all later times are t(p): t(p) loses floor(t(p)/(p + 1)) = 0 at most.
// 2. Where t(p) = F(p) > p and f(p) - f(p + 1) = shared/(p(p + 1)) <= 1, t(p + 1) = F(p + 1): F
//    falls by at most 1, and t(p) may lose floor(t(p)/(p + 1)) >= 1. The condition holds for p + 1
//    if it does for p, until 1 applies.
//
// Both begin at some multiple of the root of `shared` at the latest, and from there on the times
// are those of F at sizes below its value, one after another.

// Whether one of the two holds from p on, where t(p) is `ticks`.
static bool is_settled(const duet_law_ticks *law, int64_t p, int64_t ticks)
{
    return ticks <= p ||
           ((duet_int128)law->shared < (duet_int128)p * (p + 1) && ticks == duet_law_ceil(law, p));
}

// Near the size on which the law takes `ticks` - 1; p where that is not beyond it.
static int64_t guess_below(const duet_law_ticks *law, int64_t p, int64_t ticks, int64_t last)
{
    double room = (double)(ticks - 1 - law->same) - law->same_part;
    double size = room > 0.0 ? ((double)law->shared + law->shared_part) / room : (double)last;
    return size <= (double)p ? p : size >= (double)last ? last : (int64_t)size;
}

// The least size beyond p, at most `last`, on which the law takes less than `ticks`; last + 1:
// none. It does not on p. Gallops from the guess, which is mostly off by one at most.
static int64_t next_below(const duet_law_ticks *law, int64_t p, int64_t ticks, int64_t last)
{
    int64_t guess = guess_below(law, p, ticks, last) - 1;
    int64_t below = guess > p && duet_law_ceil(law, guess) >= ticks ? guess : p;
    int64_t above = below;
    for (int64_t stride = 1; above < last; stride *= 2) {
        above = stride < last - below ? below + stride : last;
        if (duet_law_ceil(law, above) < ticks) {
            break;
        }
        below = above;
    }
    if (below >= last) {
        return last + 1;
    }
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        bool fits = duet_law_ceil(law, middle) < ticks;
        above = fits ? middle : above;
        below = fits ? below : middle;
    }
    return above;
}

bool duet_law_advance(const duet_law_ticks *law, int64_t length, duet_law_step *step)
{
    int64_t p = step->size;
    if (p == 0) {
        *step = (duet_law_step){1, duet_law_ceil(law, 1), true};
        return length >= 1;
    }
    bool dense = step->dense && (p < DUET_LAW_DENSE || !is_settled(law, p, step->ticks));
    if (dense && p < length) {
        *step = (duet_law_step){p + 1, duet_law_next(law, p + 1, step->ticks), true};
        return true;
    }
    int64_t last = duet_min(step->ticks, length);
    int64_t next = p < last ? next_below(law, p, step->ticks, last) : last + 1;
    if (next > last) {
        return false;
    }
    *step = (duet_law_step){next, duet_law_ceil(law, next), false};
    return true;
}

int64_t duet_law_at(const duet_law_ticks *law, int64_t size)
{
    int64_t p = 1;
    int64_t ticks = duet_law_ceil(law, 1);
    while (p < size && !is_settled(law, p, ticks)) {
        p++;
        ticks = duet_law_next(law, p, ticks);
    }
    if (p == size || ticks <= p) {
        return ticks;
    }
    int64_t there = duet_law_ceil(law, size);
    if (there >= size) {
        return there;
    }
    // The first size on which the law takes no more ticks than that: from it on nothing changes.
    int64_t below = p;
    int64_t above = size;
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        bool fits = duet_law_ceil(law, middle) <= middle;
        above = fits ? middle : above;
        below = fits ? below : middle;
    }
    return duet_law_ceil(law, above);
}
