// SPDX-License-Identifier: Apache-2.0
// The knapsack of one processor with releases: whether some tasks that fit are priced above a
// limit. Includes no solver header: this is what an outsider trusts.
//
// Method: a list of loads, each a time and a price, of which none is shorter and dearer than
// another. Tasks come by decreasing release, and one may join where the load, which is of tasks
// that are released no earlier, then fits between its start and the guess. A load is dropped that
// all tasks to come, or the dearest of them per time over all the time that is left, do not bring
// above the limit.
#ifndef DUET_CHECK_PROOF_TREE_NESTED_H
#define DUET_CHECK_PROOF_TREE_NESTED_H

#include "check/proof/tree/model.h"

// DUET_OK: there are none. Errors: DUET_E_INPUT, some are; DUET_E_MEMORY, DUET_E_LIMIT, or what
// `watch` says. O(tasks times loads).
duet_code duet_proof_nested_knapsack(const duet_proof_model *model, int type, const int64_t *price,
                                     int64_t limit, duet_watch *watch, duet_error *error);

#endif
