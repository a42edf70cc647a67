// SPDX-License-Identifier: Apache-2.0
// Proven ratios that several algorithms share.
#include "heuristics/rules/rules.h"

// The number of processors where only one type has any, else 0: the problem is then P||Cmax.
static int64_t identical_processors(size_t types, const int64_t *counts)
{
    int64_t found = 0;
    for (size_t t = 0; t < types; t++) {
        if (counts[t] > 0) {
            if (found > 0) {
                return 0;
            }
            found = counts[t];
        }
    }
    return found;
}

bool duet_ratio_list(size_t types, const int64_t *counts, const duet_options *options,
                     duet_ratio *ratio)
{
    (void)options;
    int64_t m = identical_processors(types, counts);
    *ratio = (duet_ratio){2 * m - 1, 0, 0, m};
    return m > 0;
}

bool duet_ratio_lpt(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio)
{
    (void)options;
    int64_t m = identical_processors(types, counts);
    *ratio = (duet_ratio){4 * m - 1, 0, 0, 3 * m};
    return m > 0;
}

bool duet_ratio_two(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio)
{
    if (duet_ratio_lpt(types, counts, options, ratio)) {
        return true;
    }
    *ratio = (duet_ratio){2, 0, 0, 1};
    return types == 2;
}
