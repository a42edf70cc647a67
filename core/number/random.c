// SPDX-License-Identifier: Apache-2.0
#include "core/number/random.h"

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void duet_random_seed(duet_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        random->state[i] = splitmix64(&seed);
    }
}

// Draws again in the last, incomplete block of the 64-bit range.
int64_t duet_random_between(duet_random *random, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    if (span == 0) {
        return (int64_t)duet_random_next(random);
    }
    uint64_t reject_below = (0 - span) % span;
    uint64_t draw;
    do {
        draw = duet_random_next(random);
    } while (draw < reject_below);
    return (int64_t)((uint64_t)low + draw % span);
}

double duet_random_unit(duet_random *random)
{
    return ((double)(duet_random_next(random) >> 12) + 0.5) * 0x1p-52;
}
