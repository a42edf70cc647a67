// SPDX-License-Identifier: Apache-2.0
// One processor filled by the subset sums of all items that are left, as bit sets.
#include <string.h>

#include "core/number/minmax.h"
#include "heuristics/packing/fill_state.h"

// row[to] = row[from] | row[from] << time
static void add_sum(uint64_t *restrict to, const uint64_t *restrict from, size_t words, size_t time)
{
    size_t skip = time / 64;
    size_t shift = time % 64;
    for (size_t w = 0; w < words && w < skip; w++) {
        to[w] = from[w];
    }
    if (skip >= words) {
        return;
    }
    to[skip] = from[skip] | from[0] << shift;
    if (shift == 0) {
        for (size_t w = skip + 1; w < words; w++) {
            to[w] = from[w] | from[w - skip];
        }
        return;
    }
    for (size_t w = skip + 1; w < words; w++) {
        to[w] = from[w] | from[w - skip] << shift | from[w - skip - 1] >> (64 - shift);
    }
}

static bool has_sum(const uint64_t *row, int64_t sum)
{
    return sum >= 0 && (row[sum / 64] >> (sum % 64) & 1U) != 0;
}

// The largest sum up to `room` in a row. Sums of few items are far apart.
static int64_t largest_sum(const uint64_t *row, int64_t room)
{
    int64_t word = room / 64;
    uint64_t sums = row[word] & UINT64_MAX >> (63 - room % 64);
    while (sums == 0) {
        sums = row[--word]; // sum 0 is always there
    }
    return 64 * word + 63 - __builtin_clzll(sums);
}

// The sums of the shortest items behind the first, one more in each row.
static void list_rows(duet_fill *f, size_t others, int64_t room)
{
    const duet_fill_placing *p = &f->placing;
    size_t words = (size_t)room / 64 + 1;
    memset(f->reach, 0, words * sizeof *f->reach);
    f->reach[0] = 1;
    for (size_t i = 0; i < others; i++) {
        size_t at = p->left[others - i];
        add_sum(f->reach + (i + 1) * f->of->words, f->reach + i * f->of->words, words,
                (size_t)f->of->time[at]);
    }
    f->work -= (int64_t)(others * words);
}

// Takes a subset of the items with that sum. Where there is a choice the long ones are taken, but
// for now and then.
static void take_sum(duet_fill *f, size_t others, int64_t sum)
{
    duet_fill_placing *p = &f->placing;
    size_t kept = 0;
    for (size_t i = others; i > 0; i--) {
        size_t at = p->left[others + 1 - i];
        const uint64_t *row = f->reach + (i - 1) * f->of->words;
        bool without = has_sum(row, sum);
        bool with = has_sum(row, sum - f->of->time[at]);
        if (with && (!without || (duet_random_next(&f->random) & 7U) < f->eager)) {
            p->position[at] = p->processors;
            sum -= f->of->time[at];
        } else {
            p->left[kept++] = at;
        }
    }
    for (size_t i = others + 1; i < p->left_count; i++) {
        p->left[kept++] = p->left[i];
    }
    p->left_count = kept;
}

void duet_fill_in_units(duet_fill *f, size_t seed)
{
    duet_fill_placing *p = &f->placing;
    p->processors--;
    size_t first = p->left[seed];
    memmove(p->left + 1, p->left, seed * sizeof *p->left);
    p->left[0] = first;
    p->position[first] = p->processors;
    int64_t room = f->of->target - f->of->time[first];
    size_t others = p->left_count - 1;
    others -= duet_min(f->spared, others);
    list_rows(f, others, room);
    int64_t given = p->idle / (4 * ((int64_t)p->processors + 1));
    given = given > 0 && f->bold ? duet_random_between(&f->random, 0, given) : 0;
    int64_t sum = largest_sum(f->reach + others * f->of->words, room > given ? room - given : 0);
    f->work -= (room - sum) / 64;
    p->idle -= room - sum;
    take_sum(f, others, sum);
}
