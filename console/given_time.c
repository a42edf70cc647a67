// SPDX-License-Identifier: Apache-2.0
#include "console/given_time.h"

#include <stdio.h>
#include <string.h>

#include "console/args.h"
#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/instance/unit.h"
#include "core/number/decimal.h"
#include "core/system/try.h"

bool duet_cli_take_start(void *input, const char *text)
{
    duet_cli_args *args = input;
    duet_clock clock;
    args->start = text;
    return duet_clock_read(text, &clock) ||
           duet_cli_usage(args,
                          "--start: expected a day and a time such as 2026-11-27T09:00, with "
                          "seconds, Z or +01:00 behind or not, got '%.60s'",
                          text);
}

// The seconds from the start of the instance to a day and a time, which is in its zone where it
// names none; -1: it names none to which the other one could be told, or is before the start.
static int64_t seconds_to(const duet_clock *start, const duet_clock *at)
{
    if (at->zone[0] != '\0' && start->zone[0] == '\0') {
        return -1;
    }
    int64_t seconds = duet_clock_between(start, at);
    return seconds < 0 ? -1 : seconds;
}

// Between an option and its value: "--now 3", and "--replan every=3".
static const char *gap_behind(const char *option)
{
    return option[strlen(option) - 1] == '=' ? "" : " ";
}

// A length such as "1h 20m", or a day and a time. *is_one: it is one of these.
static duet_code read_seconds(const char *option, const char *text, const duet_instance *instance,
                              bool *is_one, duet_long_decimal *out, duet_error *error)
{
    duet_clock clock;
    duet_unit unit;
    duet_read_time length = {.value = {0, 0}};
    duet_long_decimal seconds = {{0, 0}, DUET_DECIMAL_NO_TAIL};
    bool day = duet_clock_read(text, &clock);
    *is_one = day || duet_duration_read(text, strlen(text), &length);
    if (!*is_one) {
        return DUET_OK;
    }
    if (day && !duet_clock_is_known(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s%s%.60s: expected --start, the day and the time of instant 0, "
                              "beside it",
                              option, gap_behind(option), text);
    }
    seconds.value.mantissa = day ? seconds_to(&instance->clock, &clock) : length.value.mantissa;
    if (seconds.value.mantissa < 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s%s%.60s: expected a time that is not before --start, with Z or "
                              "+01:00 behind it where that has one",
                              option, gap_behind(option), text);
    }
    seconds.value.places = day ? 0 : length.value.places;
    seconds.tail = day ? DUET_DECIMAL_NO_TAIL : length.tail;
    if (!duet_unit_find(duet_instance_time_unit(instance), &unit)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s%s%.60s: expected a number, or --unit to say " DUET_UNIT_NAMES
                              ": the instance names no unit of time that is known",
                              option, gap_behind(option), text);
    }
    return duet_unit_of_seconds(seconds, unit, out)
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE, "%s%s%.60s: expected %s", option,
                                gap_behind(option), text,
                                duet_decimal_expected(DUET_DECIMAL_RANGE));
}

duet_code duet_cli_read_given_time(const char *option, const char *text,
                                   const duet_instance *instance, duet_cli_given_time *given,
                                   duet_error *error)
{
    duet_long_decimal time;
    bool exact;
    bool is_one = false;
    duet_decimal_fault fault = duet_decimal_read(text, strlen(text), &time.value, &time.tail);
    if (fault == DUET_DECIMAL_SYNTAX) {
        DUET_TRY(read_seconds(option, text, instance, &is_one, &time, error));
        fault = is_one ? DUET_DECIMAL_OK : fault;
    }
    if (fault == DUET_DECIMAL_OK &&
        !duet_decimal_raise(time.value, time.tail, duet_instance_decimals(instance), &given->ticks,
                            &exact)) {
        fault = DUET_DECIMAL_RANGE;
    }
    if (fault != DUET_DECIMAL_OK) {
        return duet_error_set(error, DUET_E_USAGE, "%s%s%.60s: expected %s%s", option,
                              gap_behind(option), text, duet_decimal_expected(fault),
                              fault != DUET_DECIMAL_SYNTAX
                                  ? ""
                                  : ", a length such as 1h20m, or with --start a day and a time");
    }
    given->ticks -= exact ? 0 : 1;
    bool short_enough = time.value.places <= DUET_MAX_DECIMALS && time.tail == DUET_DECIMAL_NO_TAIL;
    duet_decimal_format(short_enough ? time.value.mantissa : given->ticks,
                        short_enough ? time.value.places : duet_instance_decimals(instance),
                        given->text);
    return DUET_OK;
}

char *duet_cli_given_text(const duet_cli_given_time *given, const duet_instance *instance,
                          char *buffer)
{
    const char *unit = duet_instance_time_unit(instance);
    snprintf(buffer, DUET_CLI_GIVEN_TEXT, "%s%s%.30s", given->text, unit[0] == '\0' ? "" : " ",
             unit);
    return buffer;
}
