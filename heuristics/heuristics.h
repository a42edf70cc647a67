// SPDX-License-Identifier: Apache-2.0
// The list and online schedulers: one row each, collected by the registry.
#ifndef DUET_HEURISTICS_HEURISTICS_H
#define DUET_HEURISTICS_HEURISTICS_H

#include "core/algorithm.h"

extern const duet_algorithm duet_algorithm_balanced_estimate;
extern const duet_algorithm duet_algorithm_balanced_makespan;
extern const duet_algorithm duet_algorithm_eft;
extern const duet_algorithm duet_algorithm_er_ls;
extern const duet_algorithm duet_algorithm_heft;
extern const duet_algorithm duet_algorithm_heteroprio;
extern const duet_algorithm duet_algorithm_imreh;
extern const duet_algorithm duet_algorithm_lpt;
extern const duet_algorithm duet_algorithm_max_min;
extern const duet_algorithm duet_algorithm_min_min;
extern const duet_algorithm duet_algorithm_mixeft;
extern const duet_algorithm duet_algorithm_qa;
extern const duet_algorithm duet_algorithm_quickest;
extern const duet_algorithm duet_algorithm_ratio;
extern const duet_algorithm duet_algorithm_sufferage;

#endif
