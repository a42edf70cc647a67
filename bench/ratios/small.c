// SPDX-License-Identifier: Apache-2.0
// The family "small": instances of 3 to 9 tasks on up to 3 + 3 processors, of every mix. Times are
// accelerated, decelerated and unrelated, in small ranges with many ties and in large ones; tasks
// are equal or forbidden on a type; types are without processors.
#include "bench/ratios/ratios.h"
#include "bench/run/random_instance.h"
#include "core/random.h"

duet_instance *duet_ratios_small_instance(uint64_t seed)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_shape shape = {.min_tasks = 3,
                        .max_tasks = 9,
                        .min_processors = seed % 5 == 0 ? 0 : 1,
                        .max_processors = 3,
                        .types = 2};
    return duet_random_instance(&random, &shape);
}
