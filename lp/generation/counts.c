// SPDX-License-Identifier: Apache-2.0
// Limits on how many tasks a type gets: two rows for each number that was ever limited, whose duals
// are the prices of branching rows. The program may cover a task twice, so that a lower limit would
// say little: it is an upper one on what the other types get of the same tasks. A column of a high
// cost leaves each row feasible.
#include <math.h>

#include "core/system/vec.h"
#include "lp/generation/generation_state.h"

// What it costs to miss a limit by a task: more than some processors, since the tasks of one are
// worth no more than that.
static const double MISSED = 4;

static int64_t all_tasks(const duet_generation *generation, const count_row *count)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < generation->count; i++) {
        tasks +=
            duet_generation_counts_class(generation, count, i) ? generation->classes->tasks[i] : 0;
    }
    return tasks;
}

duet_code duet_generation_count(duet_generation *generation, size_t type, int64_t time,
                                int64_t release, duet_error *error)
{
    size_t rows = 2 * (generation->counts + 1);
    duet_code code = duet_vec_grow(generation->counted, generation->counts, error);
    if (code == DUET_OK) {
        code = duet_vec_reserve(generation->row, rows, error);
    }
    if (code == DUET_OK) {
        code = duet_prices_make_room(&generation->trial, rows, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    size_t index = generation->counts++;
    generation->counted[index] =
        (count_row){.type = type, .time = time, .release = release, .high = INT64_MAX};
    generation->counted[index].tasks = all_tasks(generation, &generation->counted[index]);
    generation->counted[index].side[ABOVE].row = SIZE_MAX;
    generation->counted[index].side[BELOW].row = SIZE_MAX;
    generation->row[2 * index + ABOVE] = (duet_branching_row){type, time, .release = release};
    generation->row[2 * index + BELOW] =
        (duet_branching_row){type, time, .at_least = true, .release = release};
    generation->trial.rows = rows;
    return DUET_OK;
}

size_t duet_generation_counts(const duet_generation *generation)
{
    return generation->counts;
}

void duet_generation_limit_count(duet_generation *generation, size_t index, int64_t low,
                                 int64_t high)
{
    count_row *count = &generation->counted[index];
    generation->smoothing.centered =
        generation->smoothing.centered && count->low <= low && high <= count->high;
    count->low = low;
    count->high = high;
    generation->row[2 * index + ABOVE].bound = high;
    generation->row[2 * index + BELOW].bound = low;
}

duet_generation_counted duet_generation_count_at(const duet_generation *generation, size_t index)
{
    const count_row *count = &generation->counted[index];
    duet_generation_counted counted = {count->low, count->high, 0};
    for (size_t i = 0; i < generation->count; i++) {
        counted.value += duet_generation_counts_class(generation, count, i)
                             ? generation->tasks[pair_of(generation, count->type, i)]
                             : 0;
    }
    return counted;
}

const duet_branching_row *duet_generation_rows(const duet_generation *generation)
{
    return generation->row;
}

// Whether a side of a count has a row that counts tasks on a type.
static bool has_row(const count_row *count, int side, size_t type)
{
    return count->side[side].row != SIZE_MAX && (count->type == type) == (side == ABOVE);
}

static double tasks_of(const duet_generation *generation, const count_row *count,
                       const pattern_column *pattern)
{
    int64_t tasks = 0;
    for (size_t p = pattern->begin; p < pattern->begin + pattern->parts; p++) {
        const duet_pricing_part *part = &generation->content[p];
        tasks += duet_generation_counts_class(generation, count, part->class) ? part->tasks : 0;
    }
    return (double)tasks;
}

static void enter_pattern(duet_generation *generation, const count_row *count, int side,
                          const pattern_column *pattern)
{
    double tasks = has_row(count, side, pattern->type) ? tasks_of(generation, count, pattern) : 0;
    if (tasks > 0) {
        duet_lp_add_entry(generation->lp, count->side[side].row, pattern->column, tasks);
    }
}

static void enter_share(duet_generation *generation, const count_row *count, int side, size_t type,
                        size_t class)
{
    size_t column = generation->share[pair_of(generation, type, class)];
    if (column != SIZE_MAX && has_row(count, side, type) &&
        duet_generation_counts_class(generation, count, class)) {
        duet_lp_add_entry(generation->lp, count->side[side].row, column, 1);
    }
}

void duet_generation_count_pattern(duet_generation *generation, const pattern_column *pattern)
{
    for (size_t i = 0; i < generation->counts; i++) {
        enter_pattern(generation, &generation->counted[i], ABOVE, pattern);
        enter_pattern(generation, &generation->counted[i], BELOW, pattern);
    }
}

void duet_generation_count_share(duet_generation *generation, size_t type, size_t class)
{
    for (size_t i = 0; i < generation->counts; i++) {
        enter_share(generation, &generation->counted[i], ABOVE, type, class);
        enter_share(generation, &generation->counted[i], BELOW, type, class);
    }
}

// The row of a side with the columns that there are.
static void add_row(duet_generation *generation, count_row *count, int side)
{
    count->side[side].row = duet_lp_add_row(generation->lp, -INFINITY, INFINITY);
    count->side[side].beyond = duet_lp_add_column(generation->lp, 0, INFINITY, MISSED);
    duet_lp_add_entry(generation->lp, count->side[side].row, count->side[side].beyond, -1);
    for (size_t t = 0; t < generation->types; t++) {
        for (size_t i = 0; i < generation->count; i++) {
            enter_share(generation, count, side, t, i);
        }
    }
    for (size_t i = 0; i < generation->patterns; i++) {
        enter_pattern(generation, count, side, &generation->pattern[i]);
    }
}

// The most tasks that the row of a side allows: INFINITY without a limit.
static double limit_of(const count_row *count, int side)
{
    bool limited = side == ABOVE ? count->high < INT64_MAX : count->low > 0;
    return !limited ? INFINITY : (double)(side == ABOVE ? count->high : count->tasks - count->low);
}

void duet_generation_fit_counts(duet_generation *generation)
{
    for (size_t i = 0; i < 2 * generation->counts; i++) {
        count_row *count = &generation->counted[i / 2];
        int side = (int)(i % 2);
        double limit = limit_of(count, side);
        if (count->side[side].row == SIZE_MAX && limit < INFINITY) {
            add_row(generation, count, side);
        }
        if (count->side[side].row != SIZE_MAX) {
            duet_lp_bound_row(generation->lp, count->side[side].row, -INFINITY, limit);
        }
    }
}

double duet_generation_count_dual(const duet_generation *generation, size_t type, size_t class)
{
    double dual = 0;
    for (size_t i = 0; i < generation->counts; i++) {
        const count_row *count = &generation->counted[i];
        dual -= duet_generation_counts_class(generation, count, class)
                    ? count->side[count->type == type ? ABOVE : BELOW].last
                    : 0;
    }
    return dual;
}

void duet_generation_read_counts(duet_generation *generation)
{
    for (size_t i = 0; i < 2 * generation->counts; i++) {
        count_row *count = &generation->counted[i / 2];
        count_side *side = &count->side[i % 2];
        bool limited = limit_of(count, (int)(i % 2)) < INFINITY;
        side->last = limited ? fmax(0, -duet_lp_dual(generation->lp, side->row)) : 0;
    }
}

void duet_generation_round_counts(duet_generation *generation, double scale)
{
    const double most = INT32_MAX; // of prices of rows, in proofs
    for (size_t i = 0; i < 2 * generation->counts; i++) {
        const count_row *count = &generation->counted[i / 2];
        bool limited = limit_of(count, (int)(i % 2)) < INFINITY;
        double price = fmin(count->side[i % 2].dual * scale + 0.5, most);
        generation->trial.row[i] = limited ? (int64_t)price : 0;
    }
}
