// SPDX-License-Identifier: Apache-2.0
// The life of a pattern pool, and its patterns from node to node.
#include "solvers/exact/pool/pool.h"

#include <math.h>

#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/pool/pool_state.h"

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

size_t duet_pool_more_bytes(const duet_patterns *patterns)
{
    return duet_pool_item_bytes(patterns) + patterns->count * (3 * sizeof(uint32_t) + sizeof(bool));
}

static bool create_arrays(duet_pool *pool, duet_error *error)
{
    size_t classes = pool->classes->count;
    size_t patterns = pool->patterns.count;
    pool->class_row = duet_alloc(classes, sizeof *pool->class_row, error);
    pool->work = duet_alloc(classes, sizeof *pool->work, error);
    pool->dual = duet_alloc(classes, sizeof *pool->dual, error);
    pool->class_present = duet_alloc(classes, sizeof *pool->class_present, error);
    pool->class_taken = duet_alloc(classes, sizeof *pool->class_taken, error);
    pool->has_column = duet_alloc(patterns, sizeof *pool->has_column, error);
    pool->present = duet_alloc(patterns, sizeof *pool->present, error);
    pool->live = duet_alloc(patterns, sizeof *pool->live, error);
    return pool->class_row != NULL && pool->work != NULL && pool->dual != NULL &&
           pool->class_present != NULL && pool->class_taken != NULL && pool->has_column != NULL &&
           pool->present != NULL && pool->live != NULL;
}

static void read_classes(duet_pool *pool)
{
    const duet_classes *classes = pool->classes;
    size_t other = 1 - pool->type;
    double all = 0;
    double longest = 0;
    for (size_t c = 0; c < classes->count; c++) {
        pool->class_row[c] = SIZE_MAX;
        if (duet_class_fits(classes, c, other)) {
            pool->work[c] = (double)classes->time[other][c] / (double)classes->capacity[other];
        }
        longest = fmax(longest, pool->work[c]);
        all += pool->work[c] * (double)classes->tasks[c];
    }
    for (size_t i = 0; i < pool->patterns.begin[pool->patterns.count]; i++) {
        pool->class_row[pool->patterns.part[i].class] = 0;
    }
    // One task at this cost is more than there can be.
    pool->enough_cost = all + (double)classes->processors[other] + 1;
    pool->first_cost = longest > 0 ? fmin(4 * longest, pool->enough_cost) : pool->enough_cost;
    pool->short_cost = pool->first_cost;
}

// The first node has all patterns but that of an idle processor.
static void pick_all(duet_pool *pool)
{
    for (size_t i = 0; i < pool->patterns.count; i++) {
        if (pool->patterns.begin[i + 1] > pool->patterns.begin[i]) {
            pool->pick[pool->picks++] = (uint32_t)i;
        }
    }
}

static duet_code fill(duet_pool *pool, duet_error *error)
{
    if (!create_arrays(pool, error)) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_vec_reserve(pool->pick, pool->patterns.count, error);
    DUET_THEN(code, duet_pool_create_items(pool, error));
    if (code != DUET_OK) {
        return code;
    }
    pick_all(pool);
    read_classes(pool);
    return duet_pool_build_master(pool, error);
}

duet_code duet_pool_create(const duet_classes *classes, const duet_context *context,
                           int64_t *programs, duet_patterns *patterns, duet_pool **out,
                           duet_error *error)
{
    DUET_ASSERT(patterns->count <= UINT32_MAX);
    *out = NULL;
    duet_pool *pool = duet_alloc(1, sizeof *pool, error);
    if (pool == NULL) {
        duet_patterns_free(patterns);
        return DUET_E_MEMORY;
    }
    pool->classes = classes;
    pool->context = context;
    pool->programs = programs;
    pool->type = patterns->type;
    pool->most_columns = DUET_POOL_MOST_COLUMNS;
    pool->patterns = *patterns;
    *patterns = (duet_patterns){.count = 0};
    duet_code code = fill(pool, error);
    if (code != DUET_OK) {
        duet_pool_free(pool);
        return code;
    }
    *out = pool;
    return DUET_OK;
}

duet_pool_place duet_pool_here(const duet_pool *pool)
{
    return (duet_pool_place){.levels = pool->levels, .opened = pool->opened};
}

// The patterns of a node on the way down, in `pick`.
typedef struct picked {
    size_t begin, end;
    size_t parts; // of them
} picked;

static picked picked_at(const duet_pool *pool, size_t levels)
{
    picked at = {.begin = levels == 0 ? 0 : pool->from[levels - 1],
                 .end = levels < pool->levels ? pool->from[levels] : pool->picks};
    for (size_t i = at.begin; i < at.end; i++) {
        uint32_t pattern = pool->pick[i];
        at.parts += pool->patterns.begin[pattern + 1] - pool->patterns.begin[pattern];
    }
    return at;
}

static duet_code copy_patterns(const duet_pool *from, const picked *at, duet_patterns *out,
                               duet_error *error)
{
    *out = (duet_patterns){.type = from->type, .status = DUET_PATTERNS_COMPLETE};
    out->begin = duet_alloc(at->end - at->begin + 1, sizeof *out->begin, error);
    out->part = duet_alloc(at->parts > 0 ? at->parts : 1, sizeof *out->part, error);
    if (out->begin == NULL || out->part == NULL) {
        duet_patterns_free(out);
        return DUET_E_MEMORY;
    }
    size_t parts = 0;
    for (size_t i = at->begin; i < at->end; i++) {
        uint32_t pattern = from->pick[i];
        for (size_t p = from->patterns.begin[pattern]; p < from->patterns.begin[pattern + 1]; p++) {
            out->part[parts++] = from->patterns.part[p];
        }
        out->begin[++out->count] = parts;
    }
    return DUET_OK;
}

// Columns for the patterns that are basic in the other pool's program: the last solution, about.
static duet_code copy_columns(const duet_pool *from, const picked *at, duet_pool *to,
                              duet_error *error)
{
    bool *basic = duet_alloc(from->patterns.count, sizeof *basic, error);
    duet_code code = basic == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < from->columns && code == DUET_OK; i++) {
        const duet_pool_column *column = &from->column[i];
        basic[column->pattern] = duet_lp_column_basis(from->lp, column->lp_column) == DUET_LP_BASIC;
    }
    for (size_t i = at->begin; i < at->end && code == DUET_OK; i++) {
        if (basic[from->pick[i]]) {
            code = duet_pool_add_column(to, (uint32_t)(i - at->begin), error);
        }
    }
    duet_free(basic);
    return code;
}

duet_code duet_pool_copy(const duet_pool *from, duet_pool_place place, int64_t *programs,
                         duet_pool **out, duet_error *error)
{
    picked at = picked_at(from, place.levels);
    duet_patterns patterns;
    *out = NULL;
    duet_code code = copy_patterns(from, &at, &patterns, error);
    DUET_THEN(code,
              duet_pool_create(from->classes, from->context, programs, &patterns, out, error));
    DUET_THEN(code, copy_columns(from, &at, *out, error));
    for (size_t i = 0; i < place.opened && code == DUET_OK; i++) {
        const duet_pool_bound *bound = &from->open[i];
        code =
            duet_pool_open(*out, from->row[bound->row].count, bound->at_least, bound->bound, error);
    }
    if (code != DUET_OK) {
        duet_pool_free(*out);
        *out = NULL;
    }
    return code;
}

size_t duet_pool_copy_bytes(const duet_pool *from, duet_pool_place place)
{
    picked at = picked_at(from, place.levels);
    size_t count = at.end - at.begin;
    return (count + 1) * (sizeof(size_t) * 2 + 3 * sizeof(uint32_t) + sizeof(bool)) +
           at.parts * sizeof(duet_pattern_part) +
           (from->task[from->patterns.count] / (from->patterns.count + 1) + 1) * count *
               sizeof(uint16_t);
}

void duet_pool_free(duet_pool *pool)
{
    if (pool != NULL) {
        duet_patterns_free(&pool->patterns);
        duet_lp_free(pool->lp);
        duet_free(pool->class_row);
        duet_free(pool->work);
        duet_free(pool->dual);
        duet_free(pool->column);
        duet_pool_free_items(pool);
        duet_free(pool->row);
        duet_free(pool->open);
        duet_free(pool->pattern_row);
        duet_free(pool->pick);
        duet_free(pool->from);
        duet_free(pool->present);
        duet_free(pool->live);
        duet_free(pool->class_present);
        duet_free(pool->has_column);
        duet_free(pool->class_taken);
        duet_free(pool);
    }
}

duet_code duet_pool_narrow(duet_pool *pool, const duet_residual *state, const duet_prices *prices,
                           duet_int128 slack, size_t *mark, duet_error *error)
{
    *mark = pool->levels;
    size_t begin = duet_pool_begin(pool);
    size_t end = pool->picks;
    duet_code code = duet_vec_grow(pool->from, pool->levels, error);
    DUET_THEN(code, duet_vec_reserve(pool->pick, 2 * end - begin, error));
    DUET_THEN(code, duet_pool_set_item_prices(pool, prices, error));
    if (code != DUET_OK) {
        return code;
    }
    duet_pool_bar_items(pool, state);
    for (size_t i = begin; i < end; i++) {
        uint32_t pattern = pool->pick[i];
        if (prices->limit[pool->type] - duet_pool_pattern_price(pool, pattern) <= slack &&
            duet_pool_allows(pool, pattern, state)) {
            pool->pick[pool->picks++] = pattern;
        }
    }
    pool->from[pool->levels++] = end;
    duet_count_work(DUET_POOL_NANOSECONDS * (int64_t)(end - begin));
    return DUET_OK;
}

void duet_pool_back(duet_pool *pool, size_t mark)
{
    if (pool->levels > mark) {
        pool->picks = pool->from[mark];
        pool->levels = mark;
    }
}
