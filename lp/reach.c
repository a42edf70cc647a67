// SPDX-License-Identifier: Apache-2.0
#include "lp/reach.h"

#include <math.h>

int64_t duet_reach_step(double factor, int64_t guess, int64_t most)
{
    const double share = 0.5;
    double reach = fmin((factor - 1) * (double)guess * share, (double)(most - guess) / 2);
    return reach > 1 ? (int64_t)reach : 1;
}

duet_code duet_reach_guess(const duet_reach *reach, const duet_context *context, int64_t *guess,
                           duet_error *error)
{
    int64_t step = reach->step;
    bool growing = true;
    duet_code code = DUET_OK;
    while (step > reach->least && code == DUET_OK && !duet_context_stop(context)) {
        bool refuted = false;
        if (step <= reach->most - *guess) {
            code = reach->refutes(reach->self, *guess + step, &refuted, error);
        }
        if (refuted) {
            *guess += step;
            step = growing && step < INT64_MAX / 2 ? step * 2 : step / 2;
        } else {
            growing = false;
            step /= 2;
        }
    }
    return code;
}
