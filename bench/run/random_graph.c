// SPDX-License-Identifier: Apache-2.0
// Random small task graphs of every shape, for tests against truth.
#include "bench/run/random_instance.h"

#include <stdbool.h>

#include "core/system/memory.h"

enum { MAX_TABLES = 3, CELLS = DUET_SHAPE_TYPES * DUET_SHAPE_TYPES };

// How tasks, numbered in a topological order, are joined.
typedef enum style { SPARSE, DENSE, LAYERS, CHAINS, TREE, STYLES } style;

typedef struct drawing {
    duet_random *random;
    int64_t tasks;
    style style;
    int64_t width; // of layers, or number of chains
    int64_t *name; // of a task in topological order
    duet_edge *edge;
    size_t edges;
    size_t tables;
} drawing;

static int64_t between(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

static void shuffle_names(drawing *d)
{
    for (int64_t i = 0; i < d->tasks; i++) {
        int64_t at = between(d->random, 0, i);
        d->name[i] = d->name[at];
        d->name[at] = i;
    }
}

static void shuffle_edges(drawing *d)
{
    for (size_t i = 1; i < d->edges; i++) {
        size_t at = (size_t)between(d->random, 0, (int64_t)i);
        duet_edge kept = d->edge[i];
        d->edge[i] = d->edge[at];
        d->edge[at] = kept;
    }
}

// Whether task j, later in topological order, waits for task i.
static bool joins(drawing *d, int64_t i, int64_t j)
{
    switch (d->style) {
    case SPARSE:
        return between(d->random, 0, d->tasks) == 0;
    case DENSE:
        return between(d->random, 0, 1) == 0;
    case LAYERS:
        return i / d->width + 1 == j / d->width && between(d->random, 0, 2) > 0;
    case CHAINS:
        return j == i + d->width;
    default: // a tree: everyone waits for one
        return i == (j - 1) / d->width;
    }
}

static void draw_edges(drawing *d)
{
    for (int64_t j = 1; j < d->tasks; j++) {
        for (int64_t i = 0; i < j; i++) {
            if (joins(d, i, j)) {
                size_t table =
                    d->tables == 0 ? 0 : (size_t)between(d->random, 0, (int64_t)d->tables - 1);
                d->edge[d->edges++] = (duet_edge){d->name[i], d->name[j], table};
            }
        }
    }
}

static void draw_costs(duet_random *random, int64_t highest, size_t types, size_t tables,
                       int64_t *costs)
{
    for (size_t i = 0; i < tables * types * types; i++) {
        costs[i] = between(random, 0, 2) == 0 ? 0 : between(random, 0, highest);
    }
}

// The same tasks with these edges.
static duet_instance *with_edges(const duet_instance *tasks, const drawing *d, const int64_t *costs)
{
    duet_type platform[DUET_SHAPE_TYPES];
    size_t types = duet_instance_types(tasks);
    size_t kinds = duet_instance_kinds(tasks);
    int64_t *counts = duet_alloc(kinds, sizeof *counts, NULL);
    int64_t *times = duet_alloc(kinds * types, sizeof *times, NULL);
    duet_instance *instance = NULL;
    for (size_t t = 0; t < types; t++) {
        platform[t] =
            (duet_type){duet_instance_type_name(tasks, t), duet_instance_type_count(tasks, t)};
    }
    for (size_t i = 0; i < kinds && counts != NULL && times != NULL; i++) {
        counts[i] = duet_instance_kind_count(tasks, i);
        for (size_t t = 0; t < types; t++) {
            times[i * types + t] = duet_instance_time(tasks, i, t);
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "random-graph",
                               .types = types,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times,
                               .edges = d->edges,
                               .edge = d->edge,
                               .cost_tables = d->tables,
                               .costs = costs};
    if (counts != NULL && times != NULL) {
        duet_instance_create(&desc, &instance, NULL);
    }
    duet_free(counts);
    duet_free(times);
    return instance;
}

duet_instance *duet_random_graph(duet_random *random, const duet_graph_shape *shape)
{
    duet_instance *tasks = duet_random_instance(random, &shape->tasks);
    if (tasks == NULL) {
        return NULL;
    }
    int64_t costs[MAX_TABLES * CELLS];
    drawing d = {.random = random, .tasks = duet_instance_tasks(tasks)};
    size_t pairs = (size_t)(d.tasks * (d.tasks - 1) / 2);
    d.style = (style)between(random, 0, STYLES - 1);
    d.width = between(random, 1, 4);
    d.tables = shape->cost > 0 ? (size_t)between(random, 1, MAX_TABLES) : 0;
    d.name = duet_alloc((size_t)d.tasks, sizeof *d.name, NULL);
    d.edge = duet_alloc(pairs, sizeof *d.edge, NULL);
    duet_instance *instance = NULL;
    if (d.name != NULL && d.edge != NULL) {
        draw_costs(random, shape->cost, duet_instance_types(tasks), d.tables, costs);
        shuffle_names(&d);
        draw_edges(&d);
        shuffle_edges(&d);
        instance = with_edges(tasks, &d, costs);
    }
    duet_free(d.name);
    duet_free(d.edge);
    duet_instance_free(tasks);
    return instance;
}
