// SPDX-License-Identifier: Apache-2.0
// What readers say of costs of edges that are below 0, and of edges that are no order.
#ifndef DUET_INSTANCES_FORMATS_EDGE_COSTS_H
#define DUET_INSTANCES_FORMATS_EDGE_COSTS_H

#include "core/instance/instance.h"
#include "instances/formats/formats.h"

// The first cost below 0 of an edge whose tasks may be read later. Starts zeroed.
typedef struct duet_negative_cost {
    char text[48]; // "": none
    int line, column;
} duet_negative_cost;

// Parses a cost as duet_read_time_text() does a time, but notes one below 0 in `negative`.
duet_code duet_read_cost_text(const char *text, size_t length, duet_place place,
                              duet_read_time *cost, duet_negative_cost *negative,
                              duet_error *error);
// Refuses that cost: DUET_E_INPUT with both tasks.
duet_code duet_refuse_negative_cost(const duet_negative_cost *negative, const char *file,
                                    const char *from, const char *to, duet_error *error);

// Edges of plans may say when the second task starts: after the end of the first, or with a lag, or
// not before it starts ("SS"). Whether a field of that name, "type" or "lag", says other than that
// the first ends before the second starts, and how that is refused.
bool duet_is_other_link(const char *name, const char *text);
#define DUET_OTHER_LINK                                                                            \
    "\"%.60s\" of edges is %.40s: a task starts when those before it have ended; expected edges "  \
    "from an end to a start (FS) without a lag, or %s"

#endif
