// SPDX-License-Identifier: Apache-2.0
// Times in tables: words for "cannot run", decimal points and commas, and what looks like a number
// but says no certain one.
//
// Spreadsheets of half the world write 1,5 for one and a half and separate columns by semicolons;
// others write 1,234 for a thousand and so. A comma is a decimal mark where it does not separate
// columns. With tabs it may be either, so that a table needs one comma that cannot separate
// thousands. A table with decimal points and commas is refused.
#include "instances/formats/csv/time.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "core/system/shell_word.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

enum { MOST = 400 }; // bytes of a number with a comma

static duet_code refuse(const duet_csv *csv, size_t field, const char *expected)
{
    const duet_csv_field *at = &csv->fields[field];
    const char *text = duet_csv_text(csv, field);
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, at->line, at->column,
                             "time \"%.40s%s\": expected %s", text, strlen(text) > 40 ? "..." : "",
                             expected);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Whether groups of digits are separated: 1 234, 1'234, 1_234, also by blanks that are not ASCII.
static bool has_groups(const char *text)
{
    static const char *const separators[] = {
        " ", "'", "_", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        const char *at = strstr(text, separators[i]);
        if (at != NULL && at > text && is_digit(at[-1]) && is_digit(at[strlen(separators[i])])) {
            return true;
        }
    }
    return false;
}

// A column that is taken for a processor type, and how to say that it is none.
static duet_code refuse_type(const duet_csv *csv, size_t field, const char *type,
                             const duet_csv_marks *marks)
{
    char advice[200] = "";
    char expected[480];
    char pass[DUET_FIELD_ADVICE];
    char word[DUET_SHELL_WORD];
    marks->adviser.advise(marks->adviser.user, advice, sizeof advice);
    duet_field_ignore_advice(type, pass);
    if (advice[0] != '\0') {
        snprintf(expected, sizeof expected,
                 "a decimal number, or nothing where the task cannot run; column \"%.60s\" is "
                 "taken for a processor type: --columns %s passes over what is no time; "
                 "after=COLUMN and so on add what is used",
                 type, duet_shell_word(advice, "NAME=COLUMN,...", word, sizeof word));
    } else {
        bool fits = strlen(pass) < 120 && !duet_field_is_type_name(type);
        snprintf(expected, sizeof expected,
                 "a decimal number, or nothing where the task cannot run; column \"%.60s\" is "
                 "taken for a processor type: --columns NAME=COLUMN,... picks those that are%s"
                 "%.119s%s",
                 type, fits ? ", and " : "", fits ? pass : "", fits ? " passes over it" : "");
    }
    return refuse(csv, field, expected);
}

// A time of the task itself.
static duet_code refuse_own(const duet_csv *csv, size_t field, const char *own,
                            duet_decimal_fault fault)
{
    char expected[DUET_FIELD_ADVICE + 240];
    char pass[DUET_FIELD_ADVICE];
    duet_field_ignore_advice(own, pass);
    bool text = fault == DUET_DECIMAL_SYNTAX;
    snprintf(expected, sizeof expected, "%s in column \"%.60s\", or %s",
             text ? "a number, a length such as 1h 30m or a date such as 2026-12-01 14:00"
                  : duet_decimal_expected(fault),
             own, pass);
    return refuse(csv, field, expected);
}

static duet_code refuse_number(const duet_csv *csv, size_t field, const char *type,
                               const duet_csv_marks *marks, duet_decimal_fault fault)
{
    const char *text = duet_csv_text(csv, field);
    char expected[200];
    bool moment = duet_moment_is_one(text);
    bool groups = has_groups(text) && !moment;
    if (marks->own != NULL && !groups) {
        return refuse_own(csv, field, marks->own, fault);
    }
    if (fault == DUET_DECIMAL_NEGATIVE) {
        return refuse(csv, field, "a number of at least 0, or nothing where the task cannot run");
    }
    if (fault == DUET_DECIMAL_RANGE) {
        return refuse(csv, field, "a number of at most 2^62 ticks: write times in a larger unit");
    }
    if (groups || (!moment && strchr(text, ':') != NULL && is_digit(text[0]))) {
        bool unit = !groups && duet_field_unit(type) != NULL;
        snprintf(expected, sizeof expected, "a decimal number%s column \"%.60s\"%s",
                 groups ? " without separators between its digits in"
                 : unit ? ", as the name of"
                        : ", or hours, minutes and seconds such as 00:01:30, in",
                 type, unit ? " says the unit" : "");
        return refuse(csv, field, expected);
    }
    return refuse_type(csv, field, type, marks);
}

// Whether a comma between these digits cannot separate thousands.
static bool is_decimal_mark(const char *text, const char *comma)
{
    size_t before = strspn(text, "0123456789");
    size_t after = strspn(comma + 1, "0123456789");
    return text + before != comma || before == 0 || before > 3 || text[0] == '0' || after != 3;
}

// A number with a comma, which is a decimal mark or refused.
static duet_code read_with_comma(const duet_csv *csv, size_t field, const char *type,
                                 duet_csv_marks *marks, duet_read_time *time)
{
    const char *text = duet_csv_text(csv, field);
    const char *comma = strchr(text, ',');
    char number[MOST];
    size_t length = csv->fields[field].length;
    if (strchr(comma + 1, ',') != NULL || strchr(text, '.') != NULL) {
        return refuse(csv, field, "a decimal number without separators between thousands");
    }
    if (csv->separator == ',') {
        return refuse(csv, field,
                      "a decimal number with a point; a comma separates columns in this file");
    }
    if (length >= sizeof number) {
        return refuse(csv, field, "at most 399 bytes");
    }
    memcpy(number, text, length + 1);
    number[comma - text] = '.';
    duet_decimal_fault fault = duet_decimal_read(number, length, &time->value, &time->tail);
    bool duration = fault == DUET_DECIMAL_SYNTAX && duet_duration_read(number, length, time);
    if (fault != DUET_DECIMAL_OK && !duration) {
        return refuse_number(csv, field, type, marks, fault);
    }
    marks->durations = marks->durations || duration;
    if (marks->comma_line == 0) {
        marks->comma_line = csv->fields[field].line;
        marks->comma_column = csv->fields[field].column;
    }
    marks->comma_is_mark = marks->comma_is_mark || is_decimal_mark(text, comma);
    return DUET_OK;
}

bool duet_csv_may_be_time(const duet_csv *csv, size_t field)
{
    const char *text = duet_csv_text(csv, field);
    size_t length = csv->fields[field].length;
    duet_read_time time;
    return duet_time_is_missing(text) || duet_duration_read(text, length, &time) ||
           duet_decimal_read(text, length, &time.value, &time.tail) != DUET_DECIMAL_SYNTAX ||
           (csv->separator != ',' && text[strspn(text, "0123456789,")] == '\0');
}

duet_code duet_csv_read_time(const duet_csv *csv, size_t field, const char *type,
                             duet_csv_marks *marks, duet_read_time *time)
{
    const duet_csv_field *at = &csv->fields[field];
    const char *text = duet_csv_text(csv, field);
    *time = (duet_read_time){.forbidden = false};
    duet_decimal_fault fault = duet_decimal_read(text, at->length, &time->value, &time->tail);
    duet_code code = DUET_OK;
    if (fault != DUET_DECIMAL_OK) {
        time->forbidden = fault == DUET_DECIMAL_SYNTAX && duet_time_is_missing(text);
        if (time->forbidden) {
            return DUET_OK;
        }
        if (fault == DUET_DECIMAL_SYNTAX && duet_duration_read(text, at->length, time)) {
            marks->durations = true;
            return DUET_OK;
        }
        code = strchr(text, ',') != NULL ? read_with_comma(csv, field, type, marks, time)
                                         : refuse_number(csv, field, type, marks, fault);
    } else if (marks->point_line == 0 && memchr(text, '.', at->length) != NULL) {
        marks->point_line = at->line;
    }
    if (code == DUET_OK && marks->point_line > 0 && marks->comma_line > 0) {
        char other[120];
        bool point = marks->point_line < marks->comma_line;
        snprintf(other, sizeof other,
                 "one decimal mark in the whole file, a point or a comma; line %d has a %s",
                 point ? marks->point_line : marks->comma_line, point ? "point" : "comma");
        code = refuse(csv, field, other);
    }
    return code;
}

duet_code duet_csv_read_own_time(const duet_csv *csv, size_t field, const char *name,
                                 duet_csv_marks *marks, duet_read_time *time)
{
    marks->own = name;
    duet_code code = duet_csv_read_time(csv, field, name, marks, time);
    marks->own = NULL;
    return code;
}

duet_code duet_csv_check_marks(const duet_csv *csv, const duet_csv_marks *marks)
{
    if (marks->comma_line == 0 || marks->comma_is_mark || csv->separator == ';') {
        return DUET_OK;
    }
    return duet_csv_fail(csv, marks->comma_line, marks->comma_column,
                         "every comma in this file has three digits behind it and may separate "
                         "thousands; expected decimal points, and nothing between thousands");
}
