// SPDX-License-Identifier: Apache-2.0
// Whether what is given of an instance can be part of a schedule at all.
#ifndef DUET_CORE_INSTANCE_PINS_CHECK_H
#define DUET_CORE_INSTANCE_PINS_CHECK_H

#include "core/instance/pins.h"

// What is given of single tasks and of pairs of them keeps to S1 to S4, I6 and I7. DUET_E_INPUT
// names the task. O(kinds log kinds + edges).
duet_code duet_pins_check(const duet_instance *instance, duet_error *error);

#endif
