// SPDX-License-Identifier: Apache-2.0
// A configuration relaxation for any number of types: its creation and release, and its patterns.
#include "lp/generation/generation.h"

#include <string.h>

#include "core/system/memory.h"
#include "lp/generation/generation_state.h"

enum {
    MAX_PAIRS = 1 << 18, // of a type and a class
    MAX_CLASSES = 3000   // rows of the program
};

bool duet_generation_possible(const duet_classes *classes)
{
    return classes->count > 0 && classes->count <= MAX_CLASSES &&
           classes->types * classes->count <= MAX_PAIRS && classes->nowhere == SIZE_MAX;
}

static bool allocate_duals(duet_generation *generation, duals *d, duet_error *error)
{
    d->task = duet_alloc(generation->types * generation->count, sizeof *d->task, error);
    d->processor = duet_alloc(generation->types, sizeof *d->processor, error);
    return d->task != NULL && d->processor != NULL;
}

static bool allocate_types(duet_generation *generation, duet_error *error)
{
    generation->divisible = duet_alloc(generation->types, sizeof *generation->divisible, error);
    generation->capacity = duet_alloc(generation->types, sizeof *generation->capacity, error);
    generation->processor_row =
        duet_alloc(generation->types, sizeof *generation->processor_row, error);
    generation->dearest = duet_alloc(generation->types, sizeof *generation->dearest, error);
    generation->core_start = duet_alloc(generation->types, sizeof *generation->core_start, error);
    generation->effort.given_up =
        duet_alloc(generation->types, sizeof *generation->effort.given_up, error);
    bool all = generation->divisible != NULL && generation->capacity != NULL &&
               generation->processor_row != NULL && generation->dearest != NULL &&
               generation->core_start != NULL && generation->effort.given_up != NULL;
    for (size_t t = 0; t < generation->types && all; t++) {
        generation->dearest[t].part =
            duet_alloc(generation->count, sizeof *generation->dearest[t].part, error);
        all = generation->dearest[t].part != NULL;
    }
    return all;
}

static duet_code allocate(duet_generation *generation, duet_error *error)
{
    size_t pairs = generation->types * generation->count;
    generation->class_row = duet_alloc(generation->count, sizeof *generation->class_row, error);
    generation->cover = duet_alloc(generation->count, sizeof *generation->cover, error);
    generation->pair_row = duet_alloc(pairs, sizeof *generation->pair_row, error);
    generation->share = duet_alloc(pairs, sizeof *generation->share, error);
    generation->tasks = duet_alloc(pairs, sizeof *generation->tasks, error);
    generation->item = duet_alloc(generation->count, sizeof *generation->item, error);
    generation->part = duet_alloc(generation->count, sizeof *generation->part, error);
    generation->core_part = duet_alloc(generation->count, sizeof *generation->core_part, error);
    bool all = generation->class_row != NULL && generation->cover != NULL &&
               generation->pair_row != NULL && generation->share != NULL &&
               generation->tasks != NULL && generation->item != NULL && generation->part != NULL &&
               generation->core_part != NULL;
    all = all && allocate_types(generation, error) &&
          allocate_duals(generation, &generation->smoothing.last, error) &&
          allocate_duals(generation, &generation->smoothing.center, error) &&
          allocate_duals(generation, &generation->smoothing.dual, error);
    duet_code code =
        all ? duet_prices_create(generation->classes, &generation->trial, error) : DUET_E_MEMORY;
    if (code == DUET_OK) {
        code = duet_pricing_create(&generation->pricing, error);
    }
    if (code == DUET_OK) {
        code = duet_branch_create(&generation->branch, error);
    }
    if (code == DUET_OK) {
        code = duet_pricing_core_create(&generation->core, error);
    }
    return code == DUET_OK ? duet_lp_create(&generation->lp, error) : code;
}

duet_code duet_generation_create(const duet_classes *classes, const bool *divisible,
                                 duet_generation **out, duet_error *error)
{
    *out = NULL;
    duet_generation *generation = duet_alloc(1, sizeof *generation, error);
    if (generation == NULL) {
        return DUET_E_MEMORY;
    }
    generation->classes = classes;
    generation->types = classes->types;
    generation->count = classes->count;
    generation->guess = classes->guess;
    duet_code code = allocate(generation, error);
    if (code == DUET_OK) {
        memcpy(generation->divisible, divisible, generation->types * sizeof *generation->divisible);
        memcpy(generation->capacity, classes->capacity,
               generation->types * sizeof *generation->capacity);
        code = duet_generation_build(generation, error);
    }
    if (code != DUET_OK) {
        duet_generation_free(generation);
        return code;
    }
    *out = generation;
    return DUET_OK;
}

static void free_duals(duals *d)
{
    duet_free(d->task);
    duet_free(d->processor);
}

void duet_generation_free(duet_generation *generation)
{
    if (generation == NULL) {
        return;
    }
    for (size_t t = 0; t < generation->types && generation->dearest != NULL; t++) {
        duet_free(generation->dearest[t].part);
    }
    duet_free(generation->dearest);
    duet_free(generation->core_start);
    duet_free(generation->effort.given_up);
    duet_free(generation->divisible);
    duet_free(generation->capacity);
    duet_free(generation->by_time);
    duet_free(generation->step);
    duet_free(generation->processor_row);
    duet_free(generation->class_row);
    duet_free(generation->cover);
    duet_free(generation->pair_row);
    duet_free(generation->share);
    duet_free(generation->tasks);
    duet_free(generation->item);
    duet_free(generation->part);
    duet_free(generation->core_part);
    duet_free(generation->pattern);
    duet_free(generation->content);
    duet_free(generation->slot);
    duet_free(generation->counted);
    duet_free(generation->row);
    free_duals(&generation->smoothing.last);
    free_duals(&generation->smoothing.center);
    free_duals(&generation->smoothing.dual);
    duet_prices_free(&generation->trial);
    duet_pricing_free(generation->pricing);
    duet_branch_free(generation->branch);
    duet_pricing_core_free(generation->core);
    duet_lp_free(generation->lp);
    duet_free(generation);
}

duet_code duet_generation_note(const duet_generation *generation, duet_lp_position *out,
                               duet_error *error)
{
    duet_lp_position_free(out);
    *out = (duet_lp_position){.rows = 0};
    return duet_lp_get_status(generation->lp) == DUET_LP_OPTIMAL
               ? duet_lp_note_position(generation->lp, out, error)
               : DUET_OK;
}

void duet_generation_resume(duet_generation *generation, const duet_lp_position *position,
                            bool narrowed)
{
    generation->widened = generation->widened || !narrowed;
    if (position->row != NULL) {
        duet_lp_take_position(generation->lp, position);
        generation->widened = !narrowed;
    }
}

double duet_generation_tasks(const duet_generation *generation, size_t type, size_t class)
{
    return generation->tasks[pair_of(generation, type, class)];
}

size_t duet_generation_patterns(const duet_generation *generation)
{
    return generation->patterns;
}

duet_generation_pattern duet_generation_pattern_at(const duet_generation *generation, size_t index)
{
    const pattern_column *pattern = &generation->pattern[index];
    return (duet_generation_pattern){
        .type = pattern->type,
        .value = pattern->open ? duet_lp_value(generation->lp, pattern->column) : 0,
        .taken = pattern->taken,
        .part = generation->content + pattern->begin,
        .parts = pattern->parts};
}

void duet_generation_take(duet_generation *generation, size_t index)
{
    generation->pattern[index].taken++;
}

void duet_generation_take_back(duet_generation *generation, size_t index)
{
    generation->pattern[index].taken--;
}

void duet_generation_price_sets(duet_generation *generation, bool sets)
{
    generation->sets = sets;
}

void duet_generation_take_none(duet_generation *generation)
{
    for (size_t i = 0; i < generation->patterns; i++) {
        generation->pattern[i].taken = 0;
    }
}
