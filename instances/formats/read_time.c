// SPDX-License-Identifier: Apache-2.0
// Times as files write them.
#include "instances/formats/formats.h"

#include <strings.h>

static duet_code refuse(const char *text, size_t length, duet_place place, const char *expected,
                        duet_error *error)
{
    int shown = length < 40 ? (int)length : 40;
    return duet_error_set_at(error, DUET_E_INPUT, place.file, place.line, place.column,
                             "time \"%.*s%s\": expected %s", shown, text, length > 40 ? "..." : "",
                             expected);
}

duet_code duet_read_time_text(const char *text, size_t length, duet_place place,
                              duet_read_time *time, duet_error *error)
{
    *time = (duet_read_time){.forbidden = false};
    duet_decimal_fault fault = duet_decimal_read(text, length, &time->value, &time->tail);
    return fault == DUET_DECIMAL_OK
               ? DUET_OK
               : refuse(text, length, place, duet_decimal_expected(fault), error);
}

duet_code duet_read_exact_time_text(const char *text, size_t length, duet_place place,
                                    duet_read_time *time, duet_error *error)
{
    *time = (duet_read_time){.forbidden = false};
    duet_decimal_fault fault = duet_decimal_parse(text, length, &time->value);
    return fault == DUET_DECIMAL_OK
               ? DUET_OK
               : refuse(text, length, place, duet_decimal_expected(fault), error);
}

// What pandas, R, NumPy and databases write where there is no value, and for "takes for ever".
bool duet_time_is_missing(const char *text)
{
    static const char *const words[] = {"nan",  "na",        "n/a", "#n/a", "<na>",
                                        "null", "none",      "nat", "inf",  "infinity",
                                        "+inf", "+infinity", "-"};
    bool missing = text[0] == '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words && !missing; i++) {
        missing = strcasecmp(text, words[i]) == 0;
    }
    return missing;
}
