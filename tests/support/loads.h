// SPDX-License-Identifier: Apache-2.0
// What a search for a schedule found, looked at without its code.
#ifndef DUET_TESTS_LOADS_H
#define DUET_TESTS_LOADS_H

#include <stdint.h>

#include "core/classes.h"
#include "solvers/exact_pack.h"

// The makespan of the loads. Fails the test, with the seed, where they do not hold every task once,
// on a type where it may run, on no more processors than there are.
int64_t duet_test_loads(const duet_classes *classes, const duet_loads *loads, uint64_t seed);

#endif
