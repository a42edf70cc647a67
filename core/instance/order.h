// SPDX-License-Identifier: Apache-2.0
// Orders of kinds. Ties always go to the lower index, so an order of kinds is the order of their
// tasks that a stable sort by task would give.
#ifndef DUET_CORE_INSTANCE_ORDER_H
#define DUET_CORE_INSTANCE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/system/memory.h"

// A kind with a 64-bit sort key.
typedef struct duet_ordered {
    uint64_t key;
    size_t kind;
} duet_ordered;

// The exact value behind a key.
typedef duet_fraction duet_kind_value(const duet_instance *instance, size_t kind);

// All kinds by decreasing value; owned by the caller (duet_free()). NULL with DUET_E_MEMORY
// recorded.
duet_ordered *duet_order_by_value(const duet_instance *instance, duet_kind_value *value,
                                  duet_error *error);

// The same where the value depends on a processor type.
typedef duet_fraction duet_kind_value_on(const duet_instance *instance, size_t kind, size_t type);
duet_ordered *duet_order_by_value_on(const duet_instance *instance, duet_kind_value_on *value,
                                     size_t type, duet_error *error);

// Sorts `count` items by decreasing key, in place; equal keys keep their order. O(count).
duet_code duet_order_by_key(duet_ordered *items, size_t count, duet_error *error);

#endif
