// SPDX-License-Identifier: Apache-2.0
// Branch and price on the numbers of tasks of a class on each type: whether there is a schedule
// within a guess.
//
// Method:    depth first. A node limits the counts; its relaxation is refuted by integer prices, or
//            their slack narrows the counts further. The count that is furthest from whole is
//            branched on. Where all are decided, and where all are whole in the relaxation, each
//            type's tasks are scheduled (types/by_type.h).
// Guarantee: a refutation has integer prices at every leaf, or a type whose tasks do not fit.
// Cost:      exponential; limited by the nodes.
// Memory:    O(types x classes) for every level.
// Reference: Barnhart et al., "Branch-and-price: column generation for solving huge integer
//            programs", Operations Research 46(3), 1998.
#ifndef DUET_SOLVERS_EXACT_TYPES_TREE_H
#define DUET_SOLVERS_EXACT_TYPES_TREE_H

#include "solvers/exact/types/state.h"

// DUET_FOUND: the best schedule is within the guess. DUET_OPEN: the nodes were spent, or the
// context stopped it, or an allocation stayed open with the effort for `one` guess at one type. At
// most s->classes.guess.
duet_code duet_types_tree(duet_types *s, int64_t guess, int64_t nodes, const duet_exact_effort *one,
                          duet_verdict *verdict, duet_error *error);

#endif
