// SPDX-License-Identifier: Apache-2.0
// Branching on how many tasks of at least some time a type gets.
//
// Method:    where processors hold few tasks each, a relaxation over patterns often puts a fraction
//            of a task on a type that no one class is to blame for: which class is divided can be
//            exchanged at next to no cost. The sum over classes is whole in every schedule. The
//            times whose sums are most divided are tried, both children by the dual simplex method
//            without new patterns; the greatest product of what the program loses decides.
// Cost:      two linear programs for each of at most four times.
// Reference: branching on sums of variables: Ryan, Foster, "An integer programming approach to
//            scheduling", Computer Scheduling of Public Transport, North-Holland 1981; strong
//            branching: see solvers/exact/pool/strong_branching.c.
#ifndef DUET_SOLVERS_EXACT_BRANCHING_ROW_H
#define DUET_SOLVERS_EXACT_BRANCHING_ROW_H

#include "lp/configuration/configuration.h"
#include "solvers/exact/search.h"

// A relaxation over all patterns that did not refute the residual problem.
typedef struct duet_relaxed {
    duet_configuration *program;
    const double *share;            // per class: the tasks that it puts on CPUs
    const duet_branching_row *open; // its branching rows, all of one type
    size_t opened;
} duet_relaxed;

// What to branch on after a relaxation. *divided: `row`, whose type is set, has a bound that is
// whole and below what the relaxation has, by less than 1.
duet_code duet_branching_row_choose(duet_search *search, const duet_relaxed *relaxed,
                                    duet_branching_row *row, bool *divided, duet_error *error);

#endif
