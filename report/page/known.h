// SPDX-License-Identifier: Apache-2.0
// The best that is known of an instance: times as tables tell them.
#ifndef DUET_REPORT_PAGE_KNOWN_H
#define DUET_REPORT_PAGE_KNOWN_H

#include <stdbool.h>

#include "core/number/decimal.h"

// A time that is not there.
#define DUET_NO_TIME ((duet_decimal){-1, 0})

typedef struct duet_known {
    duet_decimal makespan; // shortest
    duet_decimal bound;    // highest
    duet_decimal optimum;
} duet_known;

#define DUET_NOTHING_KNOWN ((duet_known){DUET_NO_TIME, DUET_NO_TIME, DUET_NO_TIME})

static inline bool duet_is_time(duet_decimal value)
{
    return value.mantissa >= 0;
}

// Adds what `more` knows.
void duet_known_learn(duet_known *known, const duet_known *more);
// Whether the two name different optima.
bool duet_known_contradicts(const duet_known *a, const duet_known *b);
// Whether the optimum is known: it is named, or a makespan meets a bound.
bool duet_known_optimum(const duet_known *known);

#endif
