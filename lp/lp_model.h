// SPDX-License-Identifier: Apache-2.0
// Inside of a linear program: what the interface fills and a backend reads.
#ifndef DUET_LP_LP_MODEL_H
#define DUET_LP_LP_MODEL_H

#include "lp/lp.h"

typedef struct duet_lp_column {
    double lower, upper, cost;
    double value;
    duet_lp_basis basis;
    bool integer;
} duet_lp_column;

typedef struct duet_lp_row {
    double lower, upper;
    double dual;
    duet_lp_basis basis;
} duet_lp_row;

struct duet_lp {
    duet_error failure; // the first of building; its code is DUET_OK until there is one

    // The program.
    duet_lp_column *column;
    size_t columns;
    duet_lp_row *row;
    size_t rows;
    // Entries as triplets counted from 1, with an unused entry 0, as GLPK wants them.
    int *entry_row;
    int *entry_column;
    double *entry_value;
    size_t entries; // the unused entry included: >= 1

    // The program as the backend gets it: without the columns that are fixed at 0.
    int *place; // per column: which it is there, from 1; 0: it is left out
    int placed;
    int *kept_row;
    int *kept_column;
    double *kept_value;
    size_t kept;

    // How to solve it.
    bool dual;      // dual simplex method first
    double limit;   // the dual simplex method stops above it
    int trial;      // steps of a trial; 0: a solve
    bool has_basis; // the basis fields say where to start

    // The last answer.
    duet_lp_status status;
    double objective;
    int64_t nodes;
    int64_t steps; // of the simplex method, of all solves
};

// The backend. Each returns an error where the build has none.
duet_code duet_lp_backend_check(duet_error *error);
duet_code duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                duet_error *error);
duet_code duet_lp_backend_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                  const duet_context *context, duet_error *error);

#endif
