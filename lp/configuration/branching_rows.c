// SPDX-License-Identifier: Apache-2.0
// Rows that branching adds to the master program: how many tasks of at least some time a type gets
// at most, or at least. Each has a column that makes up for what it misses, so that the program
// stays feasible.
#include <math.h>

#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

enum { TRIAL_STEPS = 30 }; // of the dual simplex method

void duet_master_count_pattern(duet_configuration *c, const duet_branching_row *branching_row,
                               size_t row, const pattern_column *pattern)
{
    int64_t tasks = 0;
    for (size_t p = pattern->begin; p < pattern->begin + pattern->parts; p++) {
        const duet_pricing_part *part = &c->content[p];
        tasks += duet_branching_row_has(c->classes, branching_row, part->class) ? part->tasks : 0;
    }
    if (tasks != 0) {
        duet_lp_add_entry(c->lp, row, pattern->column, (double)tasks);
    }
}

static void add_row(duet_configuration *c, const duet_branching_row *branching_row, size_t *row,
                    size_t *column)
{
    const double cost = 1; // of a task: more than the price of any
    double bound = (double)branching_row->bound;
    *row = duet_lp_add_row(c->lp, branching_row->at_least ? bound : -INFINITY,
                           branching_row->at_least ? INFINITY : bound);
    *column = duet_lp_add_column(c->lp, 0, INFINITY, cost);
    duet_lp_add_entry(c->lp, *row, *column, branching_row->at_least ? 1 : -1);
    for (size_t i = 0; i < c->patterns; i++) {
        if (c->pattern[i].type == branching_row->type) {
            duet_master_count_pattern(c, branching_row, *row, &c->pattern[i]);
        }
    }
}

duet_code duet_branching_rows_make_room(duet_configuration *c, size_t rows, duet_error *error)
{
    duals *const of_rows[] = {&c->smoothing.last, &c->smoothing.center, &c->smoothing.dual};
    DUET_TRY(duet_vec_reserve(c->branching_lp_row, rows, error));
    DUET_TRY(duet_vec_reserve(c->branching_lp_column, rows, error));
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++) {
        DUET_TRY(duet_vec_reserve(of_rows[i]->row, rows, error));
        for (size_t k = c->branching_rows; k < rows; k++) {
            of_rows[i]->row[k] = 0;
        }
    }
    return duet_prices_make_room(&c->trial, rows, error);
}

duet_code duet_configuration_add_branching_rows(duet_configuration *c,
                                                const duet_branching_row *branching_row,
                                                size_t branching_rows, duet_error *error)
{
    DUET_ASSERT(c->branching_rows == 0 && duet_lp_get_status(c->lp) == DUET_LP_UNSOLVED);
    if (branching_rows == 0) {
        return DUET_OK;
    }
    DUET_TRY(duet_branching_rows_make_room(c, branching_rows, error));
    for (size_t k = 0; k < branching_rows; k++) {
        DUET_ASSERT(!c->divisible[branching_row[k].type]);
        add_row(c, &branching_row[k], &c->branching_lp_row[k], &c->branching_lp_column[k]);
    }
    c->branching_row = branching_row;
    c->branching_rows = branching_rows;
    c->trial.rows = branching_rows;
    return duet_lp_failure(c->lp, error);
}

// By how much one more row raises the factor of the program, without new patterns.
static duet_code try_row(duet_configuration *c, const duet_branching_row *branching_row,
                         const duet_lp_position *at, const duet_context *context, double *lift,
                         duet_error *error)
{
    size_t row;
    size_t column;
    double objective;
    add_row(c, branching_row, &row, &column);
    duet_lp_take_position(c->lp, at);
    duet_code code = duet_lp_try(c->lp, TRIAL_STEPS, context, &objective, error);
    *lift = fmax(0, objective - c->factor); // what cannot be solved promises nothing
    duet_lp_cut(c->lp, at->rows, at->columns);
    return code;
}

duet_code duet_configuration_try(duet_configuration *c, const duet_branching_row *branching_row,
                                 const duet_context *context, double lift[2], duet_error *error)
{
    duet_branching_row branch = *branching_row;
    duet_lp_position at;
    duet_code code = duet_lp_note_position(c->lp, &at, error);
    for (int i = 0; i < 2 && code == DUET_OK; i++) {
        branch.at_least = i > 0;
        branch.bound = branching_row->bound + i;
        code = try_row(c, &branch, &at, context, &lift[i], error);
    }
    if (at.row != NULL) {
        duet_lp_take_position(c->lp, &at);
    }
    duet_lp_position_free(&at);
    return code;
}
