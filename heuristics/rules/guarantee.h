// SPDX-License-Identifier: Apache-2.0
// Proven ratios that several algorithms share.
#ifndef DUET_HEURISTICS_RULES_GUARANTEE_H
#define DUET_HEURISTICS_RULES_GUARANTEE_H

#include "core/algorithm.h"

// Any list schedule on identical processors: 2 - 1/m (Graham 1966). No ratio elsewhere.
bool duet_ratio_list(size_t types, const int64_t *counts, const duet_options *options,
                     duet_ratio *ratio);

// Longest processing time first on identical processors: 4/3 - 1/(3m) (Graham 1969).
bool duet_ratio_lpt(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio);

// 2 on two types; on identical processors that of longest processing time first.
bool duet_ratio_two(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio);

#endif
