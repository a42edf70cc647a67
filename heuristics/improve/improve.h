// SPDX-License-Identifier: Apache-2.0
// Shortens a complete schedule on any number of types.
//
// Method:    two types trade tasks wholesale where that helps (improve/type_exchange.h). Then the
// most loaded
//            processor and one of the others are dealt anew (improve/pair_repartition.h), whatever
//            their types, so that both end earlier than it did. Where no other helps, some pair is
//            dealt anew without harm, mostly so that idle time gathers on one processor, and those
//            two are tried. No step makes the schedule longer.
// Cost:      O(n) memory; time as the effort says, beside O(n log n) for the start: 10 is some
//            hundredths of a second.
// Reference: dealing pairs of processors anew: Finn, Horowitz, "A linear time approximation
//            algorithm for multiprocessor scheduling", BIT 19, 1979, for moves; sets instead of
//            single tasks and several types are ours.
#ifndef DUET_HEURISTICS_IMPROVE_IMPROVE_H
#define DUET_HEURISTICS_IMPROVE_IMPROVE_H

#include "core/context.h"
#include "core/solution.h"

enum { DUET_IMPROVE_EFFORT = 10 };

typedef struct duet_improved {
    int64_t before; // the makespan
    int64_t after;
    int64_t exchanges; // that were kept
    bool stopped;      // by the context, before the effort was spent
} duet_improved;

// Looks for a schedule shorter than the one in `solution` until it is no longer than `target` (a
// proven bound), the effort is spent or the context stops. A shorter one replaces it, without idle
// gaps and without aborted runs; else it stays as it is. Depends on the seed of the context and
// nothing else. Errors: DUET_E_LIMIT, DUET_E_MEMORY; the schedule is then as it was.
duet_code duet_improve(const duet_instance *instance, const duet_context *context, int64_t target,
                       int64_t effort, duet_solution *solution, duet_improved *improved,
                       duet_error *error);

// Whether there is memory for the search: DUET_E_LIMIT where there is not.
duet_code duet_improve_memory_check(const duet_instance *instance, const duet_context *context,
                                    duet_error *error);

#endif
