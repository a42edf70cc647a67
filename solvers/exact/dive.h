// SPDX-License-Identifier: Apache-2.0
// Dives for a schedule within a guess: processors get the patterns that the configuration
// relaxation takes most, the relaxation of the residual problem is solved anew, and so on.
//
// Method:    patterns that the relaxation takes wholly, or nearly, are given to processors as they
//            are; where it takes none so, the one it takes most, or at random one of those. The
//            last few processors, and a divisible type, are left to a cover search
//            (solvers/exact/cover/cover.h).
// Guarantee: none: it finds a schedule within the guess or it does not.
// Cost:      a relaxation for every few processors.
// Memory:    O(classes), and what the relaxation and the cover search take.
// Reference: diving on columns: Vanderbeck, "Computational study of a column generation algorithm
//            for bin packing and cutting stock problems", Mathematical Programming 86(3), 1999;
//            Sadykov et al., "Primal heuristics for branch and price", INFORMS J. Computing 31(2),
//            2019.
#ifndef DUET_SOLVERS_EXACT_DIVE_H
#define DUET_SOLVERS_EXACT_DIVE_H

#include "solvers/exact/search.h"

// One dive from the residual problem; a bold one takes other patterns than the first of all. The
// loads begin empty. *found: they are those of a schedule within the guess. No proof comes of it.
duet_code duet_dive(duet_search *search, bool bold, bool *found, duet_error *error);

#endif
