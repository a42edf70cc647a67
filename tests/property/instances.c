// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include <duet/moldable.h>

#include "bench/run/random_instance.h"
#include "tests/property/property.h"
#include "tests/support/random_moldable.h"

enum { MOST_TYPES = 4, MOST_EDGES = PROPERTY_MOST_TASKS * PROPERTY_MOST_TASKS / 2, TABLES = 3 };

static duet_random random_of(draws *d)
{
    duet_random random;
    duet_random_seed(&random, (uint64_t)draw(d, 0, INT64_MAX));
    return random;
}

static duet_instance *independent(draws *d)
{
    duet_random random = random_of(d);
    duet_shape shape = {.min_tasks = 0,
                        .max_tasks = PROPERTY_MOST_TASKS,
                        .min_processors = draw_once(d, 3) ? 0 : 1,
                        .max_processors = draw_once(d, 4) ? 1 : 3,
                        .types = (size_t)draw(d, 1, MOST_TYPES)};
    return duet_random_instance(&random, &shape);
}

// A time, also 0, or forbidden where `may` says so.
static int64_t draw_time(draws *d, bool may)
{
    return may && draw_once(d, 6) ? DUET_FORBIDDEN
           : draw_once(d, 8)      ? 0
                                  : draw(d, 1, draw_once(d, 4) ? 400 : 12);
}

static size_t draw_edges(draws *d, size_t tasks, duet_edge *edge)
{
    size_t edges = 0;
    int64_t density = draw(d, 1, 4);
    for (size_t j = 1; j < tasks; j++) {
        for (size_t i = 0; i < j; i++) {
            if (edges < MOST_EDGES && draw_once(d, density)) {
                edge[edges++] = (duet_edge){(int64_t)i, (int64_t)j, (size_t)draw(d, 0, TABLES - 1)};
            }
        }
    }
    return edges;
}

// A platform on which some processor is; returns how many types.
static size_t draw_platform(draws *d, int64_t most, duet_type *platform)
{
    static const char *const names[MOST_TYPES] = {"cpu", "gpu", "fpga", "dsp"};
    size_t types = (size_t)draw(d, 1, 3);
    int64_t all = 0;
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){names[t], draw(d, draw_once(d, 6) ? 0 : 1, most)};
        all += platform[t].count;
    }
    platform[0].count += all == 0;
    return types;
}

// A task graph: edges without costs, with the same between any two types, or by types.
static duet_instance *graph(draws *d)
{
    duet_type platform[MOST_TYPES];
    duet_edge edge[MOST_EDGES];
    int64_t times[PROPERTY_MOST_TASKS * MOST_TYPES];
    int64_t costs[TABLES * MOST_TYPES * MOST_TYPES];
    size_t types = draw_platform(d, 3, platform);
    size_t tasks = (size_t)draw(d, 1, PROPERTY_MOST_TASKS);
    for (size_t j = 0; j < tasks; j++) {
        bool some = false;
        for (size_t t = 0; t < types; t++) {
            times[j * types + t] = draw_time(d, true);
            some = some || (platform[t].count > 0 && times[j * types + t] != DUET_FORBIDDEN);
        }
        for (size_t t = 0; t < types && !some; t++) {
            times[j * types + t] = draw_time(d, false);
        }
    }
    for (size_t table = 0; table < TABLES; table++) {
        int64_t form = draw(d, 0, 2);
        int64_t same = draw(d, 0, 9);
        for (size_t at = 0; at < types * types; at++) {
            costs[table * types * types + at] = form == 0 ? 0 : form == 1 ? same : draw(d, 0, 9);
        }
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "graph",
                                     .types = types,
                                     .platform = platform,
                                     .kinds = tasks,
                                     .times = times,
                                     .edges = draw_edges(d, tasks, edge),
                                     .edge = edge,
                                     .cost_tables = draw_once(d, 3) ? 0 : TABLES,
                                     .costs = costs};
    duet_instance *instance = NULL;
    (void)duet_instance_create(&desc, &instance, NULL);
    return instance;
}

static duet_instance *tables(draws *d)
{
    duet_random random = random_of(d);
    duet_moldable_shape shape = {.tables = (duet_table_shape)draw(d, 0, 3),
                                 .most_tasks = 4,
                                 .most_processors = draw(d, 1, 3),
                                 .most_gpus = draw(d, 0, 2),
                                 .second_cluster = draw_once(d, 2),
                                 .longest = draw(d, 1, 30),
                                 .edges = draw_once(d, 2)};
    shape.data = shape.edges && draw_once(d, 2);
    shape.costs = shape.edges && !shape.data && draw_once(d, 2);
    shape.gaps = draw_once(d, 3);
    return duet_random_moldable(&random, &shape);
}

// Every task follows one law on all types on which it may run, with mixed sets or without.
static duet_instance *laws(draws *d)
{
    duet_type platform[MOST_TYPES];
    duet_edge edge[MOST_EDGES];
    duet_number data[MOST_EDGES];
    duet_number speed[MOST_TYPES];
    duet_number bandwidth[MOST_TYPES];
    duet_moldable_times times[4 * MOST_TYPES];
    size_t types = draw_platform(d, 2, platform);
    size_t tasks = (size_t)draw(d, 1, 4);
    for (size_t t = 0; t < types; t++) {
        speed[t] = (duet_number){draw_once(d, 2) ? 10 : draw(d, 1, 40), 1};
        bandwidth[t] = (duet_number){draw(d, 0, 5), 0};
    }
    for (size_t j = 0; j < tasks; j++) {
        const duet_moldable_times law = {
            .work = {draw(d, 1, 300), 1},
            .alpha = {draw_once(d, 3) ? draw(d, 0, 10) * 10 : draw(d, 0, 30), 2}};
        size_t only = draw_once(d, 5) ? (size_t)draw(d, 0, (int64_t)types - 1) : types;
        only = only < types && platform[only].count > 0 ? only : types;
        for (size_t t = 0; t < types; t++) {
            times[j * types + t] =
                only == types || only == t ? law : (duet_moldable_times){.length = 0};
        }
    }
    size_t edges = draw_once(d, 2) ? draw_edges(d, tasks, edge) : 0;
    for (size_t e = 0; e < edges; e++) {
        data[e] = (duet_number){draw(d, -1, 40), 0};
    }
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable,
                                         .times = times,
                                         .speed = speed,
                                         .bandwidth = bandwidth,
                                         .data = edges > 0 ? data : NULL,
                                         .has_network = edges > 0 && draw_once(d, 2),
                                         .latency = {draw(d, 0, 2), 0},
                                         .inter_latency = {draw(d, 0, 5), 0},
                                         .inter_bandwidth = {draw(d, 0, 5), 0},
                                         .mixed_sets = draw(d, 0, 2) > 0};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "laws",
                                     .decimals = (int)draw(d, 0, 1),
                                     .types = types,
                                     .platform = platform,
                                     .kinds = tasks,
                                     .edges = edges,
                                     .edge = edge,
                                     .moldable = &moldable};
    duet_instance *instance = NULL;
    (void)duet_instance_create(&desc, &instance, NULL);
    return instance;
}

duet_instance *property_instance(draws *d)
{
    static duet_instance *(*const kinds[])(draws *) = {independent, graph, tables, laws, laws};
    return kinds[draw(d, 0, 4)](d);
}
