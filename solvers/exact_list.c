// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "solvers/exact_list_state.h"

enum { MOST_COLUMNS = 1500 }; // of a program

size_t duet_list_type(const duet_list *list)
{
    return list->type;
}

size_t duet_list_count(const duet_list *list)
{
    return list->picks - duet_list_begin(list);
}

size_t duet_list_bytes(const duet_list *list)
{
    return list->picks * sizeof *list->pick;
}

bool duet_list_has(const duet_classes *classes, size_t type, const duet_list_property *what,
                   size_t class)
{
    if (what->pair[0] != SIZE_MAX) {
        return class == what->pair[0] || class == what->pair[1];
    }
    return duet_class_fits(classes, class, type) && classes->time[type][class] >= what->time;
}

static void read_classes(duet_list *list)
{
    const duet_classes *classes = list->classes;
    size_t other = 1 - list->type;
    double all = 0;
    double longest = 0;
    for (size_t c = 0; c < classes->count; c++) {
        list->row[c] = SIZE_MAX;
        if (duet_class_fits(classes, c, other)) {
            list->work[c] = (double)classes->time[other][c] / (double)classes->capacity[other];
        }
        longest = fmax(longest, list->work[c]);
        all += list->work[c] * (double)classes->tasks[c];
    }
    for (size_t i = 0; i < list->patterns.begin[list->patterns.count]; i++) {
        list->row[list->patterns.part[i].class] = 0;
    }
    // One task at this cost is more than there can be.
    list->enough_cost = all + (double)classes->machines[other] + 1;
    list->first_cost = longest > 0 ? fmin(4 * longest, list->enough_cost) : list->enough_cost;
    list->short_cost = list->first_cost;
}

// A class by its time, for sorting.
typedef struct timed_class {
    int64_t time;
    size_t class;
} timed_class;

static int longest_first(const void *a, const void *b)
{
    return duet_order(((const timed_class *)b)->time, ((const timed_class *)a)->time);
}

// Equal times have equal ranks: as many as are longer.
static duet_code rank_classes(duet_list *list, duet_error *error)
{
    size_t count = list->classes->count;
    timed_class *sorted = duet_alloc(count, sizeof *sorted, error);
    if (sorted == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < count; c++) {
        bool fits = duet_class_fits(list->classes, c, list->type);
        sorted[c] = (timed_class){fits ? list->classes->time[list->type][c] : 0, c};
    }
    qsort(sorted, count, sizeof *sorted, longest_first);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && sorted[i].time == sorted[i - 1].time;
        list->by_time[i] = sorted[i].class;
        list->rank_of[sorted[i].class] = same ? list->rank_of[sorted[i - 1].class] : (uint32_t)i;
    }
    duet_free(sorted);
    return DUET_OK;
}

static size_t count_tasks(const duet_pool_patterns *all)
{
    size_t tasks = 0;
    for (size_t i = 0; all->count > 0 && i < all->begin[all->count]; i++) {
        tasks += all->part[i].tasks;
    }
    return tasks;
}

size_t duet_list_more_bytes(const duet_pool_patterns *patterns)
{
    return count_tasks(patterns) * (sizeof(uint32_t) + sizeof(uint16_t)) +
           patterns->count * (2 * sizeof(uint32_t) + sizeof(size_t) + sizeof(bool));
}

// The classes that patterns have, by which each pattern's tasks are known then: passes over many
// patterns read little memory.
static duet_code list_items(duet_list *list, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t tasks = count_tasks(all);
    list->item = duet_alloc(tasks, sizeof *list->item, error);
    list->task = duet_alloc(all->count + 1, sizeof *list->task, error);
    uint16_t *item_of = duet_alloc(list->classes->count, sizeof *item_of, error);
    if (list->item == NULL || list->task == NULL || item_of == NULL) {
        duet_free(item_of);
        return DUET_E_MEMORY;
    }
    size_t end = 0;
    for (size_t i = 0; i < all->count; i++) {
        list->task[i] = end;
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            const duet_pattern_part *part = &all->part[p];
            if (item_of[part->class] == 0) { // patterns of a pool have at most 1,024 tasks
                list->item_class[list->items++] = part->class;
                item_of[part->class] = (uint16_t)list->items;
            }
            uint16_t item = (uint16_t)(item_of[part->class] - 1);
            uint32_t *most = &list->item_most[item];
            *most = part->tasks > *most ? part->tasks : *most;
            for (uint32_t j = 0; j < part->tasks; j++) {
                list->item[end++] = item;
            }
        }
    }
    list->task[all->count] = end;
    duet_free(item_of);
    return DUET_OK;
}

// The ranks of each pattern's tasks in order.
static duet_code rank_tasks(duet_list *list, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    list->rank = duet_alloc(list->task[all->count], sizeof *list->rank, error);
    if (list->rank == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < all->count; i++) {
        for (size_t t = list->task[i]; t < list->task[i + 1]; t++) {
            uint32_t rank = list->rank_of[list->item_class[list->item[t]]];
            size_t at = t;
            for (; at > list->task[i] && list->rank[at - 1] > rank; at--) {
                list->rank[at] = list->rank[at - 1];
            }
            list->rank[at] = rank;
        }
    }
    return DUET_OK;
}

static duet_code create_items(duet_list *list, duet_error *error)
{
    size_t count = list->classes->count;
    list->item_class = duet_alloc(count, sizeof *list->item_class, error);
    list->item_most = duet_alloc(count, sizeof *list->item_most, error);
    list->item_price = duet_alloc(count, sizeof *list->item_price, error);
    list->item_worth = duet_alloc(count, sizeof *list->item_worth, error);
    list->item_closed = duet_alloc(count, sizeof *list->item_closed, error);
    bool all = list->item_class != NULL && list->item_most != NULL && list->item_price != NULL &&
               list->item_worth != NULL && list->item_closed != NULL;
    return all ? list_items(list, error) : DUET_E_MEMORY;
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

duet_code duet_list_create(const duet_classes *classes, duet_pool_patterns *patterns,
                           duet_list **out, duet_error *error)
{
    *out = NULL;
    duet_list *list = duet_alloc(1, sizeof *list, error);
    if (list == NULL) {
        duet_pool_patterns_free(patterns);
        return DUET_E_MEMORY;
    }
    list->classes = classes;
    list->type = patterns->type;
    list->most_columns = MOST_COLUMNS;
    list->patterns = *patterns;
    *patterns = (duet_pool_patterns){.count = 0};
    list->row = duet_alloc(classes->count, sizeof *list->row, error);
    list->work = duet_alloc(classes->count, sizeof *list->work, error);
    list->price = duet_alloc(classes->count, sizeof *list->price, error);
    list->listed = duet_alloc(classes->count, sizeof *list->listed, error);
    list->taken = duet_alloc(classes->count, sizeof *list->taken, error);
    list->has_column = duet_alloc(list->patterns.count, sizeof *list->has_column, error);
    list->present = duet_alloc(list->patterns.count, sizeof *list->present, error);
    list->rank_of = duet_alloc(classes->count, sizeof *list->rank_of, error);
    list->by_time = duet_alloc(classes->count, sizeof *list->by_time, error);
    duet_code code = DUET_E_MEMORY;
    if (list->row != NULL && list->work != NULL && list->price != NULL && list->listed != NULL &&
        list->taken != NULL && list->has_column != NULL && list->present != NULL &&
        list->rank_of != NULL && list->by_time != NULL) {
        code = duet_reserve(&list->pick, list->patterns.count, &list->pick_room, sizeof *list->pick,
                            error);
    }
    if (code == DUET_OK) {
        code = rank_classes(list, error);
    }
    if (code == DUET_OK) {
        code = create_items(list, error);
    }
    if (code == DUET_OK) {
        code = rank_tasks(list, error);
    }
    if (code == DUET_OK) {
        for (size_t i = 0; i < list->patterns.count; i++) {
            // A processor without tasks is none of the list's patterns.
            if (list->patterns.begin[i + 1] > list->patterns.begin[i]) {
                list->pick[list->picks++] = (uint32_t)i;
            }
        }
        read_classes(list);
        code = duet_list_add_rows(list, error);
    }
    if (code != DUET_OK) {
        duet_list_free(list);
        return code;
    }
    *out = list;
    return DUET_OK;
}

void duet_list_free(duet_list *list)
{
    if (list != NULL) {
        duet_pool_patterns_free(&list->patterns);
        duet_lp_free(list->lp);
        duet_free(list->row);
        duet_free(list->work);
        duet_free(list->price);
        duet_free(list->listed);
        duet_free(list->taken);
        duet_free(list->has_column);
        duet_free(list->present);
        duet_free(list->rank_of);
        duet_free(list->rank);
        duet_free(list->item);
        duet_free(list->item_class);
        duet_free(list->item_most);
        duet_free(list->item_price);
        duet_free(list->item_worth);
        duet_free(list->item_closed);
        duet_free(list->task);
        duet_free(list->property);
        duet_free(list->open);
        duet_free(list->by_time);
        duet_free(list->column);
        duet_free(list->pick);
        duet_free(list->from);
        duet_free(list);
    }
}

// The ranks of tasks at least as long.
uint32_t duet_list_ranks(const duet_list *list, int64_t time)
{
    uint32_t ranks = 0;
    for (size_t i = 0; i < list->classes->count; i++) {
        size_t c = list->by_time[i];
        if (!duet_class_fits(list->classes, c, list->type) ||
            list->classes->time[list->type][c] < time) {
            break;
        }
        ranks = list->rank_of[c] + 1;
    }
    return ranks;
}

static duet_code find_property(duet_list *list, duet_list_property count, size_t *found,
                               duet_error *error)
{
    for (*found = 0; *found < list->properties; ++*found) {
        if (duet_list_same(&list->property[*found].count, &count)) {
            return DUET_OK;
        }
    }
    duet_list_row made = {
        .count = count, .ranks = count.pair[0] == SIZE_MAX ? duet_list_ranks(list, count.time) : 0};
    duet_code code = duet_grow(&list->property, list->properties, &list->property_room,
                               sizeof *list->property, error);
    if (code == DUET_OK) {
        code = duet_list_add_property(list, &made, error);
    }
    if (code == DUET_OK) {
        list->property[list->properties++] = made;
    }
    return code;
}

duet_code duet_list_open(duet_list *list, duet_list_property count, bool at_least, int64_t bound,
                         duet_error *error)
{
    duet_code code =
        duet_grow(&list->open, list->opened, &list->open_room, sizeof *list->open, error);
    size_t found = 0;
    if (code == DUET_OK) {
        code = find_property(list, count, &found, error);
    }
    if (code == DUET_OK) {
        list->open[list->opened++] = (duet_list_bound){found, at_least, bound};
    }
    return code;
}

size_t duet_list_open_counts(const duet_list *list)
{
    return list->opened;
}

void duet_list_close(duet_list *list, size_t mark)
{
    list->opened = mark;
}

duet_code duet_list_narrow(duet_list *list, const duet_remainder *state, const duet_prices *prices,
                           duet_int128 budget, size_t *mark, duet_error *error)
{
    *mark = list->levels;
    size_t begin = duet_list_begin(list);
    size_t end = list->picks;
    duet_code code =
        duet_grow(&list->from, list->levels, &list->level_room, sizeof *list->from, error);
    if (code == DUET_OK) {
        code =
            duet_reserve(&list->pick, 2 * end - begin, &list->pick_room, sizeof *list->pick, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    duet_list_close_items(list, state);
    duet_list_read_worth(list, prices);
    for (size_t i = begin; i < end; i++) {
        uint32_t pattern = list->pick[i];
        if (prices->limit[list->type] - duet_list_worth(list, prices, pattern) <= budget &&
            duet_list_is_open(list, pattern, state)) {
            list->pick[list->picks++] = pattern;
        }
    }
    list->from[list->levels++] = end;
    return DUET_OK;
}

void duet_list_back(duet_list *list, size_t mark)
{
    if (list->levels > mark) {
        list->picks = list->from[mark];
        list->levels = mark;
    }
}
