// SPDX-License-Identifier: Apache-2.0
// The master program: a row per class for its tasks, one per type for its processors, and one for
// every pair of a class and a type whose count was ever limited; columns for patterns and, of
// divisible types, for the tasks of a class. Column factor_column stretches the numbers of
// processors. What does not fit the guess or the residual problem is closed by bounds of 0.
#include <math.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// The share of a processor that counts as one on a divisible type: it is of the classes' guess, and
// the factor has the coefficient that makes up for a shorter one.
static double stretch(const duet_generation *generation, size_t type)
{
    return generation->divisible[type] && generation->classes->capacity[type] > 0
               ? (double)generation->capacity[type] / (double)generation->classes->capacity[type]
               : 1;
}

static void add_factor(duet_generation *generation)
{
    generation->factor_column = duet_lp_add_column(generation->lp, 0, INFINITY, 1);
    for (size_t t = 0; t < generation->types; t++) {
        double processors = (double)generation->classes->processors[t] * stretch(generation, t);
        if (processors > 0) {
            duet_lp_add_entry(generation->lp, generation->processor_row[t],
                              generation->factor_column, -processors);
        }
    }
}

duet_code duet_generation_build(duet_generation *generation, duet_error *error)
{
    for (size_t i = 0; i < generation->count; i++) {
        generation->class_row[i] =
            duet_lp_add_row(generation->lp, (double)generation->classes->tasks[i], INFINITY);
        generation->cover[i] = SIZE_MAX;
    }
    for (size_t t = 0; t < generation->types; t++) {
        generation->processor_row[t] = duet_lp_add_row(generation->lp, -INFINITY, 0);
    }
    add_factor(generation);
    return duet_lp_failure(generation->lp, error);
}

void duet_generation_set_guess(duet_generation *generation, int64_t guess)
{
    DUET_ASSERT(guess <= generation->classes->guess);
    if (guess == generation->guess) {
        return;
    }
    bool divided = false;
    generation->guess = guess;
    for (size_t t = 0; t < generation->types; t++) {
        generation->capacity[t] = capacity_within(generation, t, guess);
        divided = divided || (generation->divisible[t] && generation->classes->processors[t] > 0);
    }
    if (divided) {
        duet_lp_bound_column(generation->lp, generation->factor_column, 0, 0);
        add_factor(generation);
    }
    generation->smoothing.centered = false; // the slack of the center is that of another guess
}

// A pattern as a state, in generation->key: its type, and its parts by class.
static duet_code make_key(duet_generation *generation, size_t type, const duet_pricing_part *part,
                          size_t parts, duet_error *error)
{
    DUET_TRY(duet_vec_reserve(generation->key, 1 + 2 * parts, error));
    int64_t *key = generation->key;
    *key++ = (int64_t)type;
    for (size_t p = 0; p < parts; p++) {
        size_t at = p;
        for (; at > 0 && key[2 * at - 2] > (int64_t)part[p].class; at--) {
            key[2 * at] = key[2 * at - 2];
            key[2 * at + 1] = key[2 * at - 1];
        }
        key[2 * at] = (int64_t)part[p].class;
        key[2 * at + 1] = part[p].tasks;
    }
    return DUET_OK;
}

duet_code duet_generation_add(duet_generation *generation, size_t type,
                              const duet_pricing_part *part, size_t parts, size_t *index,
                              duet_error *error)
{
    DUET_ASSERT(!generation->divisible[type] && parts > 0);
    size_t before = generation->patterns;
    DUET_TRY(make_key(generation, type, part, parts, error));
    DUET_TRY(duet_seen_number(&generation->seen, generation->key, 1 + 2 * parts, index, error));
    return *index == before ? duet_master_add_column(generation, type, part, parts, 1, error)
                            : DUET_OK;
}

void duet_generation_share_class(duet_generation *generation, size_t type, size_t class)
{
    size_t pair = pair_of(generation, type, class);
    DUET_ASSERT(generation->divisible[type]);
    if (generation->single[pair] == SIZE_MAX) {
        generation->single[pair] = duet_lp_add_column(generation->lp, 0, INFINITY, 0);
        duet_lp_add_entry(generation->lp, generation->processor_row[type], generation->single[pair],
                          (double)generation->classes->time[type][class] /
                              (double)generation->classes->capacity[type]);
        duet_master_add_tasks(generation, generation->single[pair], type, class, 1);
        duet_generation_count_share(generation, type, class);
    }
}

// The row of a pair's limits, with the columns that there are.
static void add_pair_row(duet_generation *generation, size_t type, size_t class)
{
    size_t pair = pair_of(generation, type, class);
    size_t row = duet_lp_add_row(generation->lp, -INFINITY, INFINITY);
    generation->pair_row[pair] = row;
    if (generation->single[pair] != SIZE_MAX) {
        duet_lp_add_entry(generation->lp, row, generation->single[pair], 1);
    }
    for (size_t i = 0; i < generation->patterns; i++) {
        const pattern_column *pattern = &generation->pattern[i];
        for (size_t p = 0; p < pattern->parts && pattern->type == type; p++) {
            const duet_pricing_part *part = &generation->content[pattern->begin + p];
            if (part->class == class) {
                duet_lp_add_entry(generation->lp, row, pattern->column, (double)part->tasks);
            }
        }
    }
}

// A pair's limits as a row, where columns that are closed do not say them.
static void fit_pair(duet_generation *generation, size_t type, size_t class)
{
    size_t pair = pair_of(generation, type, class);
    int64_t left = generation->state->left[class];
    int64_t low = duet_residual_least(generation->state, class, type);
    int64_t high = duet_residual_most(generation->state, class, type);
    bool several = generation->classes->processors[type] > 1 || generation->divisible[type];
    bool above = high > 0 && high < left && several;
    bool below = low > 0 && low < left;
    if (generation->pair_row[pair] == SIZE_MAX && (above || below)) {
        add_pair_row(generation, type, class);
    }
    if (generation->pair_row[pair] != SIZE_MAX) {
        duet_lp_bound_row(generation->lp, generation->pair_row[pair],
                          below ? (double)low : -INFINITY, above ? (double)high : INFINITY);
    }
}

static bool fits(const duet_generation *generation, const pattern_column *pattern)
{
    bool fits = pattern->load <= generation->capacity[pattern->type];
    if (fits && has_releases(generation)) {
        fits = duet_classes_fit_released(generation->classes, pattern->type, generation->guess,
                                         generation->content + pattern->begin, pattern->parts);
    }
    for (size_t p = 0; p < pattern->parts && fits; p++) {
        const duet_pricing_part *part = &generation->content[pattern->begin + p];
        fits = part->tasks <= duet_residual_most(generation->state, part->class, pattern->type);
    }
    return fits;
}

static void bound_pattern(duet_generation *generation, const pattern_column *pattern)
{
    bool in = pattern->open && !pattern->asleep;
    duet_lp_bound_column(generation->lp, pattern->column, in ? (double)pattern->taken : 0,
                         in ? INFINITY : 0);
}

static bool is_basic(const duet_generation *generation, const pattern_column *pattern)
{
    return duet_lp_column_basis(generation->lp, pattern->column) == DUET_LP_BASIC;
}

// Whether a pattern may be left out: those of one class are what keeps the program feasible.
static bool may_rest(const duet_generation *generation, const pattern_column *pattern)
{
    return pattern->parts > 1 && pattern->taken == 0 && !is_basic(generation, pattern);
}

int duet_generation_rest(duet_generation *generation)
{
    enum { patience = 4 }; // solves
    int back = 0;
    for (size_t i = 0; i < generation->patterns; i++) {
        pattern_column *pattern = &generation->pattern[i];
        bool worth = pattern->open &&
                     duet_duals_are_above(generation, pattern->type,
                                          generation->content + pattern->begin, pattern->parts);
        if (pattern->asleep && worth) {
            pattern->asleep = false;
            back++;
        } else if (!pattern->asleep && pattern->open) {
            pattern->idle = worth || !may_rest(generation, pattern) ? 0 : pattern->idle + 1;
            pattern->asleep = pattern->idle >= patience;
        } else {
            continue;
        }
        pattern->idle = pattern->asleep ? 0 : pattern->idle;
        bound_pattern(generation, pattern);
    }
    return back;
}

static void bound_columns(duet_generation *generation)
{
    for (size_t i = 0; i < generation->patterns; i++) {
        pattern_column *pattern = &generation->pattern[i];
        pattern->open = fits(generation, pattern);
        pattern->asleep = pattern->asleep && may_rest(generation, pattern);
        bound_pattern(generation, pattern);
    }
    for (size_t t = 0; t < generation->types; t++) {
        for (size_t i = 0; i < generation->count; i++) {
            size_t column = generation->single[pair_of(generation, t, i)];
            if (column != SIZE_MAX) {
                bool open = most_on_one(generation, t, i, generation->capacity[t]) > 0;
                duet_lp_bound_column(generation->lp, column, 0, open ? INFINITY : 0);
            }
        }
    }
}

// Tasks of a class alone on a processor of a type, or divided there.
static duet_code cover_on(duet_generation *generation, size_t type, size_t class, duet_error *error)
{
    if (generation->divisible[type]) {
        duet_generation_share_class(generation, type, class);
        return DUET_OK;
    }
    duet_pricing_part part = {class,
                              most_on_one(generation, type, class, generation->capacity[type])};
    return duet_generation_add(generation, type, &part, 1, &generation->cover[class], error);
}

// Whether some column covers a class already, on each type that must run some of it.
static bool is_covered(const duet_generation *generation, size_t class)
{
    return generation->cover[class] != SIZE_MAX &&
           generation->pattern[generation->cover[class]].open;
}

// Columns by which every class can be covered: one on the type that takes the least share of a
// processor for it, and one on each type that must run some.
static duet_code cover_class(duet_generation *generation, size_t class, duet_error *error)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < generation->types && code == DUET_OK; t++) {
        if (most_on_one(generation, t, class, generation->capacity[t]) == 0) {
            continue;
        }
        double share =
            (double)generation->classes->time[t][class] / (double)generation->capacity[t];
        best = share < least ? t : best;
        least = duet_min(share, least);
        if (duet_residual_least(generation->state, class, t) > 0) {
            code = cover_on(generation, t, class, error);
        }
    }
    bool covered = is_covered(generation, class) ||
                   (best != SIZE_MAX && generation->divisible[best] &&
                    generation->single[pair_of(generation, best, class)] != SIZE_MAX);
    return code == DUET_OK && best != SIZE_MAX && !covered
               ? cover_on(generation, best, class, error)
               : code;
}

duet_code duet_generation_fit(duet_generation *generation, duet_error *error)
{
    duet_code code = DUET_OK;
    bound_columns(generation);
    for (size_t i = 0; i < generation->count && code == DUET_OK; i++) {
        DUET_ASSERT(generation->state->left[i] == generation->classes->tasks[i]);
        code = cover_class(generation, i, error);
        for (size_t t = 0; t < generation->types && generation->classes->tasks[i] > 1; t++) {
            fit_pair(generation, t, i);
        }
    }
    duet_generation_fit_counts(generation);
    return code == DUET_OK ? duet_lp_failure(generation->lp, error) : code;
}

void duet_generation_read(duet_generation *generation)
{
    memset(generation->tasks, 0, generation->types * generation->count * sizeof *generation->tasks);
    for (size_t i = 0; i < generation->patterns; i++) {
        const pattern_column *pattern = &generation->pattern[i];
        double value = pattern->open ? duet_lp_value(generation->lp, pattern->column) : 0;
        for (size_t p = 0; p < pattern->parts && value > 0; p++) {
            const duet_pricing_part *part = &generation->content[pattern->begin + p];
            generation->tasks[pair_of(generation, pattern->type, part->class)] +=
                value * (double)part->tasks;
        }
    }
    for (size_t p = 0; p < generation->types * generation->count; p++) {
        generation->tasks[p] += generation->single[p] != SIZE_MAX
                                    ? duet_lp_value(generation->lp, generation->single[p])
                                    : 0;
    }
}
