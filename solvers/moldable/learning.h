// SPDX-License-Identifier: Apache-2.0
// The learning search of small sets and graphs of moldable tasks.
#ifndef DUET_SOLVERS_MOLDABLE_LEARNING_H
#define DUET_SOLVERS_MOLDABLE_LEARNING_H

#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/graph/learn/learn.h"

enum {
    DUET_MOLDABLE_LEARN_TASKS = 100,
    DUET_MOLDABLE_LEARN_PROCESSORS = 256, // of one type
    DUET_MOLDABLE_LEARN_WORK = 4000000,   // operations of a turn
    DUET_MOLDABLE_LEARN_UNTIMED = 8000000 // of all turns where there is no deadline
};

// Zeros at first. What one has been freed with is as that.
typedef struct duet_moldable_learning {
    duet_instance *instance; // a type for each number of processors
    duet_learn_sizes sizes;
    duet_learn *search;
    duet_solution *best; // of that instance
    bool over;           // it is too large, out of memory, or proven
} duet_moldable_learning;

// Goes on for about `work` operations from the schedule of `solution`, whose data take no time and
// whose tasks and processors are all there at the beginning. Offers a shorter schedule and, at its
// end, the optimum as bound, without a certificate. DUET_E_MEMORY, with what there was as it was.
duet_code duet_moldable_learning_turn(duet_moldable_learning *learning,
                                      const duet_instance *instance, const duet_context *context,
                                      int64_t work, duet_solution *solution, duet_error *error);
void duet_moldable_learning_free(duet_moldable_learning *learning);

#endif
