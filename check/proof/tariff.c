// SPDX-License-Identifier: Apache-2.0
// Prices made ready for the enumeration of patterns. Includes no solver header: this is what an
// outsider trusts.
//
// Method: the suffix knapsack least[i][p]: the least time in which tasks of the classes from
// position i on (as many as there were at the root) fetch a price of at least p. What it refuses
// has no completion, so that depth-first search with it hardly ever turns back. Where it would be
// too large, prices are rounded up to multiples of 2^shift: it then refuses less, never more.
#include "check/proof/patterns.h"

#include "core/memory.h"

enum { MAX_CELLS = 1 << 20 }; // more take longer to fill than they spare

// Divides prices and limit by their greatest common divisor. Without a limit there are no prices.
static void divide_prices(duet_proof_tariff *tariff, const duet_proof_model *model,
                          const duet_proof_vector *vector, int type)
{
    tariff->unit = 1;
    if (vector->factor[type] == 0 || vector->limit[type] == 0) {
        return; // all are 0: the vector is valid
    }
    duet_uint128 divisor = (duet_uint128)vector->limit[type];
    for (size_t i = 0; i < model->usable[type]; i++) {
        divisor = duet_gcd(divisor, (duet_uint128)vector->price[type][model->order[type][i]]);
    }
    for (size_t i = 0; i < model->usable[type]; i++) {
        tariff->price[i] = vector->price[type][model->order[type][i]] / (int64_t)divisor;
    }
    tariff->limit = vector->limit[type] / (int64_t)divisor;
    tariff->unit = (duet_int128)divisor * vector->factor[type];
}

static void find_densest(duet_proof_tariff *tariff, size_t usable)
{
    for (size_t i = usable; i-- > 0;) {
        size_t other = i + 1 < usable ? tariff->densest[i + 1] : i;
        tariff->densest[i] = (duet_int128)tariff->price[other] * tariff->time[i] >
                                     (duet_int128)tariff->price[i] * tariff->time[other]
                                 ? other
                                 : i;
    }
}

static duet_code fill_table(duet_proof_tariff *tariff, const duet_proof_model *model, int type,
                            const duet_context *context, duet_error *error)
{
    size_t usable = model->usable[type];
    size_t columns = (size_t)tariff->columns;
    int64_t *row = tariff->least + usable * columns;
    for (size_t p = 1; p < columns; p++) {
        row[p] = DUET_PROOF_NEVER;
    }
    int64_t less = (INT64_C(1) << tariff->shift) - 1;
    for (size_t i = usable; i-- > 0;) {
        size_t class = model->order[type][i];
        int64_t *above = row - columns;
        for (size_t p = 0; p < columns; p++) {
            above[p] = row[p];
        }
        row = above;
        int64_t price =
            (tariff->price[i] >> tariff->shift) + ((tariff->price[i] & less) != 0 ? 1 : 0);
        duet_proof_add_tasks(row, tariff->columns, price, model->time[type][class],
                             model->count[class], model->capacity[type]);
        duet_code code = duet_proof_stop(context, error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_proof_tariff_create(duet_proof_tariff **out, const duet_proof_model *model,
                                   const duet_proof_vector *vector, int type, size_t most_bytes,
                                   const duet_context *context, duet_error *error)
{
    size_t usable = model->usable[type];
    duet_proof_tariff *tariff = duet_alloc(1, sizeof *tariff, error);
    *out = tariff;
    if (tariff == NULL) {
        return DUET_E_MEMORY;
    }
    tariff->price = duet_alloc(usable, sizeof *tariff->price, error);
    tariff->time = duet_alloc(usable, sizeof *tariff->time, error);
    tariff->densest = duet_alloc(usable, sizeof *tariff->densest, error);
    if (tariff->price == NULL || tariff->time == NULL || tariff->densest == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < usable; i++) {
        tariff->time[i] = model->time[type][model->order[type][i]];
    }
    divide_prices(tariff, model, vector, type);
    find_densest(tariff, usable);
    // With many classes a few columns each must do.
    size_t most_cells = most_bytes / sizeof *tariff->least;
    most_cells = most_cells < MAX_CELLS ? most_cells : MAX_CELLS;
    int64_t most = (int64_t)(most_cells / (usable + 1)) + 4;
    while ((tariff->limit >> tariff->shift) + 2 > most) {
        tariff->shift++;
    }
    tariff->columns = (tariff->limit >> tariff->shift) + 2;
    size_t cells = (usable + 1) * (size_t)tariff->columns;
    tariff->least = duet_alloc(cells, sizeof *tariff->least, error);
    tariff->bytes = sizeof *tariff + cells * sizeof *tariff->least +
                    usable * (2 * sizeof *tariff->price + sizeof *tariff->densest);
    return tariff->least == NULL ? DUET_E_MEMORY : fill_table(tariff, model, type, context, error);
}

void duet_proof_tariff_free(duet_proof_tariff *tariff)
{
    if (tariff != NULL) {
        duet_free(tariff->price);
        duet_free(tariff->time);
        duet_free(tariff->least);
        duet_free(tariff->densest);
        duet_free(tariff);
    }
}

int64_t duet_proof_tariff_budget(const duet_proof_tariff *tariff, duet_int128 budget)
{
    if (budget < 0) {
        return -1;
    }
    duet_int128 units = budget / tariff->unit;
    return units < tariff->limit ? (int64_t)units : tariff->limit;
}
