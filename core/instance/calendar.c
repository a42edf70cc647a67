// SPDX-License-Identifier: Apache-2.0
// Days are counted in the Gregorian calendar, before its time as well (ISO 8601), by eras of 400
// years.
#include "core/instance/moment.h"

#include <stdio.h>
#include <string.h>

enum { ERA_DAYS = 146097, ERA_YEARS = 400, MOST_OFFSET = 14 * 60 };

// --- days ----------------------------------------------------------------------------------------

// Years begin in March here, so that the day that only some of them have is their last.
static int64_t day_of(duet_date at)
{
    int64_t year = at.month <= 2 ? at.year - 1 : at.year;
    int64_t era = year / ERA_YEARS;
    int64_t of_era = year % ERA_YEARS;
    int64_t of_year = (153 * (at.month + (at.month > 2 ? -3 : 9)) + 2) / 5 + at.day - 1;
    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
}

duet_date duet_date_of(duet_int128 day)
{
    int64_t era = (int64_t)(day / ERA_DAYS);
    int64_t left = (int64_t)(day % ERA_DAYS);
    int64_t of_era = (left - left / 1460 + left / 36524 - left / (ERA_DAYS - 1)) / 365;
    int64_t of_year = left - (365 * of_era + of_era / 4 - of_era / 100);
    int month = (int)((5 * of_year + 2) / 153);
    duet_date at = {era * ERA_YEARS + of_era, month < 10 ? month + 3 : month - 9,
                    (int)(of_year - (153 * month + 2) / 5 + 1)};
    at.year += at.month <= 2 ? 1 : 0;
    return at;
}

// --- zones ---------------------------------------------------------------------------------------

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

bool duet_clock_day(int year, int month, int day, int64_t *number)
{
    const duet_date at = {year, month, day};
    bool calendar = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    *number = calendar ? day_of(at) : 0;
    return calendar && duet_date_of(*number).day == day; // no 30th of February
}
