// SPDX-License-Identifier: Apache-2.0
// A configuration relaxation: its creation and release, and its patterns.
#include "lp/configuration/configuration.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"

static bool allocate_duals(const duet_configuration *c, duals *d, duet_error *error)
{
    d->task = duet_alloc(c->types * c->count, sizeof *d->task, error);
    d->processor = duet_alloc(c->types, sizeof *d->processor, error);
    return d->task != NULL && d->processor != NULL;
}

static bool allocate_types(duet_configuration *c, duet_error *error)
{
    c->divisible = duet_alloc(c->types, sizeof *c->divisible, error);
    c->capacity = duet_alloc(c->types, sizeof *c->capacity, error);
    c->processor_row = duet_alloc(c->types, sizeof *c->processor_row, error);
    c->dearest = duet_alloc(c->types, sizeof *c->dearest, error);
    c->core_start = duet_alloc(c->types, sizeof *c->core_start, error);
    c->priced = duet_alloc(c->types, sizeof *c->priced, error);
    c->effort.given_up = duet_alloc(c->types, sizeof *c->effort.given_up, error);
    bool all = c->divisible != NULL && c->capacity != NULL && c->processor_row != NULL &&
               c->dearest != NULL && c->core_start != NULL && c->priced != NULL &&
               c->effort.given_up != NULL;
    for (size_t t = 0; t < c->types && all; t++) {
        c->dearest[t].part = duet_alloc(c->count, sizeof *c->dearest[t].part, error);
        all = c->dearest[t].part != NULL;
    }
    return all && allocate_duals(c, &c->smoothing.last, error) &&
           allocate_duals(c, &c->smoothing.center, error) &&
           allocate_duals(c, &c->smoothing.dual, error);
}

static bool allocate_classes(duet_configuration *c, duet_error *error)
{
    size_t pairs = c->types * c->count;
    c->class_row = duet_alloc(c->count, sizeof *c->class_row, error);
    c->pair_row = duet_alloc(pairs, sizeof *c->pair_row, error);
    c->single = duet_alloc(pairs, sizeof *c->single, error);
    c->tasks = duet_alloc(c->lasts ? pairs : 0, sizeof *c->tasks, error);
    c->cover = duet_alloc(c->lasts ? c->count : 0, sizeof *c->cover, error);
    c->fixed = duet_alloc(c->count, sizeof *c->fixed, error);
    return c->class_row != NULL && c->pair_row != NULL && c->single != NULL && c->tasks != NULL &&
           c->cover != NULL && c->fixed != NULL;
}

static duet_code allocate(duet_configuration *c, const bool *divisible, duet_error *error)
{
    if (!allocate_types(c, error) || !allocate_classes(c, error)) {
        return DUET_E_MEMORY;
    }
    memcpy(c->divisible, divisible, c->types * sizeof *c->divisible);
    memcpy(c->capacity, c->classes->capacity, c->types * sizeof *c->capacity);
    for (size_t p = 0; p < c->types * c->count; p++) {
        c->pair_row[p] = c->single[p] = SIZE_MAX;
    }
    DUET_TRY(duet_prices_create(c->classes, &c->trial, error));
    DUET_TRY(duet_desk_create(&c->desk, c->count, error));
    return duet_lp_create(&c->lp, error);
}

// *out is to be freed on an error, too.
static duet_code create(const duet_classes *classes, const bool *divisible, bool lasts,
                        duet_configuration **out, duet_error *error)
{
    duet_configuration *c = *out = duet_alloc(1, sizeof *c, error);
    DUET_NEED(c);
    c->classes = classes;
    c->types = classes->types;
    c->count = classes->count;
    c->guess = classes->guess;
    c->lasts = lasts;
    c->seen.most = SIZE_MAX;
    return allocate(c, divisible, error);
}

// Hands out what was made, or frees it.
static duet_code finish(duet_code code, duet_configuration **out)
{
    if (code != DUET_OK) {
        duet_configuration_free(*out);
        *out = NULL;
    }
    return code;
}

// Whether a start is of use: its patterns are still there, and of the same types.
static bool may_start(const duet_configuration *c, const duet_configuration_start *start)
{
    return start != NULL && start->classes == c->count && c->store != NULL &&
           c->store->renewals == start->renewals && c->divisible[0] == start->divisible[0] &&
           c->divisible[1] == start->divisible[1];
}

duet_code duet_configuration_create(const duet_classes *classes, const duet_residual *state,
                                    const bool divisible[2], duet_column_store *store,
                                    const duet_configuration_start *start, duet_configuration **out,
                                    duet_error *error)
{
    duet_code code = create(classes, divisible, false, out, error);
    if (code == DUET_OK) {
        duet_configuration *c = *out;
        c->state = state;
        c->store = store;
        if (store != NULL) {
            duet_column_store_begin(store, classes);
        }
        c->start = may_start(c, start) ? start : NULL;
        code = duet_master_build(c, error);
    }
    return finish(code, out);
}

duet_code duet_generation_create(const duet_classes *classes, const bool *divisible,
                                 duet_generation **out, duet_error *error)
{
    duet_code code = create(classes, divisible, true, out, error);
    DUET_THEN(code, duet_generation_build(*out, error));
    return finish(code, out);
}

static void free_duals(duals *d)
{
    duet_free(d->task);
    duet_free(d->processor);
    duet_free(d->row);
}

void duet_configuration_free(duet_configuration *c)
{
    if (c == NULL) {
        return;
    }
    for (size_t t = 0; t < c->types && c->dearest != NULL; t++) {
        duet_free(c->dearest[t].part);
    }
    for (size_t t = 0; t < c->types && c->priced != NULL; t++) {
        duet_free(c->priced[t].part);
        duet_free(c->priced[t].end);
    }
    void *const arrays[] = {c->dearest,
                            c->priced,
                            c->core_start,
                            c->effort.given_up,
                            c->divisible,
                            c->capacity,
                            c->processor_row,
                            c->class_row,
                            c->pair_row,
                            c->single,
                            c->tasks,
                            c->cover,
                            c->fixed,
                            c->pattern,
                            c->content,
                            c->key,
                            c->counted,
                            c->row,
                            c->branching_lp_row,
                            c->branching_lp_column,
                            c->table.by_time,
                            c->table.step,
                            c->table.lump,
                            c->table.item};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        duet_free(arrays[i]);
    }
    free_duals(&c->smoothing.last);
    free_duals(&c->smoothing.center);
    free_duals(&c->smoothing.dual);
    duet_seen_free(&c->seen);
    duet_prices_free(&c->trial);
    duet_desk_free(&c->desk);
    duet_lp_free(c->lp);
    duet_free(c);
}

size_t duet_configuration_patterns(const duet_configuration *c)
{
    return c->patterns;
}

duet_configuration_pattern duet_configuration_pattern_at(const duet_configuration *c, size_t index)
{
    const pattern_column *pattern = &c->pattern[index];
    return (duet_configuration_pattern){
        .type = pattern->type,
        .value = pattern->open ? duet_lp_value(c->lp, pattern->column) : 0,
        .taken = pattern->taken,
        .part = c->content + pattern->begin,
        .parts = pattern->parts};
}
