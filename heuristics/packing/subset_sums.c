// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/subset_sums.h"

#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"

bool duet_subset_sums_create(size_t half, duet_subset_sums *sums)
{
    DUET_ASSERT(half <= DUET_SUBSET_SUMS_MOST_HALF);
    size_t subsets = (size_t)1 << half;
    *sums = (duet_subset_sums){.most = 2 * half};
    for (size_t h = 0; h < 2; h++) {
        sums->half[h] = duet_alloc_raw(subsets, sizeof *sums->half[h], NULL);
    }
    sums->spare = duet_alloc_raw(subsets, sizeof *sums->spare, NULL);
    return sums->half[0] != NULL && sums->half[1] != NULL && sums->spare != NULL;
}

void duet_subset_sums_free(duet_subset_sums *sums)
{
    duet_free(sums->half[0]);
    duet_free(sums->half[1]);
    duet_free(sums->spare);
}

// Lists all subset sums of some items, in order and each once. One item at a time, the list and the
// list with the item added are merged. Returns how many.
static size_t list_sums(const int64_t *time, size_t items, duet_subset *sums, duet_subset *spare)
{
    size_t count = 1;
    sums[0] = (duet_subset){0, 0};
    for (size_t b = 0; b < items; b++) {
        for (size_t i = 0; i < count; i++) {
            spare[i] = sums[i];
        }
        size_t without = 0;
        size_t with = 0;
        size_t kept = 0;
        while (without < count || with < count) {
            duet_subset next;
            if (without < count &&
                (with == count || spare[without].sum <= spare[with].sum + time[b])) {
                next = spare[without++];
            } else {
                next = (duet_subset){spare[with].sum + time[b], spare[with].members | 1U << b};
                with++;
            }
            if (kept == 0 || next.sum != sums[kept - 1].sum) {
                sums[kept++] = next;
            }
        }
        count = kept;
    }
    return count;
}

// The subset whose sum is nearest to `goal`, of those that are at most `goal` where `below`.
static uint32_t find(duet_subset_sums *sums, const int64_t *time, size_t items, int64_t goal,
                     bool below)
{
    DUET_ASSERT(items <= sums->most && goal >= 0);
    size_t low = items / 2;
    size_t a = list_sums(time, low, sums->half[0], sums->spare);
    size_t b = list_sums(time + low, items - low, sums->half[1], sums->spare);
    enum { each = 12 }; // nanoseconds
    duet_count_work(each * (int64_t)(a + b));
    uint32_t best = 0;
    int64_t distance = INT64_MAX;
    for (size_t i = 0, j = b; i < a && j > 0;) {
        int64_t sum = sums->half[0][i].sum + sums->half[1][j - 1].sum;
        int64_t off = sum > goal ? sum - goal : goal - sum;
        if (off < distance && (sum <= goal || !below)) {
            distance = off;
            best = sums->half[0][i].members | sums->half[1][j - 1].members << low;
        }
        if (sum > goal) {
            j--;
        } else if (sum < goal) {
            i++;
        } else {
            break;
        }
    }
    return best;
}

uint32_t duet_subset_sums_nearest(duet_subset_sums *sums, const int64_t *time, size_t items,
                                  int64_t goal)
{
    return find(sums, time, items, goal, false);
}

uint32_t duet_subset_sums_below(duet_subset_sums *sums, const int64_t *time, size_t items,
                                int64_t goal)
{
    return find(sums, time, items, goal, true);
}
