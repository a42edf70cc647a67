// SPDX-License-Identifier: Apache-2.0
// Priorities of tasks, which break ties of heteroprio.
#ifndef DUET_CORE_INSTANCE_PRIORITY_H
#define DUET_CORE_INSTANCE_PRIORITY_H

#include "core/instance/acceleration.h"

// Brings kinds of equal acceleration into the order of the queue of heteroprio: from acceleration 1
// on by falling priority, below by rising one; those of equal priority stay as they are. `room` is
// for as many kinds. O(kinds log kinds).
void duet_acceleration_order_rank(const duet_instance *instance, duet_acceleration_order *order,
                                  duet_ordered *room);

// The place of every kind by falling priority, from 0 on; kinds of equal priority share one. Owned
// by the caller. O(kinds log kinds). DUET_E_MEMORY.
duet_code duet_priority_places(const duet_instance *instance, int32_t **place, duet_error *error);

#endif
