// SPDX-License-Identifier: Apache-2.0
// The walk through the tree of a proof, node by node in preorder.
#ifndef DUET_CHECK_PROOF_TREE_WALK_H
#define DUET_CHECK_PROOF_TREE_WALK_H

#include "check/proof/tree/tree.h"

// What a node's line has after its keyword.
typedef enum duet_proof_argument {
    DUET_LINE_END,
    DUET_LINE_TYPE,        // cpu or gpu; the number of the type where there are not two
    DUET_LINE_BRANCH_TYPE, // the number of the type where there are not two, else nothing: the CPUs
    DUET_LINE_CLASSES,     // how many, and then the number of each
    DUET_LINE_MORE,        // nothing, or `more`: the child with more comes first
    // Numbers:
    DUET_LINE_VECTOR,
    DUET_LINE_CLASS,
    DUET_LINE_TASKS,         // h of a count
    DUET_LINE_SPLIT,         // a of a branch: a number of tasks
    DUET_LINE_PATTERN_SPLIT, // a of a count: a number of patterns
    DUET_LINE_CHILDREN,      // N of a cover
    DUET_LINE_PATTERNS       // N of a list
} duet_proof_argument;

// The kind of node that a keyword names; DUET_NODE_KINDS if no kind has it.
duet_proof_kind duet_proof_find_kind(const char *keyword);

// The arguments of a kind, in their order, up to DUET_LINE_END.
const duet_proof_argument *duet_proof_arguments(duet_proof_kind kind);

// Visits the next node. DUET_OK: it proves its state, or its children will. DUET_E_INPUT: it does
// not. Errors also: DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED. The tree can only be freed after
// one.
duet_code duet_proof_visit(duet_proof_tree *tree, const duet_proof_node *node, duet_error *error);

// The next node is `alone`: begins it, before its tree is walked through, and ends it once that is
// complete, which proves the state. Errors as above.
duet_code duet_proof_begin_alone(duet_proof_tree *tree, duet_error *error);
duet_code duet_proof_end_alone(duet_proof_tree *tree, duet_error *error);

#endif
