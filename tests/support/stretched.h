// SPDX-License-Identifier: Apache-2.0
// Random instances with large numbers.
#ifndef DUET_TESTS_SUPPORT_STRETCHED_H
#define DUET_TESTS_SUPPORT_STRETCHED_H

#include <duet/instance.h>

#include "core/number/random.h"

// The same problem with every time multiplied by about the same factor, such that the total work
// comes near `work` (and at most DUET_MAX_WORK), if it was below. Zero and forbidden times stay.
// Owned by the caller; NULL only when out of memory.
duet_instance *duet_stretched_instance(duet_random *random, const duet_instance *instance,
                                       int64_t work);
// The longest allowed times of all tasks in sum.
int64_t duet_total_work(const duet_instance *instance);

#endif
