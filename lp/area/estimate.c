// SPDX-License-Identifier: Apache-2.0
// The area bound without a linear program, in closed form for two types (area.c), and for any
// number of them: prices near the best are found in floating point, rounded to
// integer weights and evaluated in integers. A proven bound whatever the prices; with two types in
// use a few exact steps end at the optimum.
#include <math.h>
#include <string.h>

#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/area/weights.h"

void duet_area_weights_of_prices(const duet_instance *instance, const double *price,
                                 int64_t *weight)
{
    enum { bits = 52 };
    double largest = 0.0;
    for (size_t t = 0; t < instance->types; t++) {
        largest = instance->processors[t] > 0 ? fmax(largest, price[t]) : largest;
    }
    for (size_t t = 0; t < instance->types; t++) {
        bool used = instance->processors[t] > 0;
        weight[t] = !used ? 0 : largest > 0.0 ? (int64_t)ldexp(price[t] / largest, bits) : 1;
    }
}

duet_bound duet_area_bound_of_weights(const duet_instance *instance, const char *name,
                                      const int64_t *weight)
{
    duet_fraction value = duet_area_value(instance, weight);
    duet_bound bound = {.name = name, .value = (int64_t)duet_fraction_ceil(value)};
    duet_fraction_format(value, bound.exact);
    bound.certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA, .lambda = bound.value, .types = instance->types};
    memcpy(bound.certificate.weight, weight, instance->types * sizeof *weight);
    return bound;
}

duet_bound duet_area_estimate(const duet_instance *instance)
{
    double price[DUET_MAX_TYPES];
    int64_t weight[DUET_MAX_TYPES];
    duet_area_prices(instance, price);
    duet_area_weights_of_prices(instance, price, weight);
    duet_weights_polish(instance, weight);
    return duet_area_bound_of_weights(instance, "area", weight);
}

duet_bound duet_area_bound_of(const duet_instance *instance, const duet_acceleration_order *order)
{
    duet_fractional fractional = duet_fractional_assignment(instance, order);
    duet_bound bound = {.name = "area", .value = (int64_t)duet_fraction_ceil(fractional.makespan)};
    duet_fraction_format(fractional.makespan, bound.exact);
    bound.certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA,
        .lambda = bound.value,
        .types = 2,
        .weight = {fractional.weight[DUET_CPU], fractional.weight[DUET_GPU]},
    };
    return bound;
}

duet_code duet_plain_area_bound(const duet_instance *instance, duet_bound *bound, duet_error *error)
{
    if (instance->types != 2) {
        *bound = duet_area_estimate(instance);
        return DUET_OK;
    }
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    *bound = duet_area_bound_of(instance, &order);
    duet_acceleration_order_free(&order);
    return DUET_OK;
}
