// SPDX-License-Identifier: Apache-2.0
// What a tree on the numbers of tasks branches on (types/tree.h).
#ifndef DUET_SOLVERS_EXACT_TYPES_BRANCHING_H
#define DUET_SOLVERS_EXACT_TYPES_BRANCHING_H

#include "solvers/exact/types/types_state.h"

// A number of tasks to branch on, of a class on a type or a count of the relaxation: at most
// `bound`, or more.
typedef struct duet_types_branch {
    size_t class, type;
    size_t count; // SIZE_MAX: of the class
    int64_t bound;
    double part; // of a count: what it is above the bound
    bool more_first;
    bool whole; // it is whole in the solution, and so are all others
} duet_types_branch;

// After a relaxation. The count that is not whole and changes the relaxation most on the side where
// it does so less. False: all are whole.
bool duet_types_choose_count(const duet_types *s, duet_types_branch *out);
// The undecided number of a class that is furthest from whole, those of long tasks first. False:
// all are decided.
bool duet_types_choose_class(const duet_types *s, int64_t guess, duet_types_branch *out);

// What a side of a count has changed: the factor of the relaxation has grown by so much there.
void duet_types_learn_gain(duet_types *s, const duet_types_branch *at, bool more, double growth);

#endif
