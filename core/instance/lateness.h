// SPDX-License-Identifier: Apache-2.0
// Lateness: by how much tasks end after their deadlines.
#ifndef DUET_CORE_INSTANCE_LATENESS_H
#define DUET_CORE_INSTANCE_LATENESS_H

#include "core/instance/instance.h"

static inline bool duet_has_deadline(const duet_instance *instance, size_t kind)
{
    return instance->deadline != NULL && instance->deadline[kind].mantissa != DUET_FORBIDDEN;
}

// Whether a task that ends at `end` is late, and by how much, exactly, in units.
bool duet_lateness(const duet_instance *instance, int64_t task, int64_t end, duet_decimal *by);

#endif
