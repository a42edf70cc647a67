// SPDX-License-Identifier: Apache-2.0
// The pricing problem of a vector and a type. Includes no solver header: this is what an outsider
// trusts.
//
// Method: a table of completion bounds. least[i][p] is the least time in which tasks of the classes
// from position i on, as many as there are at the root, have a price of at least p. What it refuses
// has no completion, so depth-first search with it hardly ever turns back. Where the table would be
// too large, prices are rounded up to multiples of 2^shift: it then refuses less, never more.
// Cost:   O(classes x columns x log(tasks of a class)) time, O(classes x columns) memory.
#include "check/proof/tree/pool.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { MAX_CELLS = 1 << 20 }; // filling more takes longer than it saves

// Divides prices and limit by their greatest common divisor.
static void divide_prices(duet_proof_pricing *pricing, const duet_proof_model *model,
                          const duet_proof_vector *vector, int type)
{
    pricing->unit = 1;
    if (vector->factor[type] == 0 || vector->limit[type] == 0) {
        return; // the limit is 0, and so is the price of every task
    }
    duet_uint128 divisor = (duet_uint128)vector->limit[type];
    for (size_t i = 0; i < model->usable[type]; i++) {
        divisor = duet_gcd(divisor, (duet_uint128)vector->price[type][model->order[type][i]]);
    }
    for (size_t i = 0; i < model->usable[type]; i++) {
        pricing->price[i] = vector->price[type][model->order[type][i]] / (int64_t)divisor;
    }
    pricing->limit = vector->limit[type] / (int64_t)divisor;
    pricing->unit = (duet_int128)divisor * vector->factor[type];
}

static void find_densest(duet_proof_pricing *pricing, size_t usable)
{
    for (size_t i = usable; i-- > 0;) {
        size_t other = i + 1 < usable ? pricing->densest[i + 1] : i;
        pricing->densest[i] = (duet_int128)pricing->price[other] * pricing->time[i] >
                                      (duet_int128)pricing->price[i] * pricing->time[other]
                                  ? other
                                  : i;
    }
}

static duet_code fill_table(duet_proof_pricing *pricing, const duet_proof_model *model, int type,
                            duet_watch *watch, duet_error *error)
{
    size_t usable = model->usable[type];
    size_t columns = (size_t)pricing->columns;
    int64_t *row = pricing->least + usable * columns;
    for (size_t p = 1; p < columns; p++) {
        row[p] = DUET_PROOF_NEVER;
    }
    int64_t less = (INT64_C(1) << pricing->shift) - 1;
    for (size_t i = usable; i-- > 0;) {
        size_t class = model->order[type][i];
        int64_t *above = row - columns;
        for (size_t p = 0; p < columns; p++) {
            above[p] = row[p];
        }
        row = above;
        int64_t price =
            (pricing->price[i] >> pricing->shift) + ((pricing->price[i] & less) != 0 ? 1 : 0);
        duet_code code =
            duet_proof_add_tasks(row, pricing->columns, price, model->time[type][class],
                                 model->count[class], model->capacity[type], watch, error);
        DUET_THEN(code, duet_check_spend(watch, pricing->columns, error));
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_proof_pricing_create(duet_proof_pricing **out, const duet_proof_model *model,
                                    const duet_proof_vector *vector, int type, size_t most_bytes,
                                    duet_watch *watch, duet_error *error)
{
    size_t usable = model->usable[type];
    duet_proof_pricing *pricing = duet_alloc(1, sizeof *pricing, error);
    *out = pricing;
    DUET_NEED(pricing);
    pricing->price = duet_alloc(usable, sizeof *pricing->price, error);
    pricing->time = duet_alloc(usable, sizeof *pricing->time, error);
    pricing->densest = duet_alloc(usable, sizeof *pricing->densest, error);
    DUET_NEED(pricing->price != NULL && pricing->time != NULL && pricing->densest != NULL);
    for (size_t i = 0; i < usable; i++) {
        pricing->time[i] = model->time[type][model->order[type][i]];
    }
    divide_prices(pricing, model, vector, type);
    find_densest(pricing, usable);
    // Many classes get a few columns each.
    size_t most_cells = most_bytes / sizeof *pricing->least;
    most_cells = duet_min(most_cells, MAX_CELLS);
    int64_t most = (int64_t)(most_cells / (usable + 1)) + 4;
    while ((pricing->limit >> pricing->shift) + 2 > most) {
        pricing->shift++;
    }
    pricing->columns = (pricing->limit >> pricing->shift) + 2;
    size_t cells = (usable + 1) * (size_t)pricing->columns;
    pricing->least = duet_alloc(cells, sizeof *pricing->least, error);
    pricing->bytes = sizeof *pricing + cells * sizeof *pricing->least +
                     usable * (2 * sizeof *pricing->price + sizeof *pricing->densest);
    return pricing->least == NULL ? DUET_E_MEMORY : fill_table(pricing, model, type, watch, error);
}

void duet_proof_pricing_free(duet_proof_pricing *pricing)
{
    if (pricing != NULL) {
        duet_free(pricing->price);
        duet_free(pricing->time);
        duet_free(pricing->least);
        duet_free(pricing->densest);
        duet_free(pricing);
    }
}

int64_t duet_proof_pricing_slack(const duet_proof_pricing *pricing, duet_int128 slack)
{
    if (slack < 0) {
        return -1;
    }
    DUET_ASSERT(pricing->unit > 0);
    duet_int128 units = slack / pricing->unit;
    return units < pricing->limit ? (int64_t)units : pricing->limit;
}
