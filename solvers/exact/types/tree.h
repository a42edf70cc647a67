// SPDX-License-Identifier: Apache-2.0
// Branch and price on the numbers of tasks of each type, and of those of a class on each type:
// whether there is a schedule within a guess.
//
// Method:    depth first. A node limits the numbers; its relaxation is refuted by integer prices,
//            or their slack narrows the numbers further. As long as the number of all tasks of some
//            type is not whole, that is branched on which has changed the relaxation most so far;
//            then the number of a class that is furthest from whole. Where all are decided, and
//            where all are whole in the relaxation, each type's tasks are scheduled
//            (types/by_type.h).
// Guarantee: a refutation has integer prices at every leaf, or a type whose tasks do not fit.
// Cost:      exponential; limited by the nodes.
// Memory:    O(types x classes) for every level.
// Reference: Barnhart et al., "Branch-and-price: column generation for solving huge integer
//            programs", Operations Research 46(3), 1998.
#ifndef DUET_SOLVERS_EXACT_TYPES_TREE_H
#define DUET_SOLVERS_EXACT_TYPES_TREE_H

#include "solvers/exact/types/types_state.h"

// DUET_FOUND: the best schedule is within the guess. DUET_OPEN: the nodes were spent, or the
// context stopped it, or an allocation stayed open with the effort for `one` guess at one type.
// Without such an effort (NULL) only the numbers of all tasks are branched on, and where these are
// whole the guess stays open. At most s->classes.guess.
duet_code duet_types_tree(duet_types *s, int64_t guess, int64_t nodes, const duet_exact_effort *one,
                          duet_verdict *verdict, duet_error *error);

#endif
