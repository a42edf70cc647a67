// SPDX-License-Identifier: Apache-2.0
#include "solvers/size/grid.h"

#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

// The price of a platform; false where it is too much.
static bool price_of(const duet_size_desc *desc, const duet_grid *grid, size_t cell, int64_t *price)
{
    int64_t counts[DUET_MAX_TYPES];
    duet_int128 sum = 0;
    duet_grid_counts(grid, cell, counts);
    for (size_t t = 0; t < grid->types && desc->price != NULL; t++) {
        sum += (duet_int128)counts[t] * desc->price[t];
    }
    *price = (int64_t)sum;
    return sum <= DUET_MAX_WORK;
}

static duet_code check(const duet_size_desc *desc, duet_grid *grid, duet_error *error)
{
    duet_int128 cells = 1;
    for (size_t t = 0; t < grid->types; t++) {
        if (desc->least[t] < 0 || desc->least[t] > desc->most[t] ||
            desc->most[t] > DUET_MAX_PROCESSORS || (desc->price != NULL && desc->price[t] < 0)) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "type %zu: expected counts from 0 on, the smaller first, and a "
                                  "price of at least 0",
                                  t);
        }
        grid->least[t] = desc->least[t];
        grid->length[t] = desc->most[t] - desc->least[t] + 1;
        cells = cells > DUET_MAX_PLATFORMS ? cells : cells * grid->length[t];
    }
    if (cells > DUET_MAX_PLATFORMS || desc->deadline < 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "expected a deadline of at least 0, and at most %d platforms",
                              DUET_MAX_PLATFORMS);
    }
    grid->cells = (size_t)cells;
    return DUET_OK;
}

duet_code duet_grid_create(const duet_size_desc *desc, size_t types, duet_grid *grid,
                           duet_error *error)
{
    *grid = (duet_grid){.types = types, .deadline = desc->deadline};
    DUET_TRY(check(desc, grid, error));
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(grid->makespan, grid->cells), DUET_ARENA_ARRAY(grid->bound, grid->cells),
        DUET_ARENA_ARRAY(grid->price, grid->cells), DUET_ARENA_ARRAY(grid->solved, grid->cells),
        DUET_ARENA_ARRAY(grid->effort, grid->cells)};
    DUET_TRY(duet_arena_create(&grid->arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t i = 0; i < grid->cells; i++) {
        grid->makespan[i] = DUET_FORBIDDEN;
        if (!price_of(desc, grid, i, &grid->price[i])) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "the price of a platform is too high: expected at most 2^62");
        }
    }
    return DUET_OK;
}

void duet_grid_free(duet_grid *grid)
{
    duet_arena_free(&grid->arena);
}

void duet_grid_counts(const duet_grid *grid, size_t cell, int64_t counts[DUET_MAX_TYPES])
{
    memset(counts, 0, DUET_MAX_TYPES * sizeof *counts);
    for (size_t t = grid->types; t-- > 0;) {
        counts[t] = grid->least[t] + (int64_t)(cell % (size_t)grid->length[t]);
        cell /= (size_t)grid->length[t];
    }
}

duet_feasibility duet_grid_feasible(const duet_grid *grid, size_t cell)
{
    return grid->makespan[cell] <= grid->deadline ? DUET_YES
           : grid->bound[cell] > grid->deadline   ? DUET_NO
                                                  : DUET_UNDECIDED;
}

// Whether a platform has at most as many processors of every type as another. O(types).
static bool is_below(const duet_grid *grid, size_t cell, size_t other)
{
    bool below = true;
    for (size_t t = grid->types; t-- > 0;) {
        size_t length = (size_t)grid->length[t];
        below = below && cell % length <= other % length;
        cell /= length;
        other /= length;
    }
    return below;
}

void duet_grid_note(duet_grid *grid, size_t cell, int64_t makespan, int64_t bound)
{
    for (size_t i = 0; i < grid->cells; i++) {
        if (is_below(grid, cell, i)) {
            grid->makespan[i] = duet_min(makespan, grid->makespan[i]);
        }
        if (is_below(grid, i, cell)) {
            grid->bound[i] = duet_max(bound, grid->bound[i]);
        }
    }
}

// Whether some platform with one processor more, or less, of one type is known to be so.
static bool has_neighbour(const duet_grid *grid, size_t cell, bool more, duet_feasibility so)
{
    size_t stride = 1;
    bool found = false;
    for (size_t t = grid->types; t-- > 0 && !found;) {
        size_t length = (size_t)grid->length[t];
        size_t at = cell / stride % length;
        bool there = more ? at + 1 < length : at > 0;
        found = there && duet_grid_feasible(grid, more ? cell + stride : cell - stride) == so;
        stride *= length;
    }
    return found;
}

bool duet_grid_is_minimal(const duet_grid *grid, size_t cell)
{
    return duet_grid_feasible(grid, cell) == DUET_YES &&
           !has_neighbour(grid, cell, false, DUET_YES);
}

bool duet_grid_is_maximal(const duet_grid *grid, size_t cell)
{
    return duet_grid_feasible(grid, cell) == DUET_NO && !has_neighbour(grid, cell, true, DUET_NO);
}

int64_t duet_grid_cheapest(const duet_grid *grid)
{
    int64_t cheapest = INT64_MAX;
    for (size_t i = 0; i < grid->cells; i++) {
        if (duet_grid_feasible(grid, i) == DUET_YES) {
            cheapest = duet_min(grid->price[i], cheapest);
        }
    }
    return cheapest;
}
