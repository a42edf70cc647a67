// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/equal_types.h"

#include <stdio.h>
#include <string.h>

#include "core/solution/certificate.h"
#include "core/solution/prices.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { FEWEST_PROCESSORS = 3, MOST_LIMIT = INT32_MAX };

static bool are_equal(const duet_instance *instance, size_t a, size_t b)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_time(instance, i, a) != duet_time(instance, i, b)) {
            return false;
        }
    }
    return true;
}

// The first type with processors and the same times; that type itself at the latest.
static size_t find_equal(const duet_instance *instance, size_t type)
{
    size_t other = 0;
    while (other < type &&
           (instance->processors[other] == 0 || !are_equal(instance, other, type))) {
        other++;
    }
    return other;
}

// Gives each type its place in the merged instance.
static void place_types(const duet_instance *instance, duet_equal_types *types)
{
    duet_instance *merged = &types->merged;
    merged->types = 0;
    memset(merged->processors, 0, sizeof merged->processors);
    for (size_t t = 0; t < instance->types; t++) {
        types->into[t] = SIZE_MAX;
        if (instance->processors[t] == 0) {
            continue;
        }
        size_t equal = find_equal(instance, t);
        if (equal == t) {
            merged->type_names[merged->types] = instance->type_names[t];
            types->into[t] = merged->types++;
        } else {
            types->into[t] = types->into[equal];
        }
        types->first[t] = merged->processors[types->into[t]];
        merged->processors[types->into[t]] += instance->processors[t];
    }
    for (; merged->types < 2; merged->types++) {
        merged->type_names[merged->types] = instance->type_names[0];
    }
}

static duet_code copy_times(const duet_instance *instance, duet_equal_types *types,
                            duet_error *error)
{
    duet_instance *merged = &types->merged;
    size_t entries = instance->kinds * merged->types;
    merged->times = duet_alloc(entries, sizeof *merged->times, error);
    DUET_NEED(merged->times);
    for (size_t e = 0; e < entries; e++) {
        merged->times[e] = DUET_FORBIDDEN;
    }
    for (size_t t = 0; t < instance->types; t++) {
        for (size_t i = 0; i < instance->kinds && types->into[t] != SIZE_MAX; i++) {
            merged->times[i * merged->types + types->into[t]] = duet_time(instance, i, t);
        }
    }
    return DUET_OK;
}

duet_code duet_equal_types_create(const duet_instance *instance, duet_equal_types *types,
                                  bool *useful, duet_error *error)
{
    *types = (duet_equal_types){.instance = instance, .merged = *instance};
    types->merged.times = NULL;
    place_types(instance, types);
    size_t used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0;
    }
    bool fewer = types->merged.types < instance->types ||
                 (used == 2 && types->merged.processors[1] == 0) || instance->types == 1;
    *useful = fewer && duet_all_counts(instance) >= FEWEST_PROCESSORS;
    return *useful ? copy_times(instance, types, error) : DUET_OK;
}

void duet_equal_types_free(duet_equal_types *types)
{
    duet_free(types->merged.times);
    types->merged.times = NULL;
}

duet_code duet_equal_types_merge(const duet_equal_types *types, const duet_solution *known,
                                 duet_solution **out, duet_error *error)
{
    const duet_placement *from = duet_solution_placements(known);
    if (from == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory");
    }
    duet_code code = duet_solution_create_blank(known->tasks, out, error);
    DUET_TRY(code == DUET_OK ? duet_solution_hold_placements(*out, error) : code);
    for (int64_t j = 0; j < known->tasks; j++) {
        size_t type = (size_t)from[j].type;
        (*out)->placement[j] =
            (duet_placement){from[j].start, from[j].processor + (int32_t)types->first[type],
                             (int32_t)types->into[type]};
    }
    (*out)->makespan = known->makespan;
    const duet_bound bound = {.name = known->bound_name, .value = known->lower_bound};
    duet_solution_offer_bound(*out, &bound);
    return DUET_OK;
}

// The type and processor of the instance for those of the merged one.
static void restore_place(const duet_equal_types *types, int32_t *type, int32_t *processor)
{
    for (size_t t = 0; t < types->instance->types; t++) {
        int64_t at = *processor - types->first[t];
        if (types->into[t] == (size_t)*type && at >= 0 && at < types->instance->processors[t]) {
            *type = (int32_t)t;
            *processor = (int32_t)at;
            return;
        }
    }
}

static void restore_numbers(const duet_equal_types *types, int64_t number[DUET_MAX_TYPES])
{
    int64_t merged[DUET_MAX_TYPES];
    memcpy(merged, number, sizeof merged);
    for (size_t t = 0; t < types->instance->types; t++) {
        number[t] = types->into[t] == SIZE_MAX ? 0 : merged[types->into[t]];
    }
}

// Prices of a merged instance's type as those of each of its types.
static duet_code restore_prices(const duet_equal_types *types, duet_certificate *certificate,
                                duet_error *error)
{
    const duet_certificate merged = *certificate;
    const duet_price_list *from = merged.prices;
    size_t own = types->instance->types;
    duet_price_mode mode[DUET_MAX_TYPES] = {DUET_PRICE_AREA};
    int64_t limit[DUET_MAX_TYPES] = {0};
    int64_t *price = duet_alloc(from->classes * own, sizeof *price, error);
    DUET_NEED(price);
    for (size_t t = 0; t < own; t++) {
        size_t into = types->into[t];
        if (into == SIZE_MAX) {
            mode[t] = DUET_PRICE_AREA;
            continue;
        }
        mode[t] = from->mode[into];
        limit[t] = from->limit[into];
        for (size_t c = 0; c < from->classes; c++) {
            price[c * own + t] = from->price[c * from->types + into];
        }
    }
    duet_code code =
        duet_price_list_create(own, from->classes, mode, limit, price, &certificate->prices, error);
    duet_certificate_release(&merged);
    duet_free(price);
    return code;
}

// The knapsack of one type says that all work exceeds what the processors can use of the guess,
// whatever type they are of: times are prices, in common divisors.
static duet_code price_work(const duet_equal_types *types, duet_certificate *certificate,
                            duet_error *error)
{
    int64_t lambda = certificate->lambda;
    *certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    duet_classes classes;
    duet_prices prices;
    DUET_TRY(duet_classes_create(types->instance, lambda - 1, &classes, error));
    duet_code code = duet_prices_create(&classes, &prices, error);
    bool small = true;
    for (size_t t = 0; t < classes.types && code == DUET_OK; t++) {
        prices.divisible[t] = true;
        prices.limit[t] = classes.processors[t] > 0 ? classes.capacity[t] / classes.unit[t] : 0;
        small = small && prices.limit[t] <= MOST_LIMIT;
        for (size_t c = 0; c < classes.count; c++) {
            prices.price[t][c] =
                duet_class_fits(&classes, c, t) ? classes.time[t][c] / classes.unit[t] : 0;
        }
    }
    if (code == DUET_OK && small) {
        code = duet_prices_certificate(&classes, &prices, lambda, certificate, error);
    }
    duet_prices_free(&prices);
    duet_classes_free(&classes);
    return code;
}

void duet_equal_types_line(const duet_equal_types *types, char line[DUET_EQUAL_TYPES_LINE])
{
    size_t merged = types->merged.types;
    int at = snprintf(line, DUET_EQUAL_TYPES_LINE, "types %zu", merged);
    for (size_t t = 0; t < types->instance->types; t++) {
        size_t into = types->into[t] == SIZE_MAX ? merged : types->into[t];
        at += snprintf(line + at, (size_t)(DUET_EQUAL_TYPES_LINE - at), " %zu", into);
    }
    snprintf(line + at, (size_t)(DUET_EQUAL_TYPES_LINE - at), "\n");
}

static duet_code restore_certificate(const duet_equal_types *types, duet_certificate *certificate,
                                     duet_error *error)
{
    switch (certificate->proof) {
    case DUET_PROOF_LONGEST:
    case DUET_PROOF_LINES:
        return DUET_OK;
    case DUET_PROOF_AREA:
    case DUET_PROOF_SHELF:
        certificate->types = types->instance->types;
        restore_numbers(types, certificate->weight);
        restore_numbers(types, certificate->count_weight);
        restore_numbers(types, certificate->count_weight_high);
        return DUET_OK;
    case DUET_PROOF_PRICES:
        return restore_prices(types, certificate, error);
    case DUET_PROOF_KNAPSACK:
        if (types->merged.processors[1] == 0) {
            return price_work(types, certificate, error);
        }
        break;
    default:
        break;
    }
    duet_certificate_release(certificate);
    *certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    return DUET_OK;
}

duet_code duet_equal_types_restore(const duet_equal_types *types, duet_solution *solution,
                                   duet_error *error)
{
    for (int64_t j = 0; j < solution->tasks && solution->placement != NULL; j++) {
        restore_place(types, &solution->placement[j].type, &solution->placement[j].processor);
    }
    for (size_t r = 0; r < solution->runs; r++) {
        restore_place(types, &solution->run[r].type, &solution->run[r].processor);
    }
    DUET_TRY(restore_certificate(types, &solution->certificate, error));
    return restore_certificate(types, &solution->certified.certificate, error);
}
