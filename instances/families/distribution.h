// SPDX-License-Identifier: Apache-2.0
// Whole numbers in a range after a named distribution.
#ifndef DUET_INSTANCES_FAMILIES_DISTRIBUTION_H
#define DUET_INSTANCES_FAMILIES_DISTRIBUTION_H

#include "core/number/random.h"

#include <duet/error.h>

typedef enum duet_distribution {
    DUET_UNIFORM,
    DUET_NORMAL,      // symmetric around the middle of the range
    DUET_LOGNORMAL,   // sigma 1 of the logarithm
    DUET_EXPONENTIAL, //
    DUET_GAMMA        // shape 2
} duet_distribution;

// As a user writes them, in the order of the values above.
#define DUET_DISTRIBUTION_CHOICES "uniform|normal|lognormal|exponential|gamma"

// DUET_E_UNSUPPORTED where this build has only the uniform one.
duet_code duet_distribution_check(duet_distribution distribution, duet_error *error);

// What a fraction `probability`, in (0, 1), of all draws from the gamma distribution with that mean
// and standard deviation stays below, to 10^-9 of the mean. The standard deviation is 0.01 to 10
// times the mean. Only where duet_distribution_check() allows DUET_GAMMA.
double duet_gamma_quantile(double mean, double deviation, double probability);

// Draws from low .. high. A distribution other than uniform is scaled so that its 0.1 % and 99.9 %
// quantiles fall on the ends of the range, and cut there.
int64_t duet_distribution_draw(duet_distribution distribution, duet_random *random, int64_t low,
                               int64_t high);

#endif
