// SPDX-License-Identifier: Apache-2.0
// Method: QR factorisation by Householder reflections with pivoting of columns (Golub, Van Loan,
// "Matrix Computations", algorithm 5.4.1), O(points columns^2). The systems have five columns at
// most, and the same figures come out whatever BLAS a machine has.
#include "bench/run/fit.h"

#include <float.h>
#include <math.h>

#include "core/system/memory.h"

static bool is_constant(const double *x, size_t variables, size_t count, size_t variable)
{
    for (size_t i = 1; i < count; i++) {
        if (x[i * variables + variable] != x[variable]) {
            return false;
        }
    }
    return true;
}

enum { MAX_COLUMNS = DUET_FIT_MAX_VARIABLES + 1 };

// A system of `rows` equations, by columns: the matrix and the right side behind it.
typedef struct system {
    double *columns[MAX_COLUMNS + 1]; // the first `count`, then the right side
    size_t rows;
    size_t count;
    size_t variable[MAX_COLUMNS]; // of a column: where it stood before columns were exchanged
} system;

// The columns that move, behind a column of ones, as logarithms.
static void fill_system(const double *x, size_t variables, const double *y, size_t count,
                        double *numbers, system *s, size_t *column)
{
    *s = (system){.rows = count, .count = 1};
    for (size_t v = 0; v < variables; v++) {
        column[v] = is_constant(x, variables, count, v) ? 0 : s->count++;
    }
    for (size_t c = 0; c <= s->count; c++) {
        s->columns[c] = &numbers[c * count];
    }
    for (size_t c = 0; c < s->count; c++) {
        s->variable[c] = c;
    }
    for (size_t i = 0; i < count; i++) {
        s->columns[0][i] = 1.0;
        for (size_t v = 0; v < variables; v++) {
            if (column[v] > 0) {
                s->columns[column[v]][i] = log(x[i * variables + v]);
            }
        }
        s->columns[s->count][i] = log(y[i]);
    }
}

// x y, of the rows from `from` on.
static double inner_product(const double *x, const double *y, size_t from, size_t rows)
{
    double sum = 0;
    for (size_t i = from; i < rows; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// Brings the longest of the columns from `step` on there, as long as they are below it.
static void exchange_longest(system *s, size_t step)
{
    size_t longest = step;
    double most = -1;
    for (size_t c = step; c < s->count; c++) {
        double length = inner_product(s->columns[c], s->columns[c], step, s->rows);
        if (length > most) {
            longest = c;
            most = length;
        }
    }
    double *column = s->columns[step];
    size_t variable = s->variable[step];
    s->columns[step] = s->columns[longest];
    s->variable[step] = s->variable[longest];
    s->columns[longest] = column;
    s->variable[longest] = variable;
}

// Reflects all columns so that column `step` is 0 below its diagonal; returns the diagonal.
static double reflect(system *s, size_t step)
{
    double *v = s->columns[step];
    double length = sqrt(inner_product(v, v, step, s->rows));
    double diagonal = v[step] > 0 ? -length : length;
    v[step] -= diagonal;
    double square = inner_product(v, v, step, s->rows);
    for (size_t c = step + 1; c <= s->count && square > 0; c++) {
        double factor = 2 * inner_product(v, s->columns[c], step, s->rows) / square;
        for (size_t i = step; i < s->rows; i++) {
            s->columns[c][i] -= factor * v[i];
        }
    }
    return diagonal;
}

// The solution of least squares, by variables; false where the system does not determine it.
static bool solve_system(system *s, double *solution)
{
    // Logarithms of small whole numbers: what is singular is so by far more than this.
    static const double singular = 1e-9;
    double diagonal[MAX_COLUMNS];
    double value[MAX_COLUMNS];
    if (s->rows < s->count) {
        return false;
    }
    for (size_t step = 0; step < s->count; step++) {
        exchange_longest(s, step);
        diagonal[step] = reflect(s, step);
        if (!(fabs(diagonal[step]) > singular * fabs(diagonal[0]))) {
            return false;
        }
    }
    for (size_t step = s->count; step-- > 0;) {
        value[step] = s->columns[s->count][step];
        for (size_t c = step + 1; c < s->count; c++) {
            value[step] -= s->columns[c][step] * value[c];
        }
        value[step] /= diagonal[step];
        solution[s->variable[step]] = value[step];
    }
    return true;
}

// The share of the variance of log y that the fit explains; 1 if log y does not vary.
static double determination(const double *x, size_t variables, const double *y, size_t count,
                            const duet_fit *fit)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        mean += log(y[i]) / (double)count;
    }
    double total = 0;
    double rest = 0;
    for (size_t i = 0; i < count; i++) {
        double value = log(fit->factor);
        for (size_t v = 0; v < variables; v++) {
            if (!isnan(fit->exponent[v])) {
                value += fit->exponent[v] * log(x[i * variables + v]);
            }
        }
        rest += (log(y[i]) - value) * (log(y[i]) - value);
        total += (log(y[i]) - mean) * (log(y[i]) - mean);
    }
    return total > DBL_EPSILON * (double)count ? 1.0 - rest / total : 1.0;
}

static bool solve(const double *x, size_t variables, const double *y, size_t count, double *numbers,
                  duet_fit *fit)
{
    size_t column[DUET_FIT_MAX_VARIABLES];
    double solution[MAX_COLUMNS];
    system s;
    fill_system(x, variables, y, count, numbers, &s, column);
    if (!solve_system(&s, solution)) {
        return false;
    }
    fit->factor = exp(solution[0]);
    for (size_t v = 0; v < variables; v++) {
        fit->exponent[v] = column[v] > 0 ? solution[column[v]] : NAN;
    }
    fit->determination = determination(x, variables, y, count, fit);
    return true;
}

bool duet_fit_powers(const double *x, size_t variables, const double *y, size_t count,
                     duet_fit *fit)
{
    if (count == 0 || count > DUET_FIT_MAX_POINTS || variables == 0 ||
        variables > DUET_FIT_MAX_VARIABLES) {
        return false;
    }
    double *numbers = duet_alloc(count * (variables + 2), sizeof *numbers, NULL);
    bool ok = numbers != NULL && solve(x, variables, y, count, numbers, fit);
    duet_free(numbers);
    return ok;
}

bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent)
{
    duet_fit fit;
    if (!duet_fit_powers(x, 1, y, count, &fit) || isnan(fit.exponent[0])) {
        return false;
    }
    *exponent = fit.exponent[0];
    return true;
}
