// SPDX-License-Identifier: Apache-2.0
// Dual prices of the master program and their smoothing: as lp/configuration/duals.c, with the
// duals of a pair's limits in its price.
#include <math.h>
#include <string.h>

#include "lp/generation/state.h"

void duet_generation_duals(duet_generation *c)
{
    c->factor = duet_lp_objective(c->lp);
    for (size_t t = 0; t < c->types; t++) {
        double dual = fmax(0, -duet_lp_dual(c->lp, c->processor_row[t]));
        bool shorter = c->divisible[t] && c->classes->capacity[t] > 0;
        c->last.processor[t] =
            shorter ? dual * (double)c->capacity[t] / (double)c->classes->capacity[t] : dual;
        for (size_t i = 0; i < c->count; i++) {
            size_t pair = pair_of(c, t, i);
            size_t row = c->pair_row[pair];
            double price = duet_lp_dual(c->lp, c->class_row[i]);
            price += row != SIZE_MAX ? duet_lp_dual(c->lp, row) : 0;
            c->last.task[pair] = fmax(0, price);
        }
    }
}

void duet_generation_smooth(duet_generation *c, double share)
{
    for (size_t t = 0; t < c->types; t++) {
        c->dual.processor[t] = share * c->center.processor[t] + (1 - share) * c->last.processor[t];
    }
    for (size_t p = 0; p < c->types * c->count; p++) {
        c->dual.task[p] = fmax(0, share * c->center.task[p] + (1 - share) * c->last.task[p]);
    }
}

void duet_generation_recenter(duet_generation *c)
{
    c->centered = true;
    memcpy(c->center.processor, c->dual.processor, c->types * sizeof *c->center.processor);
    memcpy(c->center.task, c->dual.task, c->types * c->count * sizeof *c->center.task);
}
