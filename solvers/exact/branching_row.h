// SPDX-License-Identifier: Apache-2.0
// Branching on how many tasks of at least some length a type gets.
//
// Method:    where processors hold few tasks each, a relaxation over patterns often puts a fraction
//            of a task on a type that no one class is to blame for: which class is divided can be
//            exchanged at next to no cost. The sum over classes is whole in every schedule. The
//            lengths whose sums are most divided are tried, both sides by the dual simplex method
//            without new patterns; the greatest product of what the program loses decides.
// Reference: branching on sums of variables: Ryan, Foster, "An integer programming approach to
//            scheduling", Computer Scheduling of Public Transport, North-Holland 1981; strong
//            branching: see solvers/exact/pool/branching.c.
#ifndef DUET_SOLVERS_EXACT_BRANCHING_ROW_H
#define DUET_SOLVERS_EXACT_BRANCHING_ROW_H

#include "lp/configuration/configuration.h"

// After a relaxation with the `open` tallies, all of this type, that did not refute the state and
// puts `share` of the tasks of each class on CPUs: what to branch on. *divided: a tally of the type
// whose bound is whole and below what the relaxation has, by less than 1. *programs grows by the
// linear programs. Cost: two linear programs for each of at most four lengths.
duet_code duet_branching_row_choose(const duet_classes *classes, const duet_residual *state,
                                    size_t type, const double *share,
                                    const duet_branching_row *open, size_t opened,
                                    duet_configuration *program, const duet_context *context,
                                    duet_branching_row *branching_row, bool *divided,
                                    int64_t *programs, duet_error *error);

#endif
