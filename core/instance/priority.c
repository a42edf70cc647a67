// SPDX-License-Identifier: Apache-2.0
#include "core/instance/priority.h"

#include "core/system/memory.h"

// Above 0 where kind a has a higher priority than kind b, 0 where they have the same.
static int compare_priorities(const duet_instance *instance, size_t a, size_t b)
{
    if (instance->priority == NULL) {
        return 0;
    }
    duet_decimal left = instance->priority[a];
    duet_decimal right = instance->priority[b];
    duet_int128 x = left.mantissa;
    duet_int128 y = right.mantissa;
    for (; left.places < right.places; left.places++) {
        x *= 10;
    }
    for (; right.places < left.places; right.places++) {
        y *= 10;
    }
    return (x > y) - (x < y);
}

static bool is_accelerated(const duet_instance *instance, size_t kind)
{
    bool on_cpu = duet_allowed(instance, kind, DUET_CPU);
    bool on_gpu = duet_allowed(instance, kind, DUET_GPU);
    return !on_cpu ||
           (on_gpu && duet_time(instance, kind, DUET_CPU) >= duet_time(instance, kind, DUET_GPU));
}

static bool same_acceleration(const duet_instance *instance, size_t a, size_t b)
{
    duet_int128 left =
        (duet_int128)duet_time(instance, a, DUET_CPU) * duet_time(instance, b, DUET_GPU);
    duet_int128 right =
        (duet_int128)duet_time(instance, b, DUET_CPU) * duet_time(instance, a, DUET_GPU);
    return left == right;
}

// A stable sort by merging: `sign` is 1 for falling priority.
static void merge(const duet_instance *instance, duet_ordered *items, size_t count, int sign,
                  duet_ordered *room)
{
    if (count < 2) {
        return;
    }
    size_t middle = count / 2;
    merge(instance, items, middle, sign, room);
    merge(instance, items + middle, count - middle, sign, room);
    for (size_t i = 0; i < count; i++) {
        room[i] = items[i];
    }
    size_t a = 0;
    size_t b = middle;
    for (size_t i = 0; i < count; i++) {
        bool left =
            b == count ||
            (a < middle && sign * compare_priorities(instance, room[a].kind, room[b].kind) >= 0);
        items[i] = left ? room[a++] : room[b++];
    }
}

void duet_acceleration_order_rank(const duet_instance *instance, duet_acceleration_order *order,
                                  duet_ordered *room)
{
    for (size_t from = 0, to; from < order->count; from = to) {
        bool flexible = from >= order->flexible_begin && from < order->flexible_end;
        size_t end = from < order->flexible_begin ? order->flexible_begin
                     : flexible                   ? order->flexible_end
                                                  : order->count;
        to = from + 1;
        while (to < end && (!flexible || same_acceleration(instance, order->items[from].kind,
                                                           order->items[to].kind))) {
            to++;
        }
        int sign = is_accelerated(instance, order->items[from].kind) ? 1 : -1;
        merge(instance, order->items + from, to - from, sign, room);
    }
}

duet_code duet_priority_places(const duet_instance *instance, int32_t **place, duet_error *error)
{
    size_t kinds = instance->kinds;
    duet_ordered *items = duet_alloc_raw(2 * kinds, sizeof *items, error);
    *place = duet_alloc_raw(kinds, sizeof **place, error);
    if (items == NULL || *place == NULL) {
        duet_free(items);
        duet_free(*place);
        *place = NULL;
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < kinds; i++) {
        items[i] = (duet_ordered){.kind = i};
    }
    merge(instance, items, kinds, 1, items + kinds);
    int32_t next = 0;
    for (size_t i = 0; i < kinds; i++) {
        next += i > 0 && compare_priorities(instance, items[i].kind, items[i - 1].kind) != 0;
        (*place)[items[i].kind] = next;
    }
    duet_free(items);
    return DUET_OK;
}
