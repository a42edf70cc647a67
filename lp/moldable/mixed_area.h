// SPDX-License-Identifier: Apache-2.0
// The area bound of instances with mixed sets.
//
// Method:    a task with work w takes w ticks' worth of speed on whatever set it runs, since a set
//            has the sum of equal shares at its slowest speed and is as long as its slowest part.
//            So the work of all tasks, in ticks rounded up as the law's tables are, over the speed
//            of all processors is a bound.
// Cost:      O(kinds types^2) time, no memory.
// Proof:     the speeds as weights (DUET_PROOF_AREA; docs/problem.md, C4).
// Reference: ours.
#ifndef DUET_LP_MOLDABLE_MIXED_AREA_H
#define DUET_LP_MOLDABLE_MIXED_AREA_H

#include "core/algorithm.h"

// Of an instance with mixed sets.
duet_bound duet_mixed_area_bound(const duet_instance *instance);

#endif
