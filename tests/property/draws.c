// SPDX-License-Identifier: Apache-2.0
#include "tests/property/draws.h"

draws draws_of_seed(uint64_t seed)
{
    draws d = {.at = NULL};
    duet_random_seed(&d.random, seed);
    return d;
}

draws draws_of_bytes(const uint8_t *data, size_t size)
{
    return (draws){.at = data, .left = size};
}

int64_t draw(draws *d, int64_t low, int64_t high)
{
    if (d->at == NULL) {
        return duet_random_between(&d->random, low, high);
    }
    uint64_t range = (uint64_t)high - (uint64_t)low;
    uint64_t value = 0;
    for (uint64_t left = range; left > 0; left >>= 8) {
        value = value << 8 | (d->left > 0 ? *d->at : 0);
        d->at += d->left > 0;
        d->left -= d->left > 0;
    }
    return (int64_t)((uint64_t)low + (range == UINT64_MAX ? value : value % (range + 1)));
}

int64_t draw_number(draws *d)
{
    int64_t kind = draw(d, 0, 31);
    return kind < 26   ? draw(d, 0, 39)
           : kind < 30 ? draw(d, -2, 65535)
                       : draw(d, INT64_MIN, INT64_MAX);
}
