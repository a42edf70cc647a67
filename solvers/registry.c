// SPDX-License-Identifier: Apache-2.0
#include "solvers/registry.h"

#include <string.h>

#include "heuristics/heuristics.h"
#include "solvers/bounds.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

#define ROW(name) &duet_algorithm_##name,
static const duet_algorithm *const algorithms[] = {
    DUET_SOLVERS(ROW)    // they prove a bound
    DUET_HEURISTICS(ROW) // they do not
    DUET_SEARCHES(ROW)   // slow: whoever runs all of them sees the others first
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

#define BOUND(name) &duet_bound_##name,
static const duet_bound_method *const bounds[] = {DUET_BOUNDS(BOUND)};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

const duet_algorithm *duet_algorithm_at(size_t index)
{
    return index < ALGORITHMS ? algorithms[index] : NULL;
}

const duet_algorithm *duet_find_algorithm(const char *name)
{
    for (size_t i = 0; i < ALGORITHMS; i++) {
        if (strcmp(algorithms[i]->entry.name, name) == 0) {
            return algorithms[i];
        }
    }
    return NULL;
}

bool duet_searches(const char *name)
{
    const duet_algorithm *row = name == NULL ? NULL : duet_find_algorithm(name);
    return row == NULL || row->pace.searches;
}

const duet_bound_method *duet_find_bound(const char *name)
{
    for (size_t i = 0; i < BOUNDS; i++) {
        if (strcmp(bounds[i]->entry.name, name) == 0) {
            return bounds[i];
        }
    }
    return NULL;
}

size_t duet_algorithm_count(void)
{
    return ALGORITHMS;
}

const duet_entry *duet_algorithm_entry(size_t index)
{
    return index < ALGORITHMS ? &algorithms[index]->entry : NULL;
}

size_t duet_bound_count(void)
{
    return BOUNDS;
}

const duet_entry *duet_bound_entry(size_t index)
{
    return index < BOUNDS ? &bounds[index]->entry : NULL;
}

static bool proven_ratio(const char *name, size_t types, const int64_t *counts,
                         const duet_options *options, duet_ratio *ratio)
{
    const duet_algorithm *algorithm = duet_find_algorithm(name);
    return algorithm != NULL && algorithm->ratio != NULL &&
           algorithm->ratio(types, counts, options, ratio);
}

const char *duet_guarantee(const char *algorithm, size_t types, const int64_t *counts,
                           const duet_options *options, char *buffer)
{
    duet_ratio ratio;
    if (!proven_ratio(algorithm, types, counts, options, &ratio)) {
        return NULL;
    }
    return duet_ratio_format(ratio, buffer);
}

int duet_guarantee_holds(const char *algorithm, size_t types, const int64_t *counts,
                         const duet_options *options, int64_t makespan, int64_t optimum)
{
    duet_ratio ratio;
    if (!proven_ratio(algorithm, types, counts, options, &ratio)) {
        return -1;
    }
    return duet_ratio_holds(ratio, makespan, optimum);
}

int duet_instance_guarantee_holds(const char *algorithm, const duet_instance *instance,
                                  const duet_options *options, int64_t makespan, int64_t optimum)
{
    const duet_algorithm *row = duet_find_algorithm(algorithm);
    duet_ratio ratio;
    if (row == NULL || !duet_ratio_on(row, instance, options, &ratio)) {
        return -1;
    }
    return duet_ratio_holds(ratio, makespan, optimum);
}
