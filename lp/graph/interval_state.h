// SPDX-License-Identifier: Apache-2.0
// Inside of the interval program. A file calls only those before it in this order:
//   interval_line     the line of integers: rounding, conservation, its value
//   interval_rows     which paths and intervals a solution violates
//   interval_mixing   which mixing inequalities
//   interval_program  the linear program of the rows there are
//   interval_descent  about the same without a solver, by first-order steps
//   interval          rounds of these
#ifndef DUET_LP_GRAPH_INTERVAL_STATE_H
#define DUET_LP_GRAPH_INTERVAL_STATE_H

#include "core/system/arena.h"
#include "lp/graph/interval.h"
#include "lp/graph/mixing.h"
#include "lp/graph/tuning.h"
#include "lp/lp.h"

// What a row of the program says.
typedef enum duet_interval_row_kind {
    DUET_INTERVAL_EDGE,  // a task starts after its predecessor ends
    DUET_INTERVAL_CROSS, // an inter-type transfer: it starts later still on another type
    DUET_INTERVAL_TAIL,  // a task ends its tail before the guess
    DUET_INTERVAL_WORK,  // the work in an interval fits into the processors of a type
    DUET_INTERVAL_MIX    // a mixing inequality
} duet_interval_row_kind;

typedef struct duet_interval_row {
    duet_interval_row_kind kind;
    int32_t at;            // the edge, the task or the mixing row
    size_t type;           // the type of the work, or from which data are transferred
    int64_t after, before; // the interval
    double dual;           // of the last solution, >= 0
    duet_lp_basis basis;   // where it stands in the last solution
    int idle;              // calls since it was last binding
} duet_interval_row;

struct duet_interval_program {
    const duet_network *net;
    size_t types;
    bool without_solver; // first-order steps in its place
    duet_arena arena;    // It holds the arrays.

    // The rows there are, in the order of the linear program, behind one for each task of three
    // types or more.
    duet_interval_row *row;
    size_t rows;
    bool *edge_active;    // per edge: its row is there
    bool *cross_active;   // per edge and type; NULL: data take no time, or there is no solver
    bool *tail_active;    // per task
    duet_mixing_row *mix; // in the order of their rows
    size_t mixes;
    duet_mixing *mixing; // NULL: there are no such rows

    // Columns: z, the starts, the shares. A task's base is the first type where its kind is
    // allowed; it has a share of each further one.
    size_t *base;         // per kind
    size_t *share_column; // per task: its first share; its last is before the next task's first
    duet_lp_basis *column_basis;
    size_t columns;
    bool has_basis;
    duet_lp *lp;  // only within a call
    int64_t work; // about the operations so far: the same on every machine

    // The last solution.
    double objective;
    double *share;   // per task and type
    double *through; // per task: what flows through it
    double *start;   // per task, as a share of the guess

    // Room for separation, per task: longest paths from the heads and to the ends.
    double *early, *late, *duration;
    bool *covered;
    // Per edge, the longest time of its data between types by the shares, and the type of its tail
    // then; NULL where data take no time.
    double *transfer;
    size_t *transfer_type;
    int64_t *points; // heads and tails, sorted

    // The last line.
    duet_interval_line line;
    size_t line_capacity; // intervals
    int64_t *prices;      // of these, a row each
};

// --- interval_line ---

// Rounds the duals of the rows to a line, which conserves flow, and sets whether its value refutes
// the guess. DUET_E_MEMORY.
duet_code duet_interval_judge(duet_interval_program *program, const duet_interval_guess *guess,
                              bool *refuted, duet_error *error);
// The line that a task alone gives, whose window is shorter than its shortest time left.
void duet_interval_line_of_task(duet_interval_program *program, int64_t task);

// --- interval_rows ---

// Adds rows for paths that are too long in the last solution; returns how many, negative: no
// memory.
int duet_interval_add_paths(duet_interval_program *program, const duet_interval_guess *guess,
                            duet_error *error);
// The same for intervals with too much work, over `points` beginnings and as many ends; at most
// `most` of them, the most violated ones.
int duet_interval_add_work(duet_interval_program *program, const duet_interval_guess *guess,
                           size_t points, int most, duet_error *error);
// What says that a row is there; NULL for rows of intervals and mixing rows.
bool *duet_interval_active(const duet_interval_program *program, const duet_interval_row *row);
// Adds a row, unless an edge's or a tail's is there. DUET_E_MEMORY.
duet_code duet_interval_add_row(duet_interval_program *program, const duet_interval_row *row,
                                duet_error *error);

// --- interval_mixing ---

// Adds mixing rows that the last solution violates; returns how many, negative: no memory.
int duet_interval_add_mixing(duet_interval_program *program, const duet_interval_guess *guess,
                             const duet_context *context, duet_error *error);

// --- interval_program ---

// Sets up the program of the rows there are, with the basis of the last call; solves it with the
// rows that are new since then; takes the basis along. Errors: as of the solver.
duet_code duet_interval_build(duet_interval_program *program, const duet_interval_guess *guess,
                              duet_error *error);
// `*solved`: there are duals. The objective is the least z for which the work of every interval
// there is exceeds its processors' time by no more than z of each; above 0 it refutes the guess.
duet_code duet_interval_solve(duet_interval_program *program, const duet_interval_guess *guess,
                              const duet_context *context, bool *solved, duet_error *error);
void duet_interval_leave(duet_interval_program *program);

// --- interval_descent ---

// Steps towards the solution of the program of the rows there are: leaves shares and duals that are
// near it. `*refuted`: the line of these duals refutes the guess, which ends it. DUET_E_MEMORY.
duet_code duet_interval_descend(duet_interval_program *program, const duet_interval_guess *guess,
                                const duet_context *context, bool *refuted, duet_error *error);

// Time of a task on a type.
static inline int64_t duet_interval_time(const duet_interval_program *program, int64_t task,
                                         size_t type)
{
    return duet_time(program->net->instance, (size_t)program->net->kind[task], type);
}

// The least time of a task on the types that are left to it; DUET_FORBIDDEN: no type is left.
int64_t duet_interval_shortest(const duet_interval_program *program,
                               const duet_interval_guess *guess, int64_t task);

#endif
