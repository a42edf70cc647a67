// SPDX-License-Identifier: Apache-2.0
// The master program: a row per class for its tasks, one per type for its processors, and one for
// every pair of a class and a type whose count was ever limited; columns for patterns and, of
// divisible types, for the tasks of a class. Column factor_column stretches the numbers of
// processors. What does not fit the guess or the residual problem is closed by bounds of 0.
#include <math.h>
#include <string.h>

#include "core/assert.h"
#include "core/memory.h"
#include "lp/generation/state.h"

// The share of a processor that counts as one on a divisible type: it is of the classes' guess, and
// the factor has the coefficient that makes up for a shorter one.
static double stretch(const duet_generation *c, size_t type)
{
    return c->divisible[type] && c->classes->capacity[type] > 0
               ? (double)c->capacity[type] / (double)c->classes->capacity[type]
               : 1;
}

static void add_factor(duet_generation *c)
{
    c->factor_column = duet_lp_add_column(c->lp, 0, INFINITY, 1);
    for (size_t t = 0; t < c->types; t++) {
        double processors = (double)c->classes->processors[t] * stretch(c, t);
        if (processors > 0) {
            duet_lp_add_entry(c->lp, c->processor_row[t], c->factor_column, -processors);
        }
    }
}

duet_code duet_generation_build(duet_generation *c, duet_error *error)
{
    for (size_t i = 0; i < c->count; i++) {
        c->class_row[i] = duet_lp_add_row(c->lp, (double)c->classes->tasks[i], INFINITY);
        c->cover[i] = SIZE_MAX;
    }
    for (size_t t = 0; t < c->types; t++) {
        c->processor_row[t] = duet_lp_add_row(c->lp, -INFINITY, 0);
    }
    for (size_t p = 0; p < c->types * c->count; p++) {
        c->pair_row[p] = SIZE_MAX;
        c->share[p] = SIZE_MAX;
    }
    add_factor(c);
    return duet_lp_failure(c->lp, error);
}

void duet_generation_set_guess(duet_generation *c, int64_t guess)
{
    DUET_ASSERT(guess <= c->classes->guess);
    if (guess == c->guess) {
        return;
    }
    bool divided = false;
    c->guess = guess;
    for (size_t t = 0; t < c->types; t++) {
        c->capacity[t] = capacity_within(c, t, guess);
        divided = divided || (c->divisible[t] && c->classes->processors[t] > 0);
    }
    if (divided) {
        duet_lp_bound_column(c->lp, c->factor_column, 0, 0);
        add_factor(c);
    }
    c->centered = false; // the slack of the center is that of another guess
}

// The entries of some tasks of a class in a column.
static void add_tasks(duet_generation *c, size_t column, size_t type, size_t class, double tasks)
{
    duet_lp_add_entry(c->lp, c->class_row[class], column, tasks);
    size_t row = c->pair_row[pair_of(c, type, class)];
    if (row != SIZE_MAX) {
        duet_lp_add_entry(c->lp, row, column, tasks);
    }
}

static uint64_t hash_pattern(size_t type, const duet_pricing_part *part, size_t parts)
{
    uint64_t hash = type + 1;
    for (size_t p = 0; p < parts; p++) { // a sum: their order does not count
        uint64_t one = (uint64_t)part[p].class * UINT64_C(0x9E3779B97F4A7C15) ^
                       (uint64_t)part[p].tasks * UINT64_C(0xC2B2AE3D27D4EB4F);
        one ^= one >> 29;
        one *= UINT64_C(0xBF58476D1CE4E5B9);
        hash += one ^ (one >> 32);
    }
    return hash * UINT64_C(0x94D049BB133111EB);
}

static bool has_part(const duet_generation *c, const pattern_column *pattern,
                     duet_pricing_part part)
{
    for (size_t p = pattern->begin; p < pattern->begin + pattern->parts; p++) {
        if (c->content[p].class == part.class) {
            return c->content[p].tasks == part.tasks;
        }
    }
    return false;
}

static bool is_pattern(const duet_generation *c, const pattern_column *pattern, size_t type,
                       const duet_pricing_part *part, size_t parts)
{
    bool same = pattern->type == type && pattern->parts == parts;
    for (size_t p = 0; p < parts && same; p++) {
        same = has_part(c, pattern, part[p]);
    }
    return same;
}

// Doubles the hash table when it is half full.
static duet_code grow_slots(duet_generation *c, duet_error *error)
{
    enum { least = 1024 };
    if (2 * c->patterns < c->slots) {
        return DUET_OK;
    }
    size_t slots = c->slots == 0 ? least : 2 * c->slots;
    size_t *slot = duet_alloc(slots, sizeof *slot, error);
    if (slot == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < c->patterns; i++) {
        size_t at = c->pattern[i].hash & (slots - 1);
        while (slot[at] != 0) {
            at = (at + 1) & (slots - 1);
        }
        slot[at] = i + 1;
    }
    duet_free(c->slot);
    c->slot = slot;
    c->slots = slots;
    return DUET_OK;
}

// Copies a pattern to the list. Its column is not there yet.
static duet_code keep_pattern(duet_generation *c, size_t type, const duet_pricing_part *part,
                              size_t parts, duet_error *error)
{
    duet_code code =
        duet_grow(&c->pattern, c->patterns, &c->pattern_room, sizeof *c->pattern, error);
    size_t begin = c->contents;
    int64_t ticks = 0;
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_grow(&c->content, c->contents, &c->content_room, sizeof *c->content, error);
        if (code == DUET_OK) {
            c->content[c->contents++] = part[p];
            ticks += part[p].tasks * c->classes->time[type][part[p].class];
        }
    }
    if (code == DUET_OK) {
        c->pattern[c->patterns++] = (pattern_column){
            .type = type, .begin = begin, .parts = parts, .load = ticks, .open = true};
    }
    return code;
}

duet_code duet_generation_push(duet_generation *c, size_t type, const duet_pricing_part *part,
                               size_t parts, size_t *index, duet_error *error)
{
    DUET_ASSERT(!c->divisible[type] && parts > 0);
    duet_code code = grow_slots(c, error);
    if (code != DUET_OK) {
        return code;
    }
    uint64_t hash = hash_pattern(type, part, parts);
    size_t at = hash & (c->slots - 1);
    for (; c->slot[at] != 0; at = (at + 1) & (c->slots - 1)) {
        *index = c->slot[at] - 1;
        if (c->pattern[*index].hash == hash &&
            is_pattern(c, &c->pattern[*index], type, part, parts)) {
            return DUET_OK;
        }
    }
    code = keep_pattern(c, type, part, parts, error);
    if (code != DUET_OK) {
        return code;
    }
    *index = c->patterns - 1;
    pattern_column *pattern = &c->pattern[*index];
    pattern->hash = hash;
    pattern->column = duet_lp_add_column(c->lp, 0, INFINITY, 0);
    c->slot[at] = c->patterns;
    duet_lp_add_entry(c->lp, c->processor_row[type], pattern->column, 1);
    for (size_t p = 0; p < parts; p++) {
        add_tasks(c, pattern->column, type, part[p].class, (double)part[p].tasks);
    }
    return DUET_OK;
}

void duet_generation_share_class(duet_generation *c, size_t type, size_t class)
{
    size_t pair = pair_of(c, type, class);
    DUET_ASSERT(c->divisible[type]);
    if (c->share[pair] == SIZE_MAX) {
        c->share[pair] = duet_lp_add_column(c->lp, 0, INFINITY, 0);
        duet_lp_add_entry(c->lp, c->processor_row[type], c->share[pair],
                          (double)c->classes->time[type][class] /
                              (double)c->classes->capacity[type]);
        add_tasks(c, c->share[pair], type, class, 1);
    }
}

// The row of a pair's limits, with the columns that there are.
static void add_pair_row(duet_generation *c, size_t type, size_t class)
{
    size_t pair = pair_of(c, type, class);
    size_t row = duet_lp_add_row(c->lp, -INFINITY, INFINITY);
    c->pair_row[pair] = row;
    if (c->share[pair] != SIZE_MAX) {
        duet_lp_add_entry(c->lp, row, c->share[pair], 1);
    }
    for (size_t i = 0; i < c->patterns; i++) {
        const pattern_column *pattern = &c->pattern[i];
        for (size_t p = 0; p < pattern->parts && pattern->type == type; p++) {
            const duet_pricing_part *part = &c->content[pattern->begin + p];
            if (part->class == class) {
                duet_lp_add_entry(c->lp, row, pattern->column, (double)part->tasks);
            }
        }
    }
}

// A pair's limits as a row, where columns that are closed do not say them.
static void fit_pair(duet_generation *c, size_t type, size_t class)
{
    size_t pair = pair_of(c, type, class);
    int64_t left = c->state->left[class];
    int64_t low = duet_residual_least(c->state, class, type);
    int64_t high = duet_residual_most(c->state, class, type);
    bool several = c->classes->processors[type] > 1 || c->divisible[type];
    bool above = high > 0 && high < left && several;
    bool below = low > 0 && low < left;
    if (c->pair_row[pair] == SIZE_MAX && (above || below)) {
        add_pair_row(c, type, class);
    }
    if (c->pair_row[pair] != SIZE_MAX) {
        duet_lp_bound_row(c->lp, c->pair_row[pair], below ? (double)low : -INFINITY,
                          above ? (double)high : INFINITY);
    }
}

static bool fits(const duet_generation *c, const pattern_column *pattern)
{
    bool fits = pattern->load <= c->capacity[pattern->type];
    for (size_t p = 0; p < pattern->parts && fits; p++) {
        const duet_pricing_part *part = &c->content[pattern->begin + p];
        fits = part->tasks <= duet_residual_most(c->state, part->class, pattern->type);
    }
    return fits;
}

static void bound_columns(duet_generation *c)
{
    for (size_t i = 0; i < c->patterns; i++) {
        pattern_column *pattern = &c->pattern[i];
        pattern->open = fits(c, pattern);
        duet_lp_bound_column(c->lp, pattern->column, pattern->open ? (double)pattern->taken : 0,
                             pattern->open ? INFINITY : 0);
    }
    for (size_t t = 0; t < c->types; t++) {
        for (size_t i = 0; i < c->count; i++) {
            size_t column = c->share[pair_of(c, t, i)];
            if (column != SIZE_MAX) {
                bool open = most_on_one(c, t, i, c->capacity[t]) > 0;
                duet_lp_bound_column(c->lp, column, 0, open ? INFINITY : 0);
            }
        }
    }
}

// Tasks of a class alone on a processor of a type, or divided there.
static duet_code cover_on(duet_generation *c, size_t type, size_t class, duet_error *error)
{
    if (c->divisible[type]) {
        duet_generation_share_class(c, type, class);
        return DUET_OK;
    }
    duet_pricing_part part = {class, most_on_one(c, type, class, c->capacity[type])};
    return duet_generation_push(c, type, &part, 1, &c->cover[class], error);
}

// Whether some column covers a class already, on each type that must run some of it.
static bool is_covered(const duet_generation *c, size_t class)
{
    return c->cover[class] != SIZE_MAX && c->pattern[c->cover[class]].open;
}

// Columns by which every class can be covered: one on the type that takes the least share of a
// processor for it, and one on each type that must run some.
static duet_code cover_class(duet_generation *c, size_t class, duet_error *error)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < c->types && code == DUET_OK; t++) {
        if (most_on_one(c, t, class, c->capacity[t]) == 0) {
            continue;
        }
        double share = (double)c->classes->time[t][class] / (double)c->capacity[t];
        best = share < least ? t : best;
        least = share < least ? share : least;
        if (duet_residual_least(c->state, class, t) > 0) {
            code = cover_on(c, t, class, error);
        }
    }
    bool covered = is_covered(c, class) || (best != SIZE_MAX && c->divisible[best] &&
                                            c->share[pair_of(c, best, class)] != SIZE_MAX);
    return code == DUET_OK && best != SIZE_MAX && !covered ? cover_on(c, best, class, error) : code;
}

duet_code duet_generation_fit(duet_generation *c, duet_error *error)
{
    duet_code code = DUET_OK;
    bound_columns(c);
    for (size_t i = 0; i < c->count && code == DUET_OK; i++) {
        DUET_ASSERT(c->state->left[i] == c->classes->tasks[i]);
        code = cover_class(c, i, error);
        for (size_t t = 0; t < c->types && c->classes->tasks[i] > 1; t++) {
            fit_pair(c, t, i);
        }
    }
    return code == DUET_OK ? duet_lp_failure(c->lp, error) : code;
}

void duet_generation_read(duet_generation *c)
{
    memset(c->tasks, 0, c->types * c->count * sizeof *c->tasks);
    for (size_t i = 0; i < c->patterns; i++) {
        const pattern_column *pattern = &c->pattern[i];
        double value = pattern->open ? duet_lp_value(c->lp, pattern->column) : 0;
        for (size_t p = 0; p < pattern->parts && value > 0; p++) {
            const duet_pricing_part *part = &c->content[pattern->begin + p];
            c->tasks[pair_of(c, pattern->type, part->class)] += value * (double)part->tasks;
        }
    }
    for (size_t p = 0; p < c->types * c->count; p++) {
        c->tasks[p] += c->share[p] != SIZE_MAX ? duet_lp_value(c->lp, c->share[p]) : 0;
    }
}
