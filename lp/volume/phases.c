// SPDX-License-Identifier: Apache-2.0
// One iteration of the volume method, and its phases.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "lp/volume/volume_state.h"

// How the steps of a phase go.
typedef struct tuning {
    bool roaming;
    int patience;  // failures in a row after which steps become shorter
    double first;  // step
    double last;   // below it the phase ends
    double shrink; // a step after failures, by this factor
    double grow;   // a step after a success
    double part;   // that new sets count in the average; 0: such that the direction is shortest
} tuning;

static const tuning of_phase[PHASES] = {
    [PHASE_STEADY] = {false, 5, 1, 1e-4, 0.66, 1.1, 0},
    [PHASE_ROAMING] = {true, 100, 1, 1e-2, 0.66, 1.1, 0.03},
};

void volume_average(duet_volume *v, double part)
{
    for (size_t t = 0; t < v->supply.types; t++) {
        const duet_supply_type *type = &v->supply.type[t];
        double *mean = v->mean + t * v->classes.count;
        for (size_t c = 0; c < v->classes.count; c++) {
            mean[c] *= 1 - part;
        }
        for (size_t p = 0; p < type->found.parts; p++) {
            double tasks = (double)type->part[p].tasks * (double)type->processors;
            mean[type->class[type->part[p].item]] += part * tasks;
        }
    }
}

// The direction in which the ratio rises by the averaged sets: tasks that they have too seldom
// become dearer. Its squared length, weighted.
static double choose_direction(duet_volume *v)
{
    double length = 0;
    for (size_t c = 0; c < v->classes.count; c++) {
        double covered = 0;
        for (size_t t = 0; t < v->supply.types; t++) {
            covered += v->mean[t * v->classes.count + c];
        }
        v->direction[c] = (double)v->classes.tasks[c] - v->center_ratio * covered;
        length += v->direction[c] * v->direction[c] * v->weight[c];
    }
    return length;
}

// The direction by the sets of the trial alone: its product with the direction that was gone, and
// its squared length, weighted.
static void compare_direction(duet_volume *v, double ratio, double *product, double *length)
{
    for (size_t c = 0; c < v->classes.count; c++) {
        v->ahead[c] = (double)v->classes.tasks[c];
    }
    for (size_t t = 0; t < v->supply.types; t++) {
        const duet_supply_type *type = &v->supply.type[t];
        for (size_t p = 0; p < type->found.parts; p++) {
            double tasks = (double)type->part[p].tasks * (double)type->processors;
            v->ahead[type->class[type->part[p].item]] -= ratio * tasks;
        }
    }
    *product = 0;
    *length = 0;
    for (size_t c = 0; c < v->classes.count; c++) {
        *product += v->weight[c] * v->ahead[c] * v->direction[c];
        *length += v->weight[c] * v->ahead[c] * v->ahead[c];
    }
}

// How much the new sets count in the average: such that the direction is shortest.
static double choose_part(double gone, double product, double ahead)
{
    const double least = 0.005;
    const double most = 0.2;
    double apart = gone - 2 * product + ahead;
    double part = apart > 0 ? (gone - product) / apart : most;
    return part < least ? least : duet_min(part, most);
}

static void set_center(duet_volume *v, const double *price, double ratio)
{
    memcpy(v->center, price, v->classes.count * sizeof *v->center);
    v->center_ratio = ratio;
}

// The trial as the center, such that its supply is 1.
static void move_center(duet_volume *v, double ratio)
{
    double demand = (double)duet_supply_demand(&v->supply, v->integer);
    for (size_t c = 0; c < v->classes.count; c++) {
        v->center[c] = (double)v->integer[c] * ratio / demand;
    }
    v->center_ratio = ratio;
}

static void begin_phase(duet_volume *v, volume_phase phase)
{
    v->phase = phase;
    v->step = of_phase[phase].first;
    v->failures = 0;
    set_center(v, v->best, v->best_ratio);
}

// After a cycle of phases that reached next to nothing there is no way to go on.
static void end_phase(duet_volume *v)
{
    const double progress = 1e-5;
    if (v->phase + 1 < PHASES) {
        begin_phase(v, v->phase + 1);
        return;
    }
    v->stalled = v->bound == v->cycle_bound && v->best_ratio < v->cycle_ratio + progress;
    v->cycle_bound = v->bound;
    v->cycle_ratio = v->best_ratio;
    begin_phase(v, PHASE_STEADY);
}

// Steps are longer after a success, shorter after many failures.
static void adapt(duet_volume *v, bool better, double rise)
{
    const tuning *phase = &of_phase[v->phase];
    const double longest = 2;
    if (better) {
        v->failures = 0;
        v->step = rise >= 0 ? fmin(v->step * phase->grow, longest) : v->step;
        return;
    }
    if (++v->failures >= phase->patience) {
        v->failures = 0;
        v->step *= phase->shrink;
        set_center(v, v->best, v->best_ratio);
        if (v->step < phase->last) {
            end_phase(v);
        }
    }
}

// Classes with many tasks have their steps divided by these: so does each of its tasks, were it a
// class of its own.
static void begin(duet_volume *v)
{
    for (size_t c = 0; c < v->classes.count; c++) {
        v->weight[c] = 1 / (double)v->classes.tasks[c];
    }
    v->started = true;
    begin_phase(v, PHASE_STEADY);
}

// The sets of the trial are stored, if they are to be.
static duet_code store_sets(duet_volume *v, duet_error *error)
{
    for (size_t t = 0; t < v->supply.types && v->store != NULL; t++) {
        const duet_supply_type *type = &v->supply.type[t];
        for (size_t p = 0; p < type->found.parts; p++) {
            v->content[p] =
                (duet_pricing_part){type->class[type->part[p].item], type -> part[p].tasks};
        }
        if (type->found.parts > 0) {
            DUET_TRY(duet_column_store_add(v->store, t, v->content, type->found.parts, error));
        }
    }
    return DUET_OK;
}

duet_code volume_iterate(duet_volume *v, const duet_context *context, duet_error *error)
{
    if (!v->started) {
        begin(v);
    }
    double length = choose_direction(v);
    // The bound is at most upper, so that the ratio at this guess may rise to about upper / bound.
    double target = fmax(1, v->center_ratio) + (double)v->upper / (double)v->bound - 1;
    double step = length > 0 ? v->step * (target - v->center_ratio) / length : 0;
    for (size_t c = 0; c < v->classes.count; c++) {
        v->trial[c] = fmax(0, v->center[c] + step * v->weight[c] * v->direction[c]);
    }
    volume_trial trial;
    double before = v->best_ratio;
    duet_code code = volume_try(v, context, &trial, error);
    if (code != DUET_OK || !volume_open(v)) {
        return code;
    }
    bool better = trial.climbed || trial.ratio > before;
    DUET_TRY(store_sets(v, error));
    double rise;
    double ahead;
    compare_direction(v, trial.ratio, &rise, &ahead);
    double part = of_phase[v->phase].part;
    volume_average(v, part > 0 ? part : choose_part(length, rise, ahead));
    if (better || (of_phase[v->phase].roaming && trial.ratio > 0)) {
        move_center(v, trial.ratio);
    }
    adapt(v, better, rise);
    return code;
}
