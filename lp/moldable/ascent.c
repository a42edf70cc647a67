// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/ascent.h"

#include <math.h>
#include <string.h>

// Of each type a row for its area and one for its long modes.
enum { ROWS = 2 * DUET_MAX_TYPES };

typedef struct ascent {
    // Inputs.
    const duet_modes *modes;
    size_t rows;
    double capacity[ROWS]; // m L and m; 0: the row is not priced
    // The point: what all of a row costs. The sum over the rows is 1.
    double share[ROWS];
    // There: what the cheapest modes take of each row, as a part of it, and what they cost.
    double load[ROWS];
    double demand;
    // The best point so far.
    double best[ROWS];
    double best_demand;
} ascent;

// Scales a point so that its sum is 1; false where it has none.
static bool normalise(const ascent *state, double *share)
{
    double sum = 0.0;
    for (size_t r = 0; r < state->rows; r++) {
        sum += share[r];
    }
    for (size_t r = 0; r < state->rows && sum > 0.0; r++) {
        share[r] /= sum;
    }
    return sum > 0.0;
}

static void begin(ascent *state, duet_priced priced, const duet_mode_prices *from)
{
    const duet_instance *instance = state->modes->instance;
    state->rows = 2 * instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        double processors = (double)instance->processors[t];
        state->capacity[2 * t] = processors * (double)state->modes->guess;
        state->capacity[2 * t + 1] = priced == DUET_PRICED_ALL ? processors : 0.0;
        state->share[2 * t] = (double)from->area[t] * state->capacity[2 * t];
        state->share[2 * t + 1] = (double)from->width[t] * state->capacity[2 * t + 1];
    }
    if (!normalise(state, state->share)) {
        for (size_t t = 0; t < instance->types; t++) {
            state->share[2 * t] = state->capacity[2 * t];
        }
        normalise(state, state->share);
    }
}

// The cheapest modes at the point.
static void evaluate(ascent *state)
{
    const duet_modes *modes = state->modes;
    const duet_instance *instance = modes->instance;
    double price[ROWS];
    for (size_t r = 0; r < state->rows; r++) {
        price[r] = state->capacity[r] > 0.0 ? state->share[r] / state->capacity[r] : 0.0;
    }
    memset(state->load, 0, sizeof state->load);
    state->demand = 0.0;
    for (size_t i = 0; i < instance->kinds; i++) {
        const duet_mode *cheapest = NULL;
        double least = INFINITY;
        for (size_t at = modes->first[i]; at < modes->first[i + 1]; at++) {
            const duet_mode *mode = &modes->mode[at];
            double cost = price[2 * mode->type] * (double)mode->area +
                          price[2 * mode->type + 1] * (double)mode->width;
            if (cost < least) {
                least = cost;
                cheapest = mode;
            }
        }
        double count = (double)duet_count(instance, i);
        state->demand += count * least;
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): each kind has a mode
        state->load[2 * cheapest->type] += count * (double)cheapest->area;
        state->load[2 * cheapest->type + 1] += count * (double)cheapest->width;
    }
    for (size_t r = 0; r < state->rows; r++) {
        state->load[r] = state->capacity[r] > 0.0 ? state->load[r] / state->capacity[r] : 0.0;
    }
    if (state->demand > state->best_demand) {
        state->best_demand = state->demand;
        memcpy(state->best, state->share, sizeof state->best);
    }
}

// A step towards a demand that is a little above the best one, along the loads that exceed it.
static bool step(ascent *state, double ahead)
{
    double target = fmax(1.0, state->best_demand) + ahead;
    double norm = 0.0;
    for (size_t r = 0; r < state->rows; r++) {
        double way = state->capacity[r] > 0.0 ? state->load[r] - state->demand : 0.0;
        norm += way * way;
    }
    if (norm < 1e-24) {
        return false; // all rows are loaded alike
    }
    double length = (target - state->demand) / norm;
    for (size_t r = 0; r < state->rows; r++) {
        double way = state->capacity[r] > 0.0 ? state->load[r] - state->demand : 0.0;
        state->share[r] = fmax(0.0, state->share[r] + length * way);
    }
    return normalise(state, state->share);
}

// The multipliers of a point, in whole numbers of at most some 40 bits.
static duet_mode_prices round_point(const ascent *state, const double *share)
{
    enum { bits = 40 };
    duet_mode_prices out = {.area = {0}};
    double price[ROWS];
    double largest = 0.0;
    for (size_t r = 0; r < state->rows; r++) {
        price[r] = state->capacity[r] > 0.0 ? share[r] / state->capacity[r] : 0.0;
        largest = r % 2 == 0 ? fmax(largest, price[r]) : largest;
    }
    for (size_t t = 0; t < state->rows / 2 && largest > 0.0; t++) {
        double area = ldexp(price[2 * t] / largest, bits);
        double width = ldexp(price[2 * t + 1] / largest, bits);
        out.area[t] = (int64_t)area;
        out.width[t] = width < 0x1p62 ? (int64_t)width : INT64_C(1) << 62;
    }
    return out;
}

duet_code duet_ascend(const duet_modes *modes, duet_priced priced, const duet_context *context,
                      duet_mode_prices *multipliers, duet_error *error)
{
    enum { least_passes = 20, most_passes = 400 };
    static const double effort = 4e7; // modes in all passes
    (void)error;
    ascent state = {.modes = modes};
    begin(&state, priced, multipliers);
    double affordable = effort / (double)(modes->first[modes->instance->kinds] + 1);
    int passes = affordable > most_passes    ? most_passes
                 : affordable < least_passes ? least_passes
                                             : (int)affordable;
    double ahead = 0.05;
    evaluate(&state);
    for (int pass = 0; pass < passes && !duet_context_stop(context); pass++) {
        if (state.demand > 1.0 && state.demand >= state.best_demand) {
            duet_mode_prices found = round_point(&state, state.share);
            if (duet_mode_prices_refute(modes, &found)) {
                break;
            }
        }
        double before = state.best_demand;
        if (!step(&state, ahead)) {
            break;
        }
        evaluate(&state);
        if (state.best_demand <= before) {
            ahead *= 0.9;
        }
    }
    *multipliers = round_point(&state, state.best);
    return DUET_OK;
}
