// SPDX-License-Identifier: Apache-2.0
// A linear program of three rows and many bounded columns, by the dual simplex method with a long
// step: minimise cost x subject to row[i] x <= rhs[i], 0 <= x <= bound, all costs >= 0. In floating
// point: what it finds is a proposal that integers decide on.
#ifndef DUET_DP_TABLE_SIMPLEX_H
#define DUET_DP_TABLE_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

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
