// SPDX-License-Identifier: Apache-2.0
// Deciding a length by branch and price on the types of the tasks.
//
// Method:    what prices by area cut off comes first, which is most near the optimum. The
//            configuration relaxation is solved at every node of a tree. Its prices refute the
//            node, or fix classes: a number of tasks on the CPUs that the budget cannot pay for is
//            cut off. Then the class that the relaxation divides most is branched on: at most so
//            many of its tasks on CPUs, or more. Where one type alone has patterns and the prices
//            leave few of them, the nodes below work on their list (pool/pool.h) and may branch on
//            what is counted of them instead; where they leave too many, numbers of tasks are
//            branched on first (exact/branching_row.h). Once a relaxation divides nothing, what it
//            proposes is packed. Where that fails, the last undecided classes are decided and the
//            list is narrowed to patterns that are full enough, which dives (pool/dive.h) and the
//            tree go on with; without a list, a cover search (exact/cover.h) with the node's prices
//            takes the node.
// Guarantee: a search that ends is exact: FOUND with the loads of all processors, or REFUTED, and
//            then the written proof can be checked by itself.
// Cost:      exponential; a node costs some linear programs, which start from the patterns found
//            so far.
// Memory:    O(classes + open counts + rows and columns of its program) for each node on the way
//            down, and a list.
// Reference: Vance et al., "Solving binary cutting stock problems by column generation and
//            branch-and-bound", Computational Optimization and Applications 3, 1994; Barnhart et
//            al., "Branch-and-price", Operations Research 46(3), 1998.
#ifndef DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_H
#define DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_H

#include "lp/configuration/configuration.h"
#include "solvers/exact/cover.h"

// So many nodes that work on a list count as one; so many that do once all types are decided.
enum { DUET_TREE_POOLED = 6, DUET_TREE_DECIDED = 30 };

typedef struct duet_tree_stats {
    int64_t nodes;    // of the tree
    int64_t listed;   // of them, with a list of patterns
    int64_t decided;  // of those, with all types decided
    int64_t programs; // linear programs
    bool wide;        // prices left too many patterns for a list
} duet_tree_stats;

// Searches the whole length. `area[t]`: type t is priced by area; `pooled[t]`: the cover searches
// list its patterns. At most `most` nodes of the tree; `limits` are those of one cover search. On
// FOUND, `loads` has the schedule; on REFUTED, `proof` (may be NULL) has grown by the tree.
duet_code duet_branch_and_price(const duet_classes *classes, const bool area[2],
                                const bool pooled[2], duet_column_store *store, int64_t most,
                                const duet_cover_limits *limits, duet_random *random,
                                const duet_context *context, duet_log *proof, duet_loads *loads,
                                duet_cover_stats *cover, duet_tree_stats *stats,
                                duet_verdict *verdict, duet_error *error);

#endif
