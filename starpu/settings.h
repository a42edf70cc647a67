// SPDX-License-Identifier: Apache-2.0
// What the environment variables DUET_* say (docs/starpu-plugin.md).
#ifndef DUET_STARPU_SETTINGS_H
#define DUET_STARPU_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum duet_starpu_says {
    DUET_STARPU_SAYS_END = 1 << 0,     // a summary at the end, unless DUET_SILENT is set
    DUET_STARPU_SAYS_PLANS = 1 << 1,   // a line about each plan, if DUET_VERBOSE is set
    DUET_STARPU_SAYS_REFUSALS = 1 << 2 // which algorithm refused, if DUET_ALGORITHMS named it
};

typedef struct duet_starpu_settings {
    const char *base;       // DUET_BASE: the policy that runs what is not planned
    const char *algorithms; // DUET_ALGORITHMS: names, commas between them
    double seconds;         // DUET_TIME: of one plan
    double depart;          // DUET_DEPART: how far a run may be from its plan, as part of its rest
    long batch;             // DUET_BATCH: tasks that are submitted make a new plan
    bool strict;            // DUET_ORDER=strict: a worker waits for the next of its tasks
    bool prefetch;          // DUET_PREFETCH
    bool relocate;          // DUET_RELOCATE
    unsigned says;          // what is printed: bits of enum duet_starpu_says
} duet_starpu_settings;

// A value that means nothing, and a variable DUET_* that is none, are named in a line each.
duet_starpu_settings duet_starpu_read_settings(void);

// The first algorithm in the rest of a list, and how long its name is; NULL: none follows. Names of
// what plans no task graphs are passed over.
const char *duet_starpu_next_name(const char *list, size_t *length);

#endif
