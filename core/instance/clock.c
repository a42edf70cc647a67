// SPDX-License-Identifier: Apache-2.0
// Times of day. Instants are exact: a tick is a whole number of 10^-q seconds, q at most 18. Days
// are counted in the Gregorian calendar, before its time as well (ISO 8601), by eras of 400 years.
#include "core/instance/clock.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/groups.h"
#include "core/instance/unit.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

enum { ERA_DAYS = 146097, ERA_YEARS = 400, MOST_OFFSET = 14 * 60 };

// --- days ----------------------------------------------------------------------------------------

typedef struct date {
    int64_t year;
    int month, day;
} date;

// Years begin in March here, so that the day that only some of them have is their last.
static int64_t day_of(date at)
{
    int64_t year = at.month <= 2 ? at.year - 1 : at.year;
    int64_t era = year / ERA_YEARS;
    int64_t of_era = year % ERA_YEARS;
    int64_t of_year = (153 * (at.month + (at.month > 2 ? -3 : 9)) + 2) / 5 + at.day - 1;
    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
}

static date date_of(duet_int128 day)
{
    int64_t era = (int64_t)(day / ERA_DAYS);
    int64_t left = (int64_t)(day % ERA_DAYS);
    int64_t of_era = (left - left / 1460 + left / 36524 - left / (ERA_DAYS - 1)) / 365;
    int64_t of_year = left - (365 * of_era + of_era / 4 - of_era / 100);
    int month = (int)((5 * of_year + 2) / 153);
    date at = {era * ERA_YEARS + of_era, month < 10 ? month + 3 : month - 9,
               (int)(of_year - (153 * month + 2) / 5 + 1)};
    at.year += at.month <= 2 ? 1 : 0;
    return at;
}

// --- what is read --------------------------------------------------------------------------------

// Reads a number of `digits` digits from `least` to `most`; NULL if it is none.
static const char *take_number(const char *at, int digits, int least, int most, int *number)
{
    *number = 0;
    for (int i = 0; at != NULL && i < digits; i++) {
        if (at[i] < '0' || at[i] > '9') {
            return NULL;
        }
        *number = 10 * *number + (at[i] - '0');
    }
    return at != NULL && *number >= least && *number <= most ? at + digits : NULL;
}

static const char *take_sign(const char *at, const char *signs)
{
    return at != NULL && *at != '\0' && strchr(signs, *at) != NULL ? at + 1 : NULL;
}

const char *duet_clock_zone(const char *text, char zone[8])
{
    const char *at = text;
    int hours;
    int minutes = 0;
    zone[0] = '\0';
    if (*at == '\0') {
        return at;
    }
    if (strcmp(at, "Z") == 0 || strcmp(at, "z") == 0) {
        memcpy(zone, "Z", 2);
        return at + 1;
    }
    char sign = *at;
    at = take_number(take_sign(at, "+-"), 2, 0, MOST_OFFSET / 60, &hours);
    if (at != NULL && *at != '\0') {
        at = take_number(*at == ':' ? at + 1 : at, 2, 0, 59, &minutes);
    }
    if (at != NULL && 60 * hours + minutes <= MOST_OFFSET) {
        snprintf(zone, 8, "%c%02d:%02d", sign, hours % 100, minutes % 100);
        return at;
    }
    return NULL;
}

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

bool duet_clock_day(int year, int month, int day, int64_t *number)
{
    const date at = {year, month, day};
    bool calendar = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    *number = calendar ? day_of(at) : 0;
    return calendar && date_of(*number).day == day; // no 30th of February
}

bool duet_clock_read(const char *text, duet_clock *clock)
{
    int year;
    int hour;
    int minute;
    int second = 0;
    date at;
    const char *next = take_number(text, 4, 1, 9999, &year);
    next = take_number(take_sign(next, "-"), 2, 1, 12, &at.month);
    next = take_number(take_sign(next, "-"), 2, 1, 31, &at.day);
    next = take_number(take_sign(next, "Tt "), 2, 0, 23, &hour);
    next = take_number(take_sign(next, ":"), 2, 0, 59, &minute);
    if (next != NULL && *next == ':') {
        next = take_number(next + 1, 2, 0, 59, &second);
    }
    next = next == NULL ? NULL : duet_clock_zone(next, clock->zone);
    if (next == NULL || *next != '\0') {
        return false;
    }
    clock->known = duet_clock_day(year, at.month, at.day, &clock->day);
    clock->second = 3600 * hour + 60 * minute + second;
    return clock->known;
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

char *duet_clock_format(const duet_instance *instance, int64_t ticks, char *text)
{
    char fraction[16];
    uint32_t billionths;
    duet_int128 seconds = duet_clock_seconds(instance, ticks, &billionths);
    int of_day = (int)(seconds % DUET_CLOCK_DAY);
    date at = date_of(seconds / DUET_CLOCK_DAY + instance->clock.day);
    put_fraction(billionths, fraction);
    snprintf(text, DUET_CLOCK_TEXT, "%04lld-%02d-%02dT%02d:%02d:%02d%s%s", (long long)at.year,
             at.month, at.day, of_day / 3600, of_day / 60 % 60, of_day % 60, fraction,
             instance->clock.zone);
    return text;
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
    duet_int128 seconds = duet_clock_seconds(instance, ticks, &billionths);
    int of_day = (int)(seconds % DUET_CLOCK_DAY);
    date at = date_of(seconds / DUET_CLOCK_DAY + instance->clock.day);
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
