// SPDX-License-Identifier: Apache-2.0
// The algorithms that prove something: one row each, collected by the registry.
#ifndef DUET_SOLVERS_SOLVERS_H
#define DUET_SOLVERS_SOLVERS_H

#include "core/algorithm.h"

extern const duet_algorithm duet_algorithm_auto;
extern const duet_algorithm duet_algorithm_dualhp;
extern const duet_algorithm duet_algorithm_ilp;

#endif
