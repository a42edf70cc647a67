// SPDX-License-Identifier: Apache-2.0
// Random small instances of every shape, for tests against truth.
#ifndef DUET_BENCH_RUN_RANDOM_INSTANCE_H
#define DUET_BENCH_RUN_RANDOM_INSTANCE_H

#include <duet/instance.h>

#include "core/random.h"

enum { DUET_SHAPE_TYPES = 5 }; // at most

typedef struct duet_shape {
    int min_tasks, max_tasks;
    int min_processors, max_processors; // per type
    size_t types;
} duet_shape;

// An instance drawn from `random`: accelerated, decelerated and mixed times, small ranges (many
// ties) and large ones, equal tasks as kinds or apart, forbidden types, zero times. Every task may
// run somewhere. Owned by the caller; NULL only when out of memory.
duet_instance *duet_random_instance(duet_random *random, const duet_shape *shape);

// The same problem with every time multiplied by about the same factor, such that the total work
// comes near `work` (and at most DUET_MAX_WORK), if it was below. Zero and forbidden times stay.
// Owned by the caller; NULL only when out of memory.
duet_instance *duet_stretched_instance(duet_random *random, const duet_instance *instance,
                                       int64_t work);
// The longest allowed times of all tasks in sum.
int64_t duet_total_work(const duet_instance *instance);

#endif
