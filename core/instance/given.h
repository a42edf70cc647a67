// SPDX-License-Identifier: Apache-2.0
// Instances of which something is given (<duet/replan.h>), without the plan that goes on.
#ifndef DUET_CORE_INSTANCE_GIVEN_H
#define DUET_CORE_INSTANCE_GIVEN_H

#include <duet/replan.h>

#include "core/instance/pins.h"

// The instance that duet_replan() makes.
duet_code duet_instance_give(const duet_instance *instance, const duet_replan_desc *given,
                             duet_instance **out, duet_error *error);
// A time in ticks that are `divisor` times coarser, the nearest one. DUET_FORBIDDEN stays.
int64_t duet_given_ticks(int64_t time, int64_t divisor);

// pins_check.c
// What is given of single tasks and of pairs of them keeps to S1 to S4, I6 and I7. DUET_E_INPUT
// names the task. O(kinds log kinds + edges).
duet_code duet_pins_check(const duet_instance *instance, duet_error *error);

#endif
