// SPDX-License-Identifier: Apache-2.0
#include "core/instance/unit.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

// Whether a text, but for the blanks around it, is that name in capitals or small letters.
static bool is_name(const char *text, const char *name)
{
    static const char blanks[] = " \t";
    size_t length = strlen(name);
    text += strspn(text, blanks);
    return strncasecmp(text, name, length) == 0 &&
           text[length + strspn(text + length, blanks)] == '\0';
}

bool duet_unit_find(const char *name, duet_unit *unit)
{
    static const struct {
        const char *names[7];
        duet_unit unit;
    } known[] = {
        {{"ns", "nsec", "nsecs", "nanosecond", "nanoseconds"}, {1, -3}},
        {{"us", "\xC2\xB5s" /* micro sign */, "\xCE\xBCs" /* Greek mu */, "usec", "usecs",
          "microsecond", "microseconds"},
         {1, 0}},
        {{"ms", "msec", "msecs", "millisecond", "milliseconds"}, {1, 3}},
        {{"s", "sec", "secs", "second", "seconds"}, {1, 6}},
        {{"min", "mins", "minute", "minutes"}, {60, 6}},
        {{"h", "hr", "hrs", "hour", "hours"}, {3600, 6}},
        {{"d", "day", "days"}, {86400, 6}},
        {{"week", "weeks"}, {604800, 6}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (size_t n = 0; n < 7 && known[i].names[n] != NULL; n++) {
            if (is_name(name, known[i].names[n])) {
                *unit = known[i].unit;
                return true;
            }
        }
    }
    return false;
}

bool duet_unit_same(const char *a, const char *b)
{
    duet_unit first;
    duet_unit second;
    if (!duet_unit_find(a, &first) || !duet_unit_find(b, &second)) {
        return strcmp(a, b) == 0;
    }
    return first.factor == second.factor && first.exponent == second.exponent;
}

bool duet_unit_of_seconds(duet_long_decimal seconds, duet_unit unit, duet_long_decimal *out)
{
    enum { SECOND = 6 }; // 10^6 microseconds
    const duet_long_decimal none = {{0, 0}, DUET_DECIMAL_NO_TAIL};
    const duet_long_decimal scale = {{(int64_t)duet_power_of_ten(SECOND - unit.exponent), 0},
                                     DUET_DECIMAL_NO_TAIL};
    const duet_long_decimal factor = {{unit.factor, 0}, DUET_DECIMAL_NO_TAIL};
    return duet_decimal_product_sum(seconds, scale, none, out) &&
           duet_decimal_quotient(*out, factor, out);
}
