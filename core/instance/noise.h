// SPDX-License-Identifier: Apache-2.0
// Noise: by what factor the real time of a task differs from its planned one.
//
// Several may be given; their factors multiply. A factor depends on the seed, the run and the task
// alone, so that all rules and plans meet the same noise, on every machine.
#ifndef DUET_CORE_INSTANCE_NOISE_H
#define DUET_CORE_INSTANCE_NOISE_H

#include "core/instance/instance.h"
#include "core/system/watch.h"

enum { DUET_MOST_NOISES = 8 };

typedef enum duet_noise_form {
    DUET_NOISE_LOGNORMAL, // exp(s z - s^2 / 2), z normal: mean 1
    DUET_NOISE_GAMMA,     // mean 1, standard deviation s
    DUET_NOISE_UNIFORM,   // in [1 - s, 1 + s]
    DUET_NOISE_KIND,      // a factor for each kind
    DUET_NOISE_GROUP      // one for all kinds of a group (groups.h)
} duet_noise_form;

typedef struct duet_noise {
    duet_noise_form form;
    int64_t size;    // s, in billionths
    int64_t *factor; // of each kind, in billionths
} duet_noise;

// Zero is no noise. Free with duet_noises_free(), also after an error.
typedef struct duet_noises {
    duet_noise noise[DUET_MOST_NOISES];
    size_t count;
} duet_noises;

// Adds a noise as the command line has it: "none", "lognormal:0.2", "gamma:0.2", "uniform:0.5",
// "kind:potrf=1.3,gemm=0.9", "group:gemm=1.1". DUET_E_USAGE with what was expected, DUET_E_MEMORY.
duet_code duet_noises_add(duet_noises *noises, const duet_instance *instance, const char *text,
                          duet_error *error);
void duet_noises_free(duet_noises *noises);

// The real times of all tasks on all types in a run, into `real`, tasks x types: the planned time
// times the factor, rounded to the nearest tick, at least 1 unless 0 was planned. DUET_E_LIMIT
// where they exceed `most` in sum, each on the type where it is longest; or what `watch` says.
// O(tasks x (types + noises)).
duet_code duet_noises_apply(const duet_noises *noises, const duet_instance *instance, uint64_t seed,
                            uint64_t run, int64_t most, int64_t *real, duet_watch *watch,
                            duet_error *error);

#endif
