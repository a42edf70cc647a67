// SPDX-License-Identifier: Apache-2.0
// The dual simplex method for a program of few columns and many rows, most of which are not active.
//
// Method:    a vertex is where as many constraints as there are columns are active: rows, or bounds
//            of columns. What is kept is the inverse of their matrix, whose size is the number of
//            columns, not that of the rows: a new row, which the vertex violates, changes nothing.
//            A step makes a violated constraint active, in place of one whose multiplier vanishes
//            first. Those between two bounds go over to the other one as long as the violation
//            lasts. Which violation comes first is weighed by dual devex weights. Costs are changed
//            a little so that steps do not go in circles.
// Guarantee: none: answers are floating point, for a caller that checks in integers what they say.
// Cost:      O(columns (columns + entries of a row) + entries) a step.
// Memory:    O(columns^2 + entries).
// Reference: Forrest, Goldfarb, "Steepest-edge simplex algorithms for linear programming",
//            Mathematical Programming 57, 1992; Maros, "Computational Techniques of the Simplex
//            Method", 2003, for steps over several bounds.
#ifndef DUET_LP_GRAPH_CHAINS_SIMPLEX_H
#define DUET_LP_GRAPH_CHAINS_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/system/arena.h"
#include "core/system/context.h"

// How a solve ended.
typedef enum duet_chains_status {
    DUET_CHAINS_OPTIMAL,
    DUET_CHAINS_INFEASIBLE,
    DUET_CHAINS_BEYOND, // The objective is above the limit.
    DUET_CHAINS_STOPPED // The context stopped, or the steps were over.
} duet_chains_status;

// Where a constraint stands.
typedef enum duet_chains_side {
    DUET_CHAINS_INACTIVE,
    DUET_CHAINS_AT_LOW,
    DUET_CHAINS_AT_HIGH
} duet_chains_side;

// A constraint: the bounds of a column, or a row.
typedef struct duet_chains_constraint {
    double low, high; // -INFINITY and INFINITY stand for no bound.
    double value;     // What the columns make of it.
    double weight;    // Its devex weight.
    size_t first;     // The place of a row's first entry.
    size_t count;     // The number of a row's entries.
    int32_t slot;     // The slot where it is active; -1: it is inactive.
    uint8_t side;     // A duet_chains_side.
} duet_chains_constraint;

typedef struct duet_chains_simplex {
    size_t columns;
    size_t constraints; // Their number: the columns first, then the rows.
    duet_chains_constraint *constraint;
    int32_t *entry_column; // Per entry of a row, its column.
    double *entry_value;   // Per entry of a row, its coefficient.
    size_t entries;
    double *cost; // Per column.

    // The vertex. A slot holds an active constraint.
    int32_t *active; // Per slot, the constraint.
    double *inverse; // Per slot, the direction in which that constraint alone changes, by 1.
    double *price;   // Per slot, the constraint's multiplier at the changed costs.
    double *x;       // Per column, its value.

    // Workspace.
    double *part;     // Per slot, the part of its constraint in the one that becomes active.
    double *delta;    // Per column, the change of its value.
    int32_t *support; // The columns that change in a direction.
    double *changed;  // Per column, its cost with the change.
    uint8_t *side;    // Per constraint, its side, while the inverse is made anew.
    duet_arena arena;

    const duet_context *context; // That of the last solve; NULL: there was none.
    duet_chains_status status;   // How the last solve ended.
    int64_t steps;               // The steps of all solves.
    int64_t since;               // The steps since the inverse was made anew.
} duet_chains_simplex;

// Makes a program of columns that are at least 0, at first without rows, whose cost is 0.
// DUET_E_MEMORY.
duet_code duet_chains_simplex_create(duet_chains_simplex *s, size_t columns, duet_error *error);
void duet_chains_simplex_free(duet_chains_simplex *s);

// Adds a row, inactive and without entries, and returns its constraint in `*out`. Entries belong to
// the last row. DUET_E_MEMORY.
duet_code duet_chains_simplex_add_row(duet_chains_simplex *s, double low, double high, size_t *out,
                                      duet_error *error);
duet_code duet_chains_simplex_add_entry(duet_chains_simplex *s, size_t column, double value,
                                        duet_error *error);
void duet_chains_simplex_bound(duet_chains_simplex *s, size_t at, double low, double high);

// Makes these constraints active in place of others, as far as they are independent: `side` is a
// duet_chains_side per constraint, `count` of them; what is behind them is inactive.
void duet_chains_simplex_take(duet_chains_simplex *s, const uint8_t *side, size_t count);
// Notes the sides of all constraints in `side`.
void duet_chains_simplex_note(const duet_chains_simplex *s, uint8_t *side);

// Minimises the cost, in at most `steps` steps, until the objective is above `limit`. Stopped, it
// has an objective that is at most the optimum. DUET_E_MEMORY.
duet_code duet_chains_simplex_solve(duet_chains_simplex *s, int64_t steps, double limit,
                                    const duet_context *context, duet_error *error);

// Returns the value of the objective.
double duet_chains_simplex_objective(const duet_chains_simplex *s);
// Finds the multipliers of all constraints at the costs as they are, into `price`: above 0 where a
// lower bound, below 0 where an upper bound is active.
void duet_chains_simplex_prices(const duet_chains_simplex *s, double *price);

#endif
