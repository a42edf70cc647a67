// SPDX-License-Identifier: Apache-2.0
// The volume method: creation, runs, and what is asked of it.
#include "lp/volume/volume.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/volume/state.h"

static duet_code allocate(duet_volume *v, duet_error *error)
{
    size_t count = v->classes.count;
    double **const by_class[] = {&v->center,    &v->best,  &v->trial,
                                 &v->direction, &v->ahead, &v->weight};
    bool all = true;
    for (size_t i = 0; i < sizeof by_class / sizeof by_class[0]; i++) {
        *by_class[i] = duet_alloc(count, sizeof **by_class[i], error);
        all = all && *by_class[i] != NULL;
    }
    v->integer = duet_alloc(count, sizeof *v->integer, error);
    v->proof = duet_alloc(count, sizeof *v->proof, error);
    v->mean = duet_alloc(v->classes.types, sizeof *v->mean, error);
    v->limit = duet_alloc(v->classes.types, sizeof *v->limit, error);
    v->content = duet_alloc(count, sizeof *v->content, error);
    all = all && v->integer != NULL && v->proof != NULL && v->mean != NULL && v->limit != NULL &&
          v->content != NULL;
    for (size_t t = 0; t < v->classes.types && all; t++) {
        v->mean[t] = duet_alloc(count, sizeof *v->mean[t], error);
        all = v->mean[t] != NULL;
    }
    return all ? DUET_OK : DUET_E_MEMORY;
}

// So many bits that the checker of a certificate has a table for each limit: limit times classes up
// to 2^36, and some room for a limit to rise.
static int choose_bits(size_t classes)
{
    enum { most = 18, least = 8, table = 33 };
    int bits = most;
    while (bits > least && (uint64_t)classes << bits > UINT64_C(1) << table) {
        bits--;
    }
    return bits;
}

duet_code duet_volume_create(const duet_instance *instance, int64_t lower, int64_t upper,
                             duet_volume **out, duet_error *error)
{
    DUET_ASSERT(0 < lower && lower <= upper);
    *out = NULL;
    duet_volume *v = duet_alloc(1, sizeof *v, error);
    if (v == NULL) {
        return DUET_E_MEMORY;
    }
    v->instance = instance;
    v->lower = v->bound = lower;
    v->upper = upper;
    duet_code code =
        duet_classes_create(instance, upper > lower ? upper - 1 : lower, &v->classes, error);
    DUET_THEN(code, duet_supply_create(&v->classes, &v->supply, error));
    DUET_THEN(code, allocate(v, error));
    if (code != DUET_OK) {
        duet_volume_free(v);
        return code;
    }
    v->bits = choose_bits(v->classes.count);
    v->stalled = v->classes.count == 0;
    duet_supply_set_guess(&v->supply, lower);
    *out = v;
    return DUET_OK;
}

void duet_volume_free(duet_volume *v)
{
    if (v == NULL) {
        return;
    }
    for (size_t t = 0; v->mean != NULL && t < v->classes.types; t++) {
        duet_free(v->mean[t]);
    }
    duet_free(v->mean);
    duet_free(v->content);
    duet_free(v->limit);
    duet_free(v->center);
    duet_free(v->best);
    duet_free(v->trial);
    duet_free(v->direction);
    duet_free(v->ahead);
    duet_free(v->weight);
    duet_free(v->integer);
    duet_free(v->proof);
    duet_supply_free(&v->supply);
    duet_classes_free(&v->classes);
    duet_free(v);
}

void duet_volume_share(duet_volume *v, duet_column_store *store)
{
    v->store = store;
    duet_column_store_begin(store, &v->classes);
}

duet_code duet_volume_run(duet_volume *v, int64_t iterations, const duet_context *context,
                          duet_error *error)
{
    duet_code code = DUET_OK;
    if (v->best_ratio <= 0 && volume_open(v) && !v->stalled) {
        code = volume_start(v, context, error);
        v->stalled = v->best_ratio <= 0;
    }
    for (int64_t i = 0; i < iterations && code == DUET_OK; i++) {
        if (!volume_open(v) || v->stalled || duet_context_stop(context)) {
            break;
        }
        code = volume_iterate(v, context, error);
    }
    return code;
}

int64_t duet_volume_bound(const duet_volume *v)
{
    return v->bound;
}

bool duet_volume_stalled(const duet_volume *v)
{
    return v->stalled;
}

void duet_volume_set_upper(duet_volume *v, int64_t upper)
{
    if (upper < v->upper) {
        v->upper = duet_max(upper, v->bound);
    }
}

const double *duet_volume_prices(const duet_volume *v, const double **limit)
{
    *limit = v->limit;
    return v->best_ratio > 0 ? v->best : NULL;
}

const duet_classes *duet_volume_classes(const duet_volume *v)
{
    return &v->classes;
}
