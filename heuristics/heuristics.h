// SPDX-License-Identifier: Apache-2.0
// The list and online schedulers: one row each, collected by the registry.
#ifndef DUET_HEURISTICS_HEURISTICS_H
#define DUET_HEURISTICS_HEURISTICS_H

#include "core/algorithm.h"

extern const duet_algorithm duet_algorithm_eft;
extern const duet_algorithm duet_algorithm_er_ls;
extern const duet_algorithm duet_algorithm_heft;
extern const duet_algorithm duet_algorithm_heteroprio;
extern const duet_algorithm duet_algorithm_lpt;
extern const duet_algorithm duet_algorithm_mixeft;
extern const duet_algorithm duet_algorithm_qa;
extern const duet_algorithm duet_algorithm_quickest;
extern const duet_algorithm duet_algorithm_ratio;

#endif
