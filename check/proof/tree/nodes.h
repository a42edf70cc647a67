// SPDX-License-Identifier: Apache-2.0
// What each kind of node does. docs/formats.md says what a node means, docs/theory/certificates.md
// why it proves its state.
//
// *begin* looks at the node in the state under way. DUET_OK: the node proves this state, once its
// children are proven. `frame` comes with what the node states, and gets all that the children
// need, and their number; it is NULL for a kind that has none. DUET_E_INPUT: the node does not
// prove it, or names a vector or a class that is not there. Errors also: DUET_E_MEMORY,
// DUET_E_LIMIT, DUET_E_CANCELLED. Whatever fails, the tree can only be freed. *enter* goes into the
// child frame->next of the deepest open node. DUET_E_MEMORY. *leave* gives up what the deepest open
// node has of its own, once all its children are proven.
#ifndef DUET_CHECK_PROOF_TREE_NODES_H
#define DUET_CHECK_PROOF_TREE_NODES_H

#include "check/proof/tree/tree.h"

typedef duet_code duet_proof_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                   duet_proof_frame *frame, duet_error *error);
typedef duet_code duet_proof_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                   duet_error *error);
typedef void duet_proof_leave(duet_proof_tree *tree, const duet_proof_frame *frame);

duet_proof_begin duet_proof_nowhere_begin;
duet_proof_begin duet_proof_price_begin;
duet_proof_begin duet_proof_knapsack_begin;

duet_proof_begin duet_proof_branch_begin;
duet_proof_enter duet_proof_branch_enter;

duet_proof_begin duet_proof_count_begin;
duet_proof_enter duet_proof_count_enter;
duet_proof_leave duet_proof_count_leave;

duet_proof_begin duet_proof_list_begin;
duet_proof_enter duet_proof_list_enter;
duet_proof_leave duet_proof_list_leave;

duet_proof_begin duet_proof_cover_begin;
duet_proof_enter duet_proof_cover_enter;
duet_proof_leave duet_proof_cover_leave;

// rows.c
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

// list.c
// DUET_E_INPUT unless the limits of a vector hold in the state under way. Those of listed patterns
// are held against the patterns that are still possible. DUET_E_MEMORY, or what the watch says.
duet_code duet_proof_check_limits(duet_proof_tree *tree, size_t vector, duet_error *error);

// slack.c
// The slack by a vector: supply, with the row term, less demand. Below 0 the state has no schedule.
duet_int128 duet_proof_slack(duet_proof_tree *tree, size_t vector);

#endif
