// SPDX-License-Identifier: Apache-2.0
// The knapsack bound on other than two types.
// Method:    the smallest guess that weights on the types do not refute: with the times above it
//            forbidden, every task on the type where its weighted time is least, against the
//            weighted time of all processors, each rounded down to a multiple of the common divisor
//            of its type's times. Guesses grow by doubling steps.
// Guarantee: a lower bound on the makespan; in integers, whatever the weights are. The allocations
//            of whole tasks that the weights leave stay open: on two types dominance lists of pairs
//            of works decide them, and lists of more works grow out of hand.
// Cost:      some hundred passes over classes and types for each guess.
// Memory:    O(classes x types).
// Reference: the dual of the program of Lenstra, Shmoys, Tardos, "Approximation algorithms for
//            scheduling unrelated parallel machines", Mathematical Programming 46, 1990.
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/prices.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"

enum { LIMIT_BITS = 31 }; // limits of the prices of a certificate are below 2^31

// A price for each type: of a tick, or of a multiple of the common divisor of the type's times.
typedef struct weighing {
    int64_t weight[DUET_MAX_TYPES];
    int64_t unit[DUET_MAX_TYPES];     // ticks that have this price
    int64_t capacity[DUET_MAX_TYPES]; // such units that fit a processor within the guess
} weighing;

// Whether the prices of the tasks exceed those of the processors' time.
static bool refutes(const duet_classes *classes, const weighing *w)
{
    duet_int128 slack = 0;
    for (size_t t = 0; t < classes->types; t++) {
        slack += (duet_int128)w->weight[t] * classes->processors[t] * w->capacity[t];
    }
    for (size_t c = 0; c < classes->count; c++) {
        duet_int128 cheapest = -1;
        for (size_t t = 0; t < classes->types; t++) {
            if (duet_class_fits(classes, c, t)) {
                duet_int128 price = (duet_int128)w->weight[t] * (classes->time[t][c] / w->unit[t]);
                cheapest = cheapest < 0 || price < cheapest ? price : cheapest;
            }
        }
        slack -= cheapest * classes->tasks[c];
    }
    return slack < 0;
}

static weighing in_ticks(const duet_classes *classes, const int64_t *weight)
{
    weighing w = {.weight = {0}};
    for (size_t t = 0; t < classes->types; t++) {
        w.weight[t] = weight[t];
        w.unit[t] = 1;
        w.capacity[t] = classes->guess;
    }
    return w;
}

// Weights of units, as large as a certificate can hold.
static weighing in_units(const duet_classes *classes, const int64_t *weight)
{
    weighing w = {.weight = {0}};
    duet_uint128 largest = 1;
    for (size_t t = 0; t < classes->types; t++) {
        duet_uint128 limit = (duet_uint128)weight[t] * (duet_uint128)classes->capacity[t];
        largest = duet_max(limit, largest);
    }
    for (size_t t = 0; t < classes->types; t++) {
        // Weighted times are below 2^62 (duet_classes_weights()), so this is below 2^93.
        duet_uint128 of_unit = (duet_uint128)weight[t] * (duet_uint128)classes->unit[t];
        duet_uint128 most = (UINT64_C(1) << LIMIT_BITS) - 1;
        w.weight[t] = (int64_t)(of_unit * most / largest);
        w.unit[t] = classes->unit[t];
        w.capacity[t] = classes->capacity[t] / classes->unit[t];
    }
    return w;
}

static duet_code certify_by_weights(const duet_classes *classes, const weighing *w,
                                    duet_certificate *certificate)
{
    *certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA, .lambda = classes->guess + 1, .types = classes->types};
    for (size_t t = 0; t < classes->types; t++) {
        certificate->weight[t] = w->weight[t];
    }
    return DUET_OK;
}

static duet_code certify_by_prices(const duet_classes *classes, const weighing *w,
                                   duet_certificate *certificate, duet_error *error)
{
    duet_prices prices;
    duet_code code = duet_prices_create(classes, &prices, error);
    for (size_t t = 0; t < classes->types && code == DUET_OK; t++) {
        prices.divisible[t] = true;
        prices.limit[t] = w->weight[t] * w->capacity[t];
        for (size_t c = 0; c < classes->count; c++) {
            bool fits = duet_class_fits(classes, c, t);
            prices.price[t][c] = fits ? w->weight[t] * (classes->time[t][c] / w->unit[t]) : 0;
        }
    }
    DUET_THEN(code,
              duet_prices_certificate(classes, &prices, classes->guess + 1, certificate, error));
    duet_prices_free(&prices);
    return code;
}

// Tries weights alone, then with the processors' time rounded down.
static duet_code weigh(const duet_classes *classes, const duet_context *context, bool *refuted,
                       duet_certificate *certificate, duet_error *error)
{
    int64_t weight[DUET_MAX_TYPES] = {1};
    *refuted = classes->nowhere != SIZE_MAX;
    DUET_TRY(*refuted ? DUET_OK : duet_classes_weights_in_time(classes, context, weight, error));
    weighing plain = in_ticks(classes, weight);
    *refuted = *refuted || refutes(classes, &plain);
    if (*refuted) {
        return certify_by_weights(classes, &plain, certificate);
    }
    weighing rounded = in_units(classes, weight);
    *refuted = refutes(classes, &rounded);
    return *refuted ? certify_by_prices(classes, &rounded, certificate, error) : DUET_OK;
}

// Asks about a guess; where it is refuted, the bound becomes one tick more.
static duet_code ask(const duet_instance *instance, const duet_context *context, int64_t guess,
                     bool *refuted, duet_bound *bound, duet_error *error)
{
    duet_classes classes;
    duet_certificate certificate = {.proof = DUET_PROOF_NONE};
    *refuted = false;
    DUET_TRY(duet_classes_create(instance, guess, &classes, error));
    duet_code code = weigh(&classes, context, refuted, &certificate, error);
    if (code == DUET_OK && *refuted) {
        duet_bound_release(bound);
        *bound = (duet_bound){.name = "knapsack", .value = guess + 1, .certificate = certificate};
        duet_fraction_format((duet_fraction){(duet_uint128)bound->value, 1}, bound->exact);
    }
    duet_classes_free(&classes);
    return code;
}

duet_code duet_knapsack_raise_by_weights(const duet_instance *instance, const duet_context *context,
                                         int64_t below, duet_bound *bound, duet_error *error)
{
    int64_t open = below; // the smallest guess that was asked and not refuted
    int64_t step = 1;
    duet_code code = DUET_OK;
    while (bound->value < open && code == DUET_OK && !duet_context_stop(context)) {
        int64_t room = open - bound->value;
        int64_t guess = bound->value + duet_min(step, room) - 1;
        bool refuted = false;
        code = ask(instance, context, guess, &refuted, bound, error);
        open = refuted ? open : guess;
        step = refuted ? 2 * step : step / 4 + 1;
    }
    return code;
}
