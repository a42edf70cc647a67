// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph at a guess C: precedence, heads, tails, the types that are
// left to each task, and energetic rows of intervals; see interval.c. What refutes the guess is a
// line of integers, a dual solution (Farkas certificate) that anyone can evaluate
// (duet_interval_excess()).
#ifndef DUET_LP_GRAPH_INTERVAL_H
#define DUET_LP_GRAPH_INTERVAL_H

#include <stdbool.h>

#include "core/number/minmax.h"
#include "core/system/context.h"
#include "lp/graph/guess.h"
#include "lp/graph/mixing.h"
#include "lp/graph/network.h"

// Prices u_t of the interval [after, C - before].
typedef struct duet_lp_interval {
    int64_t after;  // a: it begins here.
    int64_t before; // b: it ends this much before the guess.
    int64_t *price; // Per type, u_t >= 0.
} duet_lp_interval;

// The line: a dual solution in integers. Interval I is [a_I, C - b_I], m_t the number of processors
// of type t, p_jt the time of task j on type t, M_j its types, L_r the length of row r. With F_j =
// alpha_j + what flows into j = beta_j + what flows out of j, where the prices g_r of mixing rows
// from u to v flow out of u and into v, and those of inter-type transfers along their edge, with
// w_jtI the least time that task j on type t spends within interval I, c_rjt what task j adds to
// row r where it runs on type t, and x_et the price of edge e's transfer from type t times its
// cost,
//
//     sum alpha_j h_j + sum beta_j t_j + sum_I (a_I + b_I) sum_t m_t u_It + sum_r g_r L_r
//         + sum_j min { F_j p_jt + sum_I u_It w_jtI + sum_r g_r c_rjt
//                       + sum of x_et over its leaving edges - over its entering ones : t in M_j }
//     <= C (sum beta_j + sum_I sum_t m_t u_It + sum of g_r of the rows to the guess)
//
// holds in every schedule of makespan at most C: where it does not, there is none. M_j is without
// the types on which h_j + p_jt + t_j > C, unless that leaves none.
typedef struct duet_interval_line {
    int64_t *flow;              // Per edge, f_e >= 0.
    int64_t *alpha;             // Per task, the dual of its head, >= 0.
    int64_t *beta;              // Per task, the dual of its tail, >= 0.
    duet_lp_interval *interval; // The intervals with a price.
    size_t intervals;           // Their number.
    // Per edge and type, the price >= 0 of the row of the transfer from that type; NULL if data
    // take no time. The row says that the edge's data take at least `transfer` ticks if its tail
    // runs on the type and its head on another one.
    int64_t *transfer_price;
    // Per edge and type, the least time of the data from that type to another one that is left to
    // the head.
    int64_t *transfer;
    // The mixing rows with a price, as duet_mixing_measure() left them at this guess.
    duet_mixing_row *mixing;
    int64_t *mixing_price; // Per mixing row, g_r > 0.
    size_t mixings;        // The number of mixing rows.
} duet_interval_line;

// Returns the least time that a task of that head, tail and duration spends within the interval.
static inline int64_t duet_interval_overlap(int64_t guess, const duet_lp_interval *interval,
                                            int64_t head, int64_t tail, int64_t duration)
{
    int64_t least = guess - interval->before - interval->after;
    int64_t early = head + duration - interval->after;
    int64_t late = tail + duration - interval->before;
    least = duet_min(early, least);
    least = duet_min(late, least);
    least = duet_min(duration, least);
    return duet_max(least, 0);
}

// Returns the least cost of an edge from a type to another one that is left to its head; 0: none is
// left.
int64_t duet_interval_transfer(const duet_network *network, const duet_interval_guess *guess,
                               int64_t edge, size_t type);

// Returns the left side minus the right side: above 0 it refutes the guess. Sets `*fits` to whether
// no sum left 128 bits and conservation holds; else the line proves nothing. O(edges + tasks x
// types x intervals).
duet_int128 duet_interval_excess(const duet_network *network, const duet_interval_guess *guess,
                                 const duet_interval_line *line, bool *fits);

// How far one call goes.
typedef enum duet_interval_effort {
    DUET_INTERVAL_COARSE, // Few intervals are tried; meant for the nodes of a search.
    DUET_INTERVAL_FINE,   // When these say no more, a finer grid of intervals is tried.
    DUET_INTERVAL_MIXED   // The same as FINE, with mixing rows.
} duet_interval_effort;

// The program of a graph. It keeps rows and basis from call to call, so that guesses of a bisection
// and nodes of a search, whose heads, tails and types differ a little, begin where the last ended.
typedef struct duet_interval_program duet_interval_program;

// The network is borrowed. Where the build has no solver, first-order steps take its place, and
// refute less.
// DUET_E_MEMORY, DUET_E_LIMIT.
duet_code duet_interval_create(const duet_network *network, const duet_context *context,
                               duet_interval_program **out, duet_error *error);
void duet_interval_free(duet_interval_program *program); // NULL is allowed

// Replaces the LP solver by first-order steps, for good.
void duet_interval_do_without_solver(duet_interval_program *program);

// Tries to refute a guess. Sets `*refuted` if a line was evaluated in integers and refutes it.
// Stops with the context, without an error. DUET_E_MEMORY.
duet_code duet_interval_refute(duet_interval_program *program, const duet_interval_guess *guess,
                               duet_interval_effort effort, const duet_context *context,
                               bool *refuted, duet_error *error);

// Returns the line of the last guess that was refuted; valid until the next call.
const duet_interval_line *duet_interval_line_of(const duet_interval_program *program);

// Returns the program's table of longest paths; NULL if it makes no mixing rows, because tasks are
// too many, memory is short or there is no solver.
duet_mixing *duet_interval_mixing(duet_interval_program *program);
// Removes all mixing rows and makes no more.
void duet_interval_do_without_mixing(duet_interval_program *program);

// Returns about the operations of all calls so far, the same on every machine.
int64_t duet_interval_work(const duet_interval_program *program);

// Returns the share of a task on a type, 0..1, in the last primal solution. It is approximate and
// only guides branching.
double duet_interval_share(const duet_interval_program *program, int64_t task, size_t type);
// Returns F_j, the sum of the duals of the rows that contain the end of task j, in the last dual
// solution. It is approximate and only guides branching.
double duet_interval_through(const duet_interval_program *program, int64_t task);

#endif
