// SPDX-License-Identifier: Apache-2.0
// The volume method: creation, runs, and what is asked of it.
#include "lp/volume/volume.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/volume/volume_state.h"

static duet_code allocate(duet_volume *v, duet_error *error)
{
    size_t count = v->classes.count;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(v->center, count),
                                       DUET_ARENA_ARRAY(v->best, count),
                                       DUET_ARENA_ARRAY(v->trial, count),
                                       DUET_ARENA_ARRAY(v->direction, count),
                                       DUET_ARENA_ARRAY(v->ahead, count),
                                       DUET_ARENA_ARRAY(v->weight, count),
                                       DUET_ARENA_ARRAY(v->integer, count),
                                       DUET_ARENA_ARRAY(v->proof, count),
                                       DUET_ARENA_ARRAY(v->limit, v->classes.types),
                                       DUET_ARENA_ARRAY(v->content, count),
                                       DUET_ARENA_ARRAY(v->mean, count * v->classes.types)};
    return duet_arena_create(&v->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

// The bits of prices at which the checker of a certificate has a table for each limit: limit times
// classes up to 2^36, and some room for a limit to rise.
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
    DUET_NEED(v);
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
    duet_arena_free(&v->arena);
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
