// SPDX-License-Identifier: Apache-2.0
// Weights on the processor types, and the area bound they prove. Integers throughout.
#include "lp/area/weights.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"

duet_fraction duet_area_value(const duet_instance *instance, const int64_t *weight)
{
    duet_uint128 work = 0;
    duet_uint128 capacity = 0;
    for (size_t t = 0; t < instance->types; t++) {
        capacity += (duet_uint128)weight[t] * (duet_uint128)instance->processors[t];
    }
    if (capacity == 0) {
        return (duet_fraction){0, 1};
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_uint128 least = ~(duet_uint128)0;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t)) {
                duet_uint128 price =
                    (duet_uint128)weight[t] * (duet_uint128)duet_time(instance, i, t);
                least = duet_min(price, least);
            }
        }
        duet_uint128 count = (duet_uint128)duet_count(instance, i);
        work += least * count;
    }
    return (duet_fraction){work, capacity};
}

// Divides by the common divisor, then drops low bits until every weight fits.
static void fit(size_t types, duet_uint128 *weight)
{
    duet_uint128 divisor = 0;
    duet_uint128 largest = 0;
    for (size_t t = 0; t < types; t++) {
        divisor = duet_gcd(divisor, weight[t]);
        largest = duet_max(weight[t], largest);
    }
    if (divisor == 0) {
        return;
    }
    largest /= divisor;
    int shift = 0;
    while ((largest >> shift) > (duet_uint128)DUET_MAX_WEIGHT) {
        shift++;
    }
    for (size_t t = 0; t < types; t++) {
        weight[t] = (weight[t] / divisor) >> shift;
    }
}

// Gives type `u` the weight w_t a / b, after scaling all weights so that it is whole.
static void extend(size_t types, duet_uint128 *weight, size_t t, size_t u, int64_t a, int64_t b)
{
    DUET_ASSERT(a > 0 && b > 0);
    duet_uint128 common = duet_gcd((duet_uint128)a, (duet_uint128)b);
    duet_uint128 up = (duet_uint128)a / common;
    duet_uint128 down = (duet_uint128)b / common;
    duet_uint128 shared = duet_gcd(weight[t], down);
    duet_uint128 reached = weight[t] / shared * up;
    for (size_t i = 0; i < types; i++) {
        weight[i] *= down / shared; // below 2^62 * 2^62
    }
    weight[u] = reached;
    fit(types, weight);
}

void duet_weights_from_ties(size_t types, const duet_weight_tie *ties, size_t count, size_t root,
                            int64_t *weight)
{
    duet_uint128 wide[DUET_MAX_TYPES] = {0};
    bool reached[DUET_MAX_TYPES] = {false};
    wide[root] = 1;
    reached[root] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t e = 0; e < count; e++) {
            const duet_weight_tie *tie = &ties[e];
            if (reached[tie->t] == reached[tie->u]) {
                continue;
            }
            if (reached[tie->t]) {
                extend(types, wide, tie->t, tie->u, tie->a, tie->b);
            } else {
                extend(types, wide, tie->u, tie->t, tie->b, tie->a);
            }
            reached[tie->t] = reached[tie->u] = grew = true;
        }
    }
    for (size_t t = 0; t < types; t++) {
        weight[t] = (int64_t)wide[t];
    }
}

// Two types x and y with processors. Along the ratio w_x / w_y every kind that both can run has one
// breakpoint, p_y / p_x, where it changes its type.
typedef struct pair {
    const duet_instance *instance;
    size_t x, y;
} pair;

static bool flexible(const pair *p, size_t kind)
{
    return duet_allowed(p->instance, kind, p->x) && duet_allowed(p->instance, kind, p->y) &&
           duet_time(p->instance, kind, p->x) > 0 && duet_time(p->instance, kind, p->y) > 0;
}

static duet_fraction breakpoint(const pair *p, size_t kind)
{
    return (duet_fraction){(duet_uint128)duet_time(p->instance, kind, p->y),
                           (duet_uint128)duet_time(p->instance, kind, p->x)};
}

// Which way L rises at ratio r: 1 towards a heavier x, -1 towards a heavier y, 0 at the maximum.
// The kinds that cost the same on both types at r may go to either; if one type still has more
// work per processor than the other, it is the dearer one.
static int slope(const pair *p, duet_fraction r)
{
    const duet_instance *instance = p->instance;
    duet_int128 work_x = 0, work_y = 0, either_x = 0, either_y = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 count = duet_count(instance, i);
        if (flexible(p, i)) {
            int side = duet_fraction_compare(r, breakpoint(p, i));
            work_x += side < 0 ? count * duet_time(instance, i, p->x) : 0;
            work_y += side > 0 ? count * duet_time(instance, i, p->y) : 0;
            either_x += side == 0 ? count * duet_time(instance, i, p->x) : 0;
            either_y += side == 0 ? count * duet_time(instance, i, p->y) : 0;
        } else if (!duet_allowed(instance, i, p->y)) {
            work_x += count * duet_time(instance, i, p->x);
        } else if (!duet_allowed(instance, i, p->x)) {
            work_y += count * duet_time(instance, i, p->y);
        } // else: 0 on one of them, so it costs nothing
    }
    duet_int128 m_x = instance->processors[p->x];
    duet_int128 m_y = instance->processors[p->y];
    if (work_x * m_y > (work_y + either_y) * m_x) {
        return r.den == 0 ? 0 : 1;
    }
    if (work_y * m_x > (work_x + either_x) * m_y) {
        return r.num == 0 ? 0 : -1;
    }
    return 0;
}

// A breakpoint strictly between low and high: the one nearest to an end (`side` > 0: the low end,
// < 0: the high end) or, for side = 0, one drawn at random. False if no breakpoint lies between
// them.
static bool pick(const pair *p, duet_fraction low, duet_fraction high, int side, uint64_t *seed,
                 duet_fraction *out)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < p->instance->kinds; i++) {
        if (!flexible(p, i)) {
            continue;
        }
        duet_fraction at = breakpoint(p, i);
        if (duet_fraction_compare(at, low) <= 0 || duet_fraction_compare(at, high) >= 0) {
            continue;
        }
        bool take = seen == 0;
        seen++;
        if (side != 0) {
            take = take || duet_fraction_compare(at, *out) * side < 0;
        } else {
            *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            take = take || (*seed >> 33) % seen == 0;
        }
        *out = take ? at : *out;
    }
    return seen > 0;
}

static void set_ratio(const pair *p, duet_fraction r, int64_t *weight)
{
    r = duet_fraction_reduce(r);
    memset(weight, 0, p->instance->types * sizeof *weight);
    weight[p->x] = (int64_t)r.num;
    weight[p->y] = (int64_t)r.den;
}

// L is unimodal in the ratio: neighbouring breakpoints first, then halving at random ones.
static void climb(const pair *p, int64_t *weight)
{
    enum { neighbours = 4 };
    duet_fraction low = {0, 1};
    duet_fraction high = {1, 0};
    duet_fraction at = {(duet_uint128)weight[p->x], (duet_uint128)weight[p->y]};
    if (at.num == 0 && at.den == 0) {
        at = (duet_fraction){1, 1};
    }
    uint64_t seed = 1;
    for (int step = 0;; step++) {
        int way = slope(p, at);
        if (way == 0) {
            break;
        }
        *(way > 0 ? &low : &high) = at;
        if (!pick(p, low, high, step < neighbours ? way : 0, &seed, &at)) {
            // No kind changes its type beyond `at`: the maximum is at that end.
            at = way > 0 ? high : low;
            break;
        }
    }
    set_ratio(p, at, weight);
}

bool duet_weights_polish(const duet_instance *instance, int64_t *weight)
{
    pair p = {instance, 0, 0};
    size_t active = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->processors[t] > 0) {
            p.x = active == 0 ? t : p.x;
            p.y = t;
            active++;
        }
    }
    if (active == 1) {
        memset(weight, 0, instance->types * sizeof *weight);
        weight[p.x] = 1;
    } else if (active == 2) {
        climb(&p, weight);
    }
    return active <= 2;
}
