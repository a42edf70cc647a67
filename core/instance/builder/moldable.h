// SPDX-License-Identifier: Apache-2.0
// What a builder has read of moldable tasks; for moldable.c and moldable_finish.c.
#ifndef DUET_CORE_INSTANCE_BUILDER_MOLDABLE_H
#define DUET_CORE_INSTANCE_BUILDER_MOLDABLE_H

#include "core/instance/builder/builder_state.h"
#include "core/instance/moldable.h"

// A cell of duet_moldable while it is read: 0 for the kind's one time; the number of a table + 1;
// or that of a law + 1 with this bit.
#define DUET_BUILDER_LAW UINT32_C(0x80000000)

typedef struct duet_builder_moldable {
    duet_moldable *m; // taken over by the instance

    // What was said.
    bool tables; // some kind has a table or follows a law
    bool network;
    int tick_places; // -1: not said
    size_t rounded;  // numbers of laws, links and data that have too many digits

    // Tables that were given, times as read: mantissas are in m->given_time.
    uint8_t *places; // and tail
    size_t cells;    // of m->cell, where there are tables

    // Tables and laws by what they hold, so that kinds share them: cells, or 0 where a slot is
    // free.
    uint32_t *slot;
    size_t slots; // a power of two
    size_t used;
} duet_builder_moldable;

// Gives cell `at`, of a kind on a type, a table. The kinds are all there.
duet_code duet_builder_add_cell(duet_builder *builder, const duet_read_kind *kind, size_t at,
                                const duet_read_table *table, duet_error *error);
// A decimal of at most DUET_MAX_DECIMALS places, the nearest one. What is rounded is counted.
duet_decimal duet_builder_number(duet_builder *builder, const duet_read_time *read);

#endif
