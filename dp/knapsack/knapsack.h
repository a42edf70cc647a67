// SPDX-License-Identifier: Apache-2.0
// The integer knapsack over both types: whether whole tasks can be dealt to the types so that the
// work of each fits into its processors' time. It sees no single processor: a relaxation.
//
// Method:    weights on the types price every class on its cheaper type; what is left of the
//            weighted capacity is a budget, and a task on its dearer type costs the difference. So
//            all classes but a few are settled by their price, and a list of undominated pairs
//            (CPU work, GPU work) runs over those few.
// Cost:      O(classes) and the states of the lists: usually thousands.
// Reference: reduced-cost fixing and dominance lists: Kellerer, Pferschy, Pisinger, "Knapsack
//            Problems", Springer 2004, chapters 3 and 5.
#ifndef DUET_DP_KNAPSACK_KNAPSACK_H
#define DUET_DP_KNAPSACK_KNAPSACK_H

#include <duet/bound.h>

#include "core/algorithm.h"
#include "core/classes.h"
#include "core/random.h"

typedef struct duet_knapsack_answer {
    bool fits;     // some deal fits
    bool exceeded; // more states than allowed: nothing is known
    int64_t guess; // where it fits: what the makespan of its best deal cannot be below
    size_t states;
} duet_knapsack_answer;

// Answers for classes->length. `on_cpu` (classes->count entries, may be NULL) receives the best
// deal where it fits: how many tasks of each class the CPUs get.
duet_code duet_knapsack_decide(const duet_classes *classes, const int64_t weight[2],
                               int64_t *on_cpu, duet_knapsack_answer *answer, duet_error *error);

// A deal that fits, looked for among few: a random core of the classes that the budget does not
// settle is dealt exactly, the others as the fractional solution has them. For where the lists
// would be too long: it finds, and refutes nothing. `answer->fits` says whether it found one.
duet_code duet_knapsack_core(const duet_classes *classes, const int64_t weight[2],
                             duet_random *random, int64_t *on_cpu, duet_knapsack_answer *answer,
                             duet_error *error);

// The lists of one answer, kept to go through all deals that fit.
typedef struct duet_knapsack duet_knapsack;

// A class that the budget does not settle: up to `most` of its tasks may leave type `cheaper`.
typedef struct duet_knapsack_free {
    size_t class;
    size_t cheaper;
    int64_t most;
} duet_knapsack_free;

// As duet_knapsack_decide(), without a deal. `*out` is owned by the caller; NULL where the answer
// is that nothing fits or that it was exceeded.
duet_code duet_knapsack_create(const duet_classes *classes, const int64_t weight[2],
                               duet_knapsack **out, duet_knapsack_answer *answer,
                               duet_error *error);
void duet_knapsack_free_lists(duet_knapsack *problem);
size_t duet_knapsack_free_count(const duet_knapsack *problem);
duet_knapsack_free duet_knapsack_free_at(const duet_knapsack *problem, size_t index);
// Whether the free classes 0 .. index-1 can still be dealt so that all fits, when what has been
// decided of the later ones adds `work` to each type beyond all of them at home. O(log states).
bool duet_knapsack_can_fit(const duet_knapsack *problem, size_t index, const int64_t work[2]);

// Raises a bound to the smallest length that fits, as far as the states allow and the context does
// not stop it. `below` is the length of a schedule that there is: nothing above it is asked.
duet_code duet_knapsack_raise(const duet_instance *instance, const duet_context *context,
                              int64_t below, duet_bound *bound, duet_error *error);

#endif
