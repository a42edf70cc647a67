// SPDX-License-Identifier: Apache-2.0
// The program over a list: columns from the list, duals, and prices from them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "solvers/exact/pool/state.h"

enum {
    ROUNDS = 400,         // passes over the patterns at one node
    MOST_ADDED = 20,      // columns in a round
    MOST_CONSIDERED = 64, // of the candidates, for them
    SAME_ROUNDS = 8,      // that make do with the candidates of one pass over the patterns
    MOST_PROPERTIES = 100,
};

static const double least_gain = 1e-9; // of a column, in processors of the other type

// What a task of a class is worth to the program by itself.
static double work_of(const duet_pool *pool, size_t class)
{
    return pool->fitting ? 0 : pool->work[class];
}

// What a pattern costs.
static double cost_of(const duet_pool *pool, double work)
{
    return pool->fitting ? 1 : -work;
}

// A row for each class that a pattern has, with a column for tasks that cannot be placed and one
// for tasks that a pattern has to spare: as those save nothing, no task is worth less than nothing.
duet_code duet_pool_add_rows(duet_pool *pool, duet_error *error)
{
    duet_code code = duet_lp_create(&pool->lp, error);
    for (size_t c = 0; c < pool->classes->count && code == DUET_OK; c++) {
        if (pool->row[c] != SIZE_MAX) {
            pool->row[c] = duet_lp_rows(pool->lp);
            code = duet_lp_add_row(pool->lp, 0, 0, error);
        }
    }
    pool->processor_row = code == DUET_OK ? duet_lp_rows(pool->lp) : 0;
    for (size_t c = 0; c < pool->classes->count && code == DUET_OK; c++) {
        for (int spare = 0; spare < 2 && pool->row[c] != SIZE_MAX && code == DUET_OK; spare++) {
            size_t column = duet_lp_columns(pool->lp);
            code = duet_lp_add_column(pool->lp, 0, INFINITY,
                                      spare ? work_of(pool, c) : pool->short_cost, error);
            if (code == DUET_OK) {
                code = duet_lp_add_entry(pool->lp, pool->row[c], column, spare ? -1 : 1, error);
            }
        }
    }
    return code == DUET_OK ? duet_lp_add_row(pool->lp, -INFINITY, 0, error) : code;
}

duet_code duet_pool_add_column(duet_pool *pool, uint32_t pattern, duet_error *error)
{
    const duet_patterns *all = &pool->patterns;
    size_t column = duet_lp_columns(pool->lp);
    double work = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        work += pool->work[all->part[i].class] * (double)all->part[i].tasks;
    }
    duet_code code =
        duet_grow(&pool->column, pool->columns, &pool->column_room, sizeof *pool->column, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(pool->lp, 0, INFINITY, cost_of(pool, work), error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(pool->lp, pool->processor_row, column, 1, error);
    }
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1] && code == DUET_OK; i++) {
        code = duet_lp_add_entry(pool->lp, pool->row[all->part[i].class], column,
                                 (double)all->part[i].tasks, error);
    }
    for (size_t p = 0; p < pool->properties && code == DUET_OK; p++) {
        int64_t number = duet_pool_counted(pool, &pool->property[p], pattern);
        if (number > 0) {
            code =
                duet_lp_add_entry(pool->lp, pool->property[p].row, column, (double)number, error);
        }
    }
    if (code == DUET_OK) {
        pool->column[pool->columns++] = (duet_pool_column){pattern, column, work};
        pool->has_column[pattern] = true;
    }
    return code;
}

// A row of its own for a property, with a column for what falls short of it.
duet_code duet_pool_add_property(duet_pool *pool, duet_pool_row *p, duet_error *error)
{
    p->row = duet_lp_rows(pool->lp);
    p->column = duet_lp_columns(pool->lp);
    duet_code code = duet_lp_add_row(pool->lp, -INFINITY, INFINITY, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(pool->lp, 0, INFINITY, pool->short_cost, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(pool->lp, p->row, p->column, 1, error);
    }
    for (size_t i = 0; i < pool->columns && code == DUET_OK; i++) {
        int64_t number = duet_pool_counted(pool, p, pool->column[i].pattern);
        if (number > 0) {
            code =
                duet_lp_add_entry(pool->lp, p->row, pool->column[i].column, (double)number, error);
        }
    }
    return code;
}

// Forgets the properties that no open count is about.
static void forget_properties(duet_pool *pool)
{
    size_t kept = 0;
    for (size_t p = 0; p < pool->properties; p++) {
        bool used = false;
        for (size_t i = 0; i < pool->opened + pool->hidden; i++) {
            if (pool->open[i].property == p) {
                pool->open[i].property = kept; // not above p: not met again
                used = true;
            }
        }
        if (used) {
            pool->property[kept++] = pool->property[p];
        }
    }
    pool->properties = kept;
}

// A program that has grown large starts afresh with the columns that its solution takes.
static duet_code renew(duet_pool *pool, duet_error *error)
{
    if (pool->columns <= pool->most_columns &&
        pool->properties <= MOST_PROPERTIES + pool->opened + pool->hidden) {
        return DUET_OK;
    }
    size_t kept = 0;
    for (size_t i = 0; i < pool->columns; i++) {
        if (duet_lp_value(pool->lp, pool->column[i].column) > 0) {
            pool->column[kept++] = pool->column[i];
        }
    }
    memset(pool->has_column, 0, pool->patterns.count * sizeof *pool->has_column);
    forget_properties(pool);
    duet_lp_free(pool->lp);
    pool->lp = NULL;
    pool->columns = 0;
    pool->renewals++;
    duet_code code = duet_pool_add_rows(pool, error);
    for (size_t p = 0; p < pool->properties && code == DUET_OK; p++) {
        code = duet_pool_add_property(pool, &pool->property[p], error);
    }
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        code =
            duet_pool_add_column(pool, pool->column[i].pattern, error); // it stands at i or below
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

// Whether every task's type is decided, and the other type has room for its own. What is saved
// there then says nothing about how the patterns fit.
static bool is_fitting(const duet_pool *pool, const duet_residual *state)
{
    const duet_classes *classes = pool->classes;
    size_t other = 1 - pool->type;
    duet_int128 room = (duet_int128)classes->capacity[other] * state->processors[other];
    return duet_residual_decided(classes, state) &&
           duet_residual_work(classes, state, other) <= room;
}

// What the program is to save.
static void set_purpose(duet_pool *pool, bool fitting)
{
    if (fitting == pool->fitting) {
        return;
    }
    pool->fitting = fitting;
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->row[c] != SIZE_MAX) {
            duet_lp_price_column(pool->lp, 2 * pool->row[c] + 1, work_of(pool, c));
        }
    }
    for (size_t i = 0; i < pool->columns; i++) {
        duet_lp_price_column(pool->lp, pool->column[i].column, cost_of(pool, pool->column[i].work));
    }
}

// What a task costs that cannot be placed: to begin with, and so much that it is certain to be
// enough.
static double first_cost(const duet_pool *pool)
{
    const double few = 4;
    return pool->fitting ? few : pool->first_cost;
}

static double enough_cost(const duet_pool *pool, const duet_residual *state)
{
    return pool->fitting ? (double)state->processors[pool->type] + 1 : pool->enough_cost;
}

static void set_short_cost(duet_pool *pool, double cost)
{
    pool->short_cost = cost;
    for (size_t r = 0; r < pool->processor_row; r++) {
        duet_lp_price_column(pool->lp, 2 * r, cost);
    }
    for (size_t p = 0; p < pool->properties; p++) {
        duet_lp_price_column(pool->lp, pool->property[p].column, cost);
    }
}

// Whether the solution leaves tasks out or falls short of a count, which a higher cost may mend.
static bool is_short(const duet_pool *pool, double enough)
{
    const double least = 1e-6;
    double sum = 0;
    for (size_t r = 0; r < pool->processor_row; r++) {
        sum += duet_lp_value(pool->lp, 2 * r);
    }
    for (size_t p = 0; p < pool->properties; p++) {
        sum += duet_lp_value(pool->lp, pool->property[p].column);
    }
    return sum > least && pool->short_cost < enough;
}

// The bounds of a state.
static void set_state(duet_pool *pool, const duet_residual *state)
{
    for (size_t c = 0; c < pool->classes->count; c++) {
        if (pool->row[c] != SIZE_MAX) {
            duet_lp_bound_row(pool->lp, pool->row[c],
                              (double)duet_residual_least(state, c, pool->type),
                              (double)duet_residual_most(state, c, pool->type));
        }
    }
    duet_lp_bound_row(pool->lp, pool->processor_row, -INFINITY,
                      (double)state->processors[pool->type]);
    for (size_t i = 0; i < pool->columns; i++) {
        bool present = pool->present[pool->column[i].pattern] == pool->now;
        double most = present ? INFINITY : 0;
        duet_lp_bound_column(pool->lp, pool->column[i].column, 0, most);
    }
    for (size_t p = 0; p < pool->properties; p++) {
        double low = -INFINITY;
        double high = INFINITY;
        for (size_t i = 0; i < pool->opened; i++) {
            const duet_pool_bound *open = &pool->open[i];
            low = open->property == p && open->at_least ? fmax(low, (double)open->bound) : low;
            high = open->property == p && !open->at_least ? fmin(high, (double)open->bound) : high;
        }
        duet_lp_bound_row(pool->lp, pool->property[p].row, low, high);
    }
}

static duet_code read_duals(duet_pool *pool, duet_pool_duals *read, duet_error *error)
{
    read->processor =
        fmax(0, -duet_lp_dual(pool->lp, pool->processor_row)) + (pool->fitting ? 1 : 0);
    for (size_t c = 0; c < pool->classes->count; c++) {
        // Patterns that have a class are worth what it saves, but for its row.
        pool->price[c] = 0;
        if (pool->row[c] != SIZE_MAX) {
            pool->price[c] = fmax(0, work_of(pool, c) + duet_lp_dual(pool->lp, pool->row[c]));
        }
    }
    for (size_t p = 0; p < pool->properties; p++) {
        pool->property[p].dual = duet_lp_dual(pool->lp, pool->property[p].row);
    }
    return duet_pool_read_duals(pool, error);
}

static bool gains_less(const void *none, duet_pool_candidate a, duet_pool_candidate b)
{
    (void)none;
    return a.gain < b.gain;
}

DUET_HEAP(candidates, duet_pool_candidate, void, gains_less)

// Keeps the best candidates, as a heap with the least at its top.
static void propose(duet_pool *pool, double gain, uint32_t pattern)
{
    duet_pool_candidate added = {gain, pattern};
    if (pool->candidates < DUET_POOL_CANDIDATES) {
        candidates_push(NULL, pool->best, &pool->candidates, added);
    } else if (gain > pool->best[0].gain) {
        candidates_replace_top(NULL, pool->best, pool->candidates, added);
    }
}

static int by_gain(const void *a, const void *b)
{
    const duet_pool_candidate *x = a;
    const duet_pool_candidate *y = b;
    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

// Goes through the patterns: the best of those that the duals would like.
static void price_all(duet_pool *pool, duet_pool_duals *read)
{
    pool->candidates = 0;
    read->most = 0;
    double least = least_gain;
    for (size_t i = 0; i < pool->lives; i++) {
        uint32_t pattern = pool->live[i];
        double gain = duet_pool_dual(pool, pattern) - read->processor;
        if (gain > least && !pool->has_column[pattern]) {
            read->most = fmax(read->most, gain);
            propose(pool, gain, pattern);
            least = pool->candidates < DUET_POOL_CANDIDATES ? least_gain : pool->best[0].gain;
        }
    }
    if (pool->candidates > 0) {
        qsort(pool->best, pool->candidates, sizeof *pool->best, by_gain);
    }
}

// Goes through the candidates of an earlier round again. Returns whether the duals would like one.
static bool price_candidates(duet_pool *pool, const duet_pool_duals *read)
{
    for (size_t i = 0; i < pool->candidates; i++) {
        duet_pool_candidate *at = &pool->best[i];
        at->gain =
            pool->has_column[at->pattern] ? 0 : duet_pool_dual(pool, at->pattern) - read->processor;
    }
    if (pool->candidates > 0) {
        qsort(pool->best, pool->candidates, sizeof *pool->best, by_gain);
    }
    return pool->candidates > 0 && pool->best[0].gain > least_gain;
}

static int64_t shared(const duet_pool *pool, uint32_t pattern)
{
    const duet_patterns *all = &pool->patterns;
    int64_t shared = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        shared += pool->taken[all->part[p].class] ? 1 : 0;
    }
    return shared;
}

// Adds the best candidates that have little in common.
static duet_code add_columns(duet_pool *pool, duet_error *error)
{
    const duet_patterns *all = &pool->patterns;
    duet_code code = DUET_OK;
    memset(pool->taken, 0, pool->classes->count * sizeof *pool->taken);
    int added = 0;
    for (size_t i = 0; i < pool->candidates && i < MOST_CONSIDERED && added < MOST_ADDED &&
                       pool->best[i].gain > least_gain && code == DUET_OK;
         i++) {
        uint32_t pattern = pool->best[i].pattern;
        if (added > 0 && shared(pool, pattern) > 1) {
            continue;
        }
        code = duet_pool_add_column(pool, pattern, error);
        added++;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            pool->taken[all->part[p].class] = true;
        }
    }
    return code;
}

// The patterns that are left, and the classes that they have.
static void mark_listed(duet_pool *pool, const duet_residual *state)
{
    pool->now++;
    pool->lives = 0;
    memset(pool->listed, 0, pool->classes->count * sizeof *pool->listed);
    duet_pool_close_items(pool, state);
    for (size_t i = duet_pool_begin(pool); i < pool->picks; i++) {
        uint32_t pattern = pool->pick[i];
        if (duet_pool_is_open(pool, pattern, state)) {
            pool->present[pattern] = pool->now;
            pool->live[pool->lives++] = pattern;
            for (size_t t = pool->task[pattern]; t < pool->task[pattern + 1]; t++) {
                pool->listed[pool->item_class[pool->item[t]]] = true;
            }
        }
    }
}

static void read_shares(const duet_pool *pool, double *share)
{
    const duet_patterns *all = &pool->patterns;
    memset(share, 0, pool->classes->count * sizeof *share);
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].column);
        uint32_t pattern = pool->column[i].pattern;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1] && value > 0; p++) {
            share[all->part[p].class] += value * (double)all->part[p].tasks;
        }
    }
}

// What the tasks would take of the other type were all there that may be, less what it has: the
// program has to save so much.
double duet_pool_wanted(const duet_pool *pool, const duet_residual *state)
{
    if (pool->fitting) {
        return -(double)state->processors[pool->type];
    }
    size_t other = 1 - pool->type;
    double wanted = -(double)state->processors[other];
    for (size_t c = 0; c < pool->classes->count; c++) {
        // Forced tasks whose class has a row are dealt with there.
        int64_t tasks =
            pool->row[c] != SIZE_MAX ? state->left[c] : duet_residual_most(state, c, other);
        wanted += pool->work[c] * (double)tasks;
    }
    return wanted;
}

// A pass over the patterns. Where the duals would like none, *settled, and there are prices; the
// duals, with all that the patterns gain beyond them, may refute the state before.
static duet_code look_at_all(duet_pool *pool, const duet_residual *state, double wanted,
                             duet_pool_duals *read, duet_prices *prices, bool *settled,
                             bool *refuted, duet_error *error)
{
    price_all(pool, read);
    double saved = -duet_lp_objective(pool->lp);
    double most = saved + read->most * (double)state->processors[pool->type];
    *settled = pool->candidates == 0;
    return *settled || most < wanted ? duet_pool_conclude(pool, state, read, prices, refuted, error)
                                     : DUET_OK;
}

duet_code duet_pool_relax(duet_pool *pool, const duet_residual *state, const duet_context *context,
                          duet_prices *prices, bool *refuted, bool *any, double *share,
                          int64_t *programs, duet_error *error)
{
    *refuted = *any = false;
    duet_code code = renew(pool, error);
    if (code != DUET_OK) {
        return code;
    }
    const double more = 16;
    set_purpose(pool, is_fitting(pool, state));
    double enough = enough_cost(pool, state);
    set_short_cost(pool, first_cost(pool));
    mark_listed(pool, state);
    set_state(pool, state);
    double wanted = duet_pool_wanted(pool, state);
    pool->candidates = 0;
    int same = 0; // rounds since the last pass
    bool begun = false;
    for (int pass = 0; pass < ROUNDS && !duet_context_stop(context);) {
        duet_lp_set_dual(pool->lp, !begun && *programs > 0);
        begun = true;
        code = duet_lp_solve(pool->lp, false, context, error);
        ++*programs;
        if (code != DUET_OK || duet_lp_get_status(pool->lp) != DUET_LP_OPTIMAL) {
            return code;
        }
        duet_pool_duals read;
        code = read_duals(pool, &read, error);
        if (code != DUET_OK) {
            return code;
        }
        bool settled = false;
        if (same < SAME_ROUNDS && price_candidates(pool, &read)) {
            same++;
        } else {
            same = 0;
            pass++;
            code = look_at_all(pool, state, wanted, &read, prices, &settled, refuted, error);
        }
        if (code != DUET_OK) {
            return code;
        }
        if (settled && !*refuted && is_short(pool, enough)) {
            set_short_cost(pool, fmin(pool->short_cost * more, enough));
            continue;
        }
        if (settled || *refuted) {
            *any = true;
            read_shares(pool, share);
            return DUET_OK;
        }
        code = add_columns(pool, error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

// Takes the tasks of the last load out of what is left, and what is not left out of the load: a
// pattern may have tasks to spare.
static void drop_spare(duet_loads *loads, int64_t *left)
{
    duet_load *load = &loads->load[loads->loads - 1];
    size_t kept = load->begin;
    for (size_t p = load->begin; p < load->begin + load->parts; p++) {
        duet_pattern_part part = loads->part[p];
        if ((int64_t)part.tasks > left[part.class]) {
            part.tasks = (uint32_t)left[part.class];
        }
        left[part.class] -= part.tasks;
        loads->part[kept] = part;
        kept += part.tasks > 0;
    }
    load->parts = kept - load->begin;
    loads->parts = kept;
}

duet_code duet_pool_take(const duet_pool *pool, const int64_t *allocation, duet_loads *loads,
                         bool *taken, duet_error *error)
{
    const double near = 1e-4;
    const duet_patterns *all = &pool->patterns;
    size_t before = loads->loads;
    size_t parts_before = loads->parts;
    *taken = true;
    int64_t *left = duet_alloc(pool->classes->count, sizeof *left, error);
    if (left == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < pool->classes->count; c++) {
        left[c] = allocation[c];
    }
    duet_code code = DUET_OK;
    for (size_t i = 0; i < pool->columns && code == DUET_OK; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].column);
        uint32_t pattern = pool->column[i].pattern;
        size_t begin = all->begin[pattern];
        size_t parts = all->begin[pattern + 1] - begin;
        *taken = *taken && fabs(value - floor(value + 0.5)) < near;
        for (int64_t times = (int64_t)(value + 0.5); times > 0 && code == DUET_OK && *taken;
             times--) {
            code = duet_loads_push(loads, pool->type, all->part + begin, parts, error);
            if (code == DUET_OK) {
                drop_spare(loads, left);
            }
        }
    }
    for (size_t c = 0; c < pool->classes->count; c++) {
        *taken = *taken && left[c] == 0;
    }
    if (!*taken) {
        loads->loads = before;
        loads->parts = parts_before;
    }
    duet_free(left);
    return code;
}
