// SPDX-License-Identifier: Apache-2.0
// Days and times of day as people and tools write them: "2026-12-01", "2026-12-01 14:00",
// "2026-12-01T14:00:00.5Z", "20261201T140000", "01.12.2026 14:00", "1-Dec-2026", "Tue 12/15/2026
// 2:00 PM".
#ifndef DUET_CORE_INSTANCE_MOMENT_H
#define DUET_CORE_INSTANCE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"

// A day and perhaps a time of it.
typedef struct duet_moment {
    duet_clock clock; // midnight where it names no time
    uint32_t billionths;
    bool day; // it names no time
} duet_moment;

// What comes first in a date such as 3/4/2026.
typedef enum duet_date_order {
    DUET_DATES_CLEAR, // dates that may be read in two ways are refused
    DUET_DATES_DAY_FIRST,
    DUET_DATES_MONTH_FIRST
} duet_date_order;

typedef enum duet_moment_fault {
    DUET_MOMENT_OK,
    DUET_MOMENT_SYNTAX,     // no date at all
    DUET_MOMENT_TWO_WAYS,   // day and month may be either
    DUET_MOMENT_SHORT_YEAR, // two digits
    DUET_MOMENT_NO_DAY,     // as the 30th of February
    DUET_MOMENT_NO_WEEKDAY, // it is another day of the week
    DUET_MOMENT_NO_TIME     // what stands behind the day is no time of it
} duet_moment_fault;

// Reads a moment. *order is what comes first in dates of which two numbers may be either; where it
// is DUET_DATES_CLEAR, it receives what this date has, if it is such a one.
duet_moment_fault duet_moment_read(const char *text, duet_date_order *order, duet_moment *moment);
// Whether a text begins as a moment does, be it one or not.
bool duet_moment_is_one(const char *text);

// A release or a deadline, as read: a time from the start on, or a moment.
typedef struct duet_read_when {
    duet_read_time time; // forbidden: there is none
    bool dated;          // the moment counts
    duet_moment moment;
} duet_read_when;
// As duet_builder_set_release() and duet_builder_set_deadline(), of times that may be moments. What
// these are in the unit of the instance is settled by duet_builder_finish(): from
// duet_builder_set_start() on, else from the earliest of them.
duet_code duet_builder_set_release_when(duet_builder *builder, const duet_read_when *release,
                                        duet_error *error);
duet_code duet_builder_set_deadline_when(duet_builder *builder, const duet_read_when *deadline,
                                         duet_error *error);
// The moment that is time 0.
void duet_builder_set_start(duet_builder *builder, const duet_clock *start);
// What was set; its `known` is false where nothing was.
const duet_clock *duet_builder_start(const duet_builder *builder);
// As duet_builder_set_start(), of what a file says: where another one is set it stays, with a
// notice. DUET_E_MEMORY, and DUET_E_INPUT where the file has said one. Without a unit of time
// duet_builder_finish() drops it, with a notice.
duet_code duet_builder_tell_start(duet_builder *builder, const duet_clock *start, int line,
                                  int column, duet_error *error);

// Whether some time so far is a moment.
bool duet_builder_has_moments(const duet_builder *builder);

// calendar.c
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

// duration.c
// The seconds of such a text, exactly. False where it is none; a number without a unit is none, nor
// is "01:30", which may be minutes or hours.
bool duet_duration_read(const char *text, size_t length, duet_read_time *seconds);

#endif
