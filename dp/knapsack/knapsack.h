// SPDX-License-Identifier: Apache-2.0
// The integer knapsack over both types: whether whole tasks can be allocated to the types so that
// the work of each fits into its processors' time. It sees no single processor: a relaxation.
//
// Method:    weights on the types give every class a cheaper type. With all classes there, the rest
//            of the weighted capacity is the slack, and a task on its dearer type has the
//            difference as its reduced cost. Reduced-cost fixing leaves few classes free, and
//            dominance lists of pairs (CPU work, GPU work) run over those.
// Guarantee: exact, unless the lists grow beyond a million states.
// Cost:      O(classes) and the states of the lists: usually thousands.
// Memory:    the same.
// Reference: reduced-cost fixing and dominance lists: Kellerer, Pferschy, Pisinger, "Knapsack
//            Problems", Springer 2004, chapters 3 and 5.
#ifndef DUET_DP_KNAPSACK_KNAPSACK_H
#define DUET_DP_KNAPSACK_KNAPSACK_H

#include "core/algorithm.h"
#include "core/instance/classes.h"
#include "core/number/random.h"
#include "core/solution/certificate.h"

typedef struct duet_knapsack_answer {
    bool fits;     // some allocation fits
    bool exceeded; // more states or time than allowed: nothing is known
    int64_t guess; // where it fits: a lower bound on the makespan of the best allocation
    size_t states;
    double hope; // of the allocation that is given: about the logarithm of how many of its packings
                 // are within the guess
} duet_knapsack_answer;

// Answers for classes->guess. `on_cpu` (classes->count entries, may be NULL) receives an allocation
// where one fits, how many tasks of each class the CPUs get: of those whose work no other one beats
// on both types, the one with the most hope. It is left open when `context` (may be NULL) stops.
duet_code duet_knapsack_decide(const duet_classes *classes, const int64_t weight[2],
                               const duet_context *context, int64_t *on_cpu,
                               duet_knapsack_answer *answer, duet_error *error);

// Looks for an allocation that fits among few: those of a random core of the free classes, with the
// others about as in a fractional solution. The core grows until one fits or its lists get long.
// For where the lists of all would be too long: it refutes nothing. `answer->fits` says whether it
// found one.
duet_code duet_knapsack_core(const duet_classes *classes, const int64_t weight[2],
                             duet_random *random, int64_t *on_cpu, duet_knapsack_answer *answer,
                             duet_error *error);

// The lists of one answer, kept to enumerate all allocations that fit.
typedef struct duet_knapsack duet_knapsack;

// A class that its reduced cost does not fix: up to `most` of its tasks may leave type `cheaper`.
typedef struct duet_knapsack_free {
    size_t class;
    size_t cheaper;
    int64_t most;
} duet_knapsack_free;

// As duet_knapsack_decide(), without an allocation. `*out` is owned by the caller; NULL where the
// answer is that nothing fits or that it was exceeded.
duet_code duet_knapsack_create(const duet_classes *classes, const int64_t weight[2],
                               duet_knapsack **out, duet_knapsack_answer *answer,
                               duet_error *error);
void duet_knapsack_free_lists(duet_knapsack *problem);
size_t duet_knapsack_free_count(const duet_knapsack *problem);
duet_knapsack_free duet_knapsack_free_at(const duet_knapsack *problem, size_t index);
// Whether the free classes 0 .. index-1 can still be allocated so that all fits, when the decisions
// on the later ones add `work` to each type beyond what all of them on their cheaper type have.
// O(log states).
bool duet_knapsack_can_fit(const duet_knapsack *problem, size_t index, const int64_t work[2]);

// Raises a bound to the smallest guess at which an allocation fits, as far as the states allow and
// the context does not stop it. `below` is the makespan of a known schedule: no guess is above it.
duet_code duet_knapsack_raise(const duet_instance *instance, const duet_context *context,
                              int64_t below, duet_bound *bound, duet_error *error);

// On any number of types: raises a bound to the smallest guess that weights on the types do not
// refute (dp/knapsack/weights.c). `below` as above; certificates are `area` or `prices`.
duet_code duet_knapsack_raise_by_weights(const duet_instance *instance, const duet_context *context,
                                         int64_t below, duet_bound *bound, duet_error *error);

// The same with releases and busy processors, of few different releases: with more the bound stays
// as it is. `weight`: a number of each type, those that prove an area bound.
duet_code duet_knapsack_raise_released(const duet_instance *instance, const duet_context *context,
                                       const int64_t *weight, int64_t below, duet_bound *bound,
                                       duet_error *error);

#endif
