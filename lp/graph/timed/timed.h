// SPDX-License-Identifier: Apache-2.0
// The time-indexed Lagrangian: a bound of task graphs at a guess C that places every task by
// itself, at prices of processors and edges that change over time.
//
// The time from 0 to C is divided into cells 0, 1, ... of W ticks, the last one shorter. A tick of
// a processor of type t has a price u_tk >= 0 in cell k; an edge (i, j) has a price v_ek >= 0 for
// each tick at which j has started and i has not ended, which never is in a schedule. Let P_t(a, b)
// be the price of a processor of type t from a to b, and V_e(a) that of the edge e from a to C. For
// every choice of types t_j, starts s_j and ends e_j,
//
//     sum_j (P_tj(s_j, e_j) + sum of V_e(s_j) over edges into j - sum of V_e(e_j) over edges out
//            of j)
//         <= sum_t m_t P_t(0, C)
//
// holds in every schedule of makespan at most C, since what an edge adds is at most 0 there. The
// left side falls apart into tasks: each is placed, within its window, where it is cheapest. Where
// the sum of these least costs is above the right side, there is no such schedule. Prices that do
// not change over time are the dual of the linear program of graph.h; energetic intervals
// (interval.h) are sums of such prices, too, so that this bound is at least as good as those.
//
// The prices are found by subgradient steps in floating point, which only proposes; a line of
// integers is what refutes a guess (duet_timed_line).
#ifndef DUET_LP_GRAPH_TIMED_TIMED_H
#define DUET_LP_GRAPH_TIMED_TIMED_H

#include <stdbool.h>

#include "core/system/context.h"
#include "lp/graph/interval.h"
#include "lp/graph/mixing.h"
#include "lp/graph/network.h"
#include "lp/graph/window.h"

// A price of an edge in a cell.
typedef struct duet_timed_entry {
    int32_t edge;
    int32_t cell;
    int64_t price; // The price of a tick of the cell, divided by the line's `unit`.
} duet_timed_entry;

// A dual solution in integers that refutes a guess. All numbers are at least 0. The prices of all
// ticks, for max(1, processors) processors of each type, and those of all edges sum to less than
// 2^60.
typedef struct duet_timed_line {
    int64_t width;           // W, in ticks.
    size_t cells;            // C / W, rounded up.
    int64_t unit;            // The edges' prices are multiples of this.
    int64_t *tick;           // Per type and cell, u_tk.
    duet_timed_entry *entry; // The positive prices, those of one edge together, by falling cell.
    size_t entries;          // Their number.
    const duet_mixing_row *mixing; // The mixing rows, as measured at the guess (lp/graph/mixing.h).
    int64_t *mixing_price;         // Per mixing row, its price for every tick; 0: it is not used.
    size_t mixings;                // The number of mixing rows.
} duet_timed_line;

// Prices of a graph, kept from call to call: guesses of a bisection and nodes of a search differ
// a little and begin where the last ended.
typedef struct duet_timed duet_timed;

// Creates the Lagrangian with initial prices from `line`, a dual solution of the interval program
// (interval.h) at `guess`. That guess, and all later ones, must be above 0; it should be near
// these. The network is borrowed. DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_timed_create(const duet_network *network, const duet_context *context, int64_t guess,
                            const duet_interval_line *line, duet_timed **out, duet_error *error);
void duet_timed_free(duet_timed *timed); // NULL is allowed

// What a call found.
typedef enum duet_timed_result {
    DUET_TIMED_NOTHING,  // The call found none of the following.
    DUET_TIMED_NARROWED, // Some windows became smaller; see duet_timed_narrowed().
    DUET_TIMED_REFUTED,  // No schedule is within the guess.
    DUET_TIMED_PAUSED    // The work is used up: duet_timed_refute_on() goes on.
} duet_timed_result;

// How far a call goes.
typedef struct duet_timed_effort {
    int steps; // The limit of steps.
    // The call pauses between two steps after this much duet_timed_work(); INT64_MAX: never.
    int64_t work;
} duet_timed_effort;

// Returns whether it has mixing rows; duet_timed_refute() then needs a duet_mixing that was updated
// for the windows.
bool duet_timed_has_rows(const duet_timed *timed);

// Tries to refute a guess with windows of all tasks, borrowed until it is decided; `mixing` has
// their paths (NULL: mixing rows are left out from now on). Takes at most `effort->steps` steps,
// fewer where they do not seem to lead to a refutation. Otherwise the prices of the last step may
// narrow windows: a place that costs more than a task's cheapest one by more than what is missing
// is excluded. The line has been evaluated, and proves the result. Stops with the context, without
// an error. O(edges x cells) a step. DUET_E_MEMORY.
duet_code duet_timed_refute(duet_timed *timed, int64_t guess, const duet_window *window,
                            const duet_mixing *mixing, const duet_timed_effort *effort,
                            const duet_context *context, duet_timed_result *result,
                            duet_error *error);
// Continues the call that paused, for `work` more work.
duet_code duet_timed_refute_on(duet_timed *timed, int64_t work, const duet_context *context,
                               duet_timed_result *result, duet_error *error);

// Returns the tasks whose windows the last call narrowed, by rising number, with the start, the
// tail and the types that are left of each; valid until the next call.
const duet_window_of_task *duet_timed_narrowed(const duet_timed *timed, size_t *count);

// Returns the line of the last result; valid until the next call.
const duet_timed_line *duet_timed_line_of(const duet_timed *timed);

// Returns about the operations of all calls so far, the same on every machine.
int64_t duet_timed_work(const duet_timed *timed);

// Returns the running mean over the steps of the last call of whether the task was cheapest on the
// type; recent steps count most. It only guides branching.
double duet_timed_share(const duet_timed *timed, int64_t task, size_t type);
// Returns the sum of the prices of the task's edges and mixing rows over the cells of its window.
// It only guides branching.
double duet_timed_through(const duet_timed *timed, int64_t task);

#endif
