// SPDX-License-Identifier: Apache-2.0
#include "core/number/fixed.h"

#include "core/number/fraction.h"
#include "core/system/assert.h"

enum { PLACES = 32, FINE = 62 }; // of a duet_fixed; of the numbers in 1 .. 2 that are worked on

duet_fixed duet_fixed_ratio(int64_t numerator, int64_t denominator)
{
    return (duet_fixed)((duet_int128)numerator * DUET_FIXED_ONE / denominator);
}

duet_fixed duet_fixed_times(duet_fixed a, duet_fixed b)
{
    return (duet_fixed)(((duet_int128)a * b) >> PLACES);
}

duet_fixed duet_fixed_over(duet_fixed a, duet_fixed b)
{
    DUET_ASSERT(b > 0);
    return duet_fixed_ratio(a, b);
}

static uint64_t fine_product(uint64_t a, uint64_t b)
{
    return (uint64_t)(((duet_uint128)a * b) >> FINE);
}

// Each squaring of a number in 1 .. 2 gives the next binary place of its logarithm.
duet_fixed duet_fixed_log2(duet_fixed x)
{
    DUET_ASSERT(x > 0);
    int whole = FINE - PLACES;
    uint64_t rest = (uint64_t)x;
    while (rest < UINT64_C(1) << FINE) {
        rest <<= 1;
        whole--;
    }
    int64_t places = 0;
    for (int i = 0; i < PLACES; i++) {
        rest = fine_product(rest, rest);
        int64_t above = rest >= UINT64_C(2) << FINE;
        places = 2 * places + above;
        rest >>= above;
    }
    return whole * DUET_FIXED_ONE + places;
}

// 2^(1/2), 2^(1/4), 2^(1/8), ... times 2^62: successive square roots, rounded to nearest.
static const uint64_t roots[PLACES] = {
    UINT64_C(0x5a827999fcef3242), UINT64_C(0x4c1bf828c6dc54b8), UINT64_C(0x45cae0f1f545eb73),
    UINT64_C(0x42d561b3e6243d8a), UINT64_C(0x4166c34c5615d0ec), UINT64_C(0x40b268f9de0183ba),
    UINT64_C(0x4058f6a7ecccd5b6), UINT64_C(0x402c6be96af2fb58), UINT64_C(0x4016321b687027a8),
    UINT64_C(0x400b18178ba33b14), UINT64_C(0x40058bce410147e8), UINT64_C(0x4002c5d7bff71daf),
    UINT64_C(0x400162e807ee7e5b), UINT64_C(0x4000b1730df6a524), UINT64_C(0x400058b9497b8152),
    UINT64_C(0x40002c5c955dd701), UINT64_C(0x4000162e46d6f26c), UINT64_C(0x40000b1722757b1b),
    UINT64_C(0x4000058b90fd3e0c), UINT64_C(0x400002c5c86f3f26), UINT64_C(0x40000162e433c79b),
    UINT64_C(0x400000b17218edd0), UINT64_C(0x40000058b90c3968), UINT64_C(0x4000002c5c860d54),
    UINT64_C(0x400000162e4302d2), UINT64_C(0x4000000b17218073), UINT64_C(0x400000058b90bffc),
    UINT64_C(0x40000002c5c85fef), UINT64_C(0x4000000162e42ff3), UINT64_C(0x40000000b17217f9),
    UINT64_C(0x4000000058b90bfc), UINT64_C(0x400000002c5c85fe)};

duet_fixed duet_fixed_exp2(duet_fixed x)
{
    int64_t whole = x >> PLACES;
    uint64_t places = (uint64_t)x & (uint64_t)(DUET_FIXED_ONE - 1);
    DUET_ASSERT(whole < 30);
    if (whole < -PLACES) {
        return 0;
    }
    uint64_t power = UINT64_C(1) << FINE;
    for (int i = 0; i < PLACES; i++) {
        if ((places >> (PLACES - 1 - i) & 1) != 0) {
            power = fine_product(power, roots[i]);
        }
    }
    return (duet_fixed)(power >> (FINE - PLACES - whole));
}

static const duet_fixed natural = INT64_C(2977044472); // ln 2

duet_fixed duet_fixed_log(duet_fixed x)
{
    return duet_fixed_times(duet_fixed_log2(x), natural);
}

duet_fixed duet_fixed_exp(duet_fixed x)
{
    return duet_fixed_exp2(duet_fixed_over(x, natural));
}

duet_fixed duet_fixed_sqrt(duet_fixed x)
{
    DUET_ASSERT(x >= 0);
    duet_uint128 square = (duet_uint128)x << PLACES;
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 47; bit > 0; bit >>= 1) {
        uint64_t tried = root | bit;
        root = (duet_uint128)tried * tried <= square ? tried : root;
    }
    return (duet_fixed)root;
}

duet_fixed duet_fixed_uniform(duet_random *random, duet_fixed low, duet_fixed high)
{
    return duet_random_between(random, low, high);
}

duet_fixed duet_fixed_log_uniform(duet_random *random, duet_fixed low, duet_fixed high)
{
    return duet_fixed_exp2(duet_fixed_uniform(random, low, high));
}

duet_fixed duet_fixed_normal(duet_random *random)
{
    duet_fixed sum = -6 * DUET_FIXED_ONE;
    for (int i = 0; i < 12; i++) {
        sum += duet_fixed_uniform(random, 0, DUET_FIXED_ONE);
    }
    return sum;
}

// A point of the unit disc: its direction and, as a logarithm, the square of its radius are
// independent.
duet_fixed duet_fixed_polar_normal(duet_random *random)
{
    duet_fixed x;
    duet_fixed square;
    do {
        x = duet_fixed_uniform(random, -DUET_FIXED_ONE, DUET_FIXED_ONE);
        duet_fixed y = duet_fixed_uniform(random, -DUET_FIXED_ONE, DUET_FIXED_ONE);
        square = duet_fixed_times(x, x) + duet_fixed_times(y, y);
    } while (square <= 0 || square >= DUET_FIXED_ONE);
    duet_fixed radius = duet_fixed_sqrt(-2 * duet_fixed_log(square));
    return duet_fixed_times(duet_fixed_over(x, duet_fixed_sqrt(square)), radius);
}

duet_fixed duet_fixed_exponential(duet_random *random)
{
    return -duet_fixed_log(duet_fixed_uniform(random, 1, DUET_FIXED_ONE));
}
