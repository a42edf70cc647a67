// SPDX-License-Identifier: Apache-2.0
// What all simulated annealing shares: how the temperature falls, which changes are accepted at a
// temperature, and how many moves are between two looks at the clock. Reference: Kirkpatrick,
// Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#ifndef DUET_HEURISTICS_IMPROVE_COOLING_H
#define DUET_HEURISTICS_IMPROVE_COOLING_H

#include <math.h>
#include <stdbool.h>

#include "core/number/random.h"
#include "core/system/context.h"

// A run of annealing.
typedef struct duet_cooling {
    double hot;    // the first temperature
    double cold;   // the last temperature divided by the first one
    int64_t moves; // in all
    int64_t look;  // moves from one look at the clock to the next
} duet_cooling;

// The temperature when a share of a run is over. It falls geometrically.
static inline double duet_cooling_temperature(double hot, double cold, double over)
{
    return hot * pow(cold, over);
}

// The temperature of a move of a run.
static inline double duet_cooling_of_move(const duet_cooling *run, int64_t move)
{
    return duet_cooling_temperature(run->hot, run->cold, (double)move / (double)run->moves);
}

// Whether a run has another move: false at its end, or if the context stops it at a look.
static inline bool duet_cooling_goes_on(const duet_cooling *run, int64_t move,
                                        const duet_context *context)
{
    return move < run->moves && !(move % run->look == 0 && duet_context_stop(context));
}

// Draws how much dearer a change may be: exponentially distributed, its mean is the temperature. To
// draw it before the change is judged accepts each change as often as Metropolis does.
static inline double duet_cooling_threshold(double temperature, duet_random *random)
{
    return temperature * -log(duet_random_unit(random));
}

#endif
