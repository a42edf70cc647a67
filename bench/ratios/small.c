// SPDX-License-Identifier: Apache-2.0
// The families that this study has beside those of the generator. "small": instances of 3 to 9
// tasks on up to 3 + 3 processors, of every mix. Times are accelerated, decelerated and unrelated,
// in small ranges with many ties and in large ones; tasks are equal or forbidden on a type; types
// are without processors. "small-graph": task graphs of 4 to 8 such tasks on up to 2 + 2
// processors, of every shape, every third with communication.
#include "bench/ratios/ratios.h"
#include <string.h>

#include "bench/run/random_graph.h"

static const char small[] = "small";
static const char small_graph[] = "small-graph";
const char *const duet_ratios_small[DUET_RATIOS_SMALL] = {small, small_graph};

bool duet_ratios_is_small(const char *family)
{
    return strcmp(family, small) == 0 || strcmp(family, small_graph) == 0;
}

duet_instance *duet_ratios_small_graph(uint64_t seed)
{
    enum { cost = 20 };
    duet_random random;
    duet_random_seed(&random, seed);
    const duet_graph_shape shape = {
        .tasks =
            {
                .min_tasks = 4,
                .max_tasks = 8,
                .min_processors = seed % 5 == 0 ? 0 : 1,
                .max_processors = 2,
                .types = 2,
            },
        .cost = seed % 3 == 0 ? cost : 0,
    };
    return duet_random_graph(&random, &shape);
}

duet_instance *duet_ratios_small_instance(uint64_t seed)
{
    duet_random random;
    return duet_random_of_seed(&random, seed, 3, 9, 3, 2);
}
