// SPDX-License-Identifier: Apache-2.0
// Whether what is given of an instance can be part of a schedule at all.
#ifndef DUET_SOLVERS_FIXED_VALIDATE_H
#define DUET_SOLVERS_FIXED_VALIDATE_H

#include "core/instance/pins.h"

// What is given of single tasks and of pairs of them keeps to S1 to S4, I6 and I7. DUET_E_INPUT
// names the task. O(kinds log kinds + edges).
duet_code duet_fixed_validate(const duet_instance *instance, duet_error *error);

#endif
