// SPDX-License-Identifier: Apache-2.0
// A set of numbers from 0 on whose least one can be taken out: a queue for priorities that are
// ranks.
//
// Method: a bit says for each number whether it is in the set, and a bit of the level above says
//         for each word of 64 bits whether it has one, until a level is one word.
// Cost:   O(log n / 6) for a number that goes in or comes out; n / 63 words of memory.
#ifndef DUET_CORE_LEAST_SET_H
#define DUET_CORE_LEAST_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DUET_LEAST_SET_BITS = 64,
    DUET_LEAST_SET_SHIFT = 6,
    DUET_LEAST_SET_MOST_LEVELS = 6, // Numbers are below 2^32.
};

typedef struct duet_least_set {
    uint64_t *level[DUET_LEAST_SET_MOST_LEVELS]; // The first one has the numbers.
    size_t levels;                               // The last one is one word.
} duet_least_set;

// Returns the words that a set of numbers below `size` needs.
static inline size_t duet_least_set_words(size_t size)
{
    size_t words = 0;
    do {
        size = size / DUET_LEAST_SET_BITS + 1;
        words += size;
    } while (size > 1);
    return words;
}

// Makes an empty set of numbers below `size`, at most 2^31, in words that are 0 and borrowed.
static inline void duet_least_set_begin(duet_least_set *set, size_t size, uint64_t *words)
{
    set->levels = 0;
    do {
        size = size / DUET_LEAST_SET_BITS + 1;
        set->level[set->levels++] = words;
        words += size;
    } while (size > 1);
}

static inline bool duet_least_set_is_empty(const duet_least_set *set)
{
    return set->level[set->levels - 1][0] == 0;
}

// Adds a number that is not in the set.
static inline void duet_least_set_add(duet_least_set *set, int32_t number)
{
    size_t at = (size_t)number;
    bool first = true; // All levels below had a word that was 0.
    for (size_t i = 0; i < set->levels && first; i++) {
        uint64_t *word = &set->level[i][at >> DUET_LEAST_SET_SHIFT];
        first = *word == 0;
        *word |= UINT64_C(1) << (at % DUET_LEAST_SET_BITS);
        at >>= DUET_LEAST_SET_SHIFT;
    }
}

// Takes the least number out of a set that is not empty.
static inline int32_t duet_least_set_take(duet_least_set *set)
{
    size_t at = 0;
    for (size_t i = set->levels; i-- > 0;) {
        at = (at << DUET_LEAST_SET_SHIFT) + (size_t)__builtin_ctzll(set->level[i][at]);
    }
    size_t number = at;
    bool last = true; // All levels below are left with a word that is 0.
    for (size_t i = 0; i < set->levels && last; i++) {
        uint64_t *word = &set->level[i][at >> DUET_LEAST_SET_SHIFT];
        *word &= *word - 1;
        last = *word == 0;
        at >>= DUET_LEAST_SET_SHIFT;
    }
    return (int32_t)number;
}

// Takes all numbers out. O(size / 64) where there are any.
static inline void duet_least_set_clear(duet_least_set *set)
{
    while (!duet_least_set_is_empty(set)) {
        duet_least_set_take(set);
    }
}

#endif
