// SPDX-License-Identifier: Apache-2.0
// One narrow interface to a linear and mixed-integer programming solver.
//
// A program is minimised over columns (variables) and rows (constraints), both with bounds;
// -INFINITY and INFINITY stand for no bound. It lives in our own memory: the solver behind it
// (GLPK, or none) is only entered inside a solve, which copies the program in and the answer out.
// So an object may move between threads, solves may run in any number of threads at once, and a
// solver that fails takes nothing with it.
//
// Building never fails on the spot: the first failure sticks to the program, what follows leaves it
// as it is, and a solve returns that failure. So a program is a row of calls, and its builder asks
// once, by duet_lp_failure().
//
// All answers are floating point and therefore proposals: a caller checks in integers what it
// wants to claim. Where the build has no solver, duet_lp_create() fails with DUET_E_UNSUPPORTED.
#ifndef DUET_LP_LP_H
#define DUET_LP_LP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/system/context.h"

typedef struct duet_lp duet_lp;

// What the last solve found.
typedef enum duet_lp_status {
    DUET_LP_UNSOLVED = 0,
    DUET_LP_OPTIMAL,
    DUET_LP_INFEASIBLE,
    DUET_LP_UNBOUNDED,
    DUET_LP_STOPPED, // deadline or cancellation: there are no values, duals or basis
    DUET_LP_BEYOND   // the objective is above the limit: there are duals and a basis
} duet_lp_status;

// Where a column, or a row's value, stands in the basis.
typedef enum duet_lp_basis {
    DUET_LP_BASIC = 0,
    DUET_LP_AT_LOWER,
    DUET_LP_AT_UPPER,
    DUET_LP_FREE, // nonbasic without bounds, at 0
    DUET_LP_FIXED // nonbasic, lower = upper
} duet_lp_basis;

// Whether this build has a solver.
bool duet_lp_available(void);

duet_code duet_lp_create(duet_lp **out, duet_error *error);
void duet_lp_free(duet_lp *lp); // NULL is allowed

// The first failure of building: DUET_E_MEMORY; DUET_E_LIMIT where there are more than the solver
// can count; DUET_E_INTERNAL where a bound or an entry makes no sense. DUET_OK: there was none.
duet_code duet_lp_failure(const duet_lp *lp, duet_error *error);

// Adds a column or a row and returns its index, which is the number of those before it.
// lower <= upper.
size_t duet_lp_add_column(duet_lp *lp, double lower, double upper, double cost);
size_t duet_lp_add_row(duet_lp *lp, double lower, double upper);
// Sets a coefficient that was not set before (a second one for the same place fails at the solve).
void duet_lp_add_entry(duet_lp *lp, size_t row, size_t column, double value);
// Other bounds of a row or a column there is, or another cost. A solve fails where lower > upper.
void duet_lp_bound_row(duet_lp *lp, size_t row, double lower, double upper);
void duet_lp_bound_column(duet_lp *lp, size_t column, double lower, double upper);
void duet_lp_price_column(duet_lp *lp, size_t column, double cost);
// Requires whole values of a column, in duet_lp_solve_integer() only.
void duet_lp_set_integer(duet_lp *lp, size_t column);
size_t duet_lp_columns(const duet_lp *lp);
size_t duet_lp_rows(const duet_lp *lp);

// Where to start the next simplex: either nothing is said (the last solve's basis, if any), or the
// caller says for every column and row. A basis has as many basic members as there are rows; one
// that is singular is replaced by the solver's own.
void duet_lp_start_column(duet_lp *lp, size_t column, duet_lp_basis basis);
void duet_lp_start_row(duet_lp *lp, size_t row, duet_lp_basis basis);

// Removes the last rows and columns, so that this many remain. No entry between two of those that
// remain may have been added after the first of those removed.
void duet_lp_cut(duet_lp *lp, size_t rows, size_t columns);

// A basis of the simplex method, and the size of the program that it belongs to.
typedef struct duet_lp_position {
    duet_lp_basis *row, *column;
    size_t rows, columns;
} duet_lp_position;

duet_code duet_lp_note_position(const duet_lp *lp, duet_lp_position *out, duet_error *error);
void duet_lp_position_free(duet_lp_position *position);
// Makes that basis the current one. Rows added since then are basic, columns are not.
void duet_lp_take_position(duet_lp *lp, const duet_lp_position *position);

// Whether the next solves begin with the dual simplex method: it suits a program of which only
// bounds have changed since its last solve.
void duet_lp_set_dual(duet_lp *lp, bool dual);

// The dual simplex method ends as soon as it knows that the objective is above `limit`, with
// DUET_LP_BEYOND. INFINITY, as at first: never. With a limit a solve that takes very many steps
// fails with DUET_E_INTERNAL.
void duet_lp_set_limit(duet_lp *lp, double limit);

// Solves the relaxation by the primal simplex method from the starting basis. `exact`: continues in
// the solver's rational arithmetic, so that the basis is optimal for the coefficients as given;
// slow, for small programs. Stops about 0.1 s after the context says so, with DUET_LP_STOPPED and
// DUET_OK. Errors: those of duet_lp_failure(); DUET_E_MEMORY; DUET_E_INTERNAL with the solver's own
// message; DUET_E_LIMIT where numbers are too far apart for it.
duet_code duet_lp_solve(duet_lp *lp, bool exact, const duet_context *context, duet_error *error);
// The same in floating-point arithmetic for who can do without: a failure of the solver's own is no
// error, and the status is DUET_LP_UNSOLVED.
duet_code duet_lp_attempt(duet_lp *lp, const duet_context *context, duet_error *error);

// A trial after bounds have changed: at most `steps` steps of the dual simplex method from the
// current basis. `objective` receives about the objective they reach, which is at most the optimum,
// and -INFINITY where the solver fails. Values, duals and basis mean nothing afterwards: the caller
// goes on from a position by duet_lp_take_position(). Stops as duet_lp_solve(). Errors: those of
// duet_lp_failure(); DUET_E_MEMORY.
duet_code duet_lp_try(duet_lp *lp, int steps, const duet_context *context, double *objective,
                      duet_error *error);

// Watches an integer solve. Called at every node of the tree with the values of its relaxation, one
// per column, and with `bound`, which no solution in the rest of the tree is below; `integral`
// where the values are a new best integer solution. Returns the cutoff: the tree is cut where it
// cannot get below it (INFINITY: no wish); heeded only where a continuous column has a cost. Must
// return normally.
typedef double duet_lp_visit(void *user, const double *values, double bound, bool integral);

// Solves with the integer columns by branch and bound, no gap allowed. Stops as duet_lp_solve(),
// also in the middle of a node. Afterwards the status is OPTIMAL (values and objective are of the
// best integer solution, or the objective is the last cutoff and the values mean nothing),
// INFEASIBLE or STOPPED. `visit` may be NULL. Errors as duet_lp_solve().
duet_code duet_lp_solve_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                const duet_context *context, duet_error *error);

duet_lp_status duet_lp_get_status(const duet_lp *lp);
double duet_lp_objective(const duet_lp *lp);
// Steps of the simplex method so far, in all solves that came to an answer.
int64_t duet_lp_steps(const duet_lp *lp);
double duet_lp_value(const duet_lp *lp, size_t column);
double duet_lp_dual(const duet_lp *lp, size_t row); // of the last duet_lp_solve()
duet_lp_basis duet_lp_column_basis(const duet_lp *lp, size_t column);
duet_lp_basis duet_lp_row_basis(const duet_lp *lp, size_t row);
// Nodes of the tree so far of the last integer solve.
int64_t duet_lp_nodes(const duet_lp *lp);

#endif
