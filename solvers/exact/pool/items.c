// SPDX-License-Identifier: Apache-2.0
// The patterns of a pool as sequences of items, and the items' duals and prices. Most of a
// relaxation's time goes into passes over all patterns. Two bytes a task keep them short, and so do
// the duals of branching rows that count tasks: they are part of the items' duals.
#include <stdlib.h>

#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/pool/pool_state.h"

static size_t count_tasks(const duet_patterns *all)
{
    size_t tasks = 0;
    for (size_t i = 0; all->count > 0 && i < all->begin[all->count]; i++) {
        tasks += all->part[i].tasks;
    }
    return tasks;
}

size_t duet_pool_item_bytes(const duet_patterns *patterns)
{
    return count_tasks(patterns) * sizeof(uint16_t) + patterns->count * sizeof(size_t);
}

// A class by its time, for sorting.
typedef struct timed_class {
    int64_t time;
    size_t class;
} timed_class;

static int longest_first(const void *a, const void *b)
{
    const timed_class *x = a;
    const timed_class *y = b;
    int order = duet_order(y->time, x->time);
    return order != 0 ? order : (x->class > y->class) - (x->class < y->class);
}

// Numbers the classes that patterns have: those with `most` tasks above 0 in one pattern.
static duet_code number_items(duet_pool *pool, const uint32_t *most, uint16_t *item_of,
                              duet_error *error)
{
    size_t count = pool->classes->count;
    timed_class *sorted = duet_alloc(count, sizeof *sorted, error);
    DUET_NEED(sorted);
    for (size_t c = 0; c < count; c++) {
        if (most[c] > 0) {
            sorted[pool->items++] = (timed_class){pool->classes->time[pool->type][c], c};
        }
    }
    if (pool->items > 0) {
        qsort(sorted, pool->items, sizeof *sorted, longest_first);
    }
    // Enumeration gives patterns of at most 1,024 different tasks.
    DUET_ASSERT(pool->items <= (size_t)UINT16_MAX + 1);
    for (size_t i = 0; i < pool->items; i++) {
        pool->item_class[i] = sorted[i].class;
        pool->item_most[i] = most[sorted[i].class];
        item_of[sorted[i].class] = (uint16_t)i;
    }
    duet_free(sorted);
    return DUET_OK;
}

// The items of each pattern's tasks in order.
static void sort_tasks(duet_pool *pool, const uint16_t *item_of)
{
    const duet_patterns *all = &pool->patterns;
    size_t end = 0;
    for (size_t i = 0; i < all->count; i++) {
        pool->task[i] = end;
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            uint16_t item = item_of[all->part[p].class];
            for (uint32_t j = 0; j < all->part[p].tasks; j++) {
                size_t at = end++;
                for (; at > pool->task[i] && pool->item[at - 1] > item; at--) {
                    pool->item[at] = pool->item[at - 1];
                }
                pool->item[at] = item;
            }
        }
    }
    pool->task[all->count] = end;
}

static duet_code list_tasks(duet_pool *pool, duet_error *error)
{
    const duet_patterns *all = &pool->patterns;
    size_t count = pool->classes->count;
    uint32_t *most = duet_alloc(count, sizeof *most, error);
    uint16_t *item_of = duet_alloc(count, sizeof *item_of, error);
    duet_code code = most == NULL || item_of == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t p = 0; code == DUET_OK && all->count > 0 && p < all->begin[all->count]; p++) {
        const duet_pattern_part *part = &all->part[p];
        most[part->class] = duet_max(part->tasks, most[part->class]);
    }
    DUET_THEN(code, number_items(pool, most, item_of, error));
    if (code == DUET_OK) {
        sort_tasks(pool, item_of);
    }
    duet_free(most);
    duet_free(item_of);
    return code;
}

duet_code duet_pool_create_items(duet_pool *pool, duet_error *error)
{
    size_t count = pool->classes->count;
    pool->item_class = duet_alloc(count, sizeof *pool->item_class, error);
    pool->item_most = duet_alloc(count, sizeof *pool->item_most, error);
    pool->item_dual = duet_alloc(count, sizeof *pool->item_dual, error);
    pool->item_price = duet_alloc(count, sizeof *pool->item_price, error);
    pool->item_barred = duet_alloc(count, sizeof *pool->item_barred, error);
    pool->item = duet_alloc(count_tasks(&pool->patterns), sizeof *pool->item, error);
    pool->task = duet_alloc(pool->patterns.count + 1, sizeof *pool->task, error);
    bool all = pool->item_class != NULL && pool->item_most != NULL && pool->item_dual != NULL &&
               pool->item_price != NULL && pool->item_barred != NULL && pool->item != NULL &&
               pool->task != NULL;
    return all ? list_tasks(pool, error) : DUET_E_MEMORY;
}

void duet_pool_free_items(duet_pool *pool)
{
    duet_free(pool->item_class);
    duet_free(pool->item_most);
    duet_free(pool->item_dual);
    duet_free(pool->item_price);
    duet_free(pool->item_barred);
    duet_free(pool->item);
    duet_free(pool->task);
}

uint32_t duet_pool_items(const duet_pool *pool, int64_t time)
{
    uint32_t items = 0;
    while (items < pool->items &&
           pool->classes->time[pool->type][pool->item_class[items]] >= time) {
        items++;
    }
    return items;
}

void duet_pool_bar_items(duet_pool *pool, const duet_residual *state)
{
    pool->limited = false;
    for (size_t i = 0; i < pool->items; i++) {
        int64_t most = duet_residual_most(state, pool->item_class[i], pool->type);
        pool->item_barred[i] = most <= 0;
        pool->limited = pool->limited || (most > 0 && most < (int64_t)pool->item_most[i]);
    }
}

// Adds a branching row that counts patterns.
static duet_code add_pattern_row(duet_pool *pool, duet_pool_pattern_row added, duet_error *error)
{
    return duet_vec_push(pool->pattern_row, pool->pattern_rows, error, added);
}

duet_code duet_pool_set_item_duals(duet_pool *pool, duet_error *error)
{
    duet_code code = DUET_OK;
    pool->pattern_rows = 0;
    for (size_t i = 0; i < pool->items; i++) {
        pool->item_dual[i] = pool->dual[pool->item_class[i]];
    }
    for (size_t r = 0; r < pool->rows && code == DUET_OK; r++) {
        const duet_pool_row *row = &pool->row[r];
        bool tasks = duet_pool_counts_tasks(row);
        for (uint32_t i = 0; tasks && i < row->items; i++) {
            pool->item_dual[i] += row->dual;
        }
        if (!tasks && row->dual != 0) {
            code =
                add_pattern_row(pool, (duet_pool_pattern_row){.row = r, .dual = row->dual}, error);
        }
    }
    return code;
}

duet_code duet_pool_set_item_prices(duet_pool *pool, const duet_prices *prices, duet_error *error)
{
    DUET_ASSERT(prices->rows <= pool->opened);
    duet_code code = DUET_OK;
    pool->pattern_rows = 0;
    for (size_t i = 0; i < pool->items; i++) {
        pool->item_price[i] = prices->price[pool->type][pool->item_class[i]];
    }
    for (size_t k = 0; k < prices->rows && code == DUET_OK; k++) {
        const duet_pool_bound *open = &pool->open[k];
        const duet_pool_row *row = &pool->row[open->row];
        int64_t price = open->at_least ? prices->row[k] : -prices->row[k];
        bool tasks = duet_pool_counts_tasks(row);
        for (uint32_t i = 0; tasks && i < row->items; i++) {
            pool->item_price[i] += price;
        }
        if (!tasks && price != 0) {
            code = add_pattern_row(pool, (duet_pool_pattern_row){.row = open->row, .price = price},
                                   error);
        }
    }
    return code;
}
