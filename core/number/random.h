// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers, the same on every machine.
//
// Method: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM
// TOMS 47, 2021), seeded through splitmix64.
#ifndef DUET_CORE_NUMBER_RANDOM_H
#define DUET_CORE_NUMBER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct duet_random {
    uint64_t state[4];
} duet_random;

void duet_random_seed(duet_random *random, uint64_t seed);
// Uniform over all 64-bit values. Inline for searches that draw tens of millions a second.
static inline uint64_t duet_random_next(duet_random *random)
{
    uint64_t *s = random->state;
    uint64_t mixed = s[1] * 5;
    uint64_t result = ((mixed << 7) | (mixed >> 57)) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}
// A whole number from 0 to below `count` >= 1, from 32 bits: for searches, which draw often.
static inline int32_t duet_random_below(duet_random *random, int32_t count)
{
    return (int32_t)((duet_random_next(random) >> 32) * (uint64_t)count >> 32);
}
// A whole number from 0 to 99.
static inline int32_t duet_random_percent(duet_random *random)
{
    return duet_random_below(random, 100);
}
// Whether something happens that does in `percent` of 100 cases.
static inline bool duet_random_happens(duet_random *random, int32_t percent)
{
    return duet_random_percent(random) < percent;
}
// Uniform over low .. high, both included, low <= high; without modulo bias.
int64_t duet_random_between(duet_random *random, int64_t low, int64_t high);
// Uniform over (0, 1), 52 bits.
double duet_random_unit(duet_random *random);

#endif
