// SPDX-License-Identifier: Apache-2.0
#include "core/instance/moment.h"

#include <string.h>
#include <strings.h>

// The parts of a date while it is read.
typedef struct date {
    int year, month, day;
} date;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

// A number of at most four digits, and how many these are: 0 where there is none.
static size_t take_number(const char **at, int *number)
{
    size_t digits = 0;
    *number = 0;
    while (digits < 4 && is_digit((*at)[digits])) {
        *number = 10 * *number + ((*at)[digits++] - '0');
    }
    *at += digits;
    return is_digit(**at) ? 0 : digits;
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length])) {
        length++;
    }
    return length;
}

// Which of the words begins with these letters, at least three, from 1; 0: none.
static int find_word(const char *const *words, int count, const char *at, size_t length)
{
    for (int i = 0; i < count && length >= 3; i++) {
        if (length <= strlen(words[i]) && strncasecmp(words[i], at, length) == 0) {
            return i + 1;
        }
    }
    return 0;
}

// *weekday: from 1, 0: none is named.
static const char *skip_weekday(const char *at, int *weekday)
{
    static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};
    size_t length = word_length(at);
    *weekday = find_word(days, 7, at, length);
    if (*weekday == 0) {
        return at;
    }
    at += length;
    at += *at == '.';
    return skip_blanks(at + (*at == ','));
}

static bool take_month(const char **at, int *month)
{
    static const char *const months[] = {"january",  "february", "march",    "april", "may",
                                         "june",     "july",     "august",   "sept",  "october",
                                         "november", "december", "september"};
    size_t length = word_length(*at);
    int found = find_word(months, 13, *at, length);
    *month = found == 13 ? 9 : found;
    *at += found > 0 ? length : 0;
    *at += found > 0 && **at == '.';
    return found > 0;
}

// "2026-12-01" and "2026/12/1", of which the year has been taken.
static duet_moment_fault take_year_first(const char **at, date *out)
{
    char sign = *(*at)++;
    size_t month = take_number(at, &out->month);
    if (month < 1 || month > 2 || *(*at)++ != sign) {
        return DUET_MOMENT_SYNTAX;
    }
    size_t day = take_number(at, &out->day);
    return day >= 1 && day <= 2 ? DUET_MOMENT_OK : DUET_MOMENT_SYNTAX;
}

// The year behind a day and a month.
static duet_moment_fault take_year(const char **at, date *out)
{
    size_t digits = take_number(at, &out->year);
    return digits == 4 ? DUET_MOMENT_OK : digits == 2 ? DUET_MOMENT_SHORT_YEAR : DUET_MOMENT_SYNTAX;
}

// "3/4/2026" and "3-4-2026", of which these two numbers have been taken.
static duet_moment_fault settle_order(int first, int second, duet_date_order *order, date *out)
{
    duet_date_order own = first > 12    ? DUET_DATES_DAY_FIRST
                          : second > 12 ? DUET_DATES_MONTH_FIRST
                                        : DUET_DATES_CLEAR;
    bool same = first == second; // either way it is the same day
    if (*order == DUET_DATES_CLEAR) {
        *order = own;
    }
    bool day_first = *order == DUET_DATES_DAY_FIRST;
    out->day = day_first ? first : second;
    out->month = day_first ? second : first;
    return *order == DUET_DATES_CLEAR && !same ? DUET_MOMENT_TWO_WAYS : DUET_MOMENT_OK;
}

// "01.12.2026", "3/4/2026", "1-Dec-2026" and "1 December 2026", of which the first number has been
// taken.
static duet_moment_fault take_year_last(const char **at, int first, duet_date_order *order,
                                        date *out)
{
    bool dot = **at == '.';
    char sign = strchr("./- ", **at) == NULL ? '\0' : **at;
    *at = sign == '\0' ? *at : skip_blanks(*at + 1);
    out->day = first;
    if (take_month(at, &out->month)) {
        *at += **at == sign || **at == ',' ? 1 : 0;
        *at = skip_blanks(*at);
        return take_year(at, out);
    }
    int second;
    size_t digits = take_number(at, &second);
    if (sign == '\0' || sign == ' ' || digits < 1 || digits > 2 || **at != sign) {
        return DUET_MOMENT_SYNTAX;
    }
    *at = skip_blanks(*at + 1);
    duet_moment_fault year = take_year(at, out);
    out->month = second;
    return year != DUET_MOMENT_OK || dot ? year : settle_order(first, second, order, out);
}

// "Dec 1, 2026"
static duet_moment_fault take_named_month(const char **at, date *out)
{
    if (!take_month(at, &out->month)) {
        return DUET_MOMENT_SYNTAX;
    }
    *at = skip_blanks(*at);
    size_t digits = take_number(at, &out->day);
    if (digits < 1 || digits > 2) {
        return DUET_MOMENT_SYNTAX;
    }
    *at = skip_blanks(*at + (**at == ','));
    return take_year(at, out);
}

// "20261201T", as calendars of computers have it.
static bool take_plain(const char **at, date *out)
{
    bool plain = strspn(*at, "0123456789") == 8 && (*at)[8] == 'T';
    int number = 0;
    for (int i = 0; i < 8 && plain; i++) {
        number = 10 * number + ((*at)[i] - '0');
    }
    *at += plain ? 8 : 0;
    *out = (date){number / 10000, number / 100 % 100, number % 100};
    return plain;
}

static duet_moment_fault take_date(const char **at, duet_date_order *order, date *out)
{
    int first;
    if (take_plain(at, out)) {
        return DUET_MOMENT_OK;
    }
    if (is_letter(**at)) {
        return take_named_month(at, out);
    }
    size_t digits = take_number(at, &first);
    if (digits == 4 && strchr("-/.", **at) != NULL && **at != '\0') {
        out->year = first;
        return take_year_first(at, out);
    }
    return digits == 1 || digits == 2 ? take_year_last(at, first, order, out) : DUET_MOMENT_SYNTAX;
}

// ".25" in billionths; digits beyond these are left out.
static void take_fraction(const char **at, uint32_t *billionths)
{
    uint32_t unit = 100000000;
    *billionths = 0;
    if ((**at == '.' || **at == ',') && is_digit((*at)[1])) {
        for (++*at; is_digit(**at); ++*at) {
            *billionths += unit * (uint32_t)(**at - '0');
            unit /= 10;
        }
    }
}

// "AM" or "PM" behind an hour; false where the hour is none of a half day.
static bool take_half_day(const char **at, int *hour)
{
    const char *next = skip_blanks(*at);
    bool half =
        (strncasecmp(next, "am", 2) == 0 || strncasecmp(next, "pm", 2) == 0) && !is_letter(next[2]);
    if (!half) {
        return true;
    }
    bool after_noon = next[0] == 'p' || next[0] == 'P';
    *at = next + 2;
    bool good = *hour >= 1 && *hour <= 12;
    *hour = *hour % 12 + (after_noon ? 12 : 0);
    return good;
}

// "14:00:30.5", "2:00 PM", "140030"
static bool take_clock(const char **at, duet_moment *moment)
{
    int hour;
    int minute = 0;
    int second = 0;
    if (strspn(*at, "0123456789") == 6) {
        hour = 10 * ((*at)[0] - '0') + (*at)[1] - '0';
        minute = 10 * ((*at)[2] - '0') + (*at)[3] - '0';
        second = 10 * ((*at)[4] - '0') + (*at)[5] - '0';
        *at += 6;
    } else {
        size_t hours = take_number(at, &hour);
        bool good = hours >= 1 && hours <= 2 && *(*at)++ == ':' && take_number(at, &minute) == 2;
        if (good && **at == ':') {
            ++*at;
            good = take_number(at, &second) == 2;
        }
        if (!good) {
            return false;
        }
    }
    take_fraction(at, &moment->billionths);
    bool half = take_half_day(at, &hour);
    moment->clock.second = 3600 * hour + 60 * minute + second;
    return half && hour <= 23 && minute <= 59 && second <= 59;
}

// What stands behind the day: nothing, or a time of it and perhaps a zone.
static duet_moment_fault take_time(const char *at, duet_moment *moment)
{
    const char *next = skip_blanks(at);
    moment->day = *next == '\0';
    if (moment->day) {
        return DUET_MOMENT_OK;
    }
    next += *next == ',' || *next == 'T' || *next == 't' ? 1 : 0;
    next = skip_blanks(next);
    if (next == at || !take_clock(&next, moment)) {
        return DUET_MOMENT_NO_TIME;
    }
    next = skip_blanks(next);
    bool utc = strcasecmp(next, "UTC") == 0 || strcasecmp(next, "GMT") == 0;
    next = duet_clock_zone(utc ? "Z" : next, moment->clock.zone);
    return next != NULL && *next == '\0' ? DUET_MOMENT_OK : DUET_MOMENT_NO_TIME;
}

duet_moment_fault duet_moment_read(const char *text, duet_date_order *order, duet_moment *moment)
{
    enum { MOST = 64 }; // bytes of a moment without the blanks behind it
    char trimmed[MOST];
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    if (length >= MOST) {
        return DUET_MOMENT_SYNTAX;
    }
    memcpy(trimmed, text, length);
    trimmed[length] = '\0';
    date at = {0, 0, 0};
    int weekday;
    const char *next = skip_weekday(skip_blanks(trimmed), &weekday);
    *moment = (duet_moment){.clock = {.known = true}};
    duet_moment_fault fault = take_date(&next, order, &at);
    if (fault != DUET_MOMENT_OK) {
        return fault;
    }
    if (at.year == 0 || !duet_clock_day(at.year, at.month, at.day, &moment->clock.day)) {
        return DUET_MOMENT_NO_DAY;
    }
    if (weekday != 0 && (moment->clock.day + 2) % 7 != weekday - 1) { // day 0 is a Wednesday
        return DUET_MOMENT_NO_WEEKDAY;
    }
    return take_time(next, moment);
}

bool duet_moment_is_one(const char *text)
{
    duet_moment moment;
    duet_date_order order = DUET_DATES_CLEAR;
    return duet_moment_read(text, &order, &moment) != DUET_MOMENT_SYNTAX;
}
