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

#endif
