// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/packing.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/memory.h"
#include "core/order.h"

// Items of a pair that are dealt anew: two halves of 2^12 subsets.
enum { HALF = 12, CHOSEN = 2 * HALF, SUBSETS = 1 << HALF, ALIKE = 5 };

// A subset of half the chosen items.
typedef struct subset {
    int64_t sum;
    uint32_t members;
} subset;

// Where a search for one pair works.
typedef struct splitter {
    subset half[2][SUBSETS];
    subset spare[SUBSETS];
    size_t item[CHOSEN];
    size_t items;
} splitter;

duet_code duet_packing_create(size_t items, size_t processors, duet_packing *packing,
                              duet_error *error)
{
    *packing = (duet_packing){.items = items, .processors = processors};
    packing->time = duet_alloc(items, sizeof *packing->time, error);
    packing->processor = duet_alloc(items, sizeof *packing->processor, error);
    packing->load = duet_alloc(processors, sizeof *packing->load, error);
    packing->first = duet_alloc(processors, sizeof *packing->first, error);
    packing->next = duet_alloc(items, sizeof *packing->next, error);
    if (packing->time == NULL || packing->processor == NULL || packing->load == NULL ||
        packing->first == NULL || packing->next == NULL) {
        duet_packing_free(packing);
        return DUET_E_MEMORY;
    }
    return DUET_OK;
}

void duet_packing_free(duet_packing *packing)
{
    duet_free(packing->time);
    duet_free(packing->processor);
    duet_free(packing->load);
    duet_free(packing->first);
    duet_free(packing->next);
    *packing = (duet_packing){.items = 0};
}

static void put(duet_packing *packing, size_t item, size_t processor)
{
    packing->processor[item] = processor;
    packing->load[processor] += packing->time[item];
    packing->next[item] = packing->first[processor];
    packing->first[processor] = item;
}

static void clear(duet_packing *packing, size_t processor)
{
    packing->load[processor] = 0;
    packing->first[processor] = SIZE_MAX;
}

void duet_packing_link(duet_packing *packing)
{
    for (size_t i = 0; i < packing->processors; i++) {
        clear(packing, i);
    }
    for (size_t j = packing->items; j-- > 0;) {
        put(packing, j, packing->processor[j]);
    }
}

static bool less_loaded(const int64_t *load, size_t a, size_t b)
{
    return load[a] != load[b] ? load[a] < load[b] : a < b;
}

DUET_HEAP(processors, size_t, int64_t, less_loaded)

duet_code duet_packing_longest_first(duet_packing *packing, duet_error *error)
{
    duet_ordered *order = duet_alloc(packing->items, sizeof *order, error);
    size_t *heap = duet_alloc(packing->processors, sizeof *heap, error);
    duet_code code = order != NULL && heap != NULL ? DUET_OK : DUET_E_MEMORY;
    if (code == DUET_OK) {
        for (size_t j = 0; j < packing->items; j++) {
            order[j] = (duet_ordered){(uint64_t)packing->time[j], j};
        }
        for (size_t i = 0; i < packing->processors; i++) {
            heap[i] = i;
            clear(packing, i);
        }
        code = duet_order_by_key(order, packing->items, error);
    }
    for (size_t at = 0; code == DUET_OK && at < packing->items; at++) {
        put(packing, order[at].kind, heap[0]);
        processors_sift_down(packing->load, heap, packing->processors, 0);
    }
    duet_free(order);
    duet_free(heap);
    return code;
}

int64_t duet_packing_longest(const duet_packing *packing)
{
    int64_t longest = 0;
    for (size_t i = 0; i < packing->processors; i++) {
        longest = packing->load[i] > longest ? packing->load[i] : longest;
    }
    return longest;
}

// All subset sums of some items, in order: one item at a time, the list and the list plus the item
// are merged. Returns how many.
static size_t list_sums(const duet_packing *packing, const size_t *item, size_t items, subset *sums,
                        subset *spare)
{
    size_t count = 1;
    sums[0] = (subset){0, 0};
    for (size_t b = 0; b < items; b++) {
        int64_t time = packing->time[item[b]];
        for (size_t i = 0; i < count; i++) {
            spare[i] = sums[i];
        }
        size_t without = 0;
        size_t with = 0;
        for (size_t out = 0; out < 2 * count; out++) {
            if (without < count &&
                (with == count || spare[without].sum <= spare[with].sum + time)) {
                sums[out] = spare[without++];
            } else {
                sums[out] = (subset){spare[with].sum + time, spare[with].members | 1U << b};
                with++;
            }
        }
        count *= 2;
    }
    return count;
}

// The subset of the chosen items whose sum is nearest to `goal`: bits 0 .. HALF-1 of the members
// for the first half, the others above.
static uint32_t nearest(const duet_packing *packing, splitter *split, int64_t goal)
{
    size_t low = split->items / 2;
    size_t a = list_sums(packing, split->item, low, split->half[0], split->spare);
    size_t b =
        list_sums(packing, split->item + low, split->items - low, split->half[1], split->spare);
    uint32_t best = 0;
    int64_t distance = INT64_MAX;
    for (size_t i = 0, j = b; i < a && j > 0;) {
        int64_t sum = split->half[0][i].sum + split->half[1][j - 1].sum;
        int64_t off = sum > goal ? sum - goal : goal - sum;
        if (off < distance) {
            distance = off;
            best = split->half[0][i].members | split->half[1][j - 1].members << low;
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

// Items of the same time that were chosen from a machine already.
static size_t alike(const duet_packing *packing, const splitter *split, size_t item,
                    size_t processor)
{
    size_t count = 0;
    for (size_t i = 0; i < split->items; i++) {
        size_t other = split->item[i];
        count +=
            packing->time[other] == packing->time[item] && packing->processor[other] == processor;
    }
    return count;
}

// Chooses the items of two machines that are dealt anew: all of them, or a random sample. Returns
// the sum of their times.
static int64_t choose(const duet_packing *packing, size_t a, size_t b, duet_random *random,
                      splitter *split)
{
    size_t seen = 0;
    split->items = 0;
    const size_t pair[2] = {a, b};
    for (size_t p = 0; p < 2; p++) {
        for (size_t j = packing->first[pair[p]]; j != SIZE_MAX; j = packing->next[j]) {
            if (alike(packing, split, j, pair[p]) >= ALIKE) {
                continue; // more of them make no other sums
            }
            seen++;
            if (split->items < CHOSEN) {
                split->item[split->items++] = j;
                continue;
            }
            size_t at = (size_t)duet_random_between(random, 0, (int64_t)seen - 1);
            if (at < CHOSEN) {
                split->item[at] = j;
            }
        }
    }
    int64_t sum = 0;
    for (size_t i = 0; i < split->items; i++) {
        sum += packing->time[split->item[i]];
    }
    return sum;
}

static void deal(duet_packing *packing, size_t a, size_t b, const splitter *split, uint32_t to_a)
{
    for (size_t i = 0; i < split->items; i++) {
        packing->processor[split->item[i]] = (to_a >> i & 1U) != 0 ? a : b;
    }
    // Both lists anew; items that were not chosen stay where they are.
    size_t pending[2] = {packing->first[a], packing->first[b]};
    clear(packing, a);
    clear(packing, b);
    for (size_t p = 0; p < 2; p++) {
        for (size_t j = pending[p]; j != SIZE_MAX;) {
            size_t after = packing->next[j];
            put(packing, j, packing->processor[j]);
            j = after;
        }
    }
}

// Deals two machines anew so that machine a gets as near to `goal` as it can. Kept only if neither
// exceeds `most` afterwards. Returns whether it was kept.
static bool resplit(duet_packing *packing, size_t a, size_t b, int64_t goal, int64_t most,
                    duet_random *random, splitter *split)
{
    int64_t both = packing->load[a] + packing->load[b];
    int64_t sum = choose(packing, a, b, random, split);
    int64_t fixed = packing->load[a];
    for (size_t i = 0; i < split->items; i++) {
        fixed -= packing->processor[split->item[i]] == a ? packing->time[split->item[i]] : 0;
    }
    int64_t wanted = goal - fixed;
    wanted = wanted < 0 ? 0 : wanted > sum ? sum : wanted;
    uint32_t members = nearest(packing, split, wanted);
    int64_t load = fixed;
    for (size_t i = 0; i < split->items; i++) {
        load += (members >> i & 1U) != 0 ? packing->time[split->item[i]] : 0;
    }
    if (load > most || both - load > most) {
        return false;
    }
    deal(packing, a, b, split, members);
    return true;
}

static size_t most_loaded(const duet_packing *packing)
{
    size_t best = 0;
    for (size_t i = 1; i < packing->processors; i++) {
        best = packing->load[i] > packing->load[best] ? i : best;
    }
    return best;
}

// Re-splits the most loaded machine with one of the others, starting anywhere. Returns whether one
// of them lowered it.
static bool lower(duet_packing *packing, size_t top, duet_random *random, splitter *split,
                  int64_t *tried)
{
    size_t n = packing->processors;
    size_t start = (size_t)duet_random_between(random, 0, (int64_t)n - 1);
    for (size_t step = 0; step < n; step++) {
        size_t other = (start + step) % n;
        int64_t difference = packing->load[top] - packing->load[other];
        if (difference < 2) {
            continue;
        }
        (*tried)++;
        int64_t half = packing->load[other] + difference / 2;
        if (resplit(packing, top, other, half, packing->load[top] - 1, random, split)) {
            return true;
        }
    }
    return false;
}

// Re-splits a random pair without letting either exceed `most`, so that the next try differs.
static void shake(duet_packing *packing, int64_t most, duet_random *random, splitter *split)
{
    size_t n = packing->processors;
    size_t a = (size_t)duet_random_between(random, 0, (int64_t)n - 1);
    size_t b = (size_t)duet_random_between(random, 0, (int64_t)n - 2);
    b += b >= a;
    int64_t both = packing->load[a] + packing->load[b];
    int64_t least = both > most ? both - most : 0;
    int64_t highest = both < most ? both : most;
    if (least <= highest) {
        int64_t goal = duet_random_between(random, least, highest);
        resplit(packing, a, b, goal, most, random, split);
    }
}

int64_t duet_packing_level(duet_packing *packing, int64_t target, int64_t effort,
                           duet_random *random, const duet_context *context)
{
    int64_t longest = duet_packing_longest(packing);
    if (packing->processors < 2 || longest <= target) {
        return longest;
    }
    splitter *split = duet_alloc(1, sizeof *split, NULL);
    if (split == NULL) {
        return longest; // what there is stays valid
    }
    for (int64_t tried = 0; tried < effort && !duet_context_stop(context);) {
        size_t top = most_loaded(packing);
        if (packing->load[top] <= target) {
            break;
        }
        if (packing->load[top] < longest) {
            longest = packing->load[top];
            tried = 0;
        }
        if (!lower(packing, top, random, split, &tried)) {
            tried++;
            shake(packing, packing->load[top], random, split);
        }
    }
    duet_free(split);
    return duet_packing_longest(packing);
}
