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
    bool dual; // simplex method first
    int trial; // steps of a trial; 0: a solve
    duet_lp_column *column;
    size_t columns, column_capacity;
    duet_lp_row *row;
    size_t rows, row_capacity;
    // Entries as triplets counted from 1, with an unused place 0, as GLPK wants them.
    int *entry_row;
    int *entry_column;
    double *entry_value;
    size_t entries; // the unused place included: >= 1
    size_t row_index_capacity, column_index_capacity, value_capacity;
    bool has_basis; // the basis fields say where to start
    duet_lp_status status;
    double objective;
    int64_t nodes;
};

// The backend. Each returns an error where the build has none.
duet_code duet_lp_backend_check(duet_error *error);
duet_code duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                duet_error *error);
duet_code duet_lp_backend_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                  const duet_context *context, duet_error *error);

#endif
