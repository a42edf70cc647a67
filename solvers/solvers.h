// SPDX-License-Identifier: Apache-2.0
// The algorithms that prove something: one row each, collected by the registry.
#ifndef DUET_SOLVERS_SOLVERS_H
#define DUET_SOLVERS_SOLVERS_H

#include "core/algorithm.h"

extern const duet_algorithm duet_algorithm_accel_published;
extern const duet_algorithm duet_algorithm_auto;
extern const duet_algorithm duet_algorithm_dual_2;
extern const duet_algorithm duet_algorithm_dual_4_3;
extern const duet_algorithm duet_algorithm_dualhp;
extern const duet_algorithm duet_algorithm_exact;
extern const duet_algorithm duet_algorithm_ilp;
extern const duet_algorithm duet_algorithm_local_search;
extern const duet_algorithm duet_algorithm_lst;
extern const duet_algorithm duet_algorithm_shelf_3_2;

#endif
