// SPDX-License-Identifier: Apache-2.0
// Releases and deadlines that are days and times of day, of an instance that is being built: told
// from the start, or else from the earliest of them, which then is the start. Deadlines alone do
// not say when work begins, and none is before that. A day is there from its midnight on, and a
// deadline on a day is its end.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/instance/unit.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static duet_code keep(duet_builder *builder, bool deadline, const duet_moment *moment,
                      duet_error *error)
{
    const duet_builder_moment kept = {builder->kinds - 1, deadline, *moment};
    return duet_vec_push(builder->moment, builder->moments, error, kept);
}

// "20261201" is a number, and may be meant as a day.
static int64_t day_number(const duet_decimal *value)
{
    enum { FIRST = 19700101, END = 21000101, PARTS = 100 };
    int64_t day;
    int64_t number = value->mantissa;
    bool meant = value->places == 0 && number >= FIRST && number < END &&
                 duet_clock_day((int)(number / PARTS / PARTS), (int)(number / PARTS % PARTS),
                                (int)(number % PARTS), &day);
    return meant ? number : 0;
}

static void count_number(duet_builder *builder, bool deadline, const duet_read_when *when)
{
    if (when->dated || when->time.forbidden || when->time.value.mantissa == 0) {
        return;
    }
    if (builder->numbers[deadline]++ == 0) {
        builder->day_number[deadline] = day_number(&when->time.value);
    }
}

duet_code duet_builder_set_release_when(duet_builder *builder, const duet_read_when *release,
                                        duet_error *error)
{
    static const duet_read_time zero = {.forbidden = false};
    count_number(builder, false, release);
    return release->dated ? keep(builder, false, &release->moment, error)
                          : duet_builder_set_release(
                                builder, release->time.forbidden ? &zero : &release->time, error);
}

duet_code duet_builder_set_deadline_when(duet_builder *builder, const duet_read_when *deadline,
                                         duet_error *error)
{
    count_number(builder, true, deadline);
    return deadline->dated ? keep(builder, true, &deadline->moment, error)
                           : duet_builder_set_deadline(builder, &deadline->time, error);
}

void duet_builder_set_start(duet_builder *builder, const duet_clock *start)
{
    builder->instance->clock = *start;
}

const duet_clock *duet_builder_start(const duet_builder *builder)
{
    return &builder->instance->clock;
}

duet_code duet_builder_tell_start(duet_builder *builder, const duet_clock *start, int line,
                                  int column, duet_error *error)
{
    const duet_clock *set = &builder->instance->clock;
    if (!set->known) {
        builder->start = (duet_builder_spot){line, column};
        duet_builder_set_start(builder, start);
        return DUET_OK;
    }
    if (builder->start.line > 0) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                                 "a second start; expected one");
    }
    bool zones = (set->zone[0] == '\0') == (start->zone[0] == '\0');
    return zones && duet_clock_between(set, start) == 0
               ? DUET_OK
               : duet_builder_add_notice(builder,
                                         "the file says another start than the one that is asked "
                                         "for, which counts",
                                         error);
}

// A start that the file says needs a unit, as has every time of day.
static duet_code check_start(duet_builder *builder, duet_error *error)
{
    duet_unit unit;
    const char *name = duet_builder_time_unit(builder);
    if (builder->start.line == 0 || (name != NULL && duet_unit_find(name, &unit))) {
        return DUET_OK;
    }
    builder->instance->clock = (duet_clock){.known = false};
    return duet_builder_add_notice(
        builder,
        "the start of the file is not used: no unit of time is known; \"time_unit\", or --unit, "
        "says it, " DUET_UNIT_NAMES,
        error);
}

// What is known of all moments.
typedef struct survey {
    const duet_clock *earliest;
    bool due_first;       // it is a deadline
    bool zones, no_zones; // some have one, and some have not
    size_t deadlines;
    size_t days;                    // deadlines that are days
    size_t early;                   // releases before the start
    const duet_builder_moment *due; // the earliest deadline before the start; NULL: there is none
} survey;

static survey look(const duet_builder *builder)
{
    survey all = {.earliest = NULL};
    for (size_t i = 0; i < builder->moments; i++) {
        const duet_builder_moment *moment = &builder->moment[i];
        const duet_clock *clock = &moment->moment.clock;
        bool earlier = all.earliest == NULL || duet_clock_between(all.earliest, clock) < 0;
        all.earliest = earlier ? clock : all.earliest;
        all.due_first = earlier ? moment->deadline : all.due_first;
        all.zones = all.zones || clock->zone[0] != '\0';
        all.no_zones = all.no_zones || clock->zone[0] == '\0';
        all.deadlines += moment->deadline;
        all.days += moment->deadline && moment->moment.day;
    }
    return all;
}

// Without a zone a moment is in that of the start.
static duet_code check_zones(const duet_builder *builder, const survey *all, bool started,
                             duet_error *error)
{
    const duet_clock *start = &builder->instance->clock;
    if (!started && all->zones && all->no_zones) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "some dates name a zone, such as Z or +01:00, and others none; "
                                 "expected --start 2026-12-01T08:00+01:00 or so, with the zone of "
                                 "the others");
    }
    if (started && all->zones && start->zone[0] == '\0') {
        char zoned[DUET_CLOCK_TEXT + 1];
        snprintf(zoned + strlen(duet_clock_format(builder->instance, 0, zoned)), 2, "Z");
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "dates of the file name a zone; expected --start %s or so, with "
                                 "one",
                                 zoned);
    }
    return DUET_OK;
}

// A clock that is not that of the instance, as --start takes it.
static const char *say_clock(const duet_builder *builder, const duet_clock *clock,
                             char text[DUET_CLOCK_TEXT])
{
    duet_instance other = *builder->instance;
    other.clock = *clock;
    return duet_clock_format(&other, 0, text);
}

// When a task is due does not say when work begins.
static duet_code refuse_deadlines(const duet_builder *builder, const survey *all, duet_error *error)
{
    char text[DUET_CLOCK_TEXT];
    duet_clock day = *all->earliest;
    day.second = 0;
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                             "deadlines alone are dates, and none says when work begins, which is "
                             "time 0; expected it, such as --start %s",
                             say_clock(builder, &day, text));
}

static duet_code refuse_late(const duet_builder *builder, const duet_builder_moment *due,
                             duet_error *error)
{
    char start[DUET_CLOCK_TEXT];
    char text[DUET_CLOCK_TEXT];
    duet_clock clock = due->moment.clock;
    const duet_clock *from = &builder->instance->clock;
    if (clock.zone[0] == '\0') { // it is in that of the start
        memcpy(clock.zone, from->zone, sizeof clock.zone);
    }
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[due->kind], 0,
                             "the deadline of task '%.60s' is before the start, %s; expected a "
                             "start that no deadline is before, such as --start %s, or no such "
                             "deadline",
                             builder->ids + builder->instance->id_at[due->kind],
                             say_clock(builder, from, start), say_clock(builder, &clock, text));
}

// From the start to a moment, and to the end of a day as a deadline.
static int64_t seconds_to(const duet_builder *builder, const duet_builder_moment *moment)
{
    int64_t seconds = duet_clock_between(&builder->instance->clock, &moment->moment.clock);
    return seconds + (moment->deadline && moment->moment.day ? DUET_CLOCK_DAY : 0);
}

// From the start to a moment, in the unit of the instance; *early: it is before, and is 0.
static bool tell(const duet_builder *builder, const duet_builder_moment *moment, duet_unit unit,
                 duet_read_time *out, bool *early)
{
    enum { BILLION = 1000000000 };
    int64_t seconds = seconds_to(builder, moment);
    *early = seconds < 0;
    *out = (duet_read_time){.forbidden = false};
    if (*early) {
        return true;
    }
    duet_decimal value = {seconds, 0};
    uint32_t left = moment->moment.billionths;
    if (left > 0) {
        if (seconds > DUET_MAX_WORK / BILLION) {
            return false;
        }
        value = (duet_decimal){seconds * BILLION + left, 9};
        while (value.mantissa % 10 == 0) {
            value.mantissa /= 10;
            value.places--;
        }
    }
    duet_long_decimal told = {value, DUET_DECIMAL_NO_TAIL};
    bool good = duet_unit_of_seconds(told, unit, &told);
    *out = (duet_read_time){.value = told.value, .tail = told.tail};
    return good;
}

static duet_code set(duet_builder *builder, const duet_builder_moment *moment,
                     const duet_read_time *time, duet_error *error)
{
    size_t kinds = builder->kinds;
    builder->kinds = moment->kind + 1; // the kind that counts as added last
    duet_code code = moment->deadline ? duet_builder_set_deadline(builder, time, error)
                                      : duet_builder_set_release(builder, time, error);
    builder->kinds = kinds;
    return code;
}

static duet_code note(duet_builder *builder, const survey *all, bool started, bool unitless,
                      duet_error *error)
{
    char notice[400];
    char start[DUET_CLOCK_TEXT];
    size_t count = builder->moments;
    int used =
        snprintf(notice, sizeof notice, "%zu date%s told from %s", count,
                 count == 1 ? " is" : "s are", duet_clock_format(builder->instance, 0, start));
    if (!started) {
        used += snprintf(notice + used, sizeof notice - (size_t)used,
                         ", the earliest%s, which is time 0 (--start says another)",
                         all->due_first ? ", a deadline" : "");
    }
    if (all->days > 0) {
        used += snprintf(notice + used, sizeof notice - (size_t)used,
                         ", and a day as a deadline is its end");
    }
    if (all->early > 0) {
        used += snprintf(notice + used, sizeof notice - (size_t)used,
                         ", %zu of them before it as 0", all->early);
    }
    if (unitless) {
        snprintf(notice + used, sizeof notice - (size_t)used,
                 "; all times are in seconds (--unit says another unit)");
    }
    return !started || all->days > 0 || all->early > 0 || unitless
               ? duet_builder_add_notice(builder, notice, error)
               : DUET_OK;
}

bool duet_builder_has_moments(const duet_builder *builder)
{
    return builder->moments > 0;
}

// Numbers where others are dates, or that look like such.
static duet_code note_numbers(duet_builder *builder, bool deadline, size_t dates, duet_error *error)
{
    char notice[200];
    const char *what = deadline ? "deadline" : "release";
    size_t count = builder->numbers[deadline];
    long long day = (long long)builder->day_number[deadline];
    if (count > 0 && dates > 0) {
        snprintf(notice, sizeof notice,
                 "%zu %s%s beside dates %s a number, and so a time from the start on", count, what,
                 count == 1 ? "" : "s", count == 1 ? "is" : "are each");
    } else if (day != 0) {
        snprintf(notice, sizeof notice,
                 "the %s %lld is a number, and so a time from the start on; a day is written as "
                 "%04lld-%02lld-%02lld",
                 what, day, day / 10000, day / 100 % 100, day % 100);
    } else {
        return DUET_OK;
    }
    return duet_builder_add_notice(builder, notice, error);
}

// The unit of the instance, which is the second where none is named.
static duet_code find_unit(duet_builder *builder, duet_unit *unit, bool *unitless,
                           duet_error *error)
{
    const char *name = duet_builder_time_unit(builder);
    *unitless = name == NULL || name[0] == '\0';
    if (*unitless) {
        DUET_TRY(duet_builder_set_time_unit(builder, "s", error));
        name = duet_builder_time_unit(builder);
    }
    return duet_unit_find(name, unit)
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                   "the file has dates, and its unit \"%.40s\" is not known; "
                                   "expected --unit to say " DUET_UNIT_NAMES,
                                   name);
}

duet_code duet_builder_tell_moments(duet_builder *builder, duet_error *error)
{
    duet_unit unit;
    bool unitless;
    survey all = look(builder);
    DUET_TRY(note_numbers(builder, false, builder->moments - all.deadlines, error));
    DUET_TRY(note_numbers(builder, true, all.deadlines, error));
    if (all.earliest == NULL) {
        return check_start(builder, error);
    }
    bool started = builder->instance->clock.known;
    DUET_TRY(find_unit(builder, &unit, &unitless, error));
    DUET_TRY(check_zones(builder, &all, started, error));
    if (!started && all.deadlines == builder->moments) {
        return refuse_deadlines(builder, &all, error);
    }
    if (!started) {
        duet_builder_set_start(builder, all.earliest);
    }
    for (size_t i = 0; i < builder->moments; i++) {
        duet_read_time time;
        bool early;
        if (!tell(builder, &builder->moment[i], unit, &time, &early)) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                     "a date is too far from the start: expected at most 2^62 "
                                     "units of time between them");
        }
        bool deadline = builder->moment[i].deadline;
        all.early += early && !deadline;
        bool first = all.due == NULL ||
                     seconds_to(builder, &builder->moment[i]) < seconds_to(builder, all.due);
        all.due = early && deadline && first ? &builder->moment[i] : all.due;
        DUET_TRY(set(builder, &builder->moment[i], &time, error));
    }
    return all.due != NULL ? refuse_late(builder, all.due, error)
                           : note(builder, &all, started, unitless, error);
}
