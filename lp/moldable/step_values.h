// SPDX-License-Identifier: Apache-2.0
// Values of steps: what they refute, and the most valuable set of times on a processor.
#ifndef DUET_LP_MOLDABLE_STEP_VALUES_H
#define DUET_LP_MOLDABLE_STEP_VALUES_H

#include "core/algorithm.h"

// A time of at least `time` is worth `value` on the type.
typedef struct duet_time_step {
    int64_t time;
    double price;  // in the program
    int64_t value; // the price in whole numbers: finely for a ratio, coarsely for a certificate
} duet_time_step;

typedef struct duet_time_steps {
    const duet_instance *instance;
    int64_t guess;
    duet_time_step *step; // by type, then by rising time
    size_t first[DUET_MAX_TYPES + 1];
    int64_t limit[DUET_MAX_TYPES]; // of whole values
} duet_time_steps;

// Lists the steps at a guess. Errors: DUET_E_MEMORY.
duet_code duet_steps_list(duet_time_steps *steps, int64_t guess, duet_error *error);
// The last step of a type that a time reaches; SIZE_MAX: none.
size_t duet_step_of(const duet_time_steps *steps, size_t type, int64_t time);

// How often a step is in a pattern.
typedef struct duet_step_count {
    size_t step;
    int64_t count;
} duet_step_count;

enum { DUET_PATTERN_STEPS = 64 }; // different ones, at most

typedef struct duet_step_pattern {
    duet_step_count of[DUET_PATTERN_STEPS];
    size_t count;
    double worth;
} duet_step_pattern;

// The most valuable times of a type that a processor can run, by prices, by branch and bound for
// some time; steps of no more value than an earlier one are left out. Errors: DUET_E_MEMORY.
duet_code duet_step_pattern_find(const duet_time_steps *steps, size_t type, duet_step_pattern *best,
                                 duet_error *error);

// The values of all tasks, in their cheapest modes.
duet_int128 duet_steps_demand(const duet_time_steps *steps);

// Rounds the prices, of which no limit is above `most`, to whole values, computes their limits, and
// says whether they refute the guess. Errors: DUET_E_MEMORY.
duet_code duet_steps_refute(duet_time_steps *steps, double most, bool *refuted, duet_error *error);
// The certificate of guess + 1. Errors: DUET_E_MEMORY.
duet_code duet_steps_certificate(const duet_time_steps *steps, duet_certificate *certificate,
                                 duet_error *error);

#endif
