// SPDX-License-Identifier: Apache-2.0
// Exact cover by patterns: the search for a schedule within a guess, processor by processor, in
// which every task is in some pattern (solvers/exact/enumerate.h) of some processor.
//
// Method:    Prices bound the residual problem: its tasks cost more than its processors supply, or
//            there is a slack, and only patterns with a reduced cost within it are tried. At every
//            node the class with the fewest ways to be covered is covered next. A type without
//            patterns comes last: its tasks are packed, or covered by a search of their own with
//            time itself as the price.
// Guarantee: a search that ends is exact: FOUND with the loads of all processors, or REFUTED, and
//            then the written proof can be checked by itself.
// Cost:      exponential; nodes are counted against a limit. A node costs one pass over the
//            patterns that its parent left.
// Memory:    a quarter of the limit at most for the patterns, and some hundred bytes a step on the
//            way down.
// Reference: exact cover with the fewest choices first: Knuth, "Dancing links", 2000; the price
//            argument is ours.
#ifndef DUET_SOLVERS_EXACT_COVER_COVER_H
#define DUET_SOLVERS_EXACT_COVER_COVER_H

#include "solvers/exact/search.h"

// Searches the residual problem with these prices; the types `pooled` are covered by patterns.
duet_code duet_cover_search(duet_search *search, duet_prices *prices, duet_error *error);

// The same for the tasks of one type alone, where every task's type is decided: whether they can be
// packed on its processors. `time`: prices by time alone, of each type.
duet_code duet_cover_type(duet_search *search, size_t type, duet_prices time[2], duet_error *error);

#endif
