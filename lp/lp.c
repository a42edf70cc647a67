// SPDX-License-Identifier: Apache-2.0
// A linear program in our own memory, handed to the backend as a whole.
#include "lp/lp.h"

#include <limits.h>
#include <math.h>

#include "core/memory.h"
#include "lp/lp_model.h"

bool duet_lp_available(void)
{
    return duet_lp_backend_check(NULL) == DUET_OK;
}

duet_code duet_lp_create(duet_lp **out, duet_error *error)
{
    *out = NULL;
    duet_code code = duet_lp_backend_check(error);
    if (code != DUET_OK) {
        return code;
    }
    duet_lp *lp = duet_alloc(1, sizeof *lp, error);
    if (lp == NULL) {
        return DUET_E_MEMORY;
    }
    lp->entries = 1;
    *out = lp;
    return DUET_OK;
}

void duet_lp_free(duet_lp *lp)
{
    if (lp != NULL) {
        duet_free(lp->column);
        duet_free(lp->row);
        duet_free(lp->entry_row);
        duet_free(lp->entry_column);
        duet_free(lp->entry_value);
        duet_free(lp);
    }
}

// Bounds a solver can take: no NaN, in order, and something between them.
static duet_code check_bounds(double lower, double upper, size_t count, duet_error *error)
{
    if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY) {
        return duet_error_set(error, DUET_E_INTERNAL,
                              "linear program: bounds %g .. %g, expected lower <= upper", lower,
                              upper);
    }
    if (count >= INT_MAX / 2) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "linear program: more than %d rows or columns do not fit",
                              INT_MAX / 2);
    }
    return DUET_OK;
}

duet_code duet_lp_add_column(duet_lp *lp, double lower, double upper, double cost,
                             duet_error *error)
{
    duet_code code = check_bounds(lower, upper, lp->columns, error);
    if (code == DUET_OK) {
        code = duet_grow(&lp->column, lp->columns, &lp->column_capacity, sizeof *lp->column, error);
    }
    if (code == DUET_OK) {
        duet_lp_basis basis = DUET_LP_AT_LOWER;
        if (lower == -INFINITY) {
            basis = upper == INFINITY ? DUET_LP_FREE : DUET_LP_AT_UPPER;
        }
        lp->column[lp->columns++] =
            (duet_lp_column){.lower = lower, .upper = upper, .cost = cost, .basis = basis};
    }
    return code;
}

duet_code duet_lp_add_row(duet_lp *lp, double lower, double upper, duet_error *error)
{
    duet_code code = check_bounds(lower, upper, lp->rows, error);
    if (code == DUET_OK) {
        code = duet_grow(&lp->row, lp->rows, &lp->row_capacity, sizeof *lp->row, error);
    }
    if (code == DUET_OK) {
        lp->row[lp->rows++] = (duet_lp_row){.lower = lower, .upper = upper, .basis = DUET_LP_BASIC};
    }
    return code;
}

duet_code duet_lp_add_entry(duet_lp *lp, size_t row, size_t column, double value, duet_error *error)
{
    if (row >= lp->rows || column >= lp->columns || !isfinite(value)) {
        return duet_error_set(
            error, DUET_E_INTERNAL,
            "linear program: entry %g at (%zu, %zu), expected a finite one within "
            "%zu rows and %zu columns",
            value, row, column, lp->rows, lp->columns);
    }
    if (lp->entries >= INT_MAX / 2) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "linear program: more than %d entries do not fit", INT_MAX / 2);
    }
    duet_code code = duet_grow(&lp->entry_row, lp->entries, &lp->row_index_capacity,
                               sizeof *lp->entry_row, error);
    if (code == DUET_OK) {
        code = duet_grow(&lp->entry_column, lp->entries, &lp->column_index_capacity,
                         sizeof *lp->entry_column, error);
    }
    if (code == DUET_OK) {
        code = duet_grow(&lp->entry_value, lp->entries, &lp->value_capacity,
                         sizeof *lp->entry_value, error);
    }
    if (code == DUET_OK) {
        lp->entry_row[lp->entries] = (int)row + 1;
        lp->entry_column[lp->entries] = (int)column + 1;
        lp->entry_value[lp->entries] = value;
        lp->entries++;
    }
    return code;
}

void duet_lp_bound_row(duet_lp *lp, size_t row, double lower, double upper)
{
    lp->row[row].lower = lower;
    lp->row[row].upper = upper;
}

void duet_lp_bound_column(duet_lp *lp, size_t column, double lower, double upper)
{
    lp->column[column].lower = lower;
    lp->column[column].upper = upper;
}

void duet_lp_cut(duet_lp *lp, size_t rows, size_t columns)
{
    lp->rows = rows;
    lp->columns = columns;
    while (lp->entries > 1 && ((size_t)lp->entry_row[lp->entries - 1] > rows ||
                               (size_t)lp->entry_column[lp->entries - 1] > columns)) {
        lp->entries--;
    }
}

duet_code duet_lp_note_position(const duet_lp *lp, duet_lp_position *out, duet_error *error)
{
    *out = (duet_lp_position){.rows = lp->rows, .columns = lp->columns};
    out->row = duet_alloc(lp->rows, sizeof *out->row, error);
    out->column = duet_alloc(lp->columns, sizeof *out->column, error);
    if (out->row == NULL || out->column == NULL) {
        duet_lp_position_free(out);
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < lp->rows; i++) {
        out->row[i] = lp->row[i].basis;
    }
    for (size_t i = 0; i < lp->columns; i++) {
        out->column[i] = lp->column[i].basis;
    }
    return DUET_OK;
}

void duet_lp_position_free(duet_lp_position *position)
{
    duet_free(position->row);
    duet_free(position->column);
    *position = (duet_lp_position){.row = NULL};
}

void duet_lp_take_position(duet_lp *lp, const duet_lp_position *position)
{
    for (size_t i = 0; i < lp->rows; i++) {
        lp->row[i].basis = i < position->rows ? position->row[i] : DUET_LP_BASIC;
    }
    for (size_t i = 0; i < lp->columns; i++) {
        lp->column[i].basis = i < position->columns ? position->column[i] : DUET_LP_AT_LOWER;
    }
    lp->has_basis = true;
}

void duet_lp_price_column(duet_lp *lp, size_t column, double cost)
{
    lp->column[column].cost = cost;
}

void duet_lp_set_dual(duet_lp *lp, bool dual)
{
    lp->dual = dual;
}

void duet_lp_set_integer(duet_lp *lp, size_t column)
{
    lp->column[column].integer = true;
}

size_t duet_lp_columns(const duet_lp *lp)
{
    return lp->columns;
}

size_t duet_lp_rows(const duet_lp *lp)
{
    return lp->rows;
}

void duet_lp_start_column(duet_lp *lp, size_t column, duet_lp_basis basis)
{
    lp->column[column].basis = basis;
    lp->has_basis = true;
}

void duet_lp_start_row(duet_lp *lp, size_t row, duet_lp_basis basis)
{
    lp->row[row].basis = basis;
    lp->has_basis = true;
}

duet_code duet_lp_solve(duet_lp *lp, bool exact, const duet_context *context, duet_error *error)
{
    lp->status = DUET_LP_UNSOLVED;
    return duet_lp_backend_solve(lp, exact, context, error);
}

duet_code duet_lp_try(duet_lp *lp, int steps, const duet_context *context, double *objective,
                      duet_error *error)
{
    duet_error trial = DUET_ERROR_INIT;
    lp->trial = steps;
    duet_code code = duet_lp_solve(lp, false, context, &trial);
    lp->trial = 0;
    *objective = code == DUET_OK && lp->status == DUET_LP_OPTIMAL ? lp->objective : -INFINITY;
    if (code == DUET_E_INTERNAL) {
        return DUET_OK;
    }
    if (code != DUET_OK && error != NULL) {
        *error = trial;
    }
    return code;
}

duet_code duet_lp_solve_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                const duet_context *context, duet_error *error)
{
    lp->status = DUET_LP_UNSOLVED;
    lp->nodes = 0;
    return duet_lp_backend_integer(lp, visit, user, context, error);
}

duet_lp_status duet_lp_get_status(const duet_lp *lp)
{
    return lp->status;
}

double duet_lp_objective(const duet_lp *lp)
{
    return lp->objective;
}

double duet_lp_value(const duet_lp *lp, size_t column)
{
    return lp->column[column].value;
}

double duet_lp_dual(const duet_lp *lp, size_t row)
{
    return lp->row[row].dual;
}

duet_lp_basis duet_lp_column_basis(const duet_lp *lp, size_t column)
{
    return lp->column[column].basis;
}

duet_lp_basis duet_lp_row_basis(const duet_lp *lp, size_t row)
{
    return lp->row[row].basis;
}

int64_t duet_lp_nodes(const duet_lp *lp)
{
    return lp->nodes;
}
