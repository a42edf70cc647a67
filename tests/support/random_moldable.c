// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_moldable.h"

#include <assert.h>
#include <stdio.h>

#include <duet/moldable.h>

#include "core/system/memory.h"
#include "instances/families/moldable.h"

enum { TABLES = 3 }; // of costs
enum { MAX_TASKS = 8, MAX_PROCESSORS = 16, TYPES = 8, MAX_EDGES = MAX_TASKS * MAX_TASKS / 2 };

typedef struct drawing {
    duet_random *random;
    const duet_moldable_shape *shape;
    size_t types;
    duet_type platform[TYPES];
    int64_t table[MAX_TASKS * TYPES][MAX_PROCESSORS];
    duet_moldable_times times[MAX_TASKS * TYPES];
    duet_edge edge[MAX_EDGES];
    duet_number data[MAX_EDGES];
    size_t edges;
    int64_t costs[TABLES * TYPES * TYPES];
} drawing;

static int64_t between(drawing *d, int64_t low, int64_t high)
{
    return duet_random_between(d->random, low, high);
}

void duet_random_monotone(duet_random *random, int64_t longest, size_t length, int64_t *table)
{
    table[0] = duet_random_between(random, 1, longest);
    duet_monotone_style style = duet_monotone_draw(random);
    for (size_t p = 2; p <= length; p++) {
        table[p - 1] = duet_monotone_next(random, style, (int64_t)p, table[p - 2]);
    }
}

static void draw_any(drawing *d, size_t length, int64_t *table)
{
    for (size_t p = 0; p < length; p++) {
        table[p] = between(d, 1, d->shape->longest);
    }
}

// Some sizes are not allowed, or all but one, which may take 0 ticks.
static void draw_gaps(drawing *d, size_t length, int64_t *table)
{
    size_t kept = (size_t)between(d, 0, (int64_t)length - 1);
    bool one = between(d, 0, 1) == 0;
    for (size_t p = 0; p < length; p++) {
        if (p != kept && (one || between(d, 0, 2) == 0)) {
            table[p] = DUET_FORBIDDEN;
        }
    }
    if (one && between(d, 0, 5) == 0) {
        table[kept] = 0;
    }
}

static duet_moldable_times draw_law(drawing *d)
{
    return (duet_moldable_times){
        .work = {between(d, 1, d->shape->longest), 0},
        .alpha = {between(d, 0, 3) == 0 ? between(d, 0, 10) * 10 : between(d, 0, 30), 2}};
}

// A cell of a type of so many processors; `sequential`: one time.
static duet_moldable_times draw_cell(drawing *d, size_t at, int64_t count, bool sequential)
{
    int64_t *table = d->table[at];
    size_t length = count < 1 ? 1 : (size_t)count;
    duet_table_shape shape = d->shape->tables;
    if (shape == DUET_TABLES_MIXED) {
        int64_t drawn = between(d, 0, 3);
        shape = drawn == 3 ? DUET_TABLES_MONOTONE : (duet_table_shape)drawn;
        sequential = sequential || drawn == 3;
    }
    if (shape == DUET_TABLES_LAW && !sequential) {
        return draw_law(d);
    }
    if (between(d, 0, 4) == 0) { // some tables are shorter
        length = (size_t)between(d, 1, (int64_t)length);
    }
    length = sequential ? 1 : length;
    if (shape == DUET_TABLES_ANY) {
        draw_any(d, length, table);
    } else {
        duet_random_monotone(d->random, d->shape->longest, length, table);
    }
    if (d->shape->gaps) {
        draw_gaps(d, length, table);
    }
    return (duet_moldable_times){.table = table, .length = length};
}

static void draw_tasks(drawing *d, size_t tasks)
{
    bool cluster = d->shape->second_cluster;
    size_t empty = d->shape->empty;
    for (size_t j = 0; j < tasks; j++) {
        int64_t only = d->types == empty + 2 && between(d, 0, 9) == 0 ? between(d, 0, 1) : 2;
        for (size_t t = 0; t < d->types; t++) {
            size_t at = j * d->types + t;
            d->times[at] = only < 2 && (size_t)only + empty != t
                               ? (duet_moldable_times){.length = 0}
                               : draw_cell(d, at, d->platform[t].count, t > empty && !cluster);
        }
    }
}

static void draw_edges(drawing *d, size_t tasks)
{
    int64_t density = between(d, 1, 4);
    for (size_t j = 1; j < tasks; j++) {
        for (size_t i = 0; i < j; i++) {
            if (between(d, 0, density) != 0) {
                continue;
            }
            bool data = between(d, 0, 3) > 0;
            d->data[d->edges] = (duet_number){data ? between(d, 0, 4 * d->shape->longest) : -1, 0};
            size_t table = d->shape->costs ? (size_t)between(d, 0, TABLES - 1) : 0;
            d->edge[d->edges++] = (duet_edge){(int64_t)i, (int64_t)j, table};
        }
    }
}

duet_instance *duet_random_moldable(duet_random *random, const duet_moldable_shape *shape)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"}; // of the empty ones
    assert(shape->empty <= sizeof names / sizeof *names);
    assert(shape->most_tasks <= MAX_TASKS && shape->most_processors <= MAX_PROCESSORS &&
           shape->most_gpus <= MAX_PROCESSORS);
    drawing *d = duet_alloc(1, sizeof *d, NULL);
    if (d == NULL) {
        return NULL;
    }
    d->random = random;
    d->shape = shape;
    bool second = shape->most_gpus > 0;
    d->types = shape->empty + (second ? 2 : 1);
    for (size_t t = 0; t < shape->empty; t++) {
        d->platform[t] = (duet_type){names[t], 0};
    }
    d->platform[shape->empty] = (duet_type){"cpu", between(d, 1, shape->most_processors)};
    if (second) {
        d->platform[shape->empty + 1] =
            (duet_type){shape->second_cluster ? "cluster" : "gpu", between(d, 1, shape->most_gpus)};
    }
    size_t tasks = (size_t)between(d, 1, shape->most_tasks);
    draw_tasks(d, tasks);
    if (shape->edges) {
        draw_edges(d, tasks);
    }
    for (size_t i = 0; i < sizeof d->costs / sizeof *d->costs && shape->costs; i++) {
        d->costs[i] = between(d, 0, 2) == 0 ? 0 : between(d, 1, shape->longest);
    }
    duet_number speed[TYPES];
    duet_number bandwidth[TYPES];
    for (size_t t = 0; t < d->types; t++) {
        speed[t] = (duet_number){between(d, 1, t == 0 ? 2 : 3), 0};
        bandwidth[t] = (duet_number){between(d, 0, 5), 0};
    }
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable,
                                         .times = d->times,
                                         .speed = speed,
                                         .bandwidth = bandwidth,
                                         .data = shape->data ? d->data : NULL,
                                         .has_network = shape->data,
                                         .latency = {between(d, 0, 2), 0},
                                         .inter_latency = {between(d, 0, 5), 0},
                                         .inter_bandwidth = {between(d, 0, 5), 0}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "random-moldable",
                                     .types = d->types,
                                     .platform = d->platform,
                                     .kinds = tasks,
                                     .edges = d->edges,
                                     .edge = d->edge,
                                     .cost_tables = shape->costs ? TABLES : 0,
                                     .costs = d->costs,
                                     .moldable = &moldable};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_instance_create(&desc, &instance, &error);
    assert(code == DUET_OK || code == DUET_E_MEMORY);
    (void)code;
    duet_free(d);
    return instance;
}
