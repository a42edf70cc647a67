// SPDX-License-Identifier: Apache-2.0
// Numbers that a generated test draws: from a seed, or from the bytes that a fuzzer chooses.
#ifndef DUET_TESTS_PROPERTY_DRAWS_H
#define DUET_TESTS_PROPERTY_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/number/random.h"

typedef struct draws {
    duet_random random;
    const uint8_t *at; // NULL: by the seed
    size_t left;
} draws;

draws draws_of_seed(uint64_t seed);
// Zeros when the bytes are used up.
draws draws_of_bytes(const uint8_t *data, size_t size);
// low .. high, both included.
int64_t draw(draws *d, int64_t low, int64_t high);
// Whether it comes true, once in `of` times.
static inline bool draw_once(draws *d, int64_t of)
{
    return draw(d, 1, of) == of;
}
// Mostly small numbers, now and then any.
int64_t draw_number(draws *d);

#endif
