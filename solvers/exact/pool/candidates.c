// SPDX-License-Identifier: Apache-2.0
// Which patterns get columns. A pass over all live patterns finds the candidates: the patterns that
// gain most by the duals. Some rounds of column generation make do with the candidates of one pass.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/system/counted.h"
#include "solvers/exact/pool/pool_state.h"

static bool gains_less(const void *none, duet_pool_candidate a, duet_pool_candidate b)
{
    (void)none;
    return a.gain < b.gain;
}

DUET_HEAP(candidates, duet_pool_candidate, void, gains_less)

// Keeps the best candidates, as a heap with the least gain at its top.
static void propose(duet_pool *pool, double gain, uint32_t pattern)
{
    duet_pool_candidate added = {gain, pattern};
    if (pool->candidates < DUET_POOL_CANDIDATES) {
        candidates_push(NULL, pool->best, &pool->candidates, added);
    } else if (gain > pool->best[0].gain) {
        candidates_replace_top(NULL, pool->best, pool->candidates, added);
    }
}

static int by_gain(const void *a, const void *b)
{
    const duet_pool_candidate *x = a;
    const duet_pool_candidate *y = b;
    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static void sort_candidates(duet_pool *pool)
{
    if (pool->candidates > 0) {
        qsort(pool->best, pool->candidates, sizeof *pool->best, by_gain);
    }
}

double duet_pool_find_candidates(duet_pool *pool, double processor)
{
    double most = 0;
    double least = DUET_POOL_LEAST_GAIN;
    pool->candidates = 0;
    for (size_t i = 0; i < pool->lives; i++) {
        uint32_t pattern = pool->live[i];
        double gain = duet_pool_pattern_dual(pool, pattern) - processor;
        if (gain > least && !pool->has_column[pattern]) {
            most = fmax(most, gain);
            propose(pool, gain, pattern);
            least =
                pool->candidates < DUET_POOL_CANDIDATES ? DUET_POOL_LEAST_GAIN : pool->best[0].gain;
        }
    }
    sort_candidates(pool);
    duet_count_work(DUET_POOL_NANOSECONDS * (int64_t)pool->lives);
    return most;
}

bool duet_pool_review_candidates(duet_pool *pool, double processor)
{
    for (size_t i = 0; i < pool->candidates; i++) {
        duet_pool_candidate *at = &pool->best[i];
        at->gain = pool->has_column[at->pattern]
                       ? 0
                       : duet_pool_pattern_dual(pool, at->pattern) - processor;
    }
    sort_candidates(pool);
    duet_count_work(DUET_POOL_NANOSECONDS * (int64_t)pool->candidates);
    return pool->candidates > 0 && pool->best[0].gain > DUET_POOL_LEAST_GAIN;
}

// How many of a pattern's classes the columns of this round have.
static int64_t classes_taken(const duet_pool *pool, uint32_t pattern)
{
    const duet_patterns *all = &pool->patterns;
    int64_t taken = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        taken += pool->class_taken[all->part[p].class] ? 1 : 0;
    }
    return taken;
}

duet_code duet_pool_add_candidates(duet_pool *pool, duet_error *error)
{
    const duet_patterns *all = &pool->patterns;
    duet_code code = DUET_OK;
    memset(pool->class_taken, 0, pool->classes->count * sizeof *pool->class_taken);
    int added = 0;
    for (size_t i = 0;
         i < pool->candidates && i < DUET_POOL_MOST_CONSIDERED && added < DUET_POOL_MOST_ADDED &&
         pool->best[i].gain > DUET_POOL_LEAST_GAIN && code == DUET_OK;
         i++) {
        DUET_ASSERT(i == 0 || by_gain(&pool->best[i - 1], &pool->best[i]) < 0);
        uint32_t pattern = pool->best[i].pattern;
        if (added > 0 && classes_taken(pool, pattern) > 1) {
            continue;
        }
        code = duet_pool_add_column(pool, pattern, error);
        added++;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            pool->class_taken[all->part[p].class] = true;
        }
    }
    return code;
}
