// SPDX-License-Identifier: Apache-2.0
// Shortens a complete schedule on any number of types.
//
// Method:    two types exchange tasks by the hundred where that helps (improve/type_exchange.c).
//            Then the tasks of the most loaded processor and of one of the others, whatever their
//            types, are partitioned anew, so that both end earlier than the first did
//            (improve/pair_repartition.h). Where no other helps, some pair is partitioned anew
//            without harm, mostly so that idle time gathers on one processor, and it goes on. No
//            step makes the schedule longer.
// Guarantee: the schedule is never longer than the one it began with.
// Cost:      O(n) memory. O(n log n) time for the start, then as the effort says: 10 is some
//            hundredths of a second.
// Reference: Finn, Horowitz, "A linear time approximation algorithm for multiprocessor scheduling",
//            BIT 19, 1979, for moves between pairs of processors; sets instead of single tasks and
//            several types are ours.
#ifndef DUET_HEURISTICS_IMPROVE_IMPROVE_H
#define DUET_HEURISTICS_IMPROVE_IMPROVE_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

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

// The same by twice as many tasks of a pair, each taking 256 times as long: for fine ticks, where a
// schedule is a little longer than a bound that is met by sums only. An effort of 100 is some
// tenths of a second.
duet_code duet_improve_fine(const duet_instance *instance, const duet_context *context,
                            int64_t target, int64_t effort, duet_solution *solution,
                            duet_improved *improved, duet_error *error);

// DUET_E_LIMIT where there is not enough memory for the search.
duet_code duet_improve_memory_check(const duet_instance *instance, const duet_context *context,
                                    duet_error *error);

// pooled.c
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
