// SPDX-License-Identifier: Apache-2.0
// Rules that give a kind its processor type before anything is scheduled.
#ifndef DUET_HEURISTICS_ENGINE_ALLOCATION_H
#define DUET_HEURISTICS_ENGINE_ALLOCATION_H

#include "core/algorithm.h"

// The type a rule gives a kind.
typedef size_t duet_allocation_rule(const duet_instance *instance, size_t kind);

// Smallest time; the later type (GPU) at equal times. Any number of types.
size_t duet_allocate_quickest(const duet_instance *instance, size_t kind);
// GPU iff p/q >= m/k. Two types.
size_t duet_allocate_ratio(const duet_instance *instance, size_t kind);
// Smallest p_t / sqrt(m_t); the earlier type (CPU) when equal: CPU iff p/q <= sqrt(m/k). Any number
// of types.
size_t duet_allocate_qa(const duet_instance *instance, size_t kind);

// Schedules the tasks in index order, each on the least loaded processor of the type its rule
// gives.
duet_code duet_schedule_by_rule(const duet_instance *instance, duet_allocation_rule *rule,
                                duet_solution *solution, duet_error *error);

#endif
