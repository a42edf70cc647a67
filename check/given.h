// SPDX-License-Identifier: Apache-2.0
// The checker of what is given of tasks beforehand; for schedules alone.
#ifndef DUET_CHECK_GIVEN_H
#define DUET_CHECK_GIVEN_H

#include "core/instance/pins.h"
#include "core/solution/solution.h"

// I6: every task has the start and the processors that are given of it; I7: no task but one that
// has begun is on a lost processor. The placements have been checked one by one. DUET_E_INPUT names
// the task.
duet_code duet_check_given(const duet_instance *instance, const duet_solution *solution,
                           duet_error *error);

// Whether a task has begun, so that it is exempt from S4, and from S3 but for the end of its
// predecessors.
static inline bool duet_check_begun(const duet_instance *instance, int64_t task)
{
    return instance->pins != NULL &&
           duet_is_run(duet_pin_of(instance, duet_instance_kind_of(instance, task)));
}

#endif
