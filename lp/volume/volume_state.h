// SPDX-License-Identifier: Apache-2.0
// What the parts of the volume method share. They call each other down this list:
//
//   volume.c   creation, runs, what is asked of it
//   phases.c   one iteration, and when the steps become shorter
//   starts.c   prices to start from
//   climb.c    prices tried on a guess, and on longer ones
//   certify.c  the prices as a certificate
#ifndef DUET_LP_VOLUME_VOLUME_STATE_H
#define DUET_LP_VOLUME_VOLUME_STATE_H

#include "core/system/arena.h"
#include "lp/volume/supply.h"
#include "lp/volume/volume.h"

// A phase ends when steps have become short. In a *steady* one, prices move from the best ones; in
// a *roaming* one from the last ones, whatever they reached, which leaves the plateaus of area
// prices.
typedef enum volume_phase { PHASE_STEADY, PHASE_ROAMING, PHASES } volume_phase;

struct duet_volume {
    // Inputs.
    duet_arena arena; // It holds the arrays.
    const duet_instance *instance;
    duet_classes classes; // of the guess upper - 1 at creation
    duet_supply supply;   // at the guess `bound`
    int64_t lower;
    int64_t upper;            // guesses below it are asked
    duet_column_store *store; // for the sets that are found; NULL: none
    int bits;                 // of the limits: sets are priced below 2^(bits + 7)

    // Answers.
    int64_t bound;  // all guesses below are refuted
    int64_t *proof; // the integer prices that refuted the guess bound - 1
    bool proven;    // there are some
    bool stalled;

    // Prices, such that the supply is 1, and the ratio of demand to supply that they reach.
    double *center; // the next ones are sought from here
    double center_ratio;
    double *best; // at the guess `bound`
    double best_ratio;
    double *limit; // per type, of the best prices
    double *trial;
    int64_t *integer; // of the trial
    double dearest;   // the largest limit of a type, at the best prices

    // Steps.
    bool started;
    volume_phase phase;
    double step;  // as a part of the way to the target
    int failures; // in a row
    int64_t cycle_bound;
    double cycle_ratio; // at the end of the last cycle of phases
    double *direction;
    double *ahead;              // the direction by the newest sets alone
    double *weight;             // per class: how much longer its steps are
    double *mean;               // per type and class: tasks, averaged over the sets
    duet_pricing_part *content; // of a set, as it is stored
};

// What a trial of prices came to.
typedef struct volume_trial {
    double ratio; // of demand to supply, at the guess `bound` after the trial
    bool climbed; // it refuted the guess, which is a longer one now
} volume_trial;

// Tries the prices in v->trial: rounds them to v->integer and evaluates them at the guess; climbs
// where they refute it. Sets v->best where they are better. The types of the supply have the
// dearest sets then.
duet_code volume_try(duet_volume *v, const duet_context *context, volume_trial *trial,
                     duet_error *error);

// Tries the start prices, and leaves the best ones as the center.
duet_code volume_start(duet_volume *v, const duet_context *context, duet_error *error);

// One iteration.
duet_code volume_iterate(duet_volume *v, const duet_context *context, duet_error *error);

// Adds the sets that the supply has to the averages: they count `part`, those before the rest.
void volume_average(duet_volume *v, double part);

// Whether there are guesses left.
static inline bool volume_open(const duet_volume *v)
{
    return v->bound < v->upper;
}

#endif
