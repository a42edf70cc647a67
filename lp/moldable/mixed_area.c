// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/mixed_area.h"

#include "core/instance/moldable.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"

// The speeds as whole weights in their proportions. What would be 2^40 or more loses its last
// digits, which any weights may: they prove less then, nothing wrong.
static void find_weights(const duet_instance *instance, int64_t *weight)
{
    static const duet_uint128 most = (duet_uint128)1 << 40;
    duet_uint128 den = 1;
    duet_uint128 value[DUET_MAX_TYPES];
    bool fits = false;
    for (size_t t = 0; t < instance->types; t++) { // denominators are powers of ten
        duet_fraction speed = duet_moldable_speed(instance, t);
        den = duet_max(speed.den, den);
    }
    for (size_t t = 0; t < instance->types; t++) { // below 2^122: at most 2^62 and 10^18
        duet_fraction speed = duet_moldable_speed(instance, t);
        value[t] = speed.num * (den / speed.den);
    }
    while (!fits) {
        fits = true;
        for (size_t t = 0; t < instance->types; t++) {
            fits = fits && value[t] < most;
        }
        for (size_t t = 0; t < instance->types && !fits; t++) {
            value[t] /= 10;
        }
    }
    for (size_t t = 0; t < instance->types; t++) {
        weight[t] = (int64_t)value[t];
    }
}

// What a task of a kind weighs at least, on one processor of some type. Below 2^102.
static duet_uint128 least_weighted(const duet_instance *instance, size_t kind,
                                   const int64_t *weight)
{
    bool found = false;
    duet_uint128 least = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            duet_uint128 weighted = (duet_uint128)(uint64_t)weight[t] *
                                    (uint64_t)duet_moldable_time(instance, kind, t, 1);
            least = !found || weighted < least ? weighted : least;
            found = true;
        }
    }
    return least;
}

duet_bound duet_mixed_area_bound(const duet_instance *instance)
{
    duet_bound bound = {.name = "area", .exact = "0"};
    duet_certificate *certificate = &bound.certificate;
    duet_fraction all = {0, 0};
    certificate->types = instance->types;
    find_weights(instance, certificate->weight);
    for (size_t t = 0; t < instance->types; t++) { // below 2^40 2^31 64
        all.den +=
            (duet_uint128)(uint64_t)certificate->weight[t] * (uint64_t)instance->processors[t];
    }
    for (size_t i = 0; i < instance->kinds;
         i++) { // below 2^40 2^62: a task's area is part of all work
        all.num +=
            least_weighted(instance, i, certificate->weight) * (uint64_t)duet_count(instance, i);
    }
    if (all.num == 0 || all.den == 0) { // no tasks, or speeds too far apart
        return bound;
    }
    duet_fraction exact = duet_fraction_reduce(all);
    bound.value = (int64_t)duet_fraction_ceil(exact);
    duet_fraction_format(exact, bound.exact);
    certificate->proof = DUET_PROOF_AREA;
    certificate->lambda = bound.value;
    return bound;
}
