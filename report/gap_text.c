// SPDX-License-Identifier: Apache-2.0
// The gap between a makespan and a lower bound as pictures and pages show it.
#include "report/texts.h"

#include <stdio.h>

#include "core/number/fraction.h"

void duet_gap_text(int64_t makespan, int64_t bound, char *text, size_t size)
{
    duet_uint128 over = (duet_uint128)(makespan - bound) * 10000;
    duet_uint128 share = duet_fraction_ceil((duet_fraction){over, (duet_uint128)bound});
    if (share == 0) {
        snprintf(text, size, "0 %%");
    } else if (share < 1000000) {
        unsigned hundredths = (unsigned)share;
        snprintf(text, size, "%u.%02u %%", hundredths / 100, hundredths % 100);
    } else {
        snprintf(text, size, "over 10000 %%");
    }
}
