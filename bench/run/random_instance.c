// SPDX-License-Identifier: Apache-2.0
#include "bench/run/random_instance.h"

enum { MAX_KINDS = 64 };

static int64_t draw_time(duet_random *random, int64_t largest)
{
    // One in twenty is zero.
    return largest == 0 || duet_random_between(random, 0, 19) == 0
               ? 0
               : duet_random_between(random, 1, largest);
}

// Times of one kind in one of several styles; at least one type stays allowed.
static void draw_times(duet_random *random, size_t types, int64_t largest, int style,
                       int64_t *times)
{
    size_t allowed = (size_t)duet_random_between(random, 0, (int64_t)types - 1);
    int64_t base = draw_time(random, largest);
    if (duet_random_between(random, 0, 24) == 0) {
        largest = base = 0; // takes no time anywhere
    }
    for (size_t t = 0; t < types; t++) {
        times[t] = draw_time(random, largest);
        if (t == 0 || style == 3) {
            times[t] = base; // the same everywhere
        } else if (style == 1) {
            times[t] = base / duet_random_between(random, 1, 20); // accelerated
        } else if (style == 2) {
            times[t] = base + duet_random_between(random, 0, largest); // decelerated
        }
        if (t != allowed && duet_random_between(random, 0, 5) == 0) {
            times[t] = DUET_FORBIDDEN;
        }
    }
}

duet_instance *duet_random_instance(duet_random *random, const duet_shape *shape)
{
    static const int64_t ranges[] = {3, 10, 100, 10000, INT64_C(1) << 40};
    int64_t times[MAX_KINDS * DUET_SHAPE_TYPES];
    int64_t counts[MAX_KINDS];
    duet_type platform[DUET_SHAPE_TYPES] = {
        {"cpu", 0}, {"gpu", 0}, {"gpu2", 0}, {"gpu3", 0}, {"gpu4", 0}};
    for (size_t t = 0; t < shape->types; t++) {
        platform[t].count =
            duet_random_between(random, shape->min_processors, shape->max_processors);
    }
    if (shape->min_processors == 0) {
        platform[duet_random_between(random, 0, (int64_t)shape->types - 1)].count =
            shape->max_processors;
    }
    int64_t tasks = duet_random_between(random, shape->min_tasks, shape->max_tasks);
    int64_t largest = ranges[duet_random_between(random, 0, 4)];
    int style = (int)duet_random_between(random, 0, 4);
    size_t kinds = 0;
    for (int64_t placed = 0; placed < tasks && kinds < MAX_KINDS; kinds++) {
        bool repeated = duet_random_between(random, 0, 3) == 0;
        counts[kinds] = repeated ? duet_random_between(random, 1, tasks - placed) : 1;
        placed += counts[kinds];
        int64_t *row = &times[kinds * shape->types];
        draw_times(random, shape->types, largest, style, row);
        // A task needs a type that has processors.
        bool somewhere = false;
        for (size_t t = 0; t < shape->types; t++) {
            somewhere = somewhere || (platform[t].count > 0 && row[t] != DUET_FORBIDDEN);
        }
        for (size_t t = 0; t < shape->types && !somewhere; t++) {
            row[t] = platform[t].count > 0 ? draw_time(random, largest) : row[t];
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "random",
                               .types = shape->types,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *instance = NULL;
    duet_instance_create(&desc, &instance, NULL);
    return instance;
}

duet_instance *duet_random_of_seed(duet_random *random, uint64_t seed, int least, int most,
                                   int processors, size_t types)
{
    const duet_shape shape = {least, most, seed % 5 == 0 ? 0 : 1, processors, types};
    duet_random_seed(random, seed);
    return duet_random_instance(random, &shape);
}
