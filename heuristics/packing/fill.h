// SPDX-License-Identifier: Apache-2.0
// Packing identical processors to a target that leaves next to no idle time.
//
// Method:    processor by processor: the longest task that is left, and with it the tasks whose sum
//            comes nearest to filling it up (subset sums as bit sets, long tasks preferred, some
//            choices at random). So the idle time is kept for the last few processors, whose tasks
//            are packed exhaustively (heuristics/packing/last.h). Where that fails, one or two
//            random processors are emptied and filled in another way, and the last ones are packed
//            again: a walk that keeps the idle time together. Walks of growing length start anew.
//            Targets of more than 2^17 units are filled by the best subset of some random items, 12
//            to 32: as many as it takes to waste four times the idle time that a processor may
//            have, as it goes.
// Guarantee: none where it fails, but that few items on few processors are decided.
// Cost:      O(items x target / 64) time for a processor and as much memory, the target in units.
// Reference: subset sums by words: Pisinger, "Dynamic programming on the word RAM", Algorithmica
//            35, 2003; filling one bin at a time: Gupta, Ho, "A new heuristic algorithm for the
//            one-dimensional bin-packing problem", Production Planning & Control 10(6), 1999.
#ifndef DUET_HEURISTICS_PACKING_FILL_H
#define DUET_HEURISTICS_PACKING_FILL_H

#include "heuristics/packing/packing.h"

// Tries to pack all items with no load above `target`. A unit of effort is about a millisecond.
// `*fits`: whether it did; the packing is then linked, else it is as it was.
duet_code duet_packing_fill(duet_packing *packing, int64_t target, int64_t effort,
                            duet_random *random, const duet_context *context, bool *fits,
                            duet_error *error);

#endif
