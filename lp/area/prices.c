// SPDX-License-Identifier: Apache-2.0
// Prices of the processor types that about balance their loads: the start of an area program.
#include <math.h>

#include "lp/area/weights.h"

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

// A few rounds of raising the price of what is overloaded, in ever smaller steps.
void duet_area_prices(const duet_instance *instance, double *price)
{
    enum { rounds = 50 };
    for (size_t t = 0; t < instance->types; t++) {
        price[t] = 1.0;
    }
    double step = 1.0;
    for (int round = 0; round < rounds; round++) {
        double load[DUET_MAX_TYPES] = {0.0};
        double fullest = 0.0;
        for (size_t i = 0; i < instance->kinds; i++) {
            size_t best = duet_area_cheapest(instance, i, price);
            load[best] += (double)duet_count(instance, i) * (double)duet_time(instance, i, best) /
                          (double)instance->processors[best];
        }
        for (size_t t = 0; t < instance->types; t++) {
            fullest = fmax(fullest, load[t]);
        }
        if (fullest == 0.0) {
            return;
        }
        for (size_t t = 0; t < instance->types; t++) {
            double share = fmax(load[t] / fullest, 0x1p-8);
            price[t] *= pow(share, step);
        }
        step *= 0.9;
    }
}
