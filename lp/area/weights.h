// SPDX-License-Identifier: Apache-2.0
// Weights on the processor types, and the area bound they prove.
//
// For any w >= 0, not all 0 on types with processors, every schedule of makespan A satisfies
//     sum over tasks of min_t w_t p_jt  <=  sum_t w_t (work on t)  <=  A sum_t w_t m_t,
// so L(w) = sum_j min_t w_t p_jt / sum_t w_t m_t is a lower bound, and its maximum over w is, by
// duality, the area bound. Exact: integers of at most 62 bits in, a fraction out.
#ifndef DUET_LP_AREA_WEIGHTS_H
#define DUET_LP_AREA_WEIGHTS_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/certificate.h"

// Largest weight: a weighted time is then below 2^124, and so is the sum over all tasks.
#define DUET_MAX_WEIGHT (INT64_C(1) << 62)

// w_t a = w_u b: two types price one kind alike.
typedef struct duet_weight_tie {
    size_t t, u;
    int64_t a, b; // > 0
} duet_weight_tie;

// L(w); 0 where the weights say nothing. O(kinds x types).
duet_fraction duet_area_value(const duet_instance *instance, const int64_t *weight);

// The weights that ties (a forest over the types) force on the tree of type `root`; 0 elsewhere.
// Exact while they fit into DUET_MAX_WEIGHT, rounded beyond it.
void duet_weights_from_ties(size_t types, const duet_weight_tie *ties, size_t count, size_t root,
                            int64_t *weight);

// Moves weights to the exact maximum of L where exactly two types have processors (or one); leaves
// them alone otherwise. Returns whether they are at the maximum. O(kinds) per step and, from
// weights near the maximum, few steps; O(log kinds) expected from anywhere.
bool duet_weights_polish(const duet_instance *instance, int64_t *weight);

// Prices of the types, in floating point, of which L is nearly largest: where a linear program may
// start. O(kinds x types).
void duet_area_prices(const duet_instance *instance, double *price);
// Prices as integer weights of at most 52 bits.
void duet_area_weights_of_prices(const duet_instance *instance, const double *price,
                                 int64_t *weight);
// The bound that weights prove, with its certificate.
duet_bound duet_area_bound_of_weights(const duet_instance *instance, const char *name,
                                      const int64_t *weight);
// The allowed type where price * time is least; the first such one.
size_t duet_area_cheapest(const duet_instance *instance, size_t kind, const double *price);

#endif
