// SPDX-License-Identifier: Apache-2.0
#include "report/gantt/clock_axis.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE };

// The first labelled time is a multiple of the step since midnight, if that is a whole tick.
static int64_t first_of(const duet_instance *instance, int64_t step)
{
    uint32_t fraction;
    int64_t past = (int64_t)(duet_clock_seconds(instance, 0, &fraction) % step);
    return past == 0 ? 0 : duet_clock_ticks(instance, step - past);
}

int64_t duet_gantt_clock_step(const duet_instance *instance, const duet_gantt_layout *layout,
                              double distance, int64_t *first)
{
    static const int steps[] = {
        1,      2,          5,          10,          15,          30,
        MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
        HOUR,   2 * HOUR,   3 * HOUR,   6 * HOUR,    12 * HOUR,   DUET_CLOCK_DAY};
    double least = distance / layout->plot_width * (double)layout->horizon;
    *first = 0;
    for (size_t i = 0; duet_clock_is_known(instance) && i < sizeof steps / sizeof *steps; i++) {
        int64_t step = duet_clock_ticks(instance, steps[i]);
        if (step > 0 && (double)step >= least) {
            *first = first_of(instance, steps[i]);
            return i == 0 && 2 * least < (double)step ? 0 : step;
        }
    }
    int64_t day = duet_clock_is_known(instance) ? duet_clock_ticks(instance, DUET_CLOCK_DAY) : 0;
    if (day == 0) {
        return 0;
    }
    *first = first_of(instance, DUET_CLOCK_DAY);
    return day * (int64_t)(least / (double)day + 1);
}
