// SPDX-License-Identifier: Apache-2.0
// Units of time, for whoever needs true time.
#ifndef DUET_CORE_UNIT_H
#define DUET_CORE_UNIT_H

#include <stdbool.h>

// A unit is factor * 10^exponent microseconds.
typedef struct duet_unit {
    int factor;
    int exponent;
} duet_unit;

// The unit of that name: ns, us (also with a Greek mu), ms, s, min, h, d, or these in words
// ("seconds", "hour"). False where it is none of them.
bool duet_unit_find(const char *name, duet_unit *unit);

#endif
