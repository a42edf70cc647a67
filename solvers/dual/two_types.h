// SPDX-License-Identifier: Apache-2.0
// What the dual approximations on two types share: where a task fits within a guess, a NO by
// weights on the types, and an allocation by the tasks that go to the GPUs.
#ifndef DUET_SOLVERS_DUAL_TWO_TYPES_H
#define DUET_SOLVERS_DUAL_TWO_TYPES_H

#include "core/instance/acceleration.h"
#include "core/system/assert.h"
#include "heuristics/engine/longest_first.h"
#include "solvers/dual/dual.h"

// Whether a task of the kind may run on the type and ends there within lambda.
static inline bool duet_fits_within(const duet_instance *instance, size_t kind, size_t type,
                                    int64_t lambda)
{
    return duet_allowed(instance, kind, type) && duet_time(instance, kind, type) <= lambda;
}

// The certificate of a NO to lambda: work that is weighted like this does not fit into lambda.
static inline void duet_refuse_by_weights(duet_answer *answer, int64_t lambda, int64_t cpu_weight,
                                          int64_t gpu_weight)
{
    answer->yes = false;
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA,
        .lambda = lambda + 1,
        .types = 2,
        .weight = {cpu_weight, gpu_weight},
    };
}

// Allocates `on_gpu` tasks of a kind to the GPUs, the others to the CPUs.
static inline void duet_allocate_two(const duet_instance *instance, duet_allocation *allocation,
                                     size_t kind, int64_t on_gpu)
{
    DUET_ASSERT(0 <= on_gpu && on_gpu <= duet_count(instance, kind));
    allocation->share[2 * kind + DUET_CPU] = duet_count(instance, kind) - on_gpu;
    allocation->share[2 * kind + DUET_GPU] = on_gpu;
}

// How many of `count` tasks of `time` can start while there is room: the last one may overshoot.
static inline int64_t duet_start_below(duet_int128 room, int64_t time, int64_t count)
{
    if (time == 0) {
        return count; // it takes no room: a NO must not rest on leaving it out
    }
    if (room <= 0) {
        return 0;
    }
    duet_int128 starts = (room + time - 1) / time;
    return starts < count ? (int64_t)starts : count;
}

#endif
