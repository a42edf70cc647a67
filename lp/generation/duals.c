// SPDX-License-Identifier: Apache-2.0
// Dual prices of the master program and their smoothing: as lp/configuration/duals.c, with the
// duals of a pair's limits in its price.
#include <math.h>
#include <string.h>

#include "lp/generation/generation_state.h"

void duet_generation_duals(duet_generation *generation)
{
    generation->factor = duet_lp_objective(generation->lp);
    duet_generation_read_counts(generation);
    for (size_t t = 0; t < generation->types; t++) {
        double dual = fmax(0, -duet_lp_dual(generation->lp, generation->processor_row[t]));
        bool shorter = generation->divisible[t] && generation->classes->capacity[t] > 0;
        generation->smoothing.last.processor[t] =
            shorter
                ? dual * (double)generation->capacity[t] / (double)generation->classes->capacity[t]
                : dual;
        for (size_t i = 0; i < generation->count; i++) {
            size_t pair = pair_of(generation, t, i);
            size_t row = generation->pair_row[pair];
            double price = duet_lp_dual(generation->lp, generation->class_row[i]);
            price += row != SIZE_MAX ? duet_lp_dual(generation->lp, row) : 0;
            price += duet_generation_count_dual(generation, t, i);
            generation->smoothing.last.task[pair] = fmax(0, price);
        }
    }
}

void duet_generation_smooth(duet_generation *generation, double share)
{
    for (size_t t = 0; t < generation->types; t++) {
        generation->smoothing.dual.processor[t] =
            share * generation->smoothing.center.processor[t] +
            (1 - share) * generation->smoothing.last.processor[t];
    }
    for (size_t p = 0; p < generation->types * generation->count; p++) {
        generation->smoothing.dual.task[p] =
            fmax(0, share * generation->smoothing.center.task[p] +
                        (1 - share) * generation->smoothing.last.task[p]);
    }
    for (size_t i = 0; i < 2 * generation->counts; i++) {
        count_side *side = &generation->counted[i / 2].side[i % 2];
        side->dual = share * side->center + (1 - share) * side->last;
    }
}

void duet_generation_recenter(duet_generation *generation)
{
    generation->smoothing.centered = true;
    memcpy(generation->smoothing.center.processor, generation->smoothing.dual.processor,
           generation->types * sizeof *generation->smoothing.center.processor);
    memcpy(generation->smoothing.center.task, generation->smoothing.dual.task,
           generation->types * generation->count * sizeof *generation->smoothing.center.task);
    for (size_t i = 0; i < 2 * generation->counts; i++) {
        count_side *side = &generation->counted[i / 2].side[i % 2];
        side->center = side->dual;
    }
}
