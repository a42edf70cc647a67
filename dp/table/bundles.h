// SPDX-License-Identifier: Apache-2.0
// What reduced-cost fixing leaves open of a guess. A task away from its cheaper type costs its
// price difference, and together these costs must stay within the gap: so every allocation that
// meets the constraints has all but some tasks of each kind on its cheaper type. The others may go
// either way. They are bundled: 1, 2, 4, ... tasks of a kind that change their type together make
// every number of them.
#ifndef DUET_DP_TABLE_BUNDLES_H
#define DUET_DP_TABLE_BUNDLES_H

#include "dp/table/relaxation.h"

// Sums over an allocation, or what a change adds to them.
typedef struct duet_sums {
    int64_t work;  // on V
    int64_t units; // on R
    int64_t c;     // counts
    int64_t g;
    int64_t loss; // price differences, in units of 2^shift rounded down
} duet_sums;

static inline duet_sums duet_sums_add(duet_sums a, duet_sums b)
{
    return (duet_sums){a.work + b.work, a.units + b.units, a.c + b.c, a.g + b.g, a.loss + b.loss};
}

static inline bool duet_sums_fits(const duet_table_problem *problem, const duet_sums *load)
{
    return load->work <= problem->limit && load->units <= problem->cap &&
           load->c <= problem->c_cap && load->g <= problem->g_cap;
}

// What moving `tasks` of a kind from V to R (negative: back) adds, but for the loss.
duet_sums duet_sums_move(const duet_table_item *item, int64_t tasks);
// Of a whole allocation, without loss.
duet_sums duet_sums_of(const duet_table_problem *problem, const int64_t *on_r);

typedef struct duet_bundle {
    size_t kind;
    int64_t tasks; // > 0: from V to R; < 0: from R to V
    duet_sums change;
} duet_bundle;

typedef struct duet_core {
    int64_t *on_r; // by kind: where the changes start from
    duet_sums base;
    int64_t gap; // no loss above it can be part of a YES
    duet_bundle *bundles;
    size_t count;
} duet_core;

// The open part of a problem under prices with this gap; starts from `on_r` where that is not NULL,
// else with every kind on its cheaper type. O(kinds) and the bundles. Free with duet_core_free().
duet_code duet_core_create(const duet_table_problem *problem, const duet_multipliers *prices,
                           duet_int128 gap, const int64_t *on_r, duet_core *core,
                           duet_error *error);
// By decreasing loss.
void duet_core_sort(duet_core *core);
void duet_core_free(duet_core *core);

#endif
