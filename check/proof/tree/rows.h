// SPDX-License-Identifier: Apache-2.0
// Branching rows: what the prices of the open ones add to the price inequality.
#ifndef DUET_CHECK_PROOF_TREE_ROWS_H
#define DUET_CHECK_PROOF_TREE_ROWS_H

#include "check/proof/tree/tree.h"

// What the open rows add to the supply by a vector, which has prices of no others: for each row its
// price times its bound, negative where the row says *at least*.
duet_int128 duet_proof_row_term(const duet_proof_tree *tree, const duet_proof_vector *vector);

// Whether a vector has a price of a row of a type whose limit holds without the rows. Such prices
// are added to the prices of tasks, so the demand depends on which rows are open.
bool duet_proof_rows_price_tasks(const duet_proof_tree *tree, const duet_proof_vector *vector);

// The demand of the state under way by such a vector.
duet_int128 duet_proof_demand_with_rows(const duet_proof_tree *tree,
                                        const duet_proof_vector *vector);

// What a pattern counts in a row.
static inline int64_t duet_proof_row_counts(const duet_proof_row *row, const duet_proof_item *item,
                                            size_t length)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < length; i++) {
        tasks += row->has[item[i].class] ? item[i].count : 0;
    }
    return row->tasks == 0 ? tasks : tasks >= row->tasks;
}

#endif
