// SPDX-License-Identifier: Apache-2.0
// Dives for a schedule within a length: processors get the patterns that the configuration
// relaxation takes most, the relaxation of what is left is solved anew, and so on.
//
// Method:    patterns that the relaxation takes wholly, or nearly, are given to processors as they
//            are; where there is none, the one it takes most, or at random one of those. The last
//            few processors, and the type that is priced by area, are searched (exact/cover.h).
// Guarantee: none: it finds a schedule within the length or it does not.
// Cost:      a relaxation for every few processors.
// Reference: diving on columns: Vanderbeck, "Computational study of a column generation algorithm
//            for bin packing and cutting stock problems", Mathematical Programming 86(3), 1999;
//            Sadykov et al., "Primal heuristics for branch and price", INFORMS J. Computing 31(2),
//            2019.
#ifndef DUET_SOLVERS_EXACT_DIVE_H
#define DUET_SOLVERS_EXACT_DIVE_H

#include "lp/configuration/configuration.h"
#include "solvers/exact/cover.h"

// One dive from a state (NULL: everything is left); a bold one takes other patterns than the first
// of all. `area[t]`: type t is priced by area; `pooled[t]`: the search at the end lists its
// patterns. *found: the loads are those of a schedule within the length; else of a longer one, to
// which the tasks that were left over were added where they end first. `programs` and `stats` grow
// by what was done.
duet_code duet_dive(const duet_classes *classes, const duet_residual *from, const bool area[2],
                    const bool pooled[2], duet_column_store *store, bool bold,
                    const duet_cover_limits *limits, duet_random *random,
                    const duet_context *context, duet_loads *loads, int64_t *programs,
                    duet_cover_stats *stats, bool *found, duet_error *error);

#endif
