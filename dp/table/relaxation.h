// SPDX-License-Identifier: Apache-2.0
// The linear relaxation of a guess. Multipliers on the four constraints (work on V, units on R,
// counts on both) price every task on either type. The excess is the price of all tasks on their
// cheaper types, less the price of the capacities. Above 0 it proves NO. Below 0 its size is the
// gap: the reduced costs of the tasks away from their cheaper type cannot add up to more.
// Multipliers come from floating point; all that is concluded from them is computed in integers.
#ifndef DUET_DP_TABLE_RELAXATION_H
#define DUET_DP_TABLE_RELAXATION_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

#include "core/solution/certificate.h"
#include "dp/table/problem.h"

// Non-negative multipliers: prices of a tick on V, a unit on R, a count on V and on R. Bounded so
// that every sum below stays within 126 bits.
typedef struct duet_multipliers {
    duet_int128 v, r, c, g;
} duet_multipliers;

// Cost of one task of a kind on V less that on R.
duet_int128 duet_price_difference(const duet_multipliers *prices, const duet_table_item *item);

typedef struct duet_relaxation {
    bool no;                      // proven in integers
    bool solved;                  // shares and divided kinds are set
    duet_certificate certificate; // on NO; proof NONE where prices in ticks show nothing
    duet_multipliers prices;      // not on NO
    duet_int128 gap;              // how far below 0 the excess is; not on NO
    int64_t *on_r;                // by kind, whole tasks; of a divided kind one more may go to R
    size_t divided[3];
    size_t divided_count;
} duet_relaxation;

// Solves the relaxation; free with duet_relaxation_free(). Expected O(kinds) a pivot, few pivots.
duet_code duet_relaxation_solve(const duet_table_problem *problem, duet_relaxation *out,
                                duet_error *error);
void duet_relaxation_free(duet_relaxation *relaxation);

// simplex.c
enum { DUET_SIMPLEX_ROWS = 3 };

typedef struct duet_simplex_column {
    double cost;
    double row[DUET_SIMPLEX_ROWS];
    double bound;
} duet_simplex_column;

typedef enum duet_simplex_place { DUET_AT_LOWER, DUET_AT_UPPER, DUET_IN_BASIS } duet_simplex_place;

typedef struct duet_simplex {
    duet_simplex_column *column; // the caller's
    size_t count;
    double rhs[DUET_SIMPLEX_ROWS];
    // The result.
    bool optimal;                         // neither optimal nor infeasible: it gave up
    bool infeasible;                      // the multipliers show it without the costs
    double multiplier[DUET_SIMPLEX_ROWS]; // of the rows, >= 0
    double ray[DUET_SIMPLEX_ROWS];        // infeasible: of the rows, >= 0
    unsigned char *place;                 // of the columns, then of the slacks
    size_t basis[DUET_SIMPLEX_ROWS];      // columns; count + i is the slack of row i
    double value[DUET_SIMPLEX_ROWS];      // of the basic columns
    int pivots;
} duet_simplex;

// Solves; free with duet_simplex_free() (the columns stay the caller's). Expected O(count) a pivot,
// and few pivots.
duet_code duet_simplex_solve(duet_simplex *program, duet_error *error);
void duet_simplex_free(duet_simplex *program);

#endif
