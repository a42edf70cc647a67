// SPDX-License-Identifier: Apache-2.0
// Prices to start from: the least weighted time of a task, as the area bound has it, mixed with a
// price that all tasks have alike. The former refutes guesses in which there is not enough time,
// the latter those in which too few tasks fit on the processors, as where all take about a third of
// the guess; mixtures do both a little. Where some tasks are far longer than the others it may be
// their number alone that does not fit: the common price is tried for the long ones alone, too.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/volume/volume_state.h"

// The prices of the area bound, such that those of all tasks are as many as the tasks.
static duet_code price_by_area(const duet_volume *v, double *area, duet_error *error)
{
    const duet_classes *classes = &v->classes;
    int64_t *weight = duet_alloc(classes->types, sizeof *weight, error);
    DUET_NEED(weight);
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

// Tasks whose price is at least so much have the common price; where there are several such limits,
// those of the widest gaps between prices.
enum { MOST_LIMITS = 4 };

static int by_price(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Finds the limits, the first of which is 0. Returns how many.
static size_t find_limits(const double *area, double *sorted, size_t count, double *limit)
{
    const double wide = 1.5;
    double ratio[MOST_LIMITS] = {INFINITY};
    size_t limits = 1;
    limit[0] = 0;
    memcpy(sorted, area, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_price);
    for (size_t i = 1; i < count; i++) {
        double gap = sorted[i - 1] > 0 ? sorted[i] / sorted[i - 1] : 0;
        if (gap < wide || (limits == MOST_LIMITS && gap <= ratio[limits - 1])) {
            continue;
        }
        size_t at = limits < MOST_LIMITS ? limits++ : limits - 1;
        for (; at > 1 && ratio[at - 1] < gap; at--) {
            ratio[at] = ratio[at - 1];
            limit[at] = limit[at - 1];
        }
        ratio[at] = gap;
        limit[at] = sorted[i];
    }
    return limits;
}

// The starts: prices by area, and the limits.
typedef struct starts {
    double *area;
    double *sorted;
    double limit[MOST_LIMITS];
    size_t limits;
} starts;

// Tries each mixture with the common price of the tasks above a limit once.
static duet_code try_mixtures(duet_volume *v, const starts *s, double limit,
                              const duet_context *context, bool *climbed, duet_error *error)
{
    enum { mixtures = 8 };
    duet_code code = DUET_OK;
    for (int m = limit > 0;
         m <= mixtures && code == DUET_OK && volume_open(v) && !duet_context_stop(context); m++) {
        double equal = (double)m / mixtures;
        for (size_t c = 0; c < v->classes.count; c++) {
            v->trial[c] = (1 - equal) * s->area[c] + (s->area[c] >= limit ? equal : 0);
        }
        volume_trial trial;
        v->dearest = 0; // that of other prices says nothing of these
        code = volume_try(v, context, &trial, error);
        *climbed = *climbed || trial.climbed;
    }
    return code;
}

static duet_code try_all(duet_volume *v, const starts *s, const duet_context *context,
                         duet_error *error)
{
    bool climbed = true;
    duet_code code = DUET_OK;
    // Those that were tried before the last climb may be better after it.
    for (int round = 0; round < 2 && climbed; round++) {
        climbed = false;
        for (size_t i = 0; i < s->limits && code == DUET_OK && volume_open(v); i++) {
            code = try_mixtures(v, s, s->limit[i], context, &climbed, error);
        }
    }
    return code;
}

duet_code volume_start(duet_volume *v, const duet_context *context, duet_error *error)
{
    size_t count = v->classes.count;
    starts s = {.area = duet_alloc(count, sizeof *s.area, error),
                .sorted = duet_alloc(count, sizeof *s.sorted, error)};
    bool whole = s.area != NULL && s.sorted != NULL;
    duet_code code = whole ? price_by_area(v, s.area, error) : DUET_E_MEMORY;
    if (code == DUET_OK) {
        s.limits = find_limits(s.area, s.sorted, count, s.limit);
        code = try_all(v, &s, context, error);
    }
    duet_free(s.area);
    duet_free(s.sorted);
    if (code == DUET_OK && volume_open(v)) {
        volume_trial trial;
        memcpy(v->trial, v->best, v->classes.count * sizeof *v->trial);
        code = volume_try(v, context, &trial, error);
        volume_average(v, 1);
    }
    return code;
}
