// SPDX-License-Identifier: Apache-2.0
// A configuration relaxation for any number of types: its creation and release, and its patterns.
#include "lp/generation/generation.h"

#include <string.h>

#include "core/memory.h"
#include "lp/generation/state.h"

enum {
    MAX_PAIRS = 1 << 18, // of a type and a class
    MAX_CLASSES = 3000   // rows of the program
};

bool duet_generation_possible(const duet_classes *classes)
{
    return classes->count > 0 && classes->count <= MAX_CLASSES &&
           classes->types * classes->count <= MAX_PAIRS && classes->nowhere == SIZE_MAX;
}

static bool allocate_duals(duet_generation *c, duals *d, duet_error *error)
{
    d->task = duet_alloc(c->types * c->count, sizeof *d->task, error);
    d->processor = duet_alloc(c->types, sizeof *d->processor, error);
    return d->task != NULL && d->processor != NULL;
}

static bool allocate_types(duet_generation *c, duet_error *error)
{
    c->divisible = duet_alloc(c->types, sizeof *c->divisible, error);
    c->capacity = duet_alloc(c->types, sizeof *c->capacity, error);
    c->processor_row = duet_alloc(c->types, sizeof *c->processor_row, error);
    c->dearest = duet_alloc(c->types, sizeof *c->dearest, error);
    bool all = c->divisible != NULL && c->capacity != NULL && c->processor_row != NULL &&
               c->dearest != NULL;
    for (size_t t = 0; t < c->types && all; t++) {
        c->dearest[t].part = duet_alloc(c->count, sizeof *c->dearest[t].part, error);
        all = c->dearest[t].part != NULL;
    }
    return all;
}

static duet_code allocate(duet_generation *c, duet_error *error)
{
    size_t pairs = c->types * c->count;
    c->class_row = duet_alloc(c->count, sizeof *c->class_row, error);
    c->cover = duet_alloc(c->count, sizeof *c->cover, error);
    c->pair_row = duet_alloc(pairs, sizeof *c->pair_row, error);
    c->share = duet_alloc(pairs, sizeof *c->share, error);
    c->tasks = duet_alloc(pairs, sizeof *c->tasks, error);
    c->item = duet_alloc(c->count, sizeof *c->item, error);
    c->part = duet_alloc(c->count, sizeof *c->part, error);
    bool all = c->class_row != NULL && c->cover != NULL && c->pair_row != NULL &&
               c->share != NULL && c->tasks != NULL && c->item != NULL && c->part != NULL;
    all = all && allocate_types(c, error) && allocate_duals(c, &c->last, error) &&
          allocate_duals(c, &c->center, error) && allocate_duals(c, &c->dual, error);
    duet_code code = all ? duet_prices_create(c->classes, &c->trial, error) : DUET_E_MEMORY;
    if (code == DUET_OK) {
        code = duet_pricing_create(&c->pricing, error);
    }
    if (code == DUET_OK) {
        code = duet_branch_create(&c->branch, error);
    }
    return code == DUET_OK ? duet_lp_create(&c->lp, error) : code;
}

duet_code duet_generation_create(const duet_classes *classes, const bool *divisible,
                                 duet_generation **out, duet_error *error)
{
    *out = NULL;
    duet_generation *c = duet_alloc(1, sizeof *c, error);
    if (c == NULL) {
        return DUET_E_MEMORY;
    }
    c->classes = classes;
    c->types = classes->types;
    c->count = classes->count;
    c->guess = classes->guess;
    duet_code code = allocate(c, error);
    if (code == DUET_OK) {
        memcpy(c->divisible, divisible, c->types * sizeof *c->divisible);
        memcpy(c->capacity, classes->capacity, c->types * sizeof *c->capacity);
        code = duet_generation_build(c, error);
    }
    if (code != DUET_OK) {
        duet_generation_free(c);
        return code;
    }
    *out = c;
    return DUET_OK;
}

static void free_duals(duals *d)
{
    duet_free(d->task);
    duet_free(d->processor);
}

void duet_generation_free(duet_generation *c)
{
    if (c == NULL) {
        return;
    }
    for (size_t t = 0; t < c->types && c->dearest != NULL; t++) {
        duet_free(c->dearest[t].part);
    }
    duet_free(c->dearest);
    duet_free(c->divisible);
    duet_free(c->capacity);
    duet_free(c->processor_row);
    duet_free(c->class_row);
    duet_free(c->cover);
    duet_free(c->pair_row);
    duet_free(c->share);
    duet_free(c->tasks);
    duet_free(c->item);
    duet_free(c->part);
    duet_free(c->pattern);
    duet_free(c->content);
    duet_free(c->slot);
    free_duals(&c->last);
    free_duals(&c->center);
    free_duals(&c->dual);
    duet_prices_free(&c->trial);
    duet_pricing_free(c->pricing);
    duet_branch_free(c->branch);
    duet_lp_free(c->lp);
    duet_free(c);
}

duet_code duet_generation_add(duet_generation *c, size_t type, const duet_pricing_part *part,
                              size_t parts, size_t *index, duet_error *error)
{
    return duet_generation_push(c, type, part, parts, index, error);
}

duet_code duet_generation_note(const duet_generation *c, duet_lp_position *out, duet_error *error)
{
    duet_lp_position_free(out);
    *out = (duet_lp_position){.rows = 0};
    return duet_lp_get_status(c->lp) == DUET_LP_OPTIMAL ? duet_lp_note_position(c->lp, out, error)
                                                        : DUET_OK;
}

void duet_generation_resume(duet_generation *c, const duet_lp_position *position, bool narrowed)
{
    if (position->row != NULL) {
        duet_lp_take_position(c->lp, position);
        c->widened = !narrowed;
    }
}

double duet_generation_tasks(const duet_generation *c, size_t type, size_t class)
{
    return c->tasks[pair_of(c, type, class)];
}

size_t duet_generation_patterns(const duet_generation *c)
{
    return c->patterns;
}

duet_generation_pattern duet_generation_pattern_at(const duet_generation *c, size_t index)
{
    const pattern_column *pattern = &c->pattern[index];
    return (duet_generation_pattern){.type = pattern->type,
                                     .value =
                                         pattern->open ? duet_lp_value(c->lp, pattern->column) : 0,
                                     .taken = pattern->taken,
                                     .part = c->content + pattern->begin,
                                     .parts = pattern->parts};
}

void duet_generation_take(duet_generation *c, size_t index)
{
    c->pattern[index].taken++;
}

void duet_generation_take_none(duet_generation *c)
{
    for (size_t i = 0; i < c->patterns; i++) {
        c->pattern[i].taken = 0;
    }
}
