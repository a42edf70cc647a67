// SPDX-License-Identifier: Apache-2.0
// Bounds of task graphs that refute guesses; see bounds.c.
#ifndef DUET_SOLVERS_GRAPH_BOUND_BOUNDS_H
#define DUET_SOLVERS_GRAPH_BOUND_BOUNDS_H

#include "core/algorithm.h"

extern const duet_bound_method duet_bound_propagation;
extern const duet_bound_method duet_bound_interval;
extern const duet_bound_method duet_bound_timed;
extern const duet_bound_method duet_bound_shaving;
extern const duet_bound_method duet_bound_branching;

#endif
