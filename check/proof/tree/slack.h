// SPDX-License-Identifier: Apache-2.0
// Demand and slack of the state under way.
#ifndef DUET_CHECK_PROOF_TREE_SLACK_H
#define DUET_CHECK_PROOF_TREE_SLACK_H

#include "check/proof/tree/tree.h"

// The slack by a vector: supply, with the row term, less demand. Below 0 the state has no schedule.
duet_int128 duet_proof_slack(duet_proof_tree *tree, size_t vector);

#endif
