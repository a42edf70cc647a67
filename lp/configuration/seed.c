// SPDX-License-Identifier: Apache-2.0
// Where column generation begins: prices that are nearly the best ones, and the patterns that are
// worth about a processor at them. From nothing it would take tens of programs to come there.
#include <string.h>

#include "lp/configuration/configuration_state.h"

static double worth(const duet_pricing_part *part, size_t parts, const double *price)
{
    double sum = 0;
    for (size_t p = 0; p < parts; p++) {
        sum += price[part[p].class] * (double)part[p].tasks;
    }
    return sum;
}

// Prices that have a limit for the patterns of every type are those that duals are smoothed
// towards. Where tasks are divided their limits are others.
static void center(duet_generation *generation, const double *price, const double *limit)
{
    for (size_t t = 0; t < generation->types; t++) {
        if (generation->divisible[t] && generation->classes->processors[t] > 0) {
            return;
        }
    }
    duet_configuration_pull(generation, price, limit);
}

duet_code duet_generation_seed(duet_generation *generation, const duet_column_store *store,
                               const double *price, const double *limit, duet_error *error)
{
    const double near = 0.99; // of a processor's limit
    duet_pricing_part *part = generation->desk.part;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < store->columns && code == DUET_OK; i++) {
        const duet_stored_column *column = &store->column[i];
        size_t index;
        duet_column_store_read(store, column, part);
        if (!generation->divisible[column->type] &&
            worth(part, column->parts, price) >= near * limit[column->type]) {
            code =
                duet_generation_add(generation, column->type, part, column->parts, &index, error);
        }
    }
    if (code == DUET_OK) {
        center(generation, price, limit);
    }
    return code;
}
