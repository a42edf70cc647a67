// SPDX-License-Identifier: Apache-2.0
// When the data of a task are on the processors of a type, from its predecessors one after another.
//
// They come last from one processor. To all others of the type they come at the same instant; on
// that one they may be there earlier, since its own are there as soon as its predecessors end.
#ifndef DUET_HEURISTICS_ENGINE_ARRIVALS_H
#define DUET_HEURISTICS_ENGINE_ARRIVALS_H

#include <stdint.h>

#include "core/number/minmax.h"

typedef struct duet_arrivals {
    int64_t all;    // on every other processor
    int64_t others; // the latest from another processor than that one
    int64_t end;    // of the last predecessor on that processor
    int32_t from;   // its type
    int32_t last;   // that processor; -1: no data take time
} duet_arrivals;

#define DUET_ARRIVALS_NONE                                                                         \
    {                                                                                              \
        .from = -1, .last = -1                                                                     \
    }

// One more predecessor, which ends at `end` on a processor of type `from` and whose data take
// `cost` to other processors. When a processor takes over as the last, its own earlier predecessors
// ended before the arrival that was the latest so far, which is that of another processor from now
// on.
static inline void duet_arrivals_add(duet_arrivals *a, int64_t end, int64_t cost, int32_t from,
                                     int32_t processor)
{
    int64_t arrival = end + cost;
    if (processor == a->last && from == a->from) {
        a->all = duet_max(arrival, a->all);
        a->end = duet_max(end, a->end);
    } else if (arrival > a->all) {
        *a = (duet_arrivals){arrival, a->all, end, from, processor};
    } else {
        a->others = duet_max(arrival, a->others);
    }
}

// When they are on that processor.
static inline int64_t duet_arrivals_there(const duet_arrivals *a)
{
    return duet_max(a->end, a->others);
}

#endif
