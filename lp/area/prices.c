// SPDX-License-Identifier: Apache-2.0
// Prices of the processor types of nearly the largest area bound: the start of an area program.
// Method:    prices for the area bound
//                L(w) = sum_j min_t w_t p_jt / sum_t w_t m_t.
//            The prices of a set of types are multiplied by the factor that makes L largest, for
//            one set after another, until a pass over the sets gains next to nothing. L rises and
//            then falls with the factor, as a concave function by a linear one. Sets of several
//            types are needed where many tasks cost the same on two types: a change of one price
//            alone would move all of them.
// Guarantee: L of these prices is a bound; it is mostly within 10^-4 of the area bound.
// Cost:      O(kinds x types) for each look at factors: of up to five types all sets are tried, of
//            more the single types.
// Reference: ours; the dual of the area program as in lp.c.
#include <math.h>
#include <string.h>

#include "lp/area/weights.h"

// FACTORS: those that one look compares. LOOKS narrow the range of them to less than 10^-4.
enum { FACTORS = 16, LOOKS = 7, PASSES = 6, ALL_SETS = 5 };

// The range of factors at first, as powers of two to both sides, and when a pass is the last.
#define FIRST_RANGE 12.0
#define LEAST_GAIN 1e-5

size_t duet_area_cheapest(const duet_instance *instance, size_t kind, const double *price)
{
    size_t best = instance->types;
    double least = INFINITY;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            double cost = price[t] * (double)duet_time(instance, kind, t);
            if (best == instance->types || cost < least) {
                best = t;
                least = cost;
            }
        }
    }
    return best;
}

// What all processors cost.
static double capacity(const duet_instance *instance, const double *price)
{
    double all = 0.0;
    for (size_t t = 0; t < instance->types; t++) {
        all += price[t] * (double)instance->processors[t];
    }
    return all;
}

// Costs of all tasks for each factor of the prices of a set of types.
static void price_with(const duet_instance *instance, const double *price, uint64_t set,
                       const double *factor, double *cost)
{
    memset(cost, 0, FACTORS * sizeof *cost);
    for (size_t i = 0; i < instance->kinds; i++) {
        double least[2] = {INFINITY, INFINITY}; // beside the set, within it
        double count = (double)duet_count(instance, i);
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t)) {
                double one = count * price[t] * (double)duet_time(instance, i, t);
                double *side = &least[set >> t & 1];
                *side = one < *side ? one : *side;
            }
        }
        for (size_t f = 0; f < FACTORS; f++) {
            double within = least[1] * factor[f];
            cost[f] += within < least[0] ? within : least[0];
        }
    }
}

// Multiplies the prices of a set of types by the best factor. Returns L, which was `value`.
static double scale(const duet_instance *instance, uint64_t set, double value, double *price)
{
    double part[DUET_MAX_TYPES] = {0.0};
    for (size_t t = 0; t < instance->types; t++) {
        part[t] = set >> t & 1 ? price[t] : 0.0;
    }
    double within = capacity(instance, part);
    double beside = capacity(instance, price) - within;
    double middle = 0.0; // of the exponents
    double range = FIRST_RANGE;
    double best = value;
    double by = 1.0;
    for (int look = 0; look < LOOKS; look++) {
        double factor[FACTORS];
        double cost[FACTORS];
        size_t at = 0;
        double most = -1.0;
        for (size_t f = 0; f < FACTORS; f++) {
            double place = 2.0 * (double)f / (FACTORS - 1) - 1.0;
            factor[f] = exp2(middle + range * place);
        }
        price_with(instance, price, set, factor, cost);
        for (size_t f = 0; f < FACTORS; f++) {
            double found = cost[f] / (within * factor[f] + beside);
            at = found > most ? f : at;
            most = fmax(most, found);
        }
        by = most > best ? factor[at] : by;
        best = fmax(most, best);
        middle = log2(factor[at]);
        range *= 2.0 / (FACTORS - 1);
    }
    for (size_t t = 0; t < instance->types; t++) {
        price[t] *= set >> t & 1 ? by : 1.0;
    }
    return best;
}

// Whether the prices of a set of types are multiplied by themselves. The first type in use stays: a
// factor for it would say the same as one for all others.
static bool is_tried(uint64_t set, uint64_t used)
{
    return (set & ~used) == 0 && (set & used & ~(used - 1)) == 0;
}

// Multiplies the prices of one set after another. Returns L, which was `value`.
static double pass(const duet_instance *instance, double value, double *price)
{
    size_t types = instance->types;
    bool all = types <= ALL_SETS;
    uint64_t used = 0;
    for (size_t t = 0; t < types; t++) {
        used |= (uint64_t)(instance->processors[t] > 0) << t;
    }
    size_t sets = all ? (size_t)1 << types : types;
    for (size_t i = all; i < sets; i++) {
        uint64_t set = all ? i : (uint64_t)1 << i;
        value = is_tried(set, used) ? scale(instance, set, value, price) : value;
    }
    return value;
}

void duet_area_prices(const duet_instance *instance, double *price)
{
    for (size_t t = 0; t < instance->types; t++) {
        price[t] = 1.0;
    }
    double value = -1.0;
    bool gains = true;
    for (int i = 0; i < PASSES && gains; i++) {
        double before = value;
        value = pass(instance, value, price);
        gains = value > before + LEAST_GAIN * fabs(before);
    }
}
