// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pool/pool.h"

#include <math.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

enum { MOST_COLUMNS = 1500 }; // of a program

size_t duet_pool_type(const duet_pool *pool)
{
    return pool->type;
}

size_t duet_pool_count(const duet_pool *pool)
{
    return pool->picks - duet_pool_begin(pool);
}

size_t duet_pool_bytes(const duet_pool *pool)
{
    return pool->picks * sizeof *pool->pick;
}

bool duet_pool_has(const duet_classes *classes, size_t type, const duet_branching_count *what,
                   size_t class)
{
    if (what->pair[0] != SIZE_MAX) {
        return class == what->pair[0] || class == what->pair[1];
    }
    return duet_class_fits(classes, class, type) && classes->time[type][class] >= what->time;
}

static void read_classes(duet_pool *pool)
{
    const duet_classes *classes = pool->classes;
    size_t other = 1 - pool->type;
    double all = 0;
    double longest = 0;
    for (size_t c = 0; c < classes->count; c++) {
        pool->row[c] = SIZE_MAX;
        if (duet_class_fits(classes, c, other)) {
            pool->work[c] = (double)classes->time[other][c] / (double)classes->capacity[other];
        }
        longest = fmax(longest, pool->work[c]);
        all += pool->work[c] * (double)classes->tasks[c];
    }
    for (size_t i = 0; i < pool->patterns.begin[pool->patterns.count]; i++) {
        pool->row[pool->patterns.part[i].class] = 0;
    }
    // One task at this cost is more than there can be.
    pool->enough_cost = all + (double)classes->processors[other] + 1;
    pool->first_cost = longest > 0 ? fmin(4 * longest, pool->enough_cost) : pool->enough_cost;
    pool->short_cost = pool->first_cost;
}

size_t duet_pool_more_bytes(const duet_patterns *patterns)
{
    return duet_pool_item_bytes(patterns) + patterns->count * (3 * sizeof(uint32_t) + sizeof(bool));
}

duet_code duet_pool_create(const duet_classes *classes, duet_patterns *patterns, duet_pool **out,
                           duet_error *error)
{
    *out = NULL;
    duet_pool *pool = duet_alloc(1, sizeof *pool, error);
    if (pool == NULL) {
        duet_patterns_free(patterns);
        return DUET_E_MEMORY;
    }
    pool->classes = classes;
    pool->type = patterns->type;
    pool->most_columns = MOST_COLUMNS;
    pool->patterns = *patterns;
    *patterns = (duet_patterns){.count = 0};
    pool->row = duet_alloc(classes->count, sizeof *pool->row, error);
    pool->work = duet_alloc(classes->count, sizeof *pool->work, error);
    pool->price = duet_alloc(classes->count, sizeof *pool->price, error);
    pool->listed = duet_alloc(classes->count, sizeof *pool->listed, error);
    pool->taken = duet_alloc(classes->count, sizeof *pool->taken, error);
    pool->has_column = duet_alloc(pool->patterns.count, sizeof *pool->has_column, error);
    pool->present = duet_alloc(pool->patterns.count, sizeof *pool->present, error);
    pool->live = duet_alloc(pool->patterns.count, sizeof *pool->live, error);
    duet_code code = DUET_E_MEMORY;
    if (pool->row != NULL && pool->work != NULL && pool->price != NULL && pool->listed != NULL &&
        pool->taken != NULL && pool->has_column != NULL && pool->present != NULL &&
        pool->live != NULL) {
        code = duet_reserve(&pool->pick, pool->patterns.count, &pool->pick_room, sizeof *pool->pick,
                            error);
    }
    if (code == DUET_OK) {
        code = duet_pool_create_items(pool, error);
    }
    if (code == DUET_OK) {
        for (size_t i = 0; i < pool->patterns.count; i++) {
            // A processor without tasks is none of the list's patterns.
            if (pool->patterns.begin[i + 1] > pool->patterns.begin[i]) {
                pool->pick[pool->picks++] = (uint32_t)i;
            }
        }
        read_classes(pool);
        code = duet_pool_add_rows(pool, error);
    }
    if (code != DUET_OK) {
        duet_pool_free(pool);
        return code;
    }
    *out = pool;
    return DUET_OK;
}

void duet_pool_free(duet_pool *pool)
{
    if (pool != NULL) {
        duet_patterns_free(&pool->patterns);
        duet_lp_free(pool->lp);
        duet_free(pool->row);
        duet_free(pool->work);
        duet_free(pool->price);
        duet_free(pool->listed);
        duet_free(pool->taken);
        duet_free(pool->has_column);
        duet_free(pool->present);
        duet_free(pool->live);
        duet_pool_free_items(pool);
        duet_free(pool->property);
        duet_free(pool->open);
        duet_free(pool->column);
        duet_free(pool->pick);
        duet_free(pool->from);
        duet_free(pool);
    }
}

static duet_code find_property(duet_pool *pool, duet_branching_count count, size_t *found,
                               duet_error *error)
{
    for (*found = 0; *found < pool->properties; ++*found) {
        if (duet_pool_same(&pool->property[*found].count, &count)) {
            return DUET_OK;
        }
    }
    duet_pool_row made = {
        .count = count, .items = count.pair[0] == SIZE_MAX ? duet_pool_items(pool, count.time) : 0};
    duet_code code = duet_grow(&pool->property, pool->properties, &pool->property_room,
                               sizeof *pool->property, error);
    if (code == DUET_OK) {
        code = duet_pool_add_property(pool, &made, error);
    }
    if (code == DUET_OK) {
        pool->property[pool->properties++] = made;
    }
    return code;
}

duet_code duet_pool_open(duet_pool *pool, duet_branching_count count, bool at_least, int64_t bound,
                         duet_error *error)
{
    duet_code code =
        duet_grow(&pool->open, pool->opened, &pool->open_room, sizeof *pool->open, error);
    size_t found = 0;
    if (code == DUET_OK) {
        code = find_property(pool, count, &found, error);
    }
    if (code == DUET_OK) {
        pool->open[pool->opened++] = (duet_pool_bound){found, at_least, bound};
    }
    return code;
}

size_t duet_pool_open_counts(const duet_pool *pool)
{
    return pool->opened;
}

void duet_pool_close(duet_pool *pool, size_t mark)
{
    pool->opened = mark;
}

duet_code duet_pool_narrow(duet_pool *pool, const duet_residual *state, const duet_prices *prices,
                           duet_int128 slack, size_t *mark, duet_error *error)
{
    *mark = pool->levels;
    size_t begin = duet_pool_begin(pool);
    size_t end = pool->picks;
    duet_code code =
        duet_grow(&pool->from, pool->levels, &pool->level_room, sizeof *pool->from, error);
    if (code == DUET_OK) {
        code =
            duet_reserve(&pool->pick, 2 * end - begin, &pool->pick_room, sizeof *pool->pick, error);
    }
    if (code == DUET_OK) {
        code = duet_pool_read_prices(pool, prices, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    duet_pool_close_items(pool, state);
    for (size_t i = begin; i < end; i++) {
        uint32_t pattern = pool->pick[i];
        if (prices->limit[pool->type] - duet_pool_price(pool, pattern) <= slack &&
            duet_pool_is_open(pool, pattern, state)) {
            pool->pick[pool->picks++] = pattern;
        }
    }
    pool->from[pool->levels++] = end;
    return DUET_OK;
}

void duet_pool_back(duet_pool *pool, size_t mark)
{
    if (pool->levels > mark) {
        pool->picks = pool->from[mark];
        pool->levels = mark;
    }
}
