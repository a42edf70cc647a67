// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pool/pool.h"

#include <math.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

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

size_t duet_list_more_bytes(const duet_pool_patterns *patterns)
{
    return duet_list_item_bytes(patterns) + patterns->count * (3 * sizeof(uint32_t) + sizeof(bool));
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
    list->live = duet_alloc(list->patterns.count, sizeof *list->live, error);
    duet_code code = DUET_E_MEMORY;
    if (list->row != NULL && list->work != NULL && list->price != NULL && list->listed != NULL &&
        list->taken != NULL && list->has_column != NULL && list->present != NULL &&
        list->live != NULL) {
        code = duet_reserve(&list->pick, list->patterns.count, &list->pick_room, sizeof *list->pick,
                            error);
    }
    if (code == DUET_OK) {
        code = duet_list_create_items(list, error);
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
        duet_free(list->live);
        duet_list_free_items(list);
        duet_free(list->property);
        duet_free(list->open);
        duet_free(list->column);
        duet_free(list->pick);
        duet_free(list->from);
        duet_free(list);
    }
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
        .count = count, .items = count.pair[0] == SIZE_MAX ? duet_list_items(list, count.time) : 0};
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
    if (code == DUET_OK) {
        code = duet_list_read_worths(list, prices, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    duet_list_close_items(list, state);
    for (size_t i = begin; i < end; i++) {
        uint32_t pattern = list->pick[i];
        if (prices->limit[list->type] - duet_list_worth(list, pattern) <= budget &&
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
