// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/when.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "core/system/try.h"

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

// --- numbers that may be days --------------------------------------------------------------------

// Whether a header speaks of days.
static bool says_date(const char *name)
{
    static const char *const words[] = {"date",    "due",     "datum",        "termin",
                                        "eingang", "faellig", "f\xc3\xa4llig"};
    bool date = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        for (const char *at = name; *at != '\0'; at++) {
            date = date || strncasecmp(at, words[i], length) == 0;
        }
    }
    return date;
}

// Whether a number counts days as spreadsheets do: from 2009 to 2064, in a field of digits alone.
static bool is_serial(const char *text, const duet_read_time *time)
{
    int64_t days = time->value.mantissa;
    for (int i = 0; i < time->value.places; i++) {
        days /= 10;
    }
    return days >= 40000 && days <= 60000 && text[strspn(text, "0123456789.,")] == '\0';
}

void duet_see_serial(duet_field_uses *fields, const duet_field *field, bool deadline,
                     const char *text, const duet_read_when *when)
{
    if (fields == NULL || (!when->dated && when->time.forbidden)) {
        return;
    }
    duet_serial_days *serials = &fields->serials[deadline];
    bool serial = !when->dated && says_date(field->name) && is_serial(text, &when->time);
    if (serial && serials->found++ == 0) {
        snprintf(serials->name, sizeof serials->name, "%s", field->name);
    }
    serials->others = serials->others || !serial;
}

duet_code duet_note_serials(const duet_field_uses *fields, duet_builder *builder, duet_error *error)
{
    for (int i = 0; i < 2; i++) {
        char notice[400];
        const duet_serial_days *serials = &fields->serials[i];
        snprintf(notice, sizeof notice,
                 "the numbers of \"%.60s\" are from 40000 to 60000, as spreadsheets number days: "
                 "they are taken as numbers in the unit of the times; where they are days, write "
                 "them as dates, such as 2026-12-01",
                 serials->name);
        if (serials->found > 0 && !serials->others) {
            DUET_TRY(duet_builder_add_notice(builder, notice, error));
        }
    }
    return DUET_OK;
}
