// SPDX-License-Identifier: Apache-2.0
// The master program over a pool: a row for each class, one for the processors of the pool's type,
// and the branching rows; columns for patterns, for tasks, and for what falls short of a row.
#include <math.h>
#include <string.h>

#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/pool/pool_state.h"

// Each class row r has two columns: 2 r for tasks without a pattern, and this one for tasks that
// patterns cover twice.
static size_t short_column(size_t class_row)
{
    return 2 * class_row;
}

static size_t spare_column(size_t class_row)
{
    return 2 * class_row + 1;
}

// What a task of a class saves.
static double work_of(const duet_pool *pool, size_t class)
{
    return pool->fitting ? 0 : pool->work[class];
}

// The cost of a pattern with so much work.
static double cost_of(const duet_pool *pool, double work)
{
    return pool->fitting ? 1 : -work;
}

// A spare task saves nothing: it costs what its pattern counts as saved. So no task has a dual
// below 0.
static void add_class_columns(duet_pool *pool, size_t class)
{
    size_t row = pool->class_row[class];
    for (int spare = 0; spare < 2; spare++) {
        size_t column = duet_lp_add_column(pool->lp, 0, INFINITY,
                                           spare ? work_of(pool, class) : pool->short_cost);
        DUET_ASSERT(duet_lp_failure(pool->lp, NULL) != DUET_OK ||
                    column == (spare ? spare_column(row) : short_column(row)));
        duet_lp_add_entry(pool->lp, row, column, spare ? -1 : 1);
    }
}

duet_code duet_pool_build_master(duet_pool *pool, duet_error *error)
{
    DUET_TRY(duet_lp_create(&pool->lp, error));
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->class_row[c] != SIZE_MAX) {
            pool->class_row[c] = duet_lp_add_row(pool->lp, 0, 0);
        }
    }
    pool->processor_row = duet_lp_rows(pool->lp);
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->class_row[c] != SIZE_MAX) {
            add_class_columns(pool, c);
        }
    }
    duet_lp_add_row(pool->lp, -INFINITY, 0);
    return duet_lp_failure(pool->lp, error);
}

// An entry of a pattern's column in a branching row.
static void add_coefficient(duet_pool *pool, const duet_pool_row *row, uint32_t pattern,
                            size_t column)
{
    int64_t number = duet_pool_coefficient(pool, row, pattern);
    if (number > 0) {
        duet_lp_add_entry(pool->lp, row->lp_row, column, (double)number);
    }
}

duet_code duet_pool_add_column(duet_pool *pool, uint32_t pattern, duet_error *error)
{
    DUET_ASSERT(!pool->has_column[pattern]);
    const duet_patterns *all = &pool->patterns;
    const duet_pattern_part *part = all->part + all->begin[pattern];
    size_t parts = all->begin[pattern + 1] - all->begin[pattern];
    double work = 0;
    for (size_t i = 0; i < parts; i++) {
        work += pool->work[part[i].class] * (double)part[i].tasks;
    }
    DUET_TRY(duet_vec_grow(pool->column, pool->columns, error));
    size_t column = duet_lp_add_column(pool->lp, 0, INFINITY, cost_of(pool, work));
    duet_lp_add_entry(pool->lp, pool->processor_row, column, 1);
    for (size_t i = 0; i < parts; i++) {
        duet_lp_add_entry(pool->lp, pool->class_row[part[i].class], column, (double)part[i].tasks);
    }
    for (size_t r = 0; r < pool->rows; r++) {
        add_coefficient(pool, &pool->row[r], pattern, column);
    }
    duet_code code = duet_lp_failure(pool->lp, error);
    if (code == DUET_OK) {
        pool->column[pool->columns++] = (duet_pool_column){pattern, column, work};
        pool->has_column[pattern] = true;
    }
    return code;
}

duet_code duet_pool_add_row(duet_pool *pool, duet_pool_row *row, duet_error *error)
{
    row->lp_row = duet_lp_add_row(pool->lp, -INFINITY, INFINITY);
    row->short_column = duet_lp_add_column(pool->lp, 0, INFINITY, pool->short_cost);
    duet_lp_add_entry(pool->lp, row->lp_row, row->short_column, 1);
    for (size_t i = 0; i < pool->columns; i++) {
        const duet_pool_column *of = &pool->column[i];
        add_coefficient(pool, row, of->pattern, of->lp_column);
    }
    return duet_lp_failure(pool->lp, error);
}

// Keeps the columns that the solution takes and numbers them from 0. Returns how many they are.
static size_t keep_columns(duet_pool *pool)
{
    size_t kept = 0;
    for (size_t i = 0; i < pool->columns; i++) {
        if (duet_lp_value(pool->lp, pool->column[i].lp_column) > 0) {
            pool->column[kept++] = pool->column[i];
        }
    }
    return kept;
}

// Forgets the branching rows without a bound.
static void forget_rows(duet_pool *pool)
{
    size_t kept = 0;
    for (size_t r = 0; r < pool->rows; r++) {
        bool used = false;
        for (size_t i = 0; i < pool->opened + pool->hidden; i++) {
            if (pool->open[i].row == r) {
                pool->open[i].row = kept; // at most r: no later row is mistaken for this one
                used = true;
            }
        }
        if (used) {
            pool->row[kept++] = pool->row[r];
        }
    }
    pool->rows = kept;
}

duet_code duet_pool_renew_master(duet_pool *pool, duet_error *error)
{
    if (pool->columns <= pool->most_columns &&
        pool->rows <= DUET_POOL_MOST_ROWS + pool->opened + pool->hidden) {
        return DUET_OK;
    }
    size_t kept = keep_columns(pool);
    memset(pool->has_column, 0, pool->patterns.count * sizeof *pool->has_column);
    forget_rows(pool);
    duet_lp_free(pool->lp);
    pool->lp = NULL;
    pool->columns = 0;
    pool->renewals++;
    duet_code code = duet_pool_build_master(pool, error);
    for (size_t r = 0; r < pool->rows && code == DUET_OK; r++) {
        code = duet_pool_add_row(pool, &pool->row[r], error);
    }
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        DUET_ASSERT(pool->columns == i); // column i is read before it is written
        code = duet_pool_add_column(pool, pool->column[i].pattern, error);
    }
    return code;
}

duet_code duet_pool_note(const duet_pool *pool, duet_pool_position *out, duet_error *error)
{
    out->renewals = pool->renewals;
    return duet_lp_note_position(pool->lp, &out->at, error);
}

void duet_pool_position_free(duet_pool_position *position)
{
    duet_lp_position_free(&position->at);
}

void duet_pool_resume(duet_pool *pool, const duet_pool_position *position)
{
    if (position->at.row != NULL && position->renewals == pool->renewals) {
        duet_lp_take_position(pool->lp, &position->at);
    }
}

// Whether the type of every task is decided, and the divisible type has room for its own. What is
// saved there then says nothing about how the patterns fit.
static bool is_fitting(const duet_pool *pool, const duet_residual *state)
{
    const duet_classes *classes = pool->classes;
    size_t other = 1 - pool->type;
    duet_int128 room = (duet_int128)classes->capacity[other] * state->processors[other];
    return duet_residual_decided(classes, state) &&
           duet_residual_work(classes, state, other) <= room;
}

void duet_pool_set_objective(duet_pool *pool, const duet_residual *state)
{
    bool fitting = is_fitting(pool, state);
    if (fitting == pool->fitting) {
        return;
    }
    pool->fitting = fitting;
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->class_row[c] != SIZE_MAX) {
            duet_lp_price_column(pool->lp, spare_column(pool->class_row[c]), work_of(pool, c));
        }
    }
    for (size_t i = 0; i < pool->columns; i++) {
        duet_lp_price_column(pool->lp, pool->column[i].lp_column,
                             cost_of(pool, pool->column[i].work));
    }
}

static void set_short_cost(duet_pool *pool, double cost)
{
    pool->short_cost = cost;
    for (size_t r = 0; r < pool->processor_row; r++) {
        duet_lp_price_column(pool->lp, short_column(r), cost);
    }
    for (size_t r = 0; r < pool->rows; r++) {
        duet_lp_price_column(pool->lp, pool->row[r].short_column, cost);
    }
}

void duet_pool_reset_short_cost(duet_pool *pool)
{
    const double few = 4;
    set_short_cost(pool, pool->fitting ? few : pool->first_cost);
}

bool duet_pool_raise_short_cost(duet_pool *pool, const duet_residual *state)
{
    const double least = 1e-6;
    const double more = 16;
    double enough = pool->fitting ? (double)state->processors[pool->type] + 1 : pool->enough_cost;
    double sum = 0;
    for (size_t r = 0; r < pool->processor_row; r++) {
        sum += duet_lp_value(pool->lp, short_column(r));
    }
    for (size_t r = 0; r < pool->rows; r++) {
        sum += duet_lp_value(pool->lp, pool->row[r].short_column);
    }
    bool raised = sum > least && pool->short_cost < enough;
    if (raised) {
        set_short_cost(pool, fmin(pool->short_cost * more, enough));
    }
    return raised;
}

// The tightest open bounds of a branching row.
static void bound_row(duet_pool *pool, size_t row)
{
    double low = -INFINITY;
    double high = INFINITY;
    for (size_t i = 0; i < pool->opened; i++) {
        const duet_pool_bound *open = &pool->open[i];
        low = open->row == row && open->at_least ? fmax(low, (double)open->bound) : low;
        high = open->row == row && !open->at_least ? fmin(high, (double)open->bound) : high;
    }
    duet_lp_bound_row(pool->lp, pool->row[row].lp_row, low, high);
}

void duet_pool_set_bounds(duet_pool *pool, const duet_residual *state)
{
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->class_row[c] != SIZE_MAX) {
            duet_lp_bound_row(pool->lp, pool->class_row[c],
                              (double)duet_residual_least(state, c, pool->type),
                              (double)duet_residual_most(state, c, pool->type));
        }
    }
    duet_lp_bound_row(pool->lp, pool->processor_row, -INFINITY,
                      (double)state->processors[pool->type]);
    for (size_t i = 0; i < pool->columns; i++) {
        bool present = pool->present[pool->column[i].pattern] == pool->relaxation;
        double most = present ? INFINITY : 0;
        duet_lp_bound_column(pool->lp, pool->column[i].lp_column, 0, most);
    }
    for (size_t r = 0; r < pool->rows; r++) {
        bound_row(pool, r);
    }
}

duet_code duet_pool_read_duals(duet_pool *pool, double *processor, duet_error *error)
{
    *processor = fmax(0, -duet_lp_dual(pool->lp, pool->processor_row)) + (pool->fitting ? 1 : 0);
    for (size_t c = 0; c < pool->classes->count; c++) {
        // A task's dual is what it saves and the dual of its row.
        pool->dual[c] = 0;
        if (pool->class_row[c] != SIZE_MAX) {
            pool->dual[c] = fmax(0, work_of(pool, c) + duet_lp_dual(pool->lp, pool->class_row[c]));
        }
    }
    for (size_t r = 0; r < pool->rows; r++) {
        pool->row[r].dual = duet_lp_dual(pool->lp, pool->row[r].lp_row);
    }
    return duet_pool_set_item_duals(pool, error);
}

double duet_pool_required_saving(const duet_pool *pool, const duet_residual *state)
{
    if (pool->fitting) {
        return -(double)state->processors[pool->type];
    }
    size_t other = 1 - pool->type;
    double required = -(double)state->processors[other];
    for (size_t c = 0; c < pool->classes->count; c++) {
        // The row of a class sees to the tasks that the pool's type must get.
        int64_t tasks =
            pool->class_row[c] != SIZE_MAX ? state->left[c] : duet_residual_most(state, c, other);
        required += pool->work[c] * (double)tasks;
    }
    return required;
}
