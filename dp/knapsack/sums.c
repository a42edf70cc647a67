// SPDX-License-Identifier: Apache-2.0
#include "dp/knapsack/sums.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

enum { WORD = 64 };

static const int64_t MOST_STEPS = INT64_C(1) << 26; // words that are shifted

// sums |= sums << time, from the end, so that each word is read before it changes.
static void shift(uint64_t *sums, size_t words, int64_t time)
{
    size_t whole = (size_t)(time / WORD);
    unsigned part = (unsigned)(time % WORD);
    for (size_t i = words; i-- > whole;) {
        uint64_t low = sums[i - whole] << part;
        uint64_t high = part > 0 && i > whole ? sums[i - whole - 1] >> (WORD - part) : 0;
        sums[i] |= low | high;
    }
}

static void add_item(uint64_t *sums, size_t words, int64_t time, int64_t tasks, int64_t limit)
{
    int64_t fit = limit / time;
    tasks = duet_min(tasks, fit);
    for (int64_t some = 1; tasks > 0; some *= 2) {
        some = duet_min(some, tasks);
        shift(sums, words, some * time);
        tasks -= some;
    }
}

static int64_t next_sum(const uint64_t *sums, int64_t from, int64_t limit)
{
    int64_t sum = from;
    while (sum <= limit && (sums[sum / WORD] >> (sum % WORD) & 1) == 0) {
        sum += sums[sum / WORD] >> (sum % WORD) == 0 ? WORD - sum % WORD : 1;
    }
    return duet_min(sum, limit + 1);
}

int64_t duet_sums_next(const duet_sums_items *items, int64_t from, int64_t limit)
{
    DUET_ASSERT(from >= 0);
    int64_t known = from > limit ? limit + 1 : from;
    int64_t doublings = 0;
    for (size_t i = 0; i < items->count; i++) {
        for (int64_t some = items->tasks[i]; some > 0; some /= 2) {
            doublings++;
        }
    }
    if (from > limit || limit / WORD + 1 > MOST_STEPS / (doublings + 1)) {
        return known;
    }
    size_t words = (size_t)(limit / WORD) + 1;
    uint64_t *sums = duet_alloc(words, sizeof *sums, NULL);
    if (sums == NULL) {
        return known; // which holds without the table
    }
    sums[0] = 1;
    for (size_t i = 0; i < items->count; i++) {
        add_item(sums, words, items->time[i], items->tasks[i], limit);
    }
    int64_t least = next_sum(sums, from, limit);
    duet_free(sums);
    return least;
}
