// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/last.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

enum { HALF_ITEMS = DUET_LAST_ITEMS / 2, HALF_SUMS = 1 << HALF_ITEMS };

typedef struct subset {
    int64_t sum;
    uint32_t items;
} subset;

// The lists of one level: a processor above the last.
typedef struct level {
    subset *half[2];
} level;

struct duet_last {
    level level[DUET_LAST_PROCESSORS];
    const int64_t *time; // longest first
    int64_t target;
    int64_t work;
    uint32_t *chosen;
};

duet_code duet_last_create(duet_last **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_last_free(duet_last *last)
{
    if (last != NULL) {
        for (size_t i = 0; i < DUET_LAST_PROCESSORS; i++) {
            duet_free(last->level[i].half[0]);
            duet_free(last->level[i].half[1]);
        }
        duet_free(last);
    }
}

// Adds an item to a sorted list of subset sums: the list and the list with the item, merged from
// the end, in place.
static size_t add_item(subset *list, size_t size, int64_t time, uint32_t item)
{
    size_t without = size;
    size_t with = size;
    for (size_t to = 2 * size; to-- > 0;) {
        if (with == 0) {
            break; // the rest stands where it is
        }
        if (without == 0 || list[with - 1].sum + time >= list[without - 1].sum) {
            with--;
            list[to] = (subset){list[with].sum + time, list[with].items | item};
        } else {
            list[to] = list[--without];
        }
    }
    return 2 * size;
}

static bool pack(duet_last *s, uint32_t rest, int64_t total, size_t processors);

// Gives the processor a set of items and goes on with the other processors.
static bool try_set(duet_last *s, uint32_t rest, int64_t total, size_t processors, subset set)
{
    uint32_t left = rest & ~set.items;
    if (left != 0) {
        int shortest = 31 - __builtin_clz(left);
        if (set.sum + s->time[shortest] <= s->target) {
            return false;
        }
    }
    s->chosen[processors - 1] = set.items;
    return pack(s, left, total - set.sum, processors - 1);
}

// Lists the subset sums of the items but the first, which go to two lists in turn.
static bool list_sums(duet_last *s, uint32_t rest, size_t processors, size_t size[2])
{
    level *lists = &s->level[processors - 1];
    for (size_t h = 0; h < 2; h++) {
        if (lists->half[h] == NULL) {
            lists->half[h] = duet_alloc_raw(HALF_SUMS, sizeof *lists->half[h], NULL);
        }
        if (lists->half[h] == NULL) {
            return false;
        }
        lists->half[h][0] = (subset){0, 0};
        size[h] = 1;
    }
    for (size_t h = 0; rest != 0; h = 1 - h) {
        uint32_t item = rest & ~(rest - 1);
        size[h] = add_item(lists->half[h], size[h], s->time[__builtin_ctz(rest)], item);
        rest &= ~item;
    }
    return true;
}

// Tries the sets with the first item whose sum is within the idle time of the target.
static bool try_sets(duet_last *s, uint32_t rest, int64_t total, size_t processors, int64_t idle)
{
    int first = __builtin_ctz(rest);
    uint32_t item = UINT32_C(1) << first;
    size_t size[2];
    if (!list_sums(s, rest & ~item, processors, size)) {
        s->work = 0; // given up: there is no memory
        return false;
    }
    s->work -= 2 * (int64_t)(size[0] + size[1]);
    const subset *a = s->level[processors - 1].half[0];
    const subset *b = s->level[processors - 1].half[1];
    size_t from = 0; // of b: the first that is not too small for the a there is
    int64_t room = s->target - s->time[first];
    for (size_t i = size[0]; i-- > 0 && s->work > 0;) {
        int64_t most = room - a[i].sum;
        while (from < size[1] && b[from].sum < most - idle) {
            from++;
        }
        for (size_t j = from; j < size[1] && b[j].sum <= most && s->work > 0; j++) {
            s->work--;
            subset set = {s->time[first] + a[i].sum + b[j].sum, item | a[i].items | b[j].items};
            if (try_set(s, rest, total, processors, set)) {
                return true;
            }
        }
    }
    return false;
}

static bool pack(duet_last *s, uint32_t rest, int64_t total, size_t processors)
{
    duet_int128 idle = (duet_int128)s->target * (int64_t)processors - total;
    if (idle < 0 || (rest != 0 && s->time[__builtin_ctz(rest)] > s->target)) {
        return false;
    }
    if (rest == 0 || processors == 1) {
        for (size_t i = 0; i < processors; i++) {
            s->chosen[i] = i == 0 ? rest : 0;
        }
        return true;
    }
    return try_sets(s, rest, total, processors, idle < s->target ? (int64_t)idle : s->target);
}

duet_last_answer duet_last_pack(duet_last *last, const int64_t *time, size_t items,
                                size_t processors, int64_t target, int64_t *work, uint32_t *chosen)
{
    DUET_ASSERT(items <= DUET_LAST_ITEMS && processors <= DUET_LAST_PROCESSORS);
    int64_t total = 0;
    for (size_t i = 0; i < items; i++) {
        DUET_ASSERT(i == 0 || time[i] <= time[i - 1]);
        total += time[i];
    }
    last->time = time;
    last->target = target;
    last->work = *work;
    last->chosen = chosen;
    uint32_t all = (UINT32_C(1) << items) - 1;
    bool fits = processors > 0 ? pack(last, all, total, processors) : items == 0;
    *work = last->work;
    if (fits) {
        return DUET_LAST_FITS;
    }
    return last->work > 0 ? DUET_LAST_NEVER : DUET_LAST_GIVEN_UP;
}
