// SPDX-License-Identifier: Apache-2.0
#include "core/instance/acceleration.h"

#include "core/system/memory.h"

// 1 where both times are 0, so that the comparison of fractions stays an order.
static duet_fraction acceleration(const duet_instance *instance, size_t kind)
{
    int64_t p = duet_time(instance, kind, DUET_CPU);
    int64_t q = duet_time(instance, kind, DUET_GPU);
    if (!duet_allowed(instance, kind, DUET_CPU) || !duet_allowed(instance, kind, DUET_GPU) ||
        (p == 0 && q == 0)) {
        return (duet_fraction){1, 1}; // one-type kinds are put in their place afterwards
    }
    return (duet_fraction){(duet_uint128)p, (duet_uint128)q};
}

duet_code duet_acceleration_order_create(const duet_instance *instance,
                                         duet_acceleration_order *order, duet_error *error)
{
    *order = (duet_acceleration_order){NULL, instance->kinds, 0, 0};
    duet_ordered *sorted = duet_order_by_value(instance, acceleration, error);
    order->items = duet_alloc(instance->kinds, sizeof *order->items, error);
    if (sorted == NULL || order->items == NULL) {
        duet_free(sorted);
        duet_acceleration_order_free(order);
        return DUET_E_MEMORY;
    }
    size_t cpu_only = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        order->flexible_begin += !duet_allowed(instance, i, DUET_CPU);
        cpu_only += duet_allowed(instance, i, DUET_CPU) && !duet_allowed(instance, i, DUET_GPU);
    }
    order->flexible_end = instance->kinds - cpu_only;
    size_t gpu_at = 0;
    size_t flexible_at = order->flexible_begin;
    size_t cpu_at = order->flexible_end;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t kind = sorted[i].kind;
        bool on_cpu = duet_allowed(instance, kind, DUET_CPU);
        bool on_gpu = duet_allowed(instance, kind, DUET_GPU);
        size_t *at = !on_cpu ? &gpu_at : on_gpu ? &flexible_at : &cpu_at;
        order->items[(*at)++] = sorted[i];
    }
    duet_free(sorted);
    return DUET_OK;
}

void duet_acceleration_order_free(duet_acceleration_order *order)
{
    duet_free(order->items);
    order->items = NULL;
}

// Everything that may run on a CPU starts there.
static void initial_work(const duet_instance *instance, const duet_acceleration_order *order,
                         duet_fractional *result)
{
    for (size_t at = 0; at < order->count; at++) {
        size_t kind = order->items[at].kind;
        if (at < order->flexible_begin) {
            result->gpu_work += duet_time(instance, kind, DUET_GPU) * duet_count(instance, kind);
        } else {
            result->cpu_work += duet_time(instance, kind, DUET_CPU) * duet_count(instance, kind);
        }
    }
}

// Divides the kind at `split`: with x of its tasks moved, cpu_work - x p = m A and
// gpu_work + x q = k A.
static void divide(const duet_instance *instance, size_t kind, duet_fractional *result)
{
    int64_t p = duet_time(instance, kind, DUET_CPU);
    int64_t q = duet_time(instance, kind, DUET_GPU);
    duet_int128 m = instance->processors[DUET_CPU];
    duet_int128 k = instance->processors[DUET_GPU];
    duet_int128 per_task = m * q + k * p;
    result->has_split = true;
    result->split_gpu = (int64_t)((k * result->cpu_work - m * result->gpu_work) / per_task);
    result->makespan.num = (duet_uint128)((duet_int128)q * result->cpu_work) +
                           (duet_uint128)((duet_int128)p * result->gpu_work);
    result->makespan.den = (duet_uint128)per_task;
    result->weight[DUET_CPU] = q;
    result->weight[DUET_GPU] = p;
}

// One type alone decides: it is the later one although nothing more can leave it.
static void decided_by(const duet_instance *instance, size_t type, int64_t work,
                       duet_fractional *result)
{
    result->makespan.num = (uint64_t)work;
    result->makespan.den = (uint64_t)instance->processors[type];
    result->weight[type] = 1;
}

duet_fractional duet_fractional_assignment(const duet_instance *instance,
                                           const duet_acceleration_order *order)
{
    duet_fractional result = {.split = order->flexible_begin, .makespan = {0, 1}};
    duet_int128 m = instance->processors[DUET_CPU];
    duet_int128 k = instance->processors[DUET_GPU];
    initial_work(instance, order, &result);
    // The GPUs may be the later type before anything is moved.
    bool cpus_later = k * result.cpu_work > m * result.gpu_work;
    for (; cpus_later && result.split < order->flexible_end; result.split++) {
        size_t kind = order->items[result.split].kind;
        int64_t p = duet_time(instance, kind, DUET_CPU) * duet_count(instance, kind);
        int64_t q = duet_time(instance, kind, DUET_GPU) * duet_count(instance, kind);
        if (k * (result.cpu_work - p) <= m * (result.gpu_work + q)) {
            divide(instance, kind, &result);
            return result;
        }
        result.cpu_work -= p;
        result.gpu_work += q;
    }
    if (k > 0 && !cpus_later) {
        decided_by(instance, DUET_GPU, result.gpu_work, &result);
    } else {
        decided_by(instance, DUET_CPU, result.cpu_work, &result);
    }
    return result;
}
