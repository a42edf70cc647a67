// SPDX-License-Identifier: Apache-2.0
// The platforms of a range, and what is known of them. A platform with at least as many processors
// of every type is no slower: what is found of one says something of all above or below it.
#ifndef DUET_SOLVERS_SIZE_GRID_H
#define DUET_SOLVERS_SIZE_GRID_H

#include <stdbool.h>

#include <duet/size.h>

#include "core/system/arena.h"

typedef struct duet_grid {
    // The range.
    size_t types;
    int64_t least[DUET_MAX_TYPES];
    int64_t length[DUET_MAX_TYPES];
    size_t cells;
    int64_t deadline;

    // Of each cell.
    int64_t *makespan; // the shortest that is known; DUET_FORBIDDEN: none
    int64_t *bound;    // the highest that is known; DUET_FORBIDDEN: there is no schedule
    int64_t *price;
    bool *solved;
    int8_t *effort; // with which it was solved last and stayed open, from 1; 0: not at all
    duet_arena arena;
} duet_grid;

// `least`, `most` and `price` are the caller's, which are checked: DUET_E_USAGE. Free it whatever
// comes back.
duet_code duet_grid_create(const duet_size_desc *desc, size_t types, duet_grid *grid,
                           duet_error *error);
void duet_grid_free(duet_grid *grid);

void duet_grid_counts(const duet_grid *grid, size_t cell, int64_t counts[DUET_MAX_TYPES]);
duet_feasibility duet_grid_feasible(const duet_grid *grid, size_t cell);
// Notes what was found of a platform, for it and for all that it says something of. O(cells).
void duet_grid_note(duet_grid *grid, size_t cell, int64_t makespan, int64_t bound);
// Whether no platform with one processor less of some type makes it, and this one does.
bool duet_grid_is_minimal(const duet_grid *grid, size_t cell);
// Whether no platform with one processor more of some type is known not to make it, and this one
// is.
bool duet_grid_is_maximal(const duet_grid *grid, size_t cell);
// The lowest price of a platform that makes it; INT64_MAX: there is none.
int64_t duet_grid_cheapest(const duet_grid *grid);

#endif
