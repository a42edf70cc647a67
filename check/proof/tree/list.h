// SPDX-License-Identifier: Apache-2.0
// Listed patterns: what a processor of a type may still hold below an open `list`.
#ifndef DUET_CHECK_PROOF_TREE_LIST_H
#define DUET_CHECK_PROOF_TREE_LIST_H

#include "check/proof/tree/tree.h"

// DUET_E_INPUT unless the limits of a vector hold in the state under way. Those of listed patterns
// are held against the patterns that are still possible. DUET_E_MEMORY, or what the watch says.
duet_code duet_proof_check_limits(duet_proof_tree *tree, size_t vector, duet_error *error);

#endif
