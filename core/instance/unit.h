// SPDX-License-Identifier: Apache-2.0
// Units of time, for whoever needs true time.
#ifndef DUET_CORE_INSTANCE_UNIT_H
#define DUET_CORE_INSTANCE_UNIT_H

#include <stdbool.h>

#include "core/number/decimal.h"

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

#endif
