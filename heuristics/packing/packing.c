// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/packing.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/instance/order.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "heuristics/packing/subset_sums.h"

// Items of a pair that are repartitioned: two halves of 2^12 subsets; of 2^16 where fine ticks
// leave loads a little above the target, which takes 16 times as long.
enum { HALF = 12, FINE_HALF = 16, FINE = 12, FINE_EFFORT = 8, ALIKE = 5 };

// The room for repartitioning one pair.
typedef struct repartitioner {
    duet_subset_sums sums;
    size_t item[2 * FINE_HALF];
    int64_t time[2 * FINE_HALF]; // of the chosen items
    size_t items;
} repartitioner;

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
        longest = duet_max(packing->load[i], longest);
    }
    return longest;
}

// How many items of the same time were chosen from a processor already.
static size_t alike(const duet_packing *packing, const repartitioner *room, size_t item,
                    size_t processor)
{
    size_t count = 0;
    for (size_t i = 0; i < room->items; i++) {
        size_t other = room->item[i];
        count +=
            packing->time[other] == packing->time[item] && packing->processor[other] == processor;
    }
    return count;
}

// Chooses the items of two processors that are repartitioned: all of them, or a random sample.
// Returns the sum of their times.
static int64_t choose(const duet_packing *packing, size_t a, size_t b, duet_random *random,
                      repartitioner *room)
{
    size_t seen = 0;
    room->items = 0;
    const size_t pair[2] = {a, b};
    for (size_t p = 0; p < 2; p++) {
        for (size_t j = packing->first[pair[p]]; j != SIZE_MAX; j = packing->next[j]) {
            if (alike(packing, room, j, pair[p]) >= ALIKE) {
                continue; // more of them make no other sums
            }
            seen++;
            if (room->items < room->sums.most) {
                room->item[room->items++] = j;
                continue;
            }
            size_t at = (size_t)duet_random_between(random, 0, (int64_t)seen - 1);
            if (at < room->sums.most) {
                room->item[at] = j;
            }
        }
    }
    int64_t sum = 0;
    for (size_t i = 0; i < room->items; i++) {
        room->time[i] = packing->time[room->item[i]];
        sum += room->time[i];
    }
    return sum;
}

static void reassign(duet_packing *packing, size_t a, size_t b, const repartitioner *room,
                     uint32_t to_a)
{
    for (size_t i = 0; i < room->items; i++) {
        packing->processor[room->item[i]] = (to_a >> i & 1U) != 0 ? a : b;
    }
    // Both lists are built anew; items that were not chosen stay where they are.
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

// Repartitions two processors so that the load of `a` is as near to `goal` as it can be. Kept only
// if neither load exceeds `most` afterwards. Returns whether it was kept.
static bool repartition(duet_packing *packing, size_t a, size_t b, int64_t goal, int64_t most,
                        duet_random *random, repartitioner *room)
{
    int64_t both = packing->load[a] + packing->load[b];
    int64_t sum = choose(packing, a, b, random, room);
    int64_t fixed = packing->load[a];
    for (size_t i = 0; i < room->items; i++) {
        fixed -= packing->processor[room->item[i]] == a ? packing->time[room->item[i]] : 0;
    }
    int64_t wanted = goal - fixed;
    wanted = wanted < 0 ? 0 : duet_min(wanted, sum);
    uint32_t members = duet_subset_sums_nearest(&room->sums, room->time, room->items, wanted);
    int64_t load = fixed;
    for (size_t i = 0; i < room->items; i++) {
        load += (members >> i & 1U) != 0 ? packing->time[room->item[i]] : 0;
    }
    if (load > most || both - load > most) {
        return false;
    }
    reassign(packing, a, b, room, members);
    DUET_ASSERT(packing->load[a] == load && packing->load[b] == both - load);
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

// Repartitions the most loaded processor with each of the others, starting anywhere, until its load
// falls. Returns whether it did.
static bool lower(duet_packing *packing, size_t top, duet_random *random, repartitioner *room,
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
        if (repartition(packing, top, other, half, packing->load[top] - 1, random, room)) {
            return true;
        }
    }
    return false;
}

// Repartitions a random pair without letting either load exceed `most`, so that the next try
// differs.
static void shake(duet_packing *packing, int64_t most, duet_random *random, repartitioner *room)
{
    size_t n = packing->processors;
    size_t a = (size_t)duet_random_between(random, 0, (int64_t)n - 1);
    size_t b = (size_t)duet_random_between(random, 0, (int64_t)n - 2);
    b += b >= a;
    int64_t both = packing->load[a] + packing->load[b];
    int64_t least = both > most ? both - most : 0;
    int64_t highest = duet_min(both, most);
    if (least <= highest) {
        int64_t goal = duet_random_between(random, least, highest);
        repartition(packing, a, b, goal, most, random, room);
    }
}

// Repartitions pairs until no load exceeds `target` or `effort` pairs were tried in vain one after
// another.
static void level(duet_packing *packing, int64_t target, int64_t effort, duet_random *random,
                  const duet_context *context, repartitioner *room)
{
    int64_t longest = duet_packing_longest(packing);
    for (int64_t tried = 0; tried < effort && !duet_context_stop(context);) {
        size_t top = most_loaded(packing);
        if (packing->load[top] <= target) {
            break;
        }
        if (packing->load[top] < longest) {
            longest = packing->load[top];
            tried = 0;
        }
        if (!lower(packing, top, random, room, &tried)) {
            tried++;
            shake(packing, packing->load[top], random, room);
        }
    }
}

// Whether more subset sums may bring the loads within the target: they are little above it, there
// is room below it, and processors hold more items than were chosen of them.
static bool is_nearly_level(const duet_packing *packing, int64_t target)
{
    int64_t longest = duet_packing_longest(packing);
    duet_int128 work = 0;
    for (size_t i = 0; i < packing->processors; i++) {
        work += packing->load[i];
    }
    return longest > target && longest - target <= longest >> FINE &&
           work <= (duet_int128)target * (int64_t)packing->processors &&
           packing->items / packing->processors > HALF;
}

int64_t duet_packing_level(duet_packing *packing, int64_t target, int64_t effort,
                           duet_random *random, const duet_context *context)
{
    static const struct {
        size_t half;
        int64_t share; // of the effort
    } passes[] = {{HALF, 1}, {FINE_HALF, FINE_EFFORT}};
    for (size_t p = 0; p < sizeof passes / sizeof passes[0]; p++) {
        repartitioner room;
        if (packing->processors < 2 || duet_packing_longest(packing) <= target ||
            (p > 0 && !is_nearly_level(packing, target))) {
            break;
        }
        // Without room for it the packing is valid as it is.
        if (duet_subset_sums_create(passes[p].half, &room.sums)) {
            level(packing, target, effort / passes[p].share, random, context, &room);
        }
        duet_subset_sums_free(&room.sums);
    }
    return duet_packing_longest(packing);
}
