// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration/column_store.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { STORED = 6000 }; // columns kept at most

void duet_column_store_free(duet_column_store *store)
{
    duet_free(store->part);
    duet_free(store->column);
    *store = (duet_column_store){.columns = 0};
}

void duet_column_store_clear(duet_column_store *store)
{
    store->columns = store->parts = 0;
    store->renewals++;
}

duet_code duet_column_store_copy(const duet_column_store *from, duet_column_store *to,
                                 duet_error *error)
{
    duet_code code = duet_vec_reserve(to->part, from->parts, error);
    DUET_THEN(code, duet_vec_reserve(to->column, from->columns, error));
    if (code != DUET_OK) {
        return code;
    }
    duet_stored_part *part = to->part;
    duet_stored_column *column = to->column;
    *to = *from;
    to->part = part;
    to->column = column;
    if (from->parts > 0) {
        memcpy(part, from->part, from->parts * sizeof *part);
    }
    if (from->columns > 0) {
        memcpy(column, from->column, from->columns * sizeof *column);
    }
    return DUET_OK;
}

void duet_column_store_begin(duet_column_store *store, const duet_classes *classes)
{
    if (store->classes != classes->count || store->valid != classes->valid ||
        store->columns >= STORED) {
        duet_column_store_clear(store);
        store->classes = classes->count;
        store->valid = classes->valid;
    }
}

duet_code duet_column_store_add(duet_column_store *store, size_t type,
                                const duet_pricing_part *part, size_t parts, duet_error *error)
{
    if (store->columns >= STORED) {
        return DUET_OK;
    }
    duet_code code = duet_vec_grow(store->column, store->columns, error);
    size_t begin = store->parts;
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_vec_grow(store->part, store->parts, error);
        if (code == DUET_OK) {
            DUET_ASSERT(part[p].class < store->classes && part[p].tasks <= UINT32_MAX);
            store->part[store->parts++] =
                (duet_stored_part){(uint32_t)part[p].class, (uint32_t)part[p].tasks};
        }
    }
    if (code == DUET_OK) {
        store->column[store->columns++] = (duet_stored_column){type, begin, parts};
    }
    return code;
}

void duet_column_store_read(const duet_column_store *store, const duet_stored_column *column,
                            duet_pricing_part *out)
{
    const duet_stored_part *part = store->part + column->begin;
    for (size_t p = 0; p < column->parts; p++) {
        out[p] = (duet_pricing_part){part[p].class, part[p].tasks};
    }
}

bool duet_column_store_fits(const duet_column_store *store, const duet_stored_column *column,
                            const duet_classes *classes, const duet_residual *state,
                            duet_pricing_part *out)
{
    const duet_stored_part *part = store->part + column->begin;
    int64_t time = 0;
    bool fits = state->processors[column->type] > 0;
    duet_column_store_read(store, column, out);
    for (size_t p = 0; p < column->parts && fits; p++) {
        time += classes->time[column->type][part[p].class] * part[p].tasks;
        fits = duet_residual_most(state, part[p].class, column->type) >= part[p].tasks;
    }
    return fits && time <= classes->capacity[column->type];
}
