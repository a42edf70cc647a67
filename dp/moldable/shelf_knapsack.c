// SPDX-License-Identifier: Apache-2.0
#include "dp/moldable/shelf_knapsack.h"

#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static int by_efficiency(const void *left, const void *right)
{
    const duet_width_item *a = left;
    const duet_width_item *b = right;
    int order = duet_order((duet_int128)b->saving * a->width, (duet_int128)a->saving * b->width);
    return order != 0 ? order : duet_order((duet_int128)a->task, (duet_int128)b->task);
}

// Takes what fits, the best first. Returns what that saves.
static int64_t take_greedily(duet_width_item *item, size_t count, int64_t capacity)
{
    int64_t saved = 0;
    for (size_t i = 0; i < count; i++) {
        item[i].taken = item[i].width <= capacity;
        if (item[i].taken) {
            capacity -= item[i].width;
            saved += item[i].saving;
        }
    }
    return saved;
}

// The items that the fractional optimum does not decide, to the end of the others. Those decided
// are taken or not; *capacity and *needed become those of the rest. Returns where the rest begins.
static size_t fix(duet_width_item *item, size_t count, int64_t *capacity, int64_t *needed)
{
    size_t divided = 0; // the item of which a fraction is taken
    int64_t room = *capacity;
    duet_int128 saved = 0;
    for (; divided < count && item[divided].width <= room; divided++) {
        room -= item[divided].width;
        saved += item[divided].saving;
    }
    DUET_ASSERT(divided < count); // else the greedy set has all items
    duet_int128 width = item[divided].width;
    duet_int128 saving = item[divided].saving;
    // All times the width of that item: how much the fractional optimum saves more than is needed.
    duet_int128 slack = (saved - *needed) * width + room * saving;
    size_t fixed = 0;
    for (size_t i = 0; i < count; i++) {
        duet_int128 lost = item[i].saving * width - item[i].width * saving;
        bool inside = i < divided;
        lost = inside ? lost : -lost;
        if (i == divided || lost <= slack) {
            continue;
        }
        item[i].taken = inside;
        *capacity -= inside ? item[i].width : 0;
        *needed -= inside ? item[i].saving : 0;
        duet_width_item kept = item[i];
        item[i] = item[fixed];
        item[fixed++] = kept;
    }
    return fixed;
}

// A table over the widths: which items improve it is kept, a bit for each.
typedef struct width_table {
    int64_t *best;     // saved within a width
    uint64_t *improve; // a row of bits for each item
    size_t words;      // in a row
} width_table;

static void add_item(width_table *table, size_t row, const duet_width_item *item, int64_t capacity)
{
    uint64_t *bits = table->improve + row * table->words;
    for (int64_t width = capacity; width >= item->width; width--) {
        int64_t with = table->best[width - item->width] + item->saving;
        if (with > table->best[width]) {
            table->best[width] = with;
            bits[width / 64] |= UINT64_C(1) << (width % 64);
        }
    }
}

static duet_code search_table(duet_width_item *item, size_t count, int64_t capacity, int64_t needed,
                              const duet_context *context, duet_width_answer *answer,
                              duet_error *error)
{
    width_table table = {.words = (size_t)capacity / 64 + 1};
    DUET_TRY(duet_memory_check((uint64_t)count + 64, table.words * sizeof *table.improve,
                               context->memory_limit, "the knapsack of shelf 1", error));
    table.best = duet_alloc((size_t)capacity + 1, sizeof *table.best, error);
    table.improve = duet_alloc(count * table.words, sizeof *table.improve, error);
    if (table.best == NULL || table.improve == NULL) {
        duet_free(table.best);
        duet_free(table.improve);
        return DUET_E_MEMORY;
    }
    bool stopped = false;
    for (size_t i = 0; i < count && !stopped; i++) {
        add_item(&table, i, &item[i], capacity);
        stopped = duet_context_stop(context);
    }
    *answer = stopped                          ? DUET_WIDTH_STOPPED
              : table.best[capacity] >= needed ? DUET_WIDTH_ENOUGH
                                               : DUET_WIDTH_NEVER;
    int64_t width = capacity;
    for (size_t i = count; i-- > 0 && !stopped;) {
        const uint64_t *bits = table.improve + i * table.words;
        item[i].taken = (bits[width / 64] >> (width % 64) & 1) != 0;
        width -= item[i].taken ? item[i].width : 0;
    }
    duet_free(table.best);
    duet_free(table.improve);
    return DUET_OK;
}

duet_code duet_shelf_knapsack(duet_width_item *item, size_t count, int64_t capacity, int64_t needed,
                              const duet_context *context, duet_width_answer *answer,
                              duet_error *error)
{
    qsort(item, count, sizeof *item, by_efficiency);
    for (; count > 0 && item[count - 1].saving == 0; count--) {
        item[count - 1].taken = false;
    }
    *answer = DUET_WIDTH_ENOUGH;
    size_t taken = 0;
    if (take_greedily(item, count, capacity) >= needed) {
        return DUET_OK;
    }
    *answer = DUET_WIDTH_NEVER;
    while (taken < count && item[taken].taken) {
        taken++;
    }
    if (taken == count) {
        return DUET_OK; // all are taken
    }
    size_t begin = fix(item, count, &capacity, &needed);
    if (capacity < 0) {
        return DUET_OK;
    }
    return search_table(item + begin, count - begin, capacity, needed, context, answer, error);
}
