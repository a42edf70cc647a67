// SPDX-License-Identifier: Apache-2.0
// What an exchange of two tasks says about allocations to two types.
//
// Method:    where task i takes no less time than j on a CPU and no more on a GPU, and i is on a
//            CPU and j on a GPU, each may take the place of the other: no processor ends later.
//            Such exchanges have an end, since work becomes less. So if there is a schedule within
//            a guess, there is one where no such pair is left: as soon as a task of j is on a GPU,
//            so are all of i, and as soon as one of i is on a CPU, so are all of j. Where times on
//            CPUs and GPUs run opposite ways, that leaves as many allocations as there are tasks.
// Guarantee: a search through the allocations that are left misses no guess with a schedule. Proof
//            files do not know the argument.
// Cost:      O(classes) each time, O(classes log classes) once.
#ifndef DUET_SOLVERS_EXACT_EXCHANGE_H
#define DUET_SOLVERS_EXACT_EXCHANGE_H

#include "core/solution/prices.h"

typedef struct duet_exchange {
    const duet_classes *classes; // borrowed
    size_t *order;               // classes: shorter on CPUs first, of equal ones longer on GPUs
    int64_t *low, *high;         // per class, of the last call
} duet_exchange;

// DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_exchange_create(const duet_classes *classes, duet_exchange *out, duet_error *error);
void duet_exchange_free(duet_exchange *exchange);

// Narrows the numbers of tasks on CPUs of a residual problem with all tasks, into low and high.
// False: a pair that could be exchanged is decided, and nothing is lost by leaving the problem.
bool duet_exchange_narrow(duet_exchange *exchange, const duet_residual *state);

#endif
