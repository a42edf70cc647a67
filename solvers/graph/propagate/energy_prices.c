// SPDX-License-Identifier: Apache-2.0
// Prices of the types that energetic reasoning tries; see energy_prices.h.
// Method:    each type alone; the weights of the area bound; prices of kinds at equal distances in
//            the work of all kinds, ordered by the ratio of their prices on the first two types.
// Guarantee: prices are integers below 2^20, and each vector is tried once.
// Cost:      O(n log n) and that of the area bound.
// Memory:    24 bytes a kind meanwhile.
#include "solvers/graph/propagate/energy_prices.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"

// Adds prices, scaled to fewer than DUET_ENERGY_PRICE_BITS bits, unless they are there or all 0.
static void add_candidate(duet_energy *energy, const int64_t *price)
{
    size_t types = energy->windows->types;
    int64_t *added = energy->price + energy->candidates * types;
    int64_t most = 0;
    duet_int128 supply = 0;
    for (size_t t = 0; t < types; t++) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): one of each type
        most = duet_max(price[t], most);
    }
    int shift = 0;
    while (most >> shift >= INT64_C(1) << DUET_ENERGY_PRICE_BITS) {
        shift++;
    }
    for (size_t t = 0; t < types; t++) {
        int64_t processors = energy->windows->instance->processors[t];
        added[t] = processors > 0 ? price[t] >> shift : 0;
        supply += (duet_int128)added[t] * processors;
    }
    bool known = supply == 0;
    for (size_t k = 0; k < energy->candidates && !known; k++) {
        known = true;
        for (size_t t = 0; t < types; t++) {
            known = known && energy->price[k * types + t] == added[t];
        }
    }
    if (!known && energy->candidates < DUET_ENERGY_CANDIDATES) {
        energy->supply[energy->candidates++] = (int64_t)supply;
    }
}

// A kind's prices: those at which it costs the same wherever it may run.
static void price_of_kind(const duet_instance *instance, size_t kind, int64_t *price)
{
    int64_t least = duet_shortest_time(instance, kind);
    for (size_t t = 0; t < instance->types; t++) {
        int64_t time = duet_time(instance, kind, t);
        price[t] = 0;
        if (duet_allowed(instance, kind, t)) {
            duet_int128 scaled = (duet_int128)least << (DUET_ENERGY_PRICE_BITS - 1);
            price[t] =
                time == 0 ? INT64_C(1) << (DUET_ENERGY_PRICE_BITS - 1) : (int64_t)(scaled / time);
        }
    }
}

typedef struct weighed_kind {
    double ratio; // of its prices on the first two types
    double work;
    size_t kind;
} weighed_kind;

static int by_ratio(const void *a, const void *b)
{
    const weighed_kind *x = a;
    const weighed_kind *y = b;
    int order = (x->ratio > y->ratio) - (x->ratio < y->ratio);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

// Prices of kinds at equal distances in the work of all kinds, by the ratio of their prices.
static duet_code add_kinds(duet_energy *energy, duet_error *error)
{
    const duet_instance *instance = energy->windows->instance;
    int64_t price[DUET_MAX_TYPES] = {0};
    double all = 0;
    weighed_kind *kinds = duet_alloc_raw(instance->kinds, sizeof *kinds, error);
    DUET_NEED(kinds);
    for (size_t i = 0; i < instance->kinds; i++) {
        price_of_kind(instance, i, price);
        size_t second = instance->types > 1 ? 1 : 0;
        double work = (double)duet_shortest_time(instance, i) * (double)duet_count(instance, i);
        kinds[i] = (weighed_kind){(double)(price[0] + 1) / (double)(price[second] + 1), work, i};
        all += work;
    }
    qsort(kinds, instance->kinds, sizeof *kinds, by_ratio);
    double passed = 0;
    int next = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        passed += kinds[i].work;
        if (passed * (2 * DUET_ENERGY_KIND_CANDIDATES) >= all * (2 * next + 1) &&
            next < DUET_ENERGY_KIND_CANDIDATES) {
            price_of_kind(instance, kinds[i].kind, price);
            add_candidate(energy, price);
            next++;
        }
    }
    duet_free(kinds);
    return DUET_OK;
}

duet_code duet_energy_choose_prices(duet_energy *energy, const duet_context *context,
                                    duet_error *error)
{
    const duet_instance *instance = energy->windows->instance;
    duet_bound area = duet_area_estimate(instance);
    duet_code code = DUET_OK;
    if (instance->types == 2) {
        code = duet_area_bound(instance, context, &area, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    for (size_t t = 0; t < instance->types; t++) {
        int64_t price[DUET_MAX_TYPES] = {0};
        price[t] = 1;
        add_candidate(energy, price);
    }
    if (area.certificate.proof == DUET_PROOF_AREA) {
        add_candidate(energy, area.certificate.weight);
    }
    duet_bound_release(&area);
    return add_kinds(energy, error);
}
