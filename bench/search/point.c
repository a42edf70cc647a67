// SPDX-License-Identifier: Apache-2.0
// Candidates of the adversarial search, and how they become instances.
#include "bench/search/search.h"

#include <string.h>

int64_t duet_search_tasks(const duet_search_point *point)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < point->kinds; i++) {
        tasks += point->kind[i].count;
    }
    return tasks;
}

bool duet_search_runs(const duet_search_point *point, size_t kind, size_t type)
{
    return point->processors[type] > 0 && point->kind[kind].time[type] != DUET_FORBIDDEN;
}

int64_t duet_search_time(const duet_search_point *point, size_t kind, size_t type)
{
    return duet_search_runs(point, kind, type) ? point->kind[kind].time[type] : DUET_FORBIDDEN;
}

// A table that is monotone: no time is above the one before, no area below.
size_t duet_search_table(const duet_search_point *point, size_t kind,
                         int64_t table[DUET_SEARCH_MOLDABLE_PROCESSORS])
{
    const duet_search_kind *of = &point->kind[kind];
    size_t count = (size_t)point->processors[0];
    table[0] = of->time[0];
    for (size_t p = 2; p <= count; p++) {
        int64_t before = table[p - 2];
        int64_t step = before / (int64_t)p; // down to ceil((p - 1) before / p)
        table[p - 1] = before - step + step * of->held[p - 2] / DUET_SEARCH_HELD;
    }
    return count;
}

// How many types its instance has: one where moldable tasks have CPUs alone.
static size_t types_of(const duet_search_point *point)
{
    return point->moldable && point->processors[1] == 0 ? 1 : 2;
}

// The bits from `at` on moved one place down, over bit `at`, or one place up.
static uint64_t close_bit(uint64_t bits, size_t at)
{
    uint64_t low = (UINT64_C(1) << at) - 1;
    return (bits & low) | (bits >> 1 & ~low);
}

static uint64_t open_bit(uint64_t bits, size_t at)
{
    uint64_t low = (UINT64_C(1) << at) - 1;
    return (bits & low) | (bits & ~low) << 1;
}

void duet_search_remove(duet_search_point *point, size_t kind)
{
    point->kinds--;
    size_t behind = point->kinds - kind;
    memmove(&point->kind[kind], &point->kind[kind + 1], behind * sizeof *point->kind);
    memmove(&point->before[kind], &point->before[kind + 1], behind * sizeof *point->before);
    for (size_t i = 0; i < point->kinds; i++) {
        point->before[i] = close_bit(point->before[i], kind);
    }
}

void duet_search_insert(duet_search_point *point, size_t at, duet_search_kind kind)
{
    size_t behind = point->kinds - at;
    memmove(&point->kind[at + 1], &point->kind[at], behind * sizeof *point->kind);
    memmove(&point->before[at + 1], &point->before[at], behind * sizeof *point->before);
    point->kinds++;
    for (size_t i = 0; i < point->kinds; i++) {
        point->before[i] = open_bit(point->before[i], at);
    }
    point->kind[at] = kind;
    point->before[at] = 0;
}

void duet_search_exchange(duet_search_point *point, size_t a, size_t b)
{
    duet_search_kind kind = point->kind[a];
    uint64_t before = point->before[a];
    point->kind[a] = point->kind[b];
    point->before[a] = point->before[b];
    point->kind[b] = kind;
    point->before[b] = before;
    for (size_t i = 0; i < point->kinds; i++) {
        uint64_t differ = (point->before[i] >> a ^ point->before[i] >> b) & 1;
        point->before[i] ^= differ << a ^ differ << b; // 0 where a = b
    }
}

int64_t duet_search_edges(const duet_search_point *point)
{
    int64_t edges = 0;
    for (size_t i = 0; i < point->kinds; i++) {
        for (uint64_t bits = point->before[i]; bits != 0; bits &= bits - 1) {
            edges++;
        }
    }
    return edges;
}

// Whether kind b waits for kind a, directly or not.
static bool reaches(const duet_search_point *point, size_t a, size_t b)
{
    uint64_t reached = UINT64_C(1) << b; // against the edges
    uint64_t last = 0;
    while (reached != last) {
        last = reached;
        for (size_t i = 0; i < point->kinds; i++) {
            reached |= (last >> i & 1) != 0 ? point->before[i] : 0;
        }
    }
    return a != b && (reached >> a & 1) != 0;
}

// Edges where there may be some, between kinds of one task, and no cycle.
static bool valid_edges(const duet_search_space *space, const duet_search_point *point)
{
    for (size_t i = 0; i < point->kinds; i++) {
        uint64_t before = point->before[i];
        if (space->shape != DUET_SEARCH_GRAPH) {
            if (before != 0) {
                return false;
            }
            continue;
        }
        if (point->kind[i].count != 1 || (before >> i & 1) != 0) {
            return false;
        }
        for (size_t j = 0; j < point->kinds; j++) {
            if ((before >> j & 1) != 0 && reaches(point, i, j)) {
                return false;
            }
        }
    }
    return true;
}

static bool valid_kind(const duet_search_space *space, const duet_search_point *point, size_t kind)
{
    const duet_search_kind *at = &point->kind[kind];
    for (size_t t = 0; t < 2; t++) {
        bool good = at->time[t] == DUET_FORBIDDEN
                        ? space->forbidden
                        : at->time[t] >= 1 && at->time[t] <= space->max_time;
        if (!good) {
            return false;
        }
    }
    if (space->accelerated && at->time[1] > at->time[0]) {
        return false;
    }
    for (size_t p = 0; p + 1 < DUET_SEARCH_MOLDABLE_PROCESSORS; p++) {
        if (at->held[p] > (space->shape == DUET_SEARCH_MOLDABLE ? DUET_SEARCH_HELD : 0)) {
            return false;
        }
    }
    return at->count >= 1 && (duet_search_runs(point, kind, 0) || duet_search_runs(point, kind, 1));
}

bool duet_search_valid(const duet_search_space *space, const duet_search_point *point)
{
    for (size_t t = 0; t < 2; t++) {
        if (point->processors[t] < space->least[t] || point->processors[t] > space->most[t]) {
            return false;
        }
    }
    if (point->processors[0] + point->processors[1] == 0 || point->kinds == 0 ||
        point->kinds > DUET_SEARCH_MAX_TASKS) {
        return false;
    }
    for (size_t i = 0; i < point->kinds; i++) {
        if (!valid_kind(space, point, i)) {
            return false;
        }
    }
    int64_t tasks = duet_search_tasks(point);
    return valid_edges(space, point) && tasks >= space->least_tasks && tasks <= space->most_tasks;
}

static void fill_times(const duet_search_point *point, int64_t *times)
{
    for (size_t i = 0; i < 2 * point->kinds; i++) {
        times[i] = duet_search_time(point, i / 2, i % 2);
    }
}

// In order of the kinds that wait; returns how many.
static size_t list_edges(const duet_search_point *point, duet_edge *edge)
{
    size_t edges = 0;
    for (size_t to = 0; to < point->kinds; to++) {
        for (size_t from = 0; from < point->kinds; from++) {
            if ((point->before[to] >> from & 1) != 0) {
                edge[edges++] = (duet_edge){(int64_t)from, (int64_t)to, 0};
            }
        }
    }
    return edges;
}

// A kind's tables; `table` is room for them.
static void fill_tables(const duet_search_point *point, size_t kind, duet_moldable_times *times,
                        int64_t table[DUET_SEARCH_MOLDABLE_PROCESSORS])
{
    size_t types = types_of(point);
    bool runs[2] = {duet_search_runs(point, kind, 0), duet_search_runs(point, kind, 1)};
    size_t length = runs[0] ? duet_search_table(point, kind, table) : 0;
    times[kind * types] =
        (duet_moldable_times){.table = length > 0 ? table : NULL, .length = length};
    if (types > 1) {
        times[kind * types + 1] = (duet_moldable_times){
            .table = runs[1] ? &point->kind[kind].time[1] : NULL, .length = runs[1]};
    }
}

duet_code duet_search_instance(const duet_search_point *point, const char *name,
                               duet_instance **out, duet_error *error)
{
    duet_type platform[2] = {{"cpu", point->processors[0]}, {"gpu", point->processors[1]}};
    int64_t counts[DUET_SEARCH_MAX_TASKS];
    int64_t times[2 * DUET_SEARCH_MAX_TASKS];
    int64_t table[DUET_SEARCH_MAX_TASKS][DUET_SEARCH_MOLDABLE_PROCESSORS];
    duet_moldable_times tables[2 * DUET_SEARCH_MAX_TASKS];
    duet_edge edge[DUET_SEARCH_MAX_EDGES];
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = tables};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = name,
                               .types = types_of(point),
                               .platform = platform,
                               .kinds = point->kinds,
                               .counts = counts,
                               .times = point->moldable ? NULL : times,
                               .edges = list_edges(point, edge),
                               .edge = edge,
                               .moldable = point->moldable ? &moldable : NULL};
    for (size_t i = 0; i < point->kinds; i++) {
        counts[i] = point->kind[i].count;
        if (point->moldable) {
            fill_tables(point, i, tables, table[i]);
        }
    }
    fill_times(point, times);
    return duet_instance_create(&desc, out, error);
}

void duet_search_scratch_init(duet_search_scratch *scratch)
{
    static const char names[3][8] = {"search", "cpu", "gpu"};
    memset(scratch, 0, sizeof *scratch);
    memcpy(scratch->names, names, sizeof names);
    size_t used = 0;
    for (size_t i = 0; i < DUET_SEARCH_MAX_TASKS; i++) {
        scratch->id_at[i] = used;
        used += (size_t)snprintf(scratch->ids + used, sizeof scratch->ids - used, "t%zu", i) + 1;
    }
    scratch->graph = (duet_graph){.tail = scratch->tail,
                                  .head = scratch->head,
                                  .leave_at = scratch->leave_at,
                                  .leaving = scratch->leaving,
                                  .enter_at = scratch->enter_at,
                                  .entering = scratch->entering,
                                  .types = 2};
    scratch->instance = (duet_instance){
        .name = scratch->names[0],
        .time_unit = scratch->names[0] + strlen(names[0]),
        .types = 2,
        .type_names = {scratch->names[1], scratch->names[2]},
        .has_platform = true,
        .first = scratch->first,
        .times = scratch->times,
        .ids = scratch->ids,
        .id_at = scratch->id_at,
    };
}

// The rows of the edges, which come in order of their heads; those that leave a task are sorted in.
static void fill_graph(duet_search_scratch *scratch, const duet_search_point *point)
{
    duet_edge edge[DUET_SEARCH_MAX_EDGES];
    int64_t edges = (int64_t)list_edges(point, edge);
    int64_t filled = 0;
    for (int64_t e = 0; e < edges; e++) {
        scratch->tail[e] = (int32_t)edge[e].from;
        scratch->head[e] = (int32_t)edge[e].to;
        scratch->entering[e] = (int32_t)e;
    }
    for (size_t to = 0; to < point->kinds; to++) {
        scratch->enter_at[to] = filled;
        while (filled < edges && scratch->head[filled] == (int32_t)to) {
            filled++;
        }
    }
    scratch->enter_at[point->kinds] = filled;
    filled = 0;
    for (size_t from = 0; from < point->kinds; from++) {
        scratch->leave_at[from] = filled;
        for (int64_t e = 0; e < edges; e++) {
            if (scratch->tail[e] == (int32_t)from) {
                scratch->leaving[filled++] = (int32_t)e;
            }
        }
    }
    scratch->leave_at[point->kinds] = filled;
    scratch->graph.tasks = (int64_t)point->kinds;
    scratch->graph.edges = edges;
    scratch->instance.graph = edges == 0 ? NULL : &scratch->graph;
}

const duet_instance *duet_search_load(duet_search_scratch *scratch, const duet_search_point *point)
{
    duet_instance *instance = &scratch->instance;
    instance->kinds = point->kinds;
    memcpy(instance->processors, point->processors, sizeof point->processors);
    for (size_t i = 0; i < point->kinds; i++) {
        scratch->first[i + 1] = scratch->first[i] + point->kind[i].count;
    }
    fill_times(point, scratch->times);
    fill_graph(scratch, point);
    return instance;
}
