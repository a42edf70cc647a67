// SPDX-License-Identifier: Apache-2.0
// A pool's first columns: its patterns that a solution of the relaxation over all patterns takes.
// Column generation would otherwise have to find most of them one by one.
#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/pool/pool_state.h"

// One part of a pattern. The digest of a pattern is the sum of its parts', so that their order is
// the same to it.
static uint64_t part_digest(size_t class, int64_t tasks)
{
    uint64_t x = ((uint64_t) class + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 32;
    return x * (uint64_t)tasks;
}

static int by_digest(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The digests of the patterns that a program's solution takes, in order.
static duet_code digest_solution(const duet_pool *pool, const duet_configuration *program,
                                 uint64_t **out, size_t *count, duet_error *error)
{
    const double least = 1e-9;
    size_t all = duet_configuration_patterns(program);
    *count = 0;
    *out = duet_alloc(all, sizeof **out, error);
    DUET_NEED(*out);
    for (size_t i = 0; i < all; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        if (pattern.type == pool->type && pattern.value > least) {
            uint64_t digest = 0;
            for (size_t p = 0; p < pattern.parts; p++) {
                digest += part_digest(pattern.part[p].class, pattern.part[p].tasks);
            }
            (*out)[(*count)++] = digest;
        }
    }
    if (*count > 1) {
        qsort(*out, *count, sizeof **out, by_digest);
    }
    return DUET_OK;
}

duet_code duet_pool_seed(duet_pool *pool, const duet_configuration *program, duet_error *error)
{
    DUET_ASSERT(pool->columns == 0 && pool->levels == 0);
    const duet_patterns *all = &pool->patterns;
    uint64_t *wanted;
    size_t count;
    duet_code code = digest_solution(pool, program, &wanted, &count, error);
    for (size_t i = 0; i < pool->picks && count > 0 && code == DUET_OK; i++) {
        uint32_t pattern = pool->pick[i];
        uint64_t digest = 0;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            digest += part_digest(all->part[p].class, all->part[p].tasks);
        }
        if (bsearch(&digest, wanted, count, sizeof *wanted, by_digest) != NULL) {
            code = duet_pool_add_column(pool, pattern, error);
        }
    }
    duet_free(wanted);
    return code;
}
