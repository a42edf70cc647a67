// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/when.h"

#include <stdio.h>

#include "core/instance/moment.h"

// The next number of a text, behind what is none.
static int take_number(const char **text)
{
    int number = 0;
    while (**text != '\0' && (**text < '0' || **text > '9')) {
        ++*text;
    }
    for (; **text >= '0' && **text <= '9' && number < 10000; ++*text) {
        number = 10 * number + (**text - '0');
    }
    return number;
}

// The two days that "3/4/2026" may be, for a message.
static void say_two_ways(const char *text, char *out, size_t size)
{
    int first = take_number(&text);
    int second = take_number(&text);
    int year = take_number(&text);
    snprintf(out, size,
             "a date that is one: %04d-%02d-%02d, where -O dates=dmy says that days come first, or "
             "%04d-%02d-%02d, where -O dates=mdy says that months do",
             year, second, first, year, first, second);
}

static duet_code refuse(const duet_field *field, const char *text, duet_moment_fault fault,
                        bool asked, const char *file, duet_error *error)
{
    char advice[DUET_FIELD_ADVICE];
    char expected[300] = "a year of four digits, as in 2026-12-01";
    duet_field_ignore_advice(field->name, advice);
    if (fault == DUET_MOMENT_TWO_WAYS) {
        say_two_ways(text, expected, sizeof expected);
    } else if (fault == DUET_MOMENT_NO_DAY) {
        snprintf(expected, sizeof expected, "a day of the calendar, as in 2026-12-01%s",
                 asked ? ", where the option dates says what comes first" : "");
    } else if (fault == DUET_MOMENT_NO_WEEKDAY) {
        snprintf(expected, sizeof expected,
                 "the day of the week that this day is, or none, as in 2026-12-01");
    } else if (fault == DUET_MOMENT_NO_TIME) {
        snprintf(expected, sizeof expected,
                 "a day and a time such as 2026-12-01 14:00, with seconds, Z or +01:00 behind or "
                 "not");
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                             "%.60s \"%.40s\": expected %s, or %s", field->name, text, expected,
                             advice);
}

duet_code duet_read_moment(duet_field_uses *fields, const duet_field *field, const char *text,
                           const char *file, bool *dated, duet_read_when *when, duet_error *error)
{
    duet_date_order order = fields == NULL ? DUET_DATES_CLEAR : fields->dates;
    duet_moment_fault fault = duet_moment_read(text, &order, &when->moment);
    *dated = fault != DUET_MOMENT_SYNTAX;
    when->dated = fault == DUET_MOMENT_OK;
    if (!*dated) {
        return DUET_OK;
    }
    if (fault != DUET_MOMENT_OK) {
        bool asked = fields != NULL && fields->dates != DUET_DATES_CLEAR;
        return refuse(field, text, fault, asked, file, error);
    }
    duet_date_order *met = fields == NULL ? &order : &fields->met;
    if (order != DUET_DATES_CLEAR && *met != DUET_DATES_CLEAR && *met != order) {
        return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                                 "%.60s \"%.40s\": another date of the file has %s first; expected "
                                 "one order of day and month, or dates as in 2026-12-01",
                                 field->name, text,
                                 order == DUET_DATES_DAY_FIRST ? "the month" : "the day");
    }
    *met = order == DUET_DATES_CLEAR ? *met : order;
    return DUET_OK;
}
