// SPDX-License-Identifier: Apache-2.0
// A configuration relaxation: its creation and release, and its patterns.
#include "lp/configuration/configuration.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"

// Whether a start is of use: its patterns are still there, and of the same types.
static bool may_start(const duet_configuration *c, const duet_configuration_start *start)
{
    return start != NULL && start->classes == c->classes->count && c->store != NULL &&
           c->store->renewals == start->renewals && c->divisible[0] == start->divisible[0] &&
           c->divisible[1] == start->divisible[1];
}

static bool allocate_type(duet_configuration *c, size_t type, duet_error *error)
{
    size_t classes = c->classes->count;
    duals *const of_type[] = {&c->smoothing.last, &c->smoothing.center, &c->smoothing.dual};
    c->single[type] = duet_alloc(classes, sizeof *c->single[type], error);
    c->dearest[type].part = duet_alloc(classes, sizeof *c->dearest[type].part, error);
    bool all = c->single[type] != NULL && c->dearest[type].part != NULL;
    for (size_t i = 0; i < sizeof of_type / sizeof of_type[0]; i++) {
        of_type[i]->task[type] = duet_alloc(classes, sizeof *of_type[i]->task[type], error);
        all = all && of_type[i]->task[type] != NULL;
    }
    return all;
}

static duet_code allocate(duet_configuration *c, duet_error *error)
{
    size_t classes = c->classes->count;
    c->fixed = duet_alloc(classes, sizeof *c->fixed, error);
    c->row = duet_alloc(classes, sizeof *c->row, error);
    c->item = duet_alloc(classes, sizeof *c->item, error);
    c->part = duet_alloc(classes, sizeof *c->part, error);
    bool all = c->fixed != NULL && c->row != NULL && c->item != NULL && c->part != NULL;
    for (size_t t = 0; t < 2 && all; t++) {
        all = allocate_type(c, t, error);
    }
    duet_code code = all ? duet_prices_create(c->classes, &c->trial, error) : DUET_E_MEMORY;
    DUET_THEN(code, duet_pricing_create(&c->pricing, error));
    DUET_THEN(code, duet_branch_create(&c->branch, error));
    DUET_THEN(code, duet_pricing_core_create(&c->core, error));
    return code == DUET_OK ? duet_lp_create(&c->lp, error) : code;
}

duet_code duet_configuration_create(const duet_classes *classes, const duet_residual *state,
                                    const bool divisible[2], duet_column_store *store,
                                    const duet_configuration_start *start, duet_configuration **out,
                                    duet_error *error)
{
    *out = NULL;
    duet_configuration *c = duet_alloc(1, sizeof *c, error);
    DUET_NEED(c);
    c->store = store;
    c->classes = classes;
    c->state = state;
    for (size_t t = 0; t < 2; t++) {
        c->divisible[t] = divisible[t];
        c->effort.by_branching[t] = true;
    }
    if (store != NULL) {
        duet_column_store_begin(store, classes);
    }
    c->start = may_start(c, start) ? start : NULL;
    duet_code code = allocate(c, error);
    DUET_THEN(code, duet_master_build(c, error));
    if (code != DUET_OK) {
        duet_configuration_free(c);
        return code;
    }
    *out = c;
    return DUET_OK;
}

static void free_duals(duals *d)
{
    duet_free(d->task[0]);
    duet_free(d->task[1]);
    duet_free(d->row);
}

void duet_configuration_free(duet_configuration *c)
{
    if (c != NULL) {
        duet_free(c->fixed);
        duet_free(c->row);
        duet_free(c->item);
        duet_free(c->part);
        for (size_t t = 0; t < 2; t++) {
            duet_free(c->single[t]);
            duet_free(c->dearest[t].part);
        }
        free_duals(&c->smoothing.last);
        free_duals(&c->smoothing.center);
        free_duals(&c->smoothing.dual);
        duet_free(c->branching_lp_row);
        duet_free(c->branching_lp_column);
        duet_free(c->pattern);
        duet_free(c->content);
        duet_prices_free(&c->trial);
        duet_pricing_free(c->pricing);
        duet_branch_free(c->branch);
        duet_pricing_core_free(c->core);
        duet_lp_free(c->lp);
        duet_free(c);
    }
}

size_t duet_configuration_patterns(const duet_configuration *c)
{
    return c->patterns;
}

duet_configuration_pattern duet_configuration_pattern_at(const duet_configuration *c, size_t index)
{
    const pattern_column *column = &c->pattern[index];
    return (duet_configuration_pattern){.type = column->type,
                                        .value = duet_lp_value(c->lp, column->column),
                                        .part = c->content + column->begin,
                                        .parts = column->parts};
}
