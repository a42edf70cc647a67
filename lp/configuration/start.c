// SPDX-License-Identifier: Apache-2.0
// A basis of the master program, carried over to the program of another residual problem: rows and
// columns correspond where they are of the same class, branching row or stored pattern. Columns
// that no longer fit are added with the bounds 0 and 0, and the rows of a class whose tasks have
// all gone to one type are kept: so the basis is as dual feasible as it was.
#include "core/system/memory.h"
#include "lp/configuration/configuration_state.h"

void duet_configuration_start_free(duet_configuration_start *start)
{
    duet_free(start->class_basis);
    duet_free(start->branching_basis);
    duet_free(start->stored);
    *start = (duet_configuration_start){.classes = 0};
}

size_t duet_configuration_start_bytes(const duet_configuration_start *start)
{
    enum { rows = 2 }; // of a class, at most about
    return start->classes * (sizeof *start->class_basis + rows * sizeof *start->stored);
}

static duet_code create(const duet_configuration *c, duet_configuration_start *start,
                        duet_error *error)
{
    duet_configuration_start_free(start);
    start->class_basis = duet_alloc(c->classes->count, sizeof *start->class_basis, error);
    start->branching_basis = duet_alloc(c->branching_rows, sizeof *start->branching_basis, error);
    start->stored = duet_alloc(duet_lp_rows(c->lp), sizeof *start->stored, error);
    bool all =
        start->class_basis != NULL && start->branching_basis != NULL && start->stored != NULL;
    return all ? DUET_OK : DUET_E_MEMORY;
}

static bool has_row(const duet_configuration *c, size_t row)
{
    return row != SIZE_MAX && duet_lp_row_basis(c->lp, row) == DUET_LP_BASIC;
}

static bool has_column(const duet_configuration *c, size_t column)
{
    return column != SIZE_MAX && duet_lp_column_basis(c->lp, column) == DUET_LP_BASIC;
}

// A row that is not there restricts nothing, as if it were basic.
static bool is_basic(const duet_configuration *c, size_t row)
{
    return row == SIZE_MAX || has_row(c, row);
}

static uint8_t class_basis(const duet_configuration *c, size_t class)
{
    unsigned basis = c->fixed[class] ? DUET_BASIS_FIXED : 0;
    basis |= is_basic(c, c->class_row[class]) ? DUET_BASIS_ROW : 0;
    for (size_t t = 0; t < 2; t++) {
        size_t pair = pair_of(c, t, class);
        basis |= is_basic(c, c->pair_row[pair]) ? (unsigned)DUET_BASIS_ON << t : 0;
        basis |= has_column(c, c->single[pair]) ? (unsigned)DUET_BASIS_SINGLE << t : 0;
    }
    return (uint8_t)basis;
}

duet_code duet_configuration_note(const duet_configuration *c, duet_configuration_start *start,
                                  duet_error *error)
{
    duet_code code = create(c, start, error);
    if (code != DUET_OK) {
        duet_configuration_start_free(start);
        return code;
    }
    start->classes = c->classes->count;
    start->factor = has_column(c, 0);
    for (size_t i = 0; i < start->classes; i++) {
        start->class_basis[i] = class_basis(c, i);
    }
    for (size_t t = 0; t < 2; t++) {
        start->type_basis[t] = has_row(c, c->processor_row[t]) ? DUET_BASIS_ROW : 0;
        start->divisible[t] = c->divisible[t];
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        unsigned row = has_row(c, c->branching_lp_row[k]) ? DUET_BASIS_ROW : 0;
        unsigned column = has_column(c, c->branching_lp_column[k]) ? DUET_BASIS_COLUMN : 0;
        start->branching_basis[k] = (uint8_t)(row | column);
    }
    start->branching_rows = c->branching_rows;
    for (size_t p = 0; p < c->patterns; p++) {
        const pattern_column *pattern = &c->pattern[p];
        if (pattern->stored != SIZE_MAX && has_column(c, pattern->column)) {
            start->stored[start->patterns++] = (uint32_t)pattern->stored;
        }
    }
    start->renewals = c->store != NULL ? c->store->renewals : 0;
    return DUET_OK;
}

// A basis under construction.
typedef struct basis {
    duet_configuration *c;
    bool *row;       // per row of the program: it is basic
    bool *stored;    // per pattern of the store: the program's column of it is to be basic
    int64_t missing; // members, of as many as there are rows
} basis;

static void take_row(basis *b, size_t row, bool basic)
{
    b->row[row] = basic;
    duet_lp_start_row(b->c->lp, row, basic ? DUET_LP_BASIC : DUET_LP_AT_LOWER);
    b->missing -= basic ? 1 : 0;
}

static void take_column(basis *b, size_t column, bool basic)
{
    duet_lp_start_column(b->c->lp, column, basic ? DUET_LP_BASIC : DUET_LP_AT_LOWER);
    b->missing -= basic ? 1 : 0;
}

static void take_rows(basis *b, const duet_configuration_start *start)
{
    const duet_configuration *c = b->c;
    for (size_t i = 0; i < start->classes; i++) {
        size_t all = c->class_row[i];
        bool basic = (start->class_basis[i] & DUET_BASIS_ROW) != 0;
        if (all != SIZE_MAX) {
            take_row(b, all, basic);
        }
        for (size_t t = 0; t < 2; t++) {
            size_t here = c->pair_row[pair_of(c, t, i)];
            if (here != SIZE_MAX) { // it may stand for the row of all tasks, which is gone
                bool instead = all == SIZE_MAX && !basic;
                bool on = (start->class_basis[i] & DUET_BASIS_ON << t) != 0;
                take_row(b, here, on && !instead);
            }
        }
    }
    for (size_t t = 0; t < 2; t++) {
        bool basic = (start->type_basis[t] & DUET_BASIS_ROW) != 0;
        take_row(b, c->processor_row[t], basic);
        duet_lp_start_row(c->lp, c->processor_row[t], basic ? DUET_LP_BASIC : DUET_LP_AT_UPPER);
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        bool basic =
            k >= start->branching_rows || (start->branching_basis[k] & DUET_BASIS_ROW) != 0;
        take_row(b, c->branching_lp_row[k], basic);
        if (!basic && !c->branching_row[k].at_least) {
            duet_lp_start_row(c->lp, c->branching_lp_row[k], DUET_LP_AT_UPPER);
        }
    }
}

static void take_columns(basis *b, const duet_configuration_start *start)
{
    const duet_configuration *c = b->c;
    take_column(b, 0, start->factor);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < start->classes; i++) {
            if (c->single[pair_of(c, t, i)] != SIZE_MAX) {
                take_column(b, c->single[pair_of(c, t, i)],
                            (start->class_basis[i] & DUET_BASIS_SINGLE << t) != 0);
            }
        }
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        take_column(b, c->branching_lp_column[k],
                    k < start->branching_rows &&
                        (start->branching_basis[k] & DUET_BASIS_COLUMN) != 0);
    }
    for (size_t p = 0; p < start->patterns; p++) {
        b->stored[start->stored[p]] = true;
    }
    for (size_t p = 0; p < c->patterns; p++) {
        size_t stored = c->pattern[p].stored;
        if (stored != SIZE_MAX) {
            take_column(b, c->pattern[p].column, b->stored[stored]);
            b->stored[stored] = false;
        }
    }
}

duet_code duet_configuration_resume(duet_configuration *c, bool *resumed, duet_error *error)
{
    const duet_configuration_start *start = c->start;
    *resumed = start != NULL;
    c->start = NULL;
    if (!*resumed) {
        return DUET_OK;
    }
    size_t rows = duet_lp_rows(c->lp);
    basis b = {.c = c, .missing = (int64_t)rows};
    b.row = duet_alloc(rows, sizeof *b.row, error);
    b.stored = duet_alloc(c->store->columns, sizeof *b.stored, error);
    duet_code code = b.row == NULL || b.stored == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        take_rows(&b, start);
        take_columns(&b, start);
    }
    for (size_t r = 0; r < rows && code == DUET_OK && b.missing > 0; r++) {
        if (!b.row[r]) {
            take_row(&b, r, true);
        }
    }
    duet_free(b.row);
    duet_free(b.stored);
    return code;
}
