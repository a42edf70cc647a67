// SPDX-License-Identifier: Apache-2.0
// Times as a picture says them: in the unit of the instance, or in one that is a thousand or a
// million times as long where its numbers would be long.
#include <stdio.h>

#include "core/instance/clock.h"
#include "core/instance/unit.h"
#include "core/number/decimal.h"
#include "report/clean_text.h"
#include "report/gantt/draw.h"

// From so many of a unit on the next one is taken.
enum { MANY = 10000 };

static const char *name_of(int exponent)
{
    return exponent == 0 ? "us" : exponent == 3 ? "ms" : "s";
}

void duet_gantt_find_unit(duet_gantt *gantt)
{
    const duet_instance *instance = gantt->instance;
    duet_clean_text(instance->time_unit, SIZE_MAX, gantt->unit, sizeof gantt->unit);
    gantt->places = instance->decimals;
    duet_unit unit;
    if (!duet_unit_find(instance->time_unit, &unit)) {
        return;
    }
    int64_t left = gantt->horizon;
    for (int i = 0; i < instance->decimals; i++) {
        left /= 10;
    }
    for (; left >= MANY && unit.factor == 1 && unit.exponent < 6; left /= 1000) {
        unit.exponent += 3;
        gantt->places += 3;
        snprintf(gantt->unit, sizeof gantt->unit, "%s", name_of(unit.exponent));
    }
}

char *duet_gantt_axis_text(const duet_gantt *gantt, int64_t ticks, char *text)
{
    uint32_t fraction;
    if (!duet_clock_is_known(gantt->instance)) {
        return duet_decimal_format(ticks, gantt->places, text);
    }
    duet_int128 end = duet_clock_seconds(gantt->instance, gantt->horizon, &fraction);
    return duet_clock_short(gantt->instance, ticks, end >= DUET_CLOCK_DAY, text);
}

static void time_text(const duet_gantt *gantt, int64_t ticks, int digits, char *text)
{
    char number[32];
    duet_decimal_format_short(ticks, gantt->places, digits, number);
    snprintf(text, 96, "%s%s%s", number, gantt->unit[0] != '\0' ? " " : "", gantt->unit);
}

void duet_gantt_time(const duet_gantt *gantt, int64_t ticks, char *text)
{
    enum { ALL = 32 };
    time_text(gantt, ticks, ALL, text);
}

void duet_gantt_short_time(const duet_gantt *gantt, int64_t ticks, char *text)
{
    enum { FEW = 6 };
    time_text(gantt, ticks, FEW, text);
}
