// SPDX-License-Identifier: Apache-2.0
// Packing what one type still gets: identical processors, without patterns or prices.
//
// Method:    levelling towards a target (heuristics/packing/packing.h), longest tasks first; where
//            that misses the target, processors are filled one after another
//            (heuristics/packing/fill.c).
// Guarantee: none: what is found fits, but what is not found may still exist. The cover search
//            (solvers/exact/cover/cover.h) goes on then.
// Cost:      O(n log n) for n tasks, and what the effort allows.
// Memory:    O(n).
// Reference: see heuristics/packing/packing.h and heuristics/packing/fill.c.
#ifndef DUET_SOLVERS_EXACT_PACK_H
#define DUET_SOLVERS_EXACT_PACK_H

#include "solvers/exact/search.h"

// Tries to pack every task that a type may still get on its processors, with the search's pack
// effort; where it *fits the loads grow by them.
duet_code duet_pack_type(duet_search *search, size_t type, bool *fits, duet_error *error);

// Levels them towards a target, with the search's fill effort where that misses it; the loads grow
// by them whether they reach it or not.
duet_code duet_pack_level(duet_search *search, size_t type, int64_t target, duet_error *error);

#endif
