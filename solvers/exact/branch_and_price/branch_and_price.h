// SPDX-License-Identifier: Apache-2.0
// Deciding a guess by branch and price on the types of the tasks.
//
// Method:    what prices by area fix comes first, which is most near the optimum. The configuration
//            relaxation is solved at every node of a tree. Its prices refute the node, or fix
//            classes: a number of tasks on the CPUs whose reduced cost exceeds the slack is cut
//            off. Then the class that the relaxation divides most is branched on: at most some
//            number of its tasks on CPUs, or more. Where one type alone has patterns and the prices
//            leave few of them, the nodes below work on their pool (solvers/exact/pool/pool.h) and
//            may branch on what is counted of them instead; where they leave too many, numbers of
//            tasks are branched on first (solvers/exact/branching_row.h). Once a relaxation divides
//            nothing, the allocation it proposes is packed. Where that fails, the last undecided
//            classes are decided and the pool is narrowed to patterns that are full enough, which
//            dives (solvers/exact/pool/dive.h) and the tree go on with; without a pool, a cover
//            search (solvers/exact/cover/cover.h) with the node's prices takes the node.
// Guarantee: a search that ends is exact: FOUND with the loads of all processors, or REFUTED, and
//            then the written proof can be checked by itself.
// Cost:      exponential; a node costs some linear programs, which start from the patterns found
//            so far.
// Memory:    O(classes + open rows + rows and columns of its program) for each node on the way
//            down, and a pool.
// Reference: Vance et al., "Solving binary cutting stock problems by column generation and
//            branch-and-bound", Computational Optimization and Applications 3, 1994; Barnhart et
//            al., "Branch-and-price", Operations Research 46(3), 1998.
#ifndef DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_BRANCH_AND_PRICE_H
#define DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_BRANCH_AND_PRICE_H

#include "solvers/exact/search.h"

typedef struct duet_tree_stats {
    int64_t nodes;   // of the tree
    int64_t pooled;  // of them, with a pool of patterns
    int64_t decided; // of those, with all types decided
    bool wide;       // prices left too many patterns for a pool
} duet_tree_stats;

// Searches the whole guess with at most `most` nodes of the tree, of which those with a pool count
// less (DUET_TREE_POOLED and DUET_TREE_DECIDED in solvers/exact/tuning.h). The limits of the search
// are those of one cover search, and of a pool.
duet_code duet_branch_and_price(duet_search *search, int64_t most, duet_tree_stats *stats,
                                duet_error *error);

#endif
