// SPDX-License-Identifier: Apache-2.0
// A linear program of three rows and many bounded columns, by the dual simplex method with a long
// step: minimise cost x subject to row[i] x <= rhs[i], 0 <= x <= bound, all costs >= 0. In floating
// point: what it finds is a proposal that integers decide on.
#include "dp/table/relaxation.h"

#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"

enum { ROWS = DUET_SIMPLEX_ROWS, MOST_PIVOTS = 200 };

static const double tiny = 1e-11;
static const double violation_tolerance = 1e-9;

// A column that may enter: at which step its reduced cost changes sign, and by how much it then
// shrinks the violation when it moves to its other bound.
typedef struct candidate {
    double step;
    double drop;
    size_t column;
} candidate;

typedef struct tableau {
    duet_simplex *program;
    double inverse[ROWS][ROWS]; // of the basis
    candidate *candidates;
} tableau;

static double entry(const duet_simplex *program, size_t column, int row)
{
    if (column < program->count) {
        return program->column[column].row[row];
    }
    return column - program->count == (size_t)row ? 1.0 : 0.0;
}

static double cost_of(const duet_simplex *program, size_t column)
{
    return column < program->count ? program->column[column].cost : 0.0;
}

static double bound_of(const duet_simplex *program, size_t column)
{
    return column < program->count ? program->column[column].bound : INFINITY;
}

// The inverse by the adjugate. False where the basis is singular to working precision.
static bool invert(tableau *t)
{
    double b[ROWS][ROWS];
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            b[i][j] = entry(t->program, t->program->basis[j], i);
        }
    }
    double adjugate[ROWS][ROWS];
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            int r0 = (j + 1) % ROWS;
            int r1 = (j + 2) % ROWS;
            int c0 = (i + 1) % ROWS;
            int c1 = (i + 2) % ROWS;
            adjugate[i][j] = b[r0][c0] * b[r1][c1] - b[r0][c1] * b[r1][c0];
        }
    }
    double determinant =
        b[0][0] * adjugate[0][0] + b[0][1] * adjugate[1][0] + b[0][2] * adjugate[2][0];
    if (!(fabs(determinant) > 1e-200)) {
        return false;
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            t->inverse[i][j] = adjugate[i][j] / determinant;
        }
    }
    return true;
}

// Multipliers and the values of the basic columns.
static void evaluate(tableau *t)
{
    duet_simplex *program = t->program;
    double rest[ROWS];
    for (int i = 0; i < ROWS; i++) {
        rest[i] = program->rhs[i];
        double y = 0;
        for (int r = 0; r < ROWS; r++) {
            y += cost_of(program, program->basis[r]) * t->inverse[r][i];
        }
        program->multiplier[i] = y < 0 ? -y : 0;
    }
    for (size_t j = 0; j < program->count; j++) {
        if (program->place[j] == DUET_AT_UPPER) {
            const duet_simplex_column *column = &program->column[j];
            for (int i = 0; i < ROWS; i++) {
                rest[i] -= column->row[i] * column->bound;
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        program->value[r] = 0;
        for (int i = 0; i < ROWS; i++) {
            program->value[r] += t->inverse[r][i] * rest[i];
        }
    }
}

// The basic column furthest out of its bounds, or -1; *violation is how far.
static int leaving_row(const duet_simplex *program, double *violation, bool *below)
{
    int row = -1;
    *violation = violation_tolerance;
    for (int r = 0; r < ROWS; r++) {
        double bound = bound_of(program, program->basis[r]);
        double over = program->value[r] - bound;
        if (-program->value[r] > *violation) {
            *violation = -program->value[r];
            *below = true;
            row = r;
        }
        if (over > *violation) {
            *violation = over;
            *below = false;
            row = r;
        }
    }
    return row;
}

// Columns whose movement off their bound brings the leaving column back.
static size_t collect(tableau *t, int row, bool below)
{
    const duet_simplex *program = t->program;
    double sign = below ? 1.0 : -1.0;
    size_t found = 0;
    for (size_t j = 0; j < program->count + ROWS; j++) {
        if (program->place[j] == DUET_IN_BASIS) {
            continue;
        }
        double alpha = 0;
        double reduced = cost_of(program, j);
        for (int i = 0; i < ROWS; i++) {
            double a = entry(program, j, i);
            alpha += t->inverse[row][i] * a;
            reduced += program->multiplier[i] * a;
        }
        alpha *= sign;
        bool upper = program->place[j] == DUET_AT_UPPER;
        if (upper ? alpha > tiny : alpha < -tiny) {
            double size = fabs(alpha);
            double step = fabs(upper ? fmin(reduced, 0) : fmax(reduced, 0)) / size;
            t->candidates[found++] = (candidate){step, size * bound_of(program, j), j};
        }
    }
    return found;
}

static void exchange(candidate *a, candidate *b)
{
    candidate kept = *a;
    *a = *b;
    *b = kept;
}

// Moves candidates with a step below the pivot's to the front; returns their number and sums up
// their drops.
static size_t split(candidate *c, size_t count, double pivot, double *drop)
{
    size_t front = 0;
    *drop = 0;
    for (size_t i = 0; i < count; i++) {
        if (c[i].step < pivot) {
            *drop += c[i].drop;
            exchange(&c[front++], &c[i]);
        }
    }
    return front;
}

// Moves candidates to the front, in order of their steps, while the violation lasts: those are
// passed by, and the one behind them enters. Returns its index, or `count` where the violation
// outlasts all. Weighted selection, expected O(count).
static size_t select_entering(candidate *c, size_t count, double violation)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        double pivot = c[low + (high - low) / 2].step;
        double drop;
        size_t front = low + split(c + low, high - low, pivot, &drop);
        if (front > low && drop >= violation) {
            high = front;
            continue;
        }
        violation -= drop;
        low = front;
        // Those at the pivot itself, in any order.
        for (size_t i = low; i < high; i++) {
            if (c[i].step == pivot) {
                exchange(&c[low], &c[i]);
                if (c[low].drop >= violation) {
                    return low;
                }
                violation -= c[low++].drop;
            }
        }
    }
    return count;
}

static void set_ray(tableau *t, int row, bool below)
{
    for (int i = 0; i < ROWS; i++) {
        double ray = below ? t->inverse[row][i] : -t->inverse[row][i];
        t->program->ray[i] = duet_max(0, ray);
    }
}

// One pivot. False where the program is settled.
static bool pivot(tableau *t)
{
    duet_simplex *program = t->program;
    double violation;
    bool below = false;
    if (!invert(t)) {
        return false;
    }
    evaluate(t);
    int row = leaving_row(program, &violation, &below);
    if (row < 0) {
        program->optimal = true;
        return false;
    }
    size_t count = collect(t, row, below);
    size_t entering = select_entering(t->candidates, count, violation);
    if (entering == count) {
        program->infeasible = true;
        set_ray(t, row, below);
        return false;
    }
    for (size_t i = 0; i < entering; i++) {
        unsigned char *place = &program->place[t->candidates[i].column];
        *place = *place == DUET_AT_UPPER ? DUET_AT_LOWER : DUET_AT_UPPER;
    }
    program->place[program->basis[row]] = below ? DUET_AT_LOWER : DUET_AT_UPPER;
    program->basis[row] = t->candidates[entering].column;
    program->place[program->basis[row]] = DUET_IN_BASIS;
    return true;
}

duet_code duet_simplex_solve(duet_simplex *program, duet_error *error)
{
    program->optimal = false;
    program->infeasible = false;
    program->pivots = 0;
    program->place = duet_alloc(program->count + ROWS, 1, error);
    tableau t = {.program = program};
    t.candidates = duet_alloc(program->count + ROWS, sizeof *t.candidates, error);
    if (program->place == NULL || t.candidates == NULL) {
        duet_free(t.candidates);
        duet_simplex_free(program);
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < ROWS; i++) {
        program->basis[i] = program->count + i;
        program->place[program->count + i] = DUET_IN_BASIS;
    }
    while (program->pivots < MOST_PIVOTS && pivot(&t)) {
        program->pivots++;
    }
    duet_free(t.candidates);
    return DUET_OK;
}

void duet_simplex_free(duet_simplex *program)
{
    duet_free(program->place);
    program->place = NULL;
}
