// SPDX-License-Identifier: Apache-2.0
// The checker of releases and busy processors; for schedules alone.
#ifndef DUET_CHECK_AVAILABLE_H
#define DUET_CHECK_AVAILABLE_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"

// S4: a task starts at or after its release, and after all processors of a range have stopped being
// busy. The range exists. `start` is in the ticks of the solution. DUET_E_INPUT names the task.
duet_code duet_check_available(const duet_instance *instance, const duet_solution *solution,
                               int64_t task, int64_t start, duet_processor_range range,
                               duet_error *error);

#endif
