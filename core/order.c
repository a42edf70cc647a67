// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // qsort_r
#include "core/order.h"

#include <stdlib.h>

#include "core/memory.h"

typedef struct exact_order {
    const duet_instance *instance;
    duet_kind_value *value;
} exact_order;

static int compare_kinds(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
    const duet_ordered *a = left;
    const duet_ordered *b = right;
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    return compare_kinds(a->kind, b->kind);
}

// Keys decide nearly always; the exact fractions only where the keys are equal.
static int compare_values(const void *left, const void *right, void *context)
{
    const duet_ordered *a = left;
    const duet_ordered *b = right;
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    const exact_order *order = context;
    int exact = duet_fraction_compare(order->value(order->instance, a->kind),
                                      order->value(order->instance, b->kind));
    return exact != 0 ? -exact : compare_kinds(a->kind, b->kind);
}

duet_ordered *duet_order_by_value(const duet_instance *instance, duet_kind_value *value,
                                  duet_error *error)
{
    duet_ordered *items = duet_alloc(instance->kinds, sizeof *items, error);
    if (items == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        items[i] = (duet_ordered){duet_fraction_key(value(instance, i)), i};
    }
    exact_order order = {instance, value};
    qsort_r(items, instance->kinds, sizeof *items, compare_values, &order);
    return items;
}

void duet_order_by_key(duet_ordered *items, size_t count)
{
    qsort(items, count, sizeof *items, compare_keys);
}
