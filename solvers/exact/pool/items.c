// SPDX-License-Identifier: Apache-2.0
// The items of a list's patterns, and what they are worth. Most of a relaxation's time goes into
// passes over all patterns: two bytes a task, and what counts are worth in the items' prices where
// that can be, make them short.
#include <stdlib.h>

#include "core/memory.h"
#include "core/order.h"
#include "solvers/exact/pool/state.h"

static size_t count_tasks(const duet_pool_patterns *all)
{
    size_t tasks = 0;
    for (size_t i = 0; all->count > 0 && i < all->begin[all->count]; i++) {
        tasks += all->part[i].tasks;
    }
    return tasks;
}

size_t duet_list_item_bytes(const duet_pool_patterns *patterns)
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

// Numbers the classes that patterns have, which `most` tells.
static duet_code number_items(duet_list *list, const uint32_t *most, uint16_t *item_of,
                              duet_error *error)
{
    size_t count = list->classes->count;
    timed_class *sorted = duet_alloc(count, sizeof *sorted, error);
    if (sorted == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < count; c++) {
        if (most[c] > 0) {
            sorted[list->items++] = (timed_class){list->classes->time[list->type][c], c};
        }
    }
    if (list->items > 0) {
        qsort(sorted, list->items, sizeof *sorted, longest_first);
    }
    for (size_t i = 0; i < list->items; i++) { // a pool's patterns have at most 1,024 tasks in all
        list->item_class[i] = sorted[i].class;
        list->item_most[i] = most[sorted[i].class];
        item_of[sorted[i].class] = (uint16_t)i;
    }
    duet_free(sorted);
    return DUET_OK;
}

// The items of each pattern's tasks in order.
static void sort_tasks(duet_list *list, const uint16_t *item_of)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t end = 0;
    for (size_t i = 0; i < all->count; i++) {
        list->task[i] = end;
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            uint16_t item = item_of[all->part[p].class];
            for (uint32_t j = 0; j < all->part[p].tasks; j++) {
                size_t at = end++;
                for (; at > list->task[i] && list->item[at - 1] > item; at--) {
                    list->item[at] = list->item[at - 1];
                }
                list->item[at] = item;
            }
        }
    }
    list->task[all->count] = end;
}

static duet_code list_tasks(duet_list *list, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t count = list->classes->count;
    uint32_t *most = duet_alloc(count, sizeof *most, error);
    uint16_t *item_of = duet_alloc(count, sizeof *item_of, error);
    duet_code code = most == NULL || item_of == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t p = 0; code == DUET_OK && all->count > 0 && p < all->begin[all->count]; p++) {
        const duet_pattern_part *part = &all->part[p];
        most[part->class] = part->tasks > most[part->class] ? part->tasks : most[part->class];
    }
    if (code == DUET_OK) {
        code = number_items(list, most, item_of, error);
    }
    if (code == DUET_OK) {
        sort_tasks(list, item_of);
    }
    duet_free(most);
    duet_free(item_of);
    return code;
}

duet_code duet_list_create_items(duet_list *list, duet_error *error)
{
    size_t count = list->classes->count;
    list->item_class = duet_alloc(count, sizeof *list->item_class, error);
    list->item_most = duet_alloc(count, sizeof *list->item_most, error);
    list->item_price = duet_alloc(count, sizeof *list->item_price, error);
    list->item_worth = duet_alloc(count, sizeof *list->item_worth, error);
    list->item_closed = duet_alloc(count, sizeof *list->item_closed, error);
    list->item = duet_alloc(count_tasks(&list->patterns), sizeof *list->item, error);
    list->task = duet_alloc(list->patterns.count + 1, sizeof *list->task, error);
    bool all = list->item_class != NULL && list->item_most != NULL && list->item_price != NULL &&
               list->item_worth != NULL && list->item_closed != NULL && list->item != NULL &&
               list->task != NULL;
    return all ? list_tasks(list, error) : DUET_E_MEMORY;
}

void duet_list_free_items(duet_list *list)
{
    duet_free(list->item_class);
    duet_free(list->item_most);
    duet_free(list->item_price);
    duet_free(list->item_worth);
    duet_free(list->item_closed);
    duet_free(list->item);
    duet_free(list->task);
    duet_free(list->extra);
}

uint32_t duet_list_items(const duet_list *list, int64_t time)
{
    uint32_t items = 0;
    while (items < list->items &&
           list->classes->time[list->type][list->item_class[items]] >= time) {
        items++;
    }
    return items;
}

void duet_list_close_items(duet_list *list, const duet_remainder *state)
{
    list->limited = false;
    for (size_t i = 0; i < list->items; i++) {
        int64_t most = duet_remainder_most(state, list->item_class[i], list->type);
        list->item_closed[i] = most <= 0;
        list->limited = list->limited || (most > 0 && most < (int64_t)list->item_most[i]);
    }
}

static duet_code add_extra(duet_list *list, duet_list_extra extra, duet_error *error)
{
    duet_code code =
        duet_grow(&list->extra, list->extras, &list->extra_room, sizeof *list->extra, error);
    if (code == DUET_OK) {
        list->extra[list->extras++] = extra;
    }
    return code;
}

duet_code duet_list_read_prices(duet_list *list, duet_error *error)
{
    duet_code code = DUET_OK;
    list->extras = 0;
    for (size_t i = 0; i < list->items; i++) {
        list->item_price[i] = list->price[list->item_class[i]];
    }
    for (size_t p = 0; p < list->properties && code == DUET_OK; p++) {
        const duet_list_row *property = &list->property[p];
        bool sum = duet_list_is_sum(property);
        for (uint32_t i = 0; sum && i < property->items; i++) {
            list->item_price[i] += property->dual;
        }
        if (!sum && property->dual != 0) {
            code =
                add_extra(list, (duet_list_extra){.property = p, .price = property->dual}, error);
        }
    }
    return code;
}

duet_code duet_list_read_worths(duet_list *list, const duet_prices *prices, duet_error *error)
{
    duet_code code = DUET_OK;
    list->extras = 0;
    for (size_t i = 0; i < list->items; i++) {
        list->item_worth[i] = prices->price[list->type][list->item_class[i]];
    }
    for (size_t k = 0; k < prices->counts && code == DUET_OK; k++) {
        const duet_list_bound *open = &list->open[k];
        const duet_list_row *property = &list->property[open->property];
        int64_t worth = open->at_least ? prices->count[k] : -prices->count[k];
        bool sum = duet_list_is_sum(property);
        for (uint32_t i = 0; sum && i < property->items; i++) {
            list->item_worth[i] += worth;
        }
        if (!sum && worth != 0) {
            code = add_extra(list, (duet_list_extra){.property = open->property, .worth = worth},
                             error);
        }
    }
    return code;
}
