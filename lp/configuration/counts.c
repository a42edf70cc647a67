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

// Whether a class counts.
static bool counts_class(const duet_generation *generation, const count_row *count, size_t class)
{
    return generation->classes->time[count->type][class] >= count->time &&
           duet_class_fits(generation->classes, class, count->type);
}

static int64_t all_tasks(const duet_generation *generation, size_t type, int64_t time)
{
    const count_row count = {.type = type, .time = time};
    int64_t tasks = 0;
    for (size_t i = 0; i < generation->count; i++) {
        tasks += counts_class(generation, &count, i) ? generation->classes->tasks[i] : 0;
    }
    return tasks;
}

duet_code duet_generation_count(duet_generation *generation, size_t type, int64_t time,
                                duet_error *error)
{
    size_t rows = 2 * (generation->counts + 1);
    DUET_TRY(duet_vec_grow(generation->counted, generation->counts, error));
    DUET_TRY(duet_vec_reserve(generation->row, rows, error));
    DUET_TRY(duet_branching_rows_make_room(generation, rows, error));
    size_t index = generation->counts++;
    generation->counted[index] =
        (count_row){type, time, .tasks = all_tasks(generation, type, time), .high = INT64_MAX};
    generation->branching_lp_row[2 * index + ABOVE] = SIZE_MAX;
    generation->branching_lp_row[2 * index + BELOW] = SIZE_MAX;
    generation->row[2 * index + ABOVE] = (duet_branching_row){type, time, .at_least = false};
    generation->row[2 * index + BELOW] = (duet_branching_row){type, time, .at_least = true};
    generation->branching_row = generation->row;
    generation->branching_rows = generation->trial.rows = rows;
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
        counted.value += counts_class(generation, count, i)
                             ? generation->tasks[pair_of(generation, count->type, i)]
                             : 0;
    }
    return counted;
}

const duet_branching_row *duet_generation_rows(const duet_generation *generation)
{
    return generation->row;
}

// The row of a side, by its branching row, if it counts tasks on a type; SIZE_MAX: it does not.
static size_t row_of(const duet_generation *generation, size_t side, size_t type)
{
    bool own = generation->counted[side / 2].type == type;
    return own == (side % 2 == ABOVE) ? generation->branching_lp_row[side] : SIZE_MAX;
}

static void enter_pattern(duet_generation *generation, size_t side, const pattern_column *pattern)
{
    size_t row = row_of(generation, side, pattern->type);
    int64_t tasks = 0;
    for (size_t p = pattern->begin; p < pattern->begin + pattern->parts && row != SIZE_MAX; p++) {
        const duet_pricing_part *part = &generation->content[p];
        bool counts = counts_class(generation, &generation->counted[side / 2], part->class);
        tasks += counts ? part->tasks : 0;
    }
    if (tasks > 0) {
        duet_lp_add_entry(generation->lp, row, pattern->column, (double)tasks);
    }
}

static void enter_share(duet_generation *generation, size_t side, size_t type, size_t class)
{
    size_t column = generation->single[pair_of(generation, type, class)];
    size_t row = row_of(generation, side, type);
    if (column != SIZE_MAX && row != SIZE_MAX &&
        counts_class(generation, &generation->counted[side / 2], class)) {
        duet_lp_add_entry(generation->lp, row, column, 1);
    }
}

void duet_generation_count_pattern(duet_generation *generation, const pattern_column *pattern)
{
    for (size_t k = 0; k < generation->branching_rows; k++) {
        enter_pattern(generation, k, pattern);
    }
}

void duet_generation_count_share(duet_generation *generation, size_t type, size_t class)
{
    for (size_t k = 0; k < generation->branching_rows; k++) {
        enter_share(generation, k, type, class);
    }
}

// The row of a side with the columns that there are.
static void add_row(duet_generation *generation, size_t side)
{
    size_t row = duet_lp_add_row(generation->lp, -INFINITY, INFINITY);
    size_t beyond = duet_lp_add_column(generation->lp, 0, INFINITY, MISSED);
    duet_lp_add_entry(generation->lp, row, beyond, -1);
    generation->branching_lp_row[side] = row;
    for (size_t t = 0; t < generation->types; t++) {
        for (size_t i = 0; i < generation->count; i++) {
            enter_share(generation, side, t, i);
        }
    }
    for (size_t i = 0; i < generation->patterns; i++) {
        enter_pattern(generation, side, &generation->pattern[i]);
    }
}

void duet_generation_fit_counts(duet_generation *generation)
{
    for (size_t k = 0; k < generation->branching_rows; k++) {
        const count_row *count = &generation->counted[k / 2];
        bool limited = k % 2 == ABOVE ? count->high < INT64_MAX : count->low > 0;
        int64_t limit = k % 2 == ABOVE ? count->high : count->tasks - count->low;
        if (generation->branching_lp_row[k] == SIZE_MAX && limited) {
            add_row(generation, k);
        }
        if (generation->branching_lp_row[k] != SIZE_MAX) {
            duet_lp_bound_row(generation->lp, generation->branching_lp_row[k], -INFINITY,
                              limited ? (double)limit : INFINITY);
        }
    }
}

double duet_generation_count_dual(const duet_generation *generation, size_t type, size_t class)
{
    double dual = 0;
    for (size_t i = 0; i < generation->counts; i++) {
        const count_row *count = &generation->counted[i];
        dual -= counts_class(generation, count, class)
                    ? generation->smoothing.last.row[2 * i + (count->type == type ? ABOVE : BELOW)]
                    : 0;
    }
    return dual;
}
