// SPDX-License-Identifier: Apache-2.0
#include "report/page/known.h"

#include "core/number/fraction.h"

static duet_fraction as_fraction(duet_decimal value)
{
    duet_fraction fraction = {(duet_uint128)value.mantissa, 1};
    for (int i = 0; i < value.places; i++) {
        fraction.den *= 10;
    }
    return fraction;
}

static int compare_times(duet_decimal a, duet_decimal b)
{
    return duet_fraction_compare(as_fraction(a), as_fraction(b));
}

void duet_known_learn(duet_known *known, const duet_known *more)
{
    if (duet_is_time(more->makespan) &&
        (!duet_is_time(known->makespan) || compare_times(more->makespan, known->makespan) < 0)) {
        known->makespan = more->makespan;
    }
    if (duet_is_time(more->bound) &&
        (!duet_is_time(known->bound) || compare_times(more->bound, known->bound) > 0)) {
        known->bound = more->bound;
    }
    if (duet_is_time(more->optimum)) {
        known->optimum = more->optimum;
    }
}

bool duet_known_contradicts(const duet_known *a, const duet_known *b)
{
    return duet_is_time(a->optimum) && duet_is_time(b->optimum) &&
           compare_times(a->optimum, b->optimum) != 0;
}

bool duet_known_optimum(const duet_known *known)
{
    return duet_is_time(known->optimum) ||
           (duet_is_time(known->makespan) && duet_is_time(known->bound) &&
            compare_times(known->makespan, known->bound) == 0);
}
