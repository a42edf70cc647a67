// SPDX-License-Identifier: Apache-2.0
// The schedule of an integral solution: loads of the pool's type.
#include <math.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/pool/pool_state.h"

// Takes the tasks of the last load out of what is left, and out of the load those that are not
// left: patterns may cover a task twice.
static void drop_spare(duet_loads *loads, int64_t *left)
{
    duet_load *load = &loads->load[loads->loads - 1];
    size_t kept = load->begin;
    for (size_t p = load->begin; p < load->begin + load->parts; p++) {
        duet_pattern_part part = loads->part[p];
        if ((int64_t)part.tasks > left[part.class]) {
            part.tasks = (uint32_t)left[part.class];
        }
        left[part.class] -= part.tasks;
        loads->part[kept] = part;
        kept += part.tasks > 0;
    }
    load->parts = kept - load->begin;
    loads->parts = kept;
}

// Pushes the patterns of the solution as long as their values are whole; *whole: all are.
static duet_code push_whole(const duet_pool *pool, int64_t *left, duet_loads *loads, bool *whole,
                            duet_error *error)
{
    const double near = 1e-4;
    const duet_patterns *all = &pool->patterns;
    duet_code code = DUET_OK;
    *whole = true;
    for (size_t i = 0; i < pool->columns && code == DUET_OK && *whole; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].lp_column);
        uint32_t pattern = pool->column[i].pattern;
        size_t begin = all->begin[pattern];
        size_t parts = all->begin[pattern + 1] - begin;
        *whole = fabs(value - floor(value + 0.5)) < near;
        for (int64_t times = (int64_t)(value + 0.5); times > 0 && code == DUET_OK && *whole;
             times--) {
            code = duet_loads_push(loads, pool->type, all->part + begin, parts, error);
            if (code == DUET_OK) {
                drop_spare(loads, left);
            }
        }
    }
    return code;
}

duet_code duet_pool_take(const duet_pool *pool, const int64_t *allocation, duet_loads *loads,
                         bool *taken, duet_error *error)
{
    size_t loads_before = loads->loads;
    size_t parts_before = loads->parts;
    int64_t *left = duet_alloc(pool->classes->count, sizeof *left, error);
    *taken = false;
    DUET_NEED(left);
    for (size_t c = 0; c < pool->classes->count; c++) {
        left[c] = allocation[c];
    }
    duet_code code = push_whole(pool, left, loads, taken, error);
    for (size_t c = 0; c < pool->classes->count; c++) {
        *taken = *taken && left[c] == 0;
    }
    if (!*taken) {
        loads->loads = loads_before;
        loads->parts = parts_before;
    }
    duet_free(left);
    return code;
}
