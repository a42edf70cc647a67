// SPDX-License-Identifier: Apache-2.0
// The branching rows of a pool, and their bounds. A row stays in the master program after its last
// bound is closed, until the program is renewed.
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/pool/pool_state.h"

bool duet_pool_has(const duet_classes *classes, size_t type, const duet_branching_count *what,
                   size_t class)
{
    if (what->pair[0] != SIZE_MAX) {
        return class == what->pair[0] || class == what->pair[1];
    }
    return duet_class_fits(classes, class, type) && classes->time[type][class] >= what->time;
}

// The row of a count, which is made if it is not there yet.
static duet_code find_row(duet_pool *pool, duet_branching_count count, size_t *found,
                          duet_error *error)
{
    for (*found = 0; *found < pool->rows; ++*found) {
        if (duet_branching_count_same(&pool->row[*found].count, &count)) {
            return DUET_OK;
        }
    }
    duet_pool_row made = {
        .count = count, .items = count.pair[0] == SIZE_MAX ? duet_pool_items(pool, count.time) : 0};
    duet_code code = duet_vec_grow(pool->row, pool->rows, error);
    DUET_THEN(code, duet_pool_add_row(pool, &made, error));
    if (code == DUET_OK) {
        pool->row[pool->rows++] = made;
    }
    return code;
}

duet_code duet_pool_open(duet_pool *pool, duet_branching_count count, bool at_least, int64_t bound,
                         duet_error *error)
{
    DUET_ASSERT(pool->hidden == 0);
    size_t found = 0;
    duet_code code = duet_vec_grow(pool->open, pool->opened, error);
    DUET_THEN(code, find_row(pool, count, &found, error));
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
    DUET_ASSERT(mark <= pool->opened && pool->hidden == 0);
    pool->opened = mark;
}

duet_int128 duet_pool_row_term(const duet_pool *pool, const duet_prices *prices)
{
    DUET_ASSERT(prices->rows <= pool->opened);
    duet_int128 row_term = 0;
    for (size_t i = 0; i < prices->rows; i++) {
        duet_int128 part = (duet_int128)prices->row[i] * pool->open[i].bound;
        row_term += pool->open[i].at_least ? -part : part;
    }
    return row_term;
}
