// SPDX-License-Identifier: Apache-2.0
// Days of the calendar and zones of time.
#ifndef DUET_CORE_INSTANCE_CALENDAR_H
#define DUET_CORE_INSTANCE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/number/fraction.h"

typedef struct duet_date {
    int64_t year;
    int month, day;
} duet_date;

// The date of a day, from the first of March of the year 0.
duet_date duet_date_of(duet_int128 day);
// The day of a date. False: there is no such day.
bool duet_clock_day(int year, int month, int day, int64_t *number);
// Reads "Z", "+01:00", "+0100" or nothing, up to the end of the text; NULL if it is none of them.
const char *duet_clock_zone(const char *text, char zone[8]);

#endif
