// SPDX-License-Identifier: Apache-2.0
// What a search for a schedule found, looked at without its code.
#ifndef DUET_TESTS_SUPPORT_LOADS_H
#define DUET_TESTS_SUPPORT_LOADS_H

#include <stdint.h>

#include "core/instance/classes.h"
#include "solvers/exact/loads.h"

// NULL where the loads hold every task once, on a type where it may run, on no more processors than
// there are; *longest is the makespan then. Else what is wrong.
const char *duet_loads_fault(const duet_classes *classes, const duet_loads *loads,
                             int64_t *longest);

#endif
