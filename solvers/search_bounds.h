// SPDX-License-Identifier: Apache-2.0
// The bounds that cost a search: the integer knapsack over both types, and the configuration
// relaxation.
#ifndef DUET_SOLVERS_SEARCH_BOUNDS_H
#define DUET_SOLVERS_SEARCH_BOUNDS_H

#include "core/algorithm.h"

extern const duet_bound_method duet_bound_knapsack;
extern const duet_bound_method duet_bound_configuration;

#endif
