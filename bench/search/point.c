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

void duet_search_remove(duet_search_point *point, size_t kind)
{
    point->kinds--;
    memmove(&point->kind[kind], &point->kind[kind + 1],
            (point->kinds - kind) * sizeof *point->kind);
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
    return tasks >= space->least_tasks && tasks <= space->most_tasks;
}

static void fill_times(const duet_search_point *point, int64_t *times)
{
    for (size_t i = 0; i < 2 * point->kinds; i++) {
        times[i] = duet_search_time(point, i / 2, i % 2);
    }
}

duet_code duet_search_instance(const duet_search_point *point, const char *name,
                               duet_instance **out, duet_error *error)
{
    duet_type platform[2] = {{"cpu", point->processors[0]}, {"gpu", point->processors[1]}};
    int64_t counts[DUET_SEARCH_MAX_TASKS];
    int64_t times[2 * DUET_SEARCH_MAX_TASKS];
    for (size_t i = 0; i < point->kinds; i++) {
        counts[i] = point->kind[i].count;
    }
    fill_times(point, times);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = name,
                               .types = 2,
                               .platform = platform,
                               .kinds = point->kinds,
                               .counts = counts,
                               .times = times};
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

const duet_instance *duet_search_load(duet_search_scratch *scratch, const duet_search_point *point)
{
    duet_instance *instance = &scratch->instance;
    instance->kinds = point->kinds;
    memcpy(instance->processors, point->processors, sizeof point->processors);
    for (size_t i = 0; i < point->kinds; i++) {
        scratch->first[i + 1] = scratch->first[i] + point->kind[i].count;
    }
    fill_times(point, scratch->times);
    return instance;
}
