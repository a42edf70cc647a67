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
    DUET_INTERVAL_EDGE,     // A task starts no earlier than its predecessor ends.
    DUET_INTERVAL_TRANSFER, // On another type than that, it starts no earlier than the data arrive.
    DUET_INTERVAL_TAIL,     // A task ends at least its tail before the guess.
    DUET_INTERVAL_WORK,     // The work in an interval fits on a type's processors.
    DUET_INTERVAL_MIX       // A mixing inequality holds.
} duet_interval_row_kind;

typedef struct duet_interval_row {
    duet_interval_row_kind kind;
    int32_t at;          // The edge, the task or the mixing row that the row is about.
    size_t type;         // The type whose work is limited, or from which data are transferred.
    int64_t after;       // The interval begins here.
    int64_t before;      // The interval ends this much before the guess.
    double dual;         // Its dual in the last solution, >= 0.
    duet_lp_basis basis; // Its basis status in the last solution.
    int idle;            // The calls since it last had a positive dual.
} duet_interval_row;

struct duet_interval_program {
    const duet_network *net;
    size_t types;
    bool without_solver; // First-order steps take the place of the solver.
    duet_arena arena;    // It holds the arrays per task and per edge.

    // The rows, in the order of the linear program, where the sums of the shares of tasks with
    // three or more types come before them.
    duet_interval_row *row;
    size_t rows;       // The number of rows.
    bool *edge_active; // Per edge, whether it has a row.
    // Per edge and type, whether the transfer has a row; NULL if data take no time or there is no
    // solver.
    bool *transfer_active;
    bool *tail_active;    // Per task, whether its tail has a row.
    duet_mixing_row *mix; // The mixing rows, in the order of their rows.
    size_t mixes;         // The number of mixing rows.
    duet_mixing *mixing;  // The longest paths for mixing rows; NULL: none are made.

    // Columns: z, the starts, the shares. A task's base is the first type where its kind is
    // allowed; it has a share of each further one.
    size_t *base;                // Per kind, its base.
    size_t *share_column;        // Per task, its first share; the next task's first ends them.
    duet_lp_basis *column_basis; // Per column, its basis status in the last solution.
    size_t columns;              // The number of columns.
    bool has_basis;              // The statuses of rows and columns are a basis.
    duet_lp *lp;                 // The linear program; NULL outside a call.
    int64_t work;                // About the operations so far: the same on every machine.

    // The last solution.
    // z, the largest excess of work over what fits, as a share of the guess; above 0 it refutes.
    double objective;
    double *share;   // Per task and type, its share.
    double *through; // Per task, F_j.
    double *start;   // Per task, its start as a share of the guess.

    // Room for separation.
    double *early;    // Per task, its earliest start with the durations of the last solution.
    double *late;     // Per task, likewise the longest path from its end to the guess.
    double *duration; // Per task, what it takes by its shares.
    bool *covered;    // Per task, whether it is on a path found in this round.
    // Per edge, the longest time of its data between types by the shares; NULL if data take no
    // time.
    double *transfer;
    size_t *transfer_type; // Per edge, the type of its tail then.
    int64_t *points;       // Room to sort heads or tails.

    // The last line.
    duet_interval_line line;
    size_t line_capacity; // The number of intervals for which there is room.
    int64_t *prices; // The prices of all intervals of the line, a row of one per type for each.
};

// --- interval_line ---

// Rounds the duals of the rows to a line, which conserves flow, and sets whether its value refutes
// the guess. DUET_E_MEMORY.
duet_code duet_interval_judge(duet_interval_program *program, const duet_interval_guess *guess,
                              bool *refuted, duet_error *error);
// Makes the line of a task alone, whose shortest time does not fit into its window.
void duet_interval_line_of_task(duet_interval_program *program, int64_t task);

// --- interval_rows ---

// Adds rows for paths that are too long in the last solution. Returns the number of rows added, or
// a negative number if memory ran out.
int duet_interval_add_paths(duet_interval_program *program, const duet_interval_guess *guess,
                            duet_error *error);
// Likewise adds rows for intervals with too much work, over `points` beginnings and as many ends,
// at most 64: at most `most` rows, also at most 64, the most violated ones.
int duet_interval_add_work(duet_interval_program *program, const duet_interval_guess *guess,
                           size_t points, int most, duet_error *error);
// Returns the flag of an edge, a transfer or a tail that it has a row; NULL for other rows.
bool *duet_interval_active(const duet_interval_program *program, const duet_interval_row *row);
// Adds a row, unless its edge, transfer or tail has one. DUET_E_MEMORY.
duet_code duet_interval_add_row(duet_interval_program *program, const duet_interval_row *row,
                                duet_error *error);

// --- interval_mixing ---

// Adds mixing rows that the last solution violates. Returns the number of rows added, or a negative
// number if memory ran out.
int duet_interval_add_mixing(duet_interval_program *program, const duet_interval_guess *guess,
                             const duet_context *context, duet_error *error);

// --- interval_program ---

// Builds the linear program of the present rows and gives it the basis of the last solution.
// Errors: as of the solver.
duet_code duet_interval_build(duet_interval_program *program, const duet_interval_guess *guess,
                              duet_error *error);
// Adds the rows made since, solves, and stores shares, duals and basis. Sets `*solved` to whether
// there are duals. The objective is the least z such that the work of every interval exceeds its
// processors' time by no more than z of each; above 0 it refutes the guess.
duet_code duet_interval_solve(duet_interval_program *program, const duet_interval_guess *guess,
                              const duet_context *context, bool *solved, duet_error *error);
// Frees the linear program; rows and basis stay.
void duet_interval_leave(duet_interval_program *program);

// --- interval_descent ---

// Takes first-order steps towards the solution of the program of the present rows, and leaves
// shares and duals near it. Ends with `*refuted` set when the line of these duals refutes the
// guess. DUET_E_MEMORY.
duet_code duet_interval_descend(duet_interval_program *program, const duet_interval_guess *guess,
                                const duet_context *context, bool *refuted, duet_error *error);

// Returns the time of a task on a type.
static inline int64_t duet_interval_time(const duet_interval_program *program, int64_t task,
                                         size_t type)
{
    return duet_time(program->net->instance, (size_t)program->net->kind[task], type);
}

// Returns the least time of a task on the types on which it may still run and fits into its window;
// DUET_FORBIDDEN if it fits on none.
int64_t duet_interval_shortest(const duet_interval_program *program,
                               const duet_interval_guess *guess, int64_t task);

#endif
