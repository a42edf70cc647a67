// SPDX-License-Identifier: Apache-2.0
// The instance in which the processors of each type are one, as many times as fast: what is left of
// scheduling where only the allocation of the tasks to the types is asked.
//
// Method:    times on a type are multiplied by M / m, where m is the number of its processors and M
//            the least common multiple of all of them. A schedule within L of the instance is one
//            within M L of the pooled one.
// Guarantee: exact: no allocation of the tasks whose pooled schedule is longer than M L can be
//            scheduled within L.
// Cost:      O(kinds types) time and memory.
#ifndef DUET_HEURISTICS_IMPROVE_POOLED_H
#define DUET_HEURISTICS_IMPROVE_POOLED_H

#include "core/instance/instance.h"

typedef struct duet_pooled {
    duet_instance instance; // shares all but its times with the one it was made of
    int64_t scale;          // M
} duet_pooled;

// *useful: there are types to exchange tasks between, one with several processors, and all sums of
// times stay far below 2^63; else nothing is made. Errors: DUET_E_MEMORY.
duet_code duet_pooled_create(const duet_instance *instance, duet_pooled *pooled, bool *useful,
                             duet_error *error);
void duet_pooled_free(duet_pooled *pooled);

#endif
