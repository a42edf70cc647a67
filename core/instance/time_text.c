// SPDX-License-Identifier: Apache-2.0
// Times for people.
#include "core/instance/unit.h"

#include <stdio.h>

#include "core/number/minmax.h"

enum { DIGITS = 6, MOST_POWER = 38, FEWEST_ZEROS = 8, MOST_ZEROS = 12 };
enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

// number * 10^-from in units of 10^-to, to the nearest.
static duet_uint128 rescaled(duet_uint128 number, int from, int to)
{
    if (from - to > MOST_POWER) {
        return 0;
    }
    duet_uint128 power = duet_power_of_ten(from > to ? from - to : to - from);
    return from > to ? number / power + (number % power >= power - power / 2) : number * power;
}

// Whether number * 10^-places is at least 10^exponent.
static bool reaches(duet_uint128 number, int places, int exponent)
{
    int needed = exponent + places;
    return number > 0 &&
           (needed <= 0 || (needed <= MOST_POWER && number >= duet_power_of_ten(needed)));
}

char *duet_number_text(duet_uint128 number, int places, char *text)
{
    int digits = 1;
    while (digits < MOST_POWER && number >= duet_power_of_ten(digits)) {
        digits++;
    }
    bool exact = digits <= DIGITS || number % duet_power_of_ten(digits - DIGITS) == 0;
    if (digits > DIGITS) {
        number = rescaled(number, digits - DIGITS, 0);
        places -= digits - DIGITS;
    }
    while (number != 0 && number % 10 == 0) {
        number /= 10;
        places--;
    }
    char whole[16];
    int length = snprintf(whole, sizeof whole, "%u", (unsigned)number);
    int exponent = length - 1 - places; // of the first digit
    if (number == 0) {
        snprintf(text, DUET_TIME_TEXT, "0");
    } else if (exponent < -FEWEST_ZEROS || exponent > (exact ? MOST_ZEROS : DIGITS) ||
               (places < 0 && exponent >= DIGITS && !exact)) {
        snprintf(text, DUET_TIME_TEXT, "%c%s%se%d", whole[0], length > 1 ? "." : "", whole + 1,
                 exponent);
    } else if (places <= 0) {
        snprintf(text, DUET_TIME_TEXT, "%s%.*s", whole, -places, "000000000000");
    } else if (places < length) {
        snprintf(text, DUET_TIME_TEXT, "%.*s.%s", length - places, whole, whole + length - places);
    } else {
        snprintf(text, DUET_TIME_TEXT, "0.%.*s%s", places - length, "0000000000", whole);
    }
    return text;
}

// "26 h 4 min 34 s": `seconds` * 10^-places, at least a thousand seconds.
static void compound_text(duet_uint128 seconds, int places, char *text)
{
    static const struct {
        uint64_t seconds;
        const char *name;
    } units[] = {{DAY, "d"}, {HOUR, "h"}, {MINUTE, "min"}};
    int kept = 2; // places of a second that six digits leave
    while (kept > 0 && reaches(seconds, places, DIGITS - kept)) {
        kept--;
    }
    duet_uint128 scale = duet_power_of_ten(kept);
    duet_uint128 rest = rescaled(seconds, places, kept);
    uint64_t coarse = rest < (duet_uint128)10 * DAY * scale       ? 1
                      : rest < (duet_uint128)1000 * DAY * scale   ? MINUTE
                      : rest < (duet_uint128)100000 * DAY * scale ? HOUR
                                                                  : DAY;
    duet_uint128 step = coarse * scale;
    if (coarse > 1 && step > 0) {
        rest = (rest + step / 2) / step * step;
    }
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        duet_uint128 unit = units[i].seconds * scale;
        char number[DUET_TIME_TEXT];
        if (unit > 0 && rest >= unit) {
            duet_number_text(rest / unit, 0, number);
            used += (size_t)snprintf(text + used, DUET_TIME_TEXT - used, "%s%.40s %s",
                                     used > 0 ? " " : "", number, units[i].name);
            rest %= unit;
        }
    }
    if (rest > 0) {
        char number[DUET_TIME_TEXT];
        duet_number_text(rest, kept, number);
        snprintf(text + used, DUET_TIME_TEXT - used, "%s%.40s s", used > 0 ? " " : "", number);
    }
}

// A known unit: `seconds` * 10^-places.
static void scaled_text(duet_uint128 seconds, int places, char *text)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && !reaches(seconds, places, -3 * unit)) {
        unit++;
    }
    char number[DUET_TIME_TEXT];
    duet_number_text(seconds, places - 3 * unit, number);
    snprintf(text, DUET_TIME_TEXT, "%.60s %s", number, units[unit]);
}

char *duet_time_text(const duet_instance *instance, int finer, duet_uint128 ticks, char *text)
{
    char number[DUET_TIME_TEXT];
    duet_unit unit;
    int places = instance->decimals + finer;
    const char *name = instance->time_unit;
    bool reads = ticks == 0 || (reaches(ticks, places, -1) && !reaches(ticks, places, 3));
    if (reads || !duet_unit_find(name, &unit)) {
        duet_number_text(ticks, places, number);
        snprintf(text, DUET_TIME_TEXT, "%.60s%s%s", number, name[0] == '\0' ? "" : " ", name);
        return text;
    }
    duet_uint128 seconds = ticks * (unsigned)unit.factor;
    int seconds_places = places - unit.exponent + 6;
    if (reaches(seconds, seconds_places, 3)) {
        compound_text(seconds, seconds_places, text);
    } else {
        scaled_text(seconds, seconds_places, text);
    }
    return text;
}
