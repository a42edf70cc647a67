// SPDX-License-Identifier: Apache-2.0
// The families that this study has beside those of the generator. "small": instances of 3 to 9
// tasks on up to 3 + 3 processors, of every mix. Times are accelerated, decelerated and unrelated,
// in small ranges with many ties and in large ones; tasks are equal or forbidden on a type; types
// are without processors. "small-graph": task graphs of 4 to 8 such tasks on up to 2 + 2
// processors, of every shape, every third with communication. "small-types": 3 to 7 such tasks on 3
// or 4 types of up to 2 processors, every second a task graph.
#include "bench/ratios/ratios.h"
#include <string.h>

#include "bench/run/random_instance.h"

static const char small[] = "small";
static const char small_graph[] = "small-graph";
static const char small_types[] = "small-types";
const char *const duet_ratios_small[DUET_RATIOS_SMALL] = {small, small_graph, small_types};

bool duet_ratios_is_small(const char *family)
{
    bool found = false;
    for (size_t i = 0; i < DUET_RATIOS_SMALL; i++) {
        found = found || strcmp(family, duet_ratios_small[i]) == 0;
    }
    return found;
}

static duet_instance *make_graph(uint64_t seed)
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

static duet_instance *make_types(uint64_t seed)
{
    enum { FEWEST_TASKS = 3, MOST_TASKS = 7, MOST_PROCESSORS = 2, FEWEST_TYPES = 3 };
    duet_random random;
    size_t types = FEWEST_TYPES + seed / 2 % 2;
    if (seed % 2 == 0) {
        return duet_random_of_seed(&random, seed, FEWEST_TASKS, MOST_TASKS, MOST_PROCESSORS, types);
    }
    duet_random_seed(&random, seed);
    const duet_graph_shape shape = {.tasks = {.min_tasks = FEWEST_TASKS,
                                              .max_tasks = MOST_TASKS,
                                              .min_processors = 1,
                                              .max_processors = MOST_PROCESSORS,
                                              .types = types}};
    return duet_random_graph(&random, &shape);
}

duet_instance *duet_ratios_small_instance(uint64_t seed)
{
    duet_random random;
    return duet_random_of_seed(&random, seed, 3, 9, 3, 2);
}

duet_instance *duet_ratios_make_small(const char *family, uint64_t seed)
{
    return strcmp(family, small) == 0         ? duet_ratios_small_instance(seed)
           : strcmp(family, small_graph) == 0 ? make_graph(seed)
                                              : make_types(seed);
}
