// SPDX-License-Identifier: Apache-2.0
#include "report/gantt/clock_axis.h"

#include <stdio.h>

#include "core/instance/unit.h"

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

// Units that are a thousand times the one before: a time of a thousand or more is in the next one.
static const char *const prefixed[] = {"ns", "us", "ms", "s"};
enum { PREFIXED = 4, PREFIX = 3 };

int duet_gantt_axis_shift(const duet_instance *instance, int64_t horizon)
{
    int at = 0;
    int places = instance->decimals;
    while (at < PREFIXED && !duet_unit_same(prefixed[at], instance->time_unit)) {
        at++;
    }
    duet_uint128 limit = 1;
    for (int i = 0; i < places + PREFIX; i++) {
        limit *= 10;
    }
    int shift = 0;
    while (at < PREFIXED - 1 && (duet_uint128)horizon >= limit) {
        limit *= 1000;
        shift += PREFIX;
        at++;
    }
    return shift;
}

const char *duet_gantt_axis_unit(const duet_instance *instance, int64_t horizon)
{
    int shift = duet_gantt_axis_shift(instance, horizon);
    int at = 0;
    while (shift > 0 && !duet_unit_same(prefixed[at], instance->time_unit)) {
        at++;
    }
    return shift == 0 ? instance->time_unit : prefixed[at + shift / PREFIX];
}

char *duet_gantt_axis_text(const duet_instance *instance, int64_t horizon, int64_t ticks,
                           char *text)
{
    uint32_t fraction;
    if (!duet_clock_is_known(instance)) {
        int finer = duet_gantt_axis_shift(instance, horizon);
        char number[DUET_TIME_TEXT];
        duet_number_text((duet_uint128)ticks, instance->decimals + finer, number);
        snprintf(text, DUET_CLOCK_TEXT, "%.30s", number);
        return text;
    }
    duet_int128 end = duet_clock_seconds(instance, horizon, &fraction);
    return duet_clock_short(instance, ticks, end >= DUET_CLOCK_DAY, text);
}
