// SPDX-License-Identifier: Apache-2.0
// Prices to start from: the least weighted time of a task, as the area bound has it, mixed with a
// price that all tasks have alike. The former refutes guesses in which there is not enough time,
// the latter those in which too few tasks fit on the processors, as where all take about a third of
// the guess; mixtures do both a little.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "lp/volume/state.h"

// The prices of the area bound, such that those of all tasks are as many as the tasks.
static duet_code price_by_area(const duet_volume *v, double *area, duet_error *error)
{
    const duet_classes *classes = &v->classes;
    int64_t *weight = duet_alloc(classes->types, sizeof *weight, error);
    if (weight == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_classes_weights(classes, weight, error);
    double sum = 0;
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        area[c] = INFINITY;
        for (size_t t = 0; t < classes->types; t++) {
            if (duet_class_fits(classes, c, t)) {
                area[c] = fmin(area[c], (double)weight[t] * (double)classes->time[t][c]);
            }
        }
        sum += area[c] * (double)classes->tasks[c];
    }
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        area[c] = sum > 0 ? area[c] * (double)classes->total / sum : 1;
    }
    duet_free(weight);
    return code;
}

// Tries each mixture once.
static duet_code try_mixtures(duet_volume *v, const double *area, const duet_context *context,
                              bool *climbed, duet_error *error)
{
    enum { mixtures = 8 };
    duet_code code = DUET_OK;
    *climbed = false;
    for (int m = 0;
         m <= mixtures && code == DUET_OK && volume_open(v) && !duet_context_stop(context); m++) {
        double equal = (double)m / mixtures;
        for (size_t c = 0; c < v->classes.count; c++) {
            v->trial[c] = (1 - equal) * area[c] + equal;
        }
        volume_trial trial;
        v->dearest = 0; // that of other prices says nothing of these
        code = volume_try(v, context, &trial, error);
        *climbed = *climbed || trial.climbed;
    }
    return code;
}

duet_code volume_start(duet_volume *v, const duet_context *context, duet_error *error)
{
    double *area = duet_alloc(v->classes.count, sizeof *area, error);
    bool climbed = area != NULL;
    duet_code code = area == NULL ? DUET_E_MEMORY : price_by_area(v, area, error);
    // Those that were tried before the last climb may be better after it.
    for (int round = 0; round < 2 && climbed && code == DUET_OK && volume_open(v); round++) {
        code = try_mixtures(v, area, context, &climbed, error);
    }
    duet_free(area);
    if (code == DUET_OK && volume_open(v)) {
        volume_trial trial;
        memcpy(v->trial, v->best, v->classes.count * sizeof *v->trial);
        code = volume_try(v, context, &trial, error);
        volume_average(v, 1);
    }
    return code;
}
