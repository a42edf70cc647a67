// SPDX-License-Identifier: Apache-2.0
// A linear program in our own memory, handed to the backend as a whole.
#include "lp/lp.h"

#include <limits.h>
#include <math.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/lp_model.h"

bool duet_lp_available(void)
{
    return duet_lp_backend_check(NULL) == DUET_OK;
}

duet_code duet_lp_create(duet_lp **out, duet_error *error)
{
    *out = NULL;
    DUET_TRY(duet_lp_backend_check(error));
    duet_lp *lp = duet_alloc(1, sizeof *lp, error);
    DUET_NEED(lp);
    lp->entries = 1;
    lp->limit = INFINITY;
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
        duet_free(lp->place);
        duet_free(lp->kept_row);
        duet_free(lp->kept_column);
        duet_free(lp->kept_value);
        duet_free(lp);
    }
}

static bool failed(const duet_lp *lp)
{
    return lp->failure.code != DUET_OK;
}

duet_code duet_lp_failure(const duet_lp *lp, duet_error *error)
{
    return failed(lp) ? duet_error_set(error, lp->failure.code, "%s", lp->failure.message)
                      : DUET_OK;
}

// Whether there may be one more row or column with these bounds: no NaN, in order, with something
// between them.
static bool accepts(duet_lp *lp, double lower, double upper, size_t count)
{
    if (failed(lp)) {
        return false;
    }
    if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY) {
        duet_error_set(&lp->failure, DUET_E_INTERNAL,
                       "linear program: bounds %g .. %g, expected lower <= upper", lower, upper);
    } else if (count >= INT_MAX / 2) {
        duet_error_set(&lp->failure, DUET_E_LIMIT,
                       "linear program: more than %d rows or columns do not fit", INT_MAX / 2);
    }
    return !failed(lp);
}

size_t duet_lp_add_column(duet_lp *lp, double lower, double upper, double cost)
{
    size_t index = lp->columns;
    if (!accepts(lp, lower, upper, lp->columns) ||
        duet_vec_grow(lp->column, lp->columns, &lp->failure) != DUET_OK) {
        return index;
    }
    duet_lp_basis basis = DUET_LP_AT_LOWER;
    if (lower == -INFINITY) {
        basis = upper == INFINITY ? DUET_LP_FREE : DUET_LP_AT_UPPER;
    }
    lp->column[lp->columns++] =
        (duet_lp_column){.lower = lower, .upper = upper, .cost = cost, .basis = basis};
    return index;
}

size_t duet_lp_add_row(duet_lp *lp, double lower, double upper)
{
    size_t index = lp->rows;
    if (accepts(lp, lower, upper, lp->rows) &&
        duet_vec_grow(lp->row, lp->rows, &lp->failure) == DUET_OK) {
        lp->row[lp->rows++] = (duet_lp_row){.lower = lower, .upper = upper, .basis = DUET_LP_BASIC};
    }
    return index;
}

// Room for one more entry in all three arrays.
static bool grow_entries(duet_lp *lp)
{
    return duet_vec_grow(lp->entry_row, lp->entries, &lp->failure) == DUET_OK &&
           duet_vec_grow(lp->entry_column, lp->entries, &lp->failure) == DUET_OK &&
           duet_vec_grow(lp->entry_value, lp->entries, &lp->failure) == DUET_OK;
}

void duet_lp_add_entry(duet_lp *lp, size_t row, size_t column, double value)
{
    if (failed(lp)) {
        return;
    }
    if (row >= lp->rows || column >= lp->columns || !isfinite(value)) {
        duet_error_set(&lp->failure, DUET_E_INTERNAL,
                       "linear program: entry %g at (%zu, %zu), expected a finite one within "
                       "%zu rows and %zu columns",
                       value, row, column, lp->rows, lp->columns);
    } else if (lp->entries >= INT_MAX / 2) {
        duet_error_set(&lp->failure, DUET_E_LIMIT,
                       "linear program: more than %d entries do not fit", INT_MAX / 2);
    } else if (grow_entries(lp)) {
        lp->entry_row[lp->entries] = (int)row + 1;
        lp->entry_column[lp->entries] = (int)column + 1;
        lp->entry_value[lp->entries] = value;
        lp->entries++;
    }
}

// The row or column of an index that was returned, to be changed. NULL once something has failed:
// it may not be there.
static duet_lp_row *row_at(duet_lp *lp, size_t row)
{
    DUET_ASSERT(failed(lp) || row < lp->rows);
    return failed(lp) ? NULL : &lp->row[row];
}

static duet_lp_column *column_at(duet_lp *lp, size_t column)
{
    DUET_ASSERT(failed(lp) || column < lp->columns);
    return failed(lp) ? NULL : &lp->column[column];
}

void duet_lp_bound_row(duet_lp *lp, size_t row, double lower, double upper)
{
    duet_lp_row *at = row_at(lp, row);
    if (at != NULL) {
        at->lower = lower;
        at->upper = upper;
    }
}

void duet_lp_bound_column(duet_lp *lp, size_t column, double lower, double upper)
{
    duet_lp_column *at = column_at(lp, column);
    if (at != NULL) {
        at->lower = lower;
        at->upper = upper;
    }
}

void duet_lp_cut(duet_lp *lp, size_t rows, size_t columns)
{
    DUET_ASSERT(rows <= lp->rows && columns <= lp->columns);
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
    duet_lp_column *at = column_at(lp, column);
    if (at != NULL) {
        at->cost = cost;
    }
}

void duet_lp_set_dual(duet_lp *lp, bool dual)
{
    lp->dual = dual;
}

void duet_lp_set_limit(duet_lp *lp, double limit)
{
    lp->limit = limit;
}

void duet_lp_set_integer(duet_lp *lp, size_t column)
{
    duet_lp_column *at = column_at(lp, column);
    if (at != NULL) {
        at->integer = true;
    }
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
    duet_lp_column *at = column_at(lp, column);
    if (at != NULL) {
        at->basis = basis;
        lp->has_basis = true;
    }
}

void duet_lp_start_row(duet_lp *lp, size_t row, duet_lp_basis basis)
{
    duet_lp_row *at = row_at(lp, row);
    if (at != NULL) {
        at->basis = basis;
        lp->has_basis = true;
    }
}

// Steps in circles, numbers too far apart.
static bool is_own_failure(duet_code code)
{
    return code == DUET_E_INTERNAL || code == DUET_E_LIMIT;
}

duet_code duet_lp_solve(duet_lp *lp, bool exact, const duet_context *context, duet_error *error)
{
    lp->status = DUET_LP_UNSOLVED;
    return failed(lp) ? duet_lp_failure(lp, error)
                      : duet_lp_backend_solve(lp, exact, context, error);
}

duet_code duet_lp_attempt(duet_lp *lp, const duet_context *context, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    if (failed(lp)) {
        return duet_lp_failure(lp, error);
    }
    duet_code code = duet_lp_solve(lp, false, context, &why);
    if (is_own_failure(code)) {
        lp->status = DUET_LP_UNSOLVED;
        return DUET_OK;
    }
    if (code != DUET_OK && error != NULL) {
        *error = why;
    }
    return code;
}

duet_code duet_lp_try(duet_lp *lp, int steps, const duet_context *context, double *objective,
                      duet_error *error)
{
    duet_error trial = DUET_ERROR_INIT;
    *objective = -INFINITY;
    if (failed(lp)) {
        return duet_lp_failure(lp, error);
    }
    lp->trial = steps;
    duet_code code = duet_lp_solve(lp, false, context, &trial);
    lp->trial = 0;
    *objective = code == DUET_OK && lp->status == DUET_LP_OPTIMAL ? lp->objective : -INFINITY;
    if (is_own_failure(code)) {
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
    return failed(lp) ? duet_lp_failure(lp, error)
                      : duet_lp_backend_integer(lp, visit, user, context, error);
}

duet_lp_status duet_lp_get_status(const duet_lp *lp)
{
    return lp->status;
}

int64_t duet_lp_steps(const duet_lp *lp)
{
    return lp->steps;
}

double duet_lp_objective(const duet_lp *lp)
{
    return lp->objective;
}

double duet_lp_value(const duet_lp *lp, size_t column)
{
    DUET_ASSERT(column < lp->columns);
    return lp->column[column].value;
}

double duet_lp_dual(const duet_lp *lp, size_t row)
{
    DUET_ASSERT(row < lp->rows);
    return lp->row[row].dual;
}

duet_lp_basis duet_lp_column_basis(const duet_lp *lp, size_t column)
{
    DUET_ASSERT(column < lp->columns);
    return lp->column[column].basis;
}

duet_lp_basis duet_lp_row_basis(const duet_lp *lp, size_t row)
{
    DUET_ASSERT(row < lp->rows);
    return lp->row[row].basis;
}

int64_t duet_lp_nodes(const duet_lp *lp)
{
    return lp->nodes;
}
