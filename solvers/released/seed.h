// SPDX-License-Identifier: Apache-2.0
// A first schedule of independent tasks with releases from one without them.
//
// Method:    local-search on the same tasks without releases, where processors of a type that are
//            busy until different times are types of their own, with a task as long as that for
//            each. Every processor then runs its tasks in the order of their releases. With many
//            tasks for a processor it hardly waits for any.
// Guarantee: none.
// Cost:      that of local-search.
#ifndef DUET_SOLVERS_RELEASED_SEED_H
#define DUET_SOLVERS_RELEASED_SEED_H

#include "solvers/released/model.h"

// on[j]: the processor of the model where task j is. *any: false where there is no such schedule.
// Errors: DUET_E_MEMORY.
duet_code duet_released_seed(const duet_released_model *model, const duet_context *context,
                             int32_t *on, bool *any, duet_error *error);

#endif
