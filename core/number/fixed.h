// SPDX-License-Identifier: Apache-2.0
// Numbers with 32 binary places: powers, logarithms and random numbers of a shape that are the same
// on every machine, since no floating-point arithmetic and no mathematical library is in them.
#ifndef DUET_CORE_NUMBER_FIXED_H
#define DUET_CORE_NUMBER_FIXED_H

#include <stdint.h>

#include "core/number/random.h"

// A number times 2^32.
typedef int64_t duet_fixed;
#define DUET_FIXED_ONE (INT64_C(1) << 32)

// The ratio of two whole numbers, below 2^31.
duet_fixed duet_fixed_ratio(int64_t numerator, int64_t denominator);
// The product, rounded down; it must be below 2^31.
duet_fixed duet_fixed_times(duet_fixed a, duet_fixed b);
// The quotient, rounded down; it must be below 2^31, and b > 0.
duet_fixed duet_fixed_over(duet_fixed a, duet_fixed b);
// The binary logarithm of x > 0, within 2^-31.
duet_fixed duet_fixed_log2(duet_fixed x);
// 2^x for x below 30; 0 where that has no place.
duet_fixed duet_fixed_exp2(duet_fixed x);
// The natural logarithm of x > 0, and e^x for x below 20; 0 where that has no place.
duet_fixed duet_fixed_log(duet_fixed x);
duet_fixed duet_fixed_exp(duet_fixed x);
// The square root of x >= 0, rounded down.
duet_fixed duet_fixed_sqrt(duet_fixed x);

// Uniform over the multiples of 2^-32 in low .. high.
duet_fixed duet_fixed_uniform(duet_random *random, duet_fixed low, duet_fixed high);
// 2^u with u uniform in low .. high.
duet_fixed duet_fixed_log_uniform(duet_random *random, duet_fixed low, duet_fixed high);
// Mean 0, variance 1: the sum of twelve uniform numbers (Irwin-Hall), so within -6 .. 6.
duet_fixed duet_fixed_normal(duet_random *random);
// The same without that limit: Marsaglia's polar method, for what asks about rare values.
duet_fixed duet_fixed_polar_normal(duet_random *random);
// Mean 1: the logarithm of a uniform number.
duet_fixed duet_fixed_exponential(duet_random *random);

#endif
