// SPDX-License-Identifier: Apache-2.0
// What an instance claims about itself: an algorithm's makespan beside the optimum.
#ifndef DUET_CORE_INSTANCE_CLAIM_H
#define DUET_CORE_INSTANCE_CLAIM_H

#include <duet/instance.h>

#include "core/number/decimal.h"

// A claim as read: times not yet in ticks.
typedef struct duet_read_claim {
    const char *algorithm;
    const char *options; // NULL: none
    const char *limit;   // NULL: none
    const char *source;  // NULL: none
    const char *ratio;   // NULL: not stated; else it must be that of the times
    duet_decimal optimum;
    duet_decimal makespan;
    bool refuted;
    const char *file; // place for an error; NULL and 0: none
    int line, column;
} duet_read_claim;

enum { DUET_CLAIM_TEXTS = 4 };

// A claim with the texts it points to.
typedef struct duet_kept_claim {
    duet_claim claim;
    char *text[DUET_CLAIM_TEXTS];
} duet_kept_claim;

// Checks a claim and copies it: an algorithm is named, 0 < optimum <= makespan, the ratio is
// theirs. Its times are mantissas of *places decimal places until duet_claim_scale().
duet_code duet_claim_create(const duet_read_claim *read, duet_kept_claim **out, int *places,
                            duet_error *error);
// Times of `places` decimal places become ticks of `decimals`; false where they are too large.
bool duet_claim_scale(duet_kept_claim *kept, int places, int decimals);
void duet_claim_free(duet_kept_claim *kept); // NULL is allowed

// Makespan / optimum, reduced ("2584/1597", "4"), into `buffer` of at least 80 bytes; returns it.
char *duet_claim_ratio(const duet_claim *claim, char *buffer);

#endif
