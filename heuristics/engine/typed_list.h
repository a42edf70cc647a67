// SPDX-License-Identifier: Apache-2.0
// List scheduling of a task graph where every task has its type: an idle processor takes the ready
// task of its type with the highest bottom level, by the times on these types, then the lowest
// index.
//
// Guarantee: 3 - 1/m times the best schedule with the same types on two types, m the larger number
//            of processors of a type; 2 - 1/m on identical processors.
// Cost:      O(e + n log n) time, O(n + m) memory.
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969;
//            Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", IPDPS workshops 2015.
#ifndef DUET_HEURISTICS_ENGINE_TYPED_LIST_H
#define DUET_HEURISTICS_ENGINE_TYPED_LIST_H

#include "core/algorithm.h"

// type[j]: of task j, one where it may run. No communication.
duet_code duet_schedule_types(const duet_instance *instance, const duet_context *context,
                              const int32_t *type, duet_solution *solution, duet_error *error);

#endif
