// SPDX-License-Identifier: Apache-2.0
// Units of time, for whoever needs true time.
#ifndef DUET_CORE_INSTANCE_UNIT_H
#define DUET_CORE_INSTANCE_UNIT_H

#include <stdbool.h>

#include "core/instance/instance.h"
#include "core/number/decimal.h"
#include "core/number/fraction.h"

// A unit is factor * 10^exponent microseconds.
typedef struct duet_unit {
    int factor;
    int exponent;
} duet_unit;

// What a message offers to whoever named another one.
#define DUET_UNIT_NAMES "ns, us, ms, s, min, h or d"

// The unit of that name: ns, us (also with a Greek mu), ms, s, min, h, d, week, or these in words
// ("seconds", "msec", "Hour"), in capitals or not. False where it is none of them.
bool duet_unit_find(const char *name, duet_unit *unit);
// Whether two names are those of one unit: "h" and "hours", or any word twice.
bool duet_unit_same(const char *a, const char *b);
// Seconds in a unit. False where the number has no room for it.
bool duet_unit_of_seconds(duet_long_decimal seconds, duet_unit unit, duet_long_decimal *out);

// time_text.c
enum { DUET_TIME_TEXT = 150 };

// "15.6 ms" into `text` of DUET_TIME_TEXT bytes, which it returns. A number from 0.1 to below 1000
// keeps the unit of the instance, as does a unit that is not known. "35515.44 us" is "35.5154 ms",
// and "5712 s" is "1 h 35 min 12 s". `finer`: how many decimal places the ticks have beyond those
// of the instance.
char *duet_time_text(const duet_instance *instance, int finer, duet_uint128 ticks, char *text);
// number * 10^-places alone: "644.51", "1.23457e7".
char *duet_number_text(duet_uint128 number, int places, char *text);

#endif
