// SPDX-License-Identifier: Apache-2.0
// Limits on how many tasks a type gets: two rows for each number that was ever limited, whose duals
// are the prices of branching rows. The program may cover a task twice, so that a lower limit would
// say little: it is an upper one on what the other types get of the same tasks. A column of a high
// cost leaves each row feasible.
#include <math.h>

#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// What it costs to miss a limit by a task: more than some processors, since the tasks of one are
// worth no more than that.
static const double MISSED = 4;

// Whether a number counts a class.
static bool counts_class(const duet_generation *g, size_t index, size_t class)
{
    return duet_branching_row_has(g->classes, &g->row[2 * index], class);
}

duet_code duet_generation_count(duet_generation *g, size_t type, int64_t time, int64_t release,
                                duet_error *error)
{
    size_t index = g->counts;
    size_t rows = 2 * (index + 1);
    DUET_TRY(duet_vec_reserve(g->row, rows, error));
    DUET_TRY(duet_branching_rows_make_room(g, rows, error));
    DUET_TRY(duet_vec_push(g->counted, g->counts, error, 0));
    g->row[2 * index + ABOVE] = (duet_branching_row){type, time, false, INT64_MAX, release};
    g->row[2 * index + BELOW] = (duet_branching_row){type, time, true, 0, release};
    for (size_t i = 0; i < g->count; i++) {
        g->counted[index] += counts_class(g, index, i) ? g->classes->tasks[i] : 0;
    }
    g->branching_lp_row[2 * index + ABOVE] = g->branching_lp_row[2 * index + BELOW] = SIZE_MAX;
    g->branching_row = g->row;
    g->branching_rows = g->trial.rows = rows;
    return DUET_OK;
}

size_t duet_generation_counts(const duet_generation *g)
{
    return g->counts;
}

void duet_generation_limit_count(duet_generation *g, size_t index, int64_t low, int64_t high)
{
    int64_t *below = &g->row[2 * index + BELOW].bound;
    int64_t *above = &g->row[2 * index + ABOVE].bound;
    g->smoothing.centered = g->smoothing.centered && *below <= low && high <= *above;
    *below = low;
    *above = high;
}

duet_generation_counted duet_generation_count_at(const duet_generation *g, size_t index)
{
    const duet_branching_row *row = &g->row[2 * index];
    duet_generation_counted counted = {row[BELOW].bound, row[ABOVE].bound, 0};
    for (size_t i = 0; i < g->count; i++) {
        counted.value += counts_class(g, index, i) ? g->tasks[pair_of(g, row->type, i)] : 0;
    }
    return counted;
}

const duet_branching_row *duet_generation_rows(const duet_generation *g)
{
    return g->row;
}

// The row of a side, by its branching row, if it counts tasks on a type; SIZE_MAX: it does not.
static size_t row_of(const duet_generation *g, size_t side, size_t type)
{
    bool own = g->row[side].type == type;
    return own == (side % 2 == ABOVE) ? g->branching_lp_row[side] : SIZE_MAX;
}

static void enter_pattern(duet_generation *g, size_t side, const pattern_column *pattern)
{
    size_t row = row_of(g, side, pattern->type);
    if (row != SIZE_MAX) {
        duet_master_count_pattern(g, &g->row[side], row, pattern);
    }
}

static void enter_share(duet_generation *g, size_t side, size_t type, size_t class)
{
    size_t column = g->single[pair_of(g, type, class)];
    size_t row = row_of(g, side, type);
    if (column != SIZE_MAX && row != SIZE_MAX && counts_class(g, side / 2, class)) {
        duet_lp_add_entry(g->lp, row, column, 1);
    }
}

void duet_generation_count_pattern(duet_generation *g, const pattern_column *pattern)
{
    for (size_t k = 0; k < g->branching_rows; k++) {
        enter_pattern(g, k, pattern);
    }
}

void duet_generation_count_share(duet_generation *g, size_t type, size_t class)
{
    for (size_t k = 0; k < g->branching_rows; k++) {
        enter_share(g, k, type, class);
    }
}

// The row of a side with the columns that there are.
static void add_row(duet_generation *g, size_t side)
{
    size_t row = duet_lp_add_row(g->lp, -INFINITY, INFINITY);
    size_t beyond = duet_lp_add_column(g->lp, 0, INFINITY, MISSED);
    duet_lp_add_entry(g->lp, row, beyond, -1);
    g->branching_lp_row[side] = row;
    for (size_t p = 0; p < g->types * g->count; p++) {
        enter_share(g, side, p / g->count, p % g->count);
    }
    for (size_t i = 0; i < g->patterns; i++) {
        enter_pattern(g, side, &g->pattern[i]);
    }
}

void duet_generation_fit_counts(duet_generation *g)
{
    for (size_t k = 0; k < g->branching_rows; k++) {
        int64_t bound = g->row[k].bound;
        bool limited = k % 2 == ABOVE ? bound < INT64_MAX : bound > 0;
        int64_t limit = k % 2 == ABOVE ? bound : g->counted[k / 2] - bound;
        if (g->branching_lp_row[k] == SIZE_MAX && limited) {
            add_row(g, k);
        }
        if (g->branching_lp_row[k] != SIZE_MAX) {
            duet_lp_bound_row(g->lp, g->branching_lp_row[k], -INFINITY,
                              limited ? (double)limit : INFINITY);
        }
    }
}

double duet_generation_count_dual(const duet_generation *g, size_t type, size_t class)
{
    double dual = 0;
    for (size_t i = 0; i < g->counts; i++) {
        size_t side = 2 * i + (g->row[2 * i].type == type ? ABOVE : BELOW);
        dual -= counts_class(g, i, class) ? g->smoothing.last.row[side] : 0;
    }
    return dual;
}
