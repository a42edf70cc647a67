// SPDX-License-Identifier: Apache-2.0
// Times of day. Instants are exact: a tick is a whole number of 10^-q seconds, q at most 18.
#include "core/instance/clock.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/groups.h"
#include "core/instance/moment.h"
#include "core/instance/unit.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

// --- what is read --------------------------------------------------------------------------------

// The seconds that a zone, "Z" or such as "+01:00", is ahead of UTC.
static int seconds_ahead(const char *zone)
{
    if (strlen(zone) != sizeof "+01:00" - 1) {
        return 0;
    }
    int hours = 10 * (zone[1] - '0') + zone[2] - '0';
    int minutes = 10 * (zone[4] - '0') + zone[5] - '0';
    return (zone[0] == '-' ? -60 : 60) * (60 * hours + minutes);
}

int64_t duet_clock_between(const duet_clock *from, const duet_clock *to)
{
    int zones = to->zone[0] == '\0' ? 0 : seconds_ahead(from->zone) - seconds_ahead(to->zone);
    return (to->day - from->day) * DUET_CLOCK_DAY + to->second - from->second + zones;
}

bool duet_clock_read(const char *text, duet_clock *clock)
{
    duet_moment moment;
    duet_date_order order = DUET_DATES_CLEAR;
    bool read = duet_moment_read(text, &order, &moment) == DUET_MOMENT_OK && !moment.day &&
                moment.billionths == 0;
    *clock = read ? moment.clock : (duet_clock){.known = false};
    return read;
}

duet_code duet_instance_set_start(duet_instance *instance, const char *start, duet_error *error)
{
    duet_clock clock = {.known = false};
    duet_unit unit;
    if (start != NULL && !duet_clock_read(start, &clock)) {
        return duet_error_set(error, DUET_E_USAGE, DUET_CLOCK_EXPECTED, "start ", start);
    }
    if (start != NULL && !duet_unit_find(instance->time_unit, &unit)) {
        bool none = instance->time_unit[0] == '\0';
        return duet_error_set(error, DUET_E_USAGE,
                              "%s%.40s%s, so it has no times of day: expected --unit, or "
                              "\"time_unit\" in JSON, to say " DUET_UNIT_NAMES,
                              none ? "the instance names no unit of time" : "the unit '",
                              none ? "" : instance->time_unit, none ? "" : "' is unknown");
    }
    instance->clock = clock;
    return DUET_OK;
}

// --- what is written -----------------------------------------------------------------------------

bool duet_clock_is_known(const duet_instance *instance)
{
    return instance->clock.known;
}

// How many parts a second is divided into; *tick receives the parts that a tick has.
static uint64_t parts_of(const duet_instance *instance, int *tick)
{
    duet_unit unit = {1, 0};
    (void)duet_unit_find(instance->time_unit, &unit);
    uint64_t parts = 1;
    for (int i = unit.exponent - instance->decimals; i < 6; i++) {
        parts *= 10;
    }
    *tick = unit.factor;
    return parts;
}

duet_int128 duet_clock_seconds(const duet_instance *instance, int64_t ticks, uint32_t *billionths)
{
    int tick;
    uint64_t parts = parts_of(instance, &tick);
    duet_int128 time = (duet_int128)duet_max(ticks, 0) * tick;
    *billionths = (uint32_t)((duet_int128)(time % parts) * 1000000000 / parts);
    return time / parts + instance->clock.second;
}

int64_t duet_clock_ticks(const duet_instance *instance, int64_t seconds)
{
    int tick;
    duet_int128 parts = (duet_int128)parts_of(instance, &tick) * seconds;
    duet_int128 ticks = parts / tick;
    return parts % tick == 0 && ticks <= DUET_MAX_WORK ? (int64_t)ticks : 0;
}

// ".25", or nothing.
static void put_fraction(uint32_t billionths, char text[16])
{
    int length = snprintf(text, 16, ".%09u", billionths % 1000000000U);
    while (length > 0 && (text[length - 1] == '0' || text[length - 1] == '.')) {
        text[--length] = '\0';
    }
}

// An instant as people read times: rounded to six significant digits of what has passed since the
// start.
static duet_int128 round_seconds(const duet_instance *instance, int64_t ticks, uint32_t *billionths)
{
    enum { SECOND = 1000000000, SIX_DIGITS = 1000 }; // of a second, in billionths
    duet_int128 seconds = duet_clock_seconds(instance, ticks, billionths);
    duet_int128 passed = seconds - instance->clock.second;
    uint64_t unit = SIX_DIGITS;
    for (uint64_t part = *billionths; passed == 0 && part > 0 && part < SECOND / 10; part *= 10) {
        unit = duet_max(unit / 10, 1);
    }
    for (; passed > 0 && unit < SECOND; passed /= 10) {
        unit *= 10;
    }
    uint64_t rounded = (*billionths + unit / 2) / unit * unit;
    *billionths = (uint32_t)(rounded % SECOND);
    return seconds + (duet_int128)(rounded / SECOND);
}

static char *format(const duet_instance *instance, duet_int128 seconds, uint32_t billionths,
                    char *text)
{
    char fraction[16];
    int of_day = (int)(seconds % DUET_CLOCK_DAY);
    duet_date at = duet_date_of(seconds / DUET_CLOCK_DAY + instance->clock.day);
    put_fraction(billionths, fraction);
    snprintf(text, DUET_CLOCK_TEXT, "%04lld-%02d-%02dT%02d:%02d:%02d%s%s", (long long)at.year,
             at.month, at.day, of_day / 3600, of_day / 60 % 60, of_day % 60, fraction,
             instance->clock.zone);
    return text;
}

char *duet_clock_format(const duet_instance *instance, int64_t ticks, char *text)
{
    uint32_t billionths;
    duet_int128 seconds = duet_clock_seconds(instance, ticks, &billionths);
    return format(instance, seconds, billionths, text);
}

char *duet_clock_tell(const duet_instance *instance, int64_t ticks, char *text)
{
    uint32_t billionths;
    duet_int128 seconds = round_seconds(instance, ticks, &billionths);
    return format(instance, seconds, billionths, text);
}

char *duet_instance_start(const duet_instance *instance, char *buffer)
{
    return instance->clock.known ? duet_clock_format(instance, 0, buffer) : NULL;
}

char *duet_clock_short(const duet_instance *instance, int64_t ticks, bool with_day, char *text)
{
    char fraction[16];
    char day[32] = "";
    char second[24] = "";
    uint32_t billionths;
    duet_int128 seconds = round_seconds(instance, ticks, &billionths);
    int of_day = (int)(seconds % DUET_CLOCK_DAY);
    duet_date at = duet_date_of(seconds / DUET_CLOCK_DAY + instance->clock.day);
    put_fraction(billionths, fraction);
    if (with_day) {
        snprintf(day, sizeof day, "%02d-%02d ", at.month, at.day);
    }
    if (of_day % 60 != 0 || billionths > 0) {
        snprintf(second, sizeof second, ":%02d%s", of_day % 60, fraction);
    }
    snprintf(text, DUET_CLOCK_TEXT, "%s%02d:%02d%s", day, of_day / 3600, of_day / 60 % 60, second);
    return text;
}

// --- names ---------------------------------------------------------------------------------------

const char *duet_instance_processor_name(const duet_instance *instance, size_t type,
                                         int64_t processor)
{
    return duet_processor_name(instance, type, processor);
}

duet_code duet_copy_labels(const duet_instance *from, duet_instance *to, duet_error *error)
{
    to->clock = from->clock;
    for (size_t t = 0; t < from->types; t++) {
        for (size_t p = 0; p < from->names[t].count; p++) {
            uint32_t number;
            DUET_TRY(duet_names_add(&to->names[t], 0, duet_names_text(&from->names[t], p), &number,
                                    error));
        }
    }
    return duet_copy_groups(from, to, error);
}
