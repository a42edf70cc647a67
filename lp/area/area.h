// SPDX-License-Identifier: Apache-2.0
// The bounds that need no linear program: the area bound in closed form, and the longest task.
#ifndef DUET_LP_AREA_AREA_H
#define DUET_LP_AREA_AREA_H

#include "core/algorithm.h"
#include "core/instance/acceleration.h"

duet_code duet_longest_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error);
duet_code duet_area_bound(const duet_instance *instance, const duet_context *context,
                          duet_bound *bound, duet_error *error);
// The same of sequential tasks that are all there at the beginning, as all processors are.
duet_code duet_plain_area_bound(const duet_instance *instance, duet_bound *bound,
                                duet_error *error);
// The same of two types for a caller that has the order already. O(kinds).
duet_bound duet_area_bound_of(const duet_instance *instance, const duet_acceleration_order *order);

// What dual approximations start from: the better of the two, the area bound where they are equal.
// `order` may be NULL: it is then made for this.
duet_code duet_first_bound(const duet_instance *instance, const duet_acceleration_order *order,
                           const duet_context *context, duet_bound *bound, duet_error *error);

// A certified area bound for any number of types without a linear program: near the optimum, and at
// it where at most two types have processors. O(kinds x types).
duet_bound duet_area_estimate(const duet_instance *instance);

#endif
