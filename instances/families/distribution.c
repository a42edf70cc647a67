// SPDX-License-Identifier: Apache-2.0
// Whole numbers in a range after a named distribution, by inverting its distribution function
// (GSL): one random number each, so that a seed gives the same instance everywhere.
#include "instances/families/distribution.h"

#ifdef DUET_WITH_GSL
#include <stdbool.h>

#include <gsl/gsl_cdf.h>

duet_code duet_distribution_check(duet_distribution distribution, duet_error *error)
{
    (void)distribution;
    (void)error;
    return DUET_OK;
}

static double quantile(duet_distribution distribution, double probability)
{
    switch (distribution) {
    case DUET_NORMAL:
        return gsl_cdf_ugaussian_Pinv(probability);
    case DUET_LOGNORMAL:
        return gsl_cdf_lognormal_Pinv(probability, 0, 1);
    case DUET_EXPONENTIAL:
        return gsl_cdf_exponential_Pinv(probability, 1);
    case DUET_GAMMA:
        return gsl_cdf_gamma_Pinv(probability, 2, 1);
    default:
        return probability;
    }
}

// By bisection: gsl_cdf_gamma_Pinv() ends the program where it does not converge, as it does for
// small probabilities of distributions that are nearly normal.
double duet_gamma_quantile(double mean, double deviation, double probability)
{
    const double precision = 1e-9;
    double variation = deviation / mean;
    double shape = 1 / (variation * variation);
    double low = 0;
    double high = 1;
    while (gsl_cdf_gamma_P(high, shape, 1 / shape) < probability) {
        low = high;
        high *= 2;
    }
    while (high - low > precision) {
        double middle = (low + high) / 2;
        bool below = gsl_cdf_gamma_P(middle, shape, 1 / shape) < probability;
        *(below ? &low : &high) = middle;
    }
    return high * mean;
}
#else
duet_code duet_distribution_check(duet_distribution distribution, duet_error *error)
{
    return distribution == DUET_UNIFORM
               ? DUET_OK
               : duet_error_set(error, DUET_E_UNSUPPORTED,
                                "this build has only the uniform distribution; the others need "
                                "GSL: configure with -DDUET_WITH_GSL=ON");
}

static double quantile(duet_distribution distribution, double probability)
{
    (void)distribution;
    return probability;
}

double duet_gamma_quantile(double mean, double deviation, double probability)
{
    (void)deviation;
    (void)probability;
    return mean;
}
#endif

int64_t duet_distribution_draw(duet_distribution distribution, duet_random *random, int64_t low,
                               int64_t high)
{
    if (distribution == DUET_UNIFORM) {
        return duet_random_between(random, low, high);
    }
    double first = quantile(distribution, 0.001);
    double last = quantile(distribution, 0.999);
    double drawn = quantile(distribution, duet_random_unit(random));
    double place = (drawn - first) / (last - first);
    if (!(place > 0)) {
        return low;
    }
    return place < 1 ? low + (int64_t)(place * (double)(high - low) + 0.5) : high;
}
