// SPDX-License-Identifier: Apache-2.0
// The master program: its rows, and columns for patterns and for single tasks of a divisible type.
// Column 0 is the factor by which the numbers of processors are stretched.
#include <math.h>

#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// Whether all tasks of a class must go to a divisible type: their share of it is a constant, unless
// the program that this one starts from has rows for them.
static bool is_fixed(const duet_configuration *c, size_t class, size_t type)
{
    return c->divisible[type] && c->state->left[class] > 0 &&
           duet_residual_least(c->state, class, type) == c->state->left[class] &&
           (c->start == NULL || (c->start->class_basis[class] & DUET_BASIS_FIXED) != 0);
}

static void add_class_rows(duet_configuration *c, size_t class)
{
    const duet_residual *state = c->state;
    if (!duet_residual_settled(state, class)) {
        c->class_row[class] = duet_lp_add_row(c->lp, (double)state->left[class], INFINITY);
    }
    for (size_t t = 0; t < 2; t++) {
        int64_t least = duet_residual_least(state, class, t);
        if (least > 0) {
            c->pair_row[pair_of(c, t, class)] = duet_lp_add_row(c->lp, (double)least, INFINITY);
        }
    }
}

static void add_rows(duet_configuration *c)
{
    double fixed[2] = {0, 0}; // processors
    for (size_t i = 0; i < c->classes->count; i++) {
        c->class_row[i] = SIZE_MAX;
        size_t type = is_fixed(c, i, 1);
        c->fixed[i] = is_fixed(c, i, type);
        if (c->fixed[i]) {
            fixed[type] += (double)c->state->left[i] * (double)c->classes->time[type][i] /
                           (double)c->classes->capacity[type];
        } else {
            add_class_rows(c, i);
        }
    }
    for (size_t t = 0; t < 2; t++) {
        c->processor_row[t] = duet_lp_add_row(c->lp, -INFINITY, -fixed[t]);
    }
}

void duet_master_add_tasks(duet_configuration *c, size_t column, size_t type, size_t class,
                           double tasks)
{
    size_t all = c->class_row[class];
    size_t here = c->pair_row[pair_of(c, type, class)];
    if (all == SIZE_MAX && here == SIZE_MAX) {
        // Only a column that is closed has such tasks. Its reduced cost stays as it was.
        here = c->pair_row[pair_of(c, 1 - type, class)];
    }
    if (all != SIZE_MAX) {
        duet_lp_add_entry(c->lp, all, column, tasks);
    }
    if (here != SIZE_MAX) {
        duet_lp_add_entry(c->lp, here, column, tasks);
    }
}

static duet_code list_pattern(duet_configuration *c, size_t column, size_t type,
                              const duet_pricing_part *part, size_t parts, duet_error *error)
{
    pattern_column pattern = {.column = column,
                              .type = type,
                              .begin = c->contents,
                              .parts = parts,
                              .stored = SIZE_MAX,
                              .open = true};
    for (size_t p = 0; p < parts; p++) {
        DUET_TRY(duet_vec_push(c->content, c->contents, error, part[p]));
        pattern.load += part[p].tasks * c->classes->time[type][part[p].class];
    }
    return duet_vec_push(c->pattern, c->patterns, error, pattern);
}

duet_code duet_master_add_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                                 size_t parts, double share, duet_error *error)
{
    DUET_ASSERT(c->divisible[type] || share == 1);
    size_t column = duet_lp_add_column(c->lp, 0, INFINITY, 0);
    duet_lp_add_entry(c->lp, c->processor_row[type], column, share);
    for (size_t p = 0; p < parts; p++) {
        duet_master_add_tasks(c, column, type, part[p].class, (double)part[p].tasks);
    }
    if (c->divisible[type]) {
        return DUET_OK;
    }
    DUET_TRY(list_pattern(c, column, type, part, parts, error));
    const pattern_column *pattern = &c->pattern[c->patterns - 1];
    for (size_t k = 0; k < c->branching_rows && !c->lasts; k++) {
        if (c->branching_row[k].type == type) {
            duet_master_count_pattern(c, &c->branching_row[k], c->branching_lp_row[k], pattern);
        }
    }
    if (c->lasts) {
        duet_generation_count_pattern(c, pattern);
    }
    return DUET_OK;
}

// A column that no longer fits, but is in the basis that the program starts from: the dual simplex
// method drives it out of there.
static duet_code add_closed(duet_configuration *c, size_t type, const duet_pricing_part *part,
                            size_t parts, double share, duet_error *error)
{
    size_t column = duet_lp_columns(c->lp);
    duet_code code = duet_master_add_column(c, type, part, parts, share, error);
    duet_lp_bound_column(c->lp, column, 0, 0);
    return code;
}

// The column of a class's tasks alone.
static duet_code add_single(duet_configuration *c, size_t type, size_t class, duet_error *error)
{
    int64_t most = duet_residual_most(c->state, class, type);
    bool closed = most == 0;
    if (c->state->processors[type] == 0 || c->fixed[class] ||
        (closed &&
         (c->start == NULL || (c->start->class_basis[class] & DUET_BASIS_SINGLE << type) == 0))) {
        return DUET_OK;
    }
    int64_t time = c->classes->time[type][class];
    int64_t fit = c->classes->capacity[type] / time;
    duet_pricing_part part = {class, closed ? 1 : duet_min(most, fit)};
    double share = 1;
    if (c->divisible[type]) {
        part.tasks = 1;
        share = (double)time / (double)c->classes->capacity[type];
    }
    c->single[pair_of(c, type, class)] = duet_lp_columns(c->lp);
    return closed ? add_closed(c, type, &part, 1, share, error)
                  : duet_master_add_column(c, type, &part, 1, share, error);
}

// The factor, then one column per class and type, so that all tasks can be covered.
static duet_code add_first_columns(duet_configuration *c, duet_error *error)
{
    size_t factor = duet_lp_add_column(c->lp, 0, INFINITY, 1);
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        if (c->state->processors[t] > 0) {
            duet_lp_add_entry(c->lp, c->processor_row[t], factor, -(double)c->state->processors[t]);
        }
        for (size_t i = 0; i < c->classes->count && code == DUET_OK; i++) {
            code = add_single(c, t, i, error);
        }
    }
    return code;
}

// The patterns of earlier relaxations that fit this one.
static duet_code add_stored(duet_configuration *c, duet_error *error)
{
    duet_column_store *store = c->store;
    duet_code code = DUET_OK;
    for (size_t i = 0; store != NULL && i < store->columns && code == DUET_OK; i++) {
        const duet_stored_column *column = &store->column[i];
        if (!c->divisible[column->type] &&
            duet_column_store_fits(store, column, c->classes, c->state, c->desk.part)) {
            code = duet_master_add_column(c, column->type, c->desk.part, column->parts, 1, error);
            if (code == DUET_OK) {
                c->pattern[c->patterns - 1].stored = i;
            }
        }
    }
    return code;
}

// Those that the program starts from and that no longer fit.
static duet_code add_stale(duet_configuration *c, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t p = 0; c->start != NULL && p < c->start->patterns && code == DUET_OK; p++) {
        size_t i = c->start->stored[p];
        const duet_stored_column *column = &c->store->column[i];
        if (!duet_column_store_fits(c->store, column, c->classes, c->state, c->desk.part)) {
            duet_column_store_read(c->store, column, c->desk.part);
            code = add_closed(c, column->type, c->desk.part, column->parts, 1, error);
            if (code == DUET_OK) {
                c->pattern[c->patterns - 1].stored = i;
            }
        }
    }
    return code;
}

duet_code duet_master_build(duet_configuration *c, duet_error *error)
{
    add_rows(c);
    duet_code code = add_first_columns(c, error);
    DUET_THEN(code, add_stored(c, error));
    DUET_THEN(code, add_stale(c, error));
    return code == DUET_OK ? duet_lp_failure(c->lp, error) : code;
}
