// SPDX-License-Identifier: Apache-2.0
// The two-type view: kinds by acceleration factor, and the fractional assignment that finishes both
// types together. The area bound, the balanced allocation, DualHP and HeteroPrio all start here.
#ifndef DUET_CORE_INSTANCE_ACCELERATION_H
#define DUET_CORE_INSTANCE_ACCELERATION_H

#include "core/instance/instance.h"
#include "core/instance/order.h"
#include "core/number/fraction.h"

enum { DUET_CPU = 0, DUET_GPU = 1 };

// Kinds in queue order: those that may only run on a GPU, then those that may run on both by
// decreasing acceleration factor p/q (ties by index), then those that may only run on a CPU.
typedef struct duet_acceleration_order {
    duet_ordered *items;
    size_t count;
    size_t flexible_begin; // items[flexible_begin .. flexible_end) may run on both types
    size_t flexible_end;
} duet_acceleration_order;

// O(kinds log kinds). Free with duet_acceleration_order_free().
duet_code duet_acceleration_order_create(const duet_instance *instance,
                                         duet_acceleration_order *order, duet_error *error);
void duet_acceleration_order_free(duet_acceleration_order *order);

// The fractional assignment of least makespan: GPU-only kinds and the most accelerated others on
// the GPUs, the rest on the CPUs, at most one kind split.
typedef struct duet_fractional {
    size_t split;   // index into the order: kinds before it are on the GPUs, after it on the CPUs
    bool has_split; // whether the kind at `split` is divided
    int64_t split_gpu; // whole tasks of the divided kind that fit on the GPUs' side
    int64_t cpu_work;  // with the divided kind wholly on the CPUs
    int64_t gpu_work;  // without it
    duet_fraction makespan;
    int64_t weight[2]; // of a work unit on each type: proves the makespan (see DUET_PROOF_AREA)
} duet_fractional;

// O(kinds), exact.
duet_fractional duet_fractional_assignment(const duet_instance *instance,
                                           const duet_acceleration_order *order);

#endif
