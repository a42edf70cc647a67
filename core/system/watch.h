// SPDX-License-Identifier: Apache-2.0
// Counts work between looks at a context, for loops whose single steps are too short for a look.
//
// A unit is about a nanosecond. A loop spends what its steps cost, in stretches that are much
// shorter than the units between two looks. Once stopped, a watch stays so: what was computed since
// is worth nothing, and whoever owns the watch asks at the end.
#ifndef DUET_CORE_SYSTEM_WATCH_H
#define DUET_CORE_SYSTEM_WATCH_H

#include "core/system/context.h"

enum {
    DUET_WATCH_UNITS = 1 << 22,   // between two looks: some milliseconds
    DUET_WATCH_STRETCH = 1 << 16, // steps of a plain loop that are spent at once
};

typedef struct duet_watch {
    const duet_context *context; // NULL: nothing stops it
    int64_t left;                // units until the next look
    bool stopped;
} duet_watch;

// Looks, whatever is left. True: stop.
bool duet_watch_look(duet_watch *watch);

// Spends units of work, and looks where it is time. True: stop.
static inline bool duet_watch_spend(duet_watch *watch, int64_t units)
{
    watch->left -= units;
    return watch->left < 0 && duet_watch_look(watch);
}

// DUET_E_LIMIT or DUET_E_CANCELLED of a watch that has stopped, as duet_context_stop_error();
// DUET_OK of one that has not.
duet_code duet_watch_code(const duet_watch *watch, duet_error *error);

#endif
