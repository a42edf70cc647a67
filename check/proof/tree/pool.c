// SPDX-License-Identifier: Apache-2.0
// Pattern pools of covers. Includes no solver header: this is what an outsider trusts.
#include "check/proof/tree/pool.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static duet_proof_pool *allocate(size_t count, size_t words, size_t classes, duet_error *error)
{
    duet_proof_pool *pool = duet_alloc(1, sizeof *pool, error);
    if (pool == NULL) {
        return NULL;
    }
    pool->words = words;
    pool->count = count;
    pool->bits = duet_alloc(words, sizeof *pool->bits, error);
    pool->reduced_cost = duet_alloc(count, sizeof *pool->reduced_cost, error);
    pool->set = duet_alloc(count * words, sizeof *pool->set, error);
    pool->item = duet_alloc(count, sizeof *pool->item, error);
    pool->length = duet_alloc(count, sizeof *pool->length, error);
    pool->first = duet_alloc(classes + 2, sizeof *pool->first, error);
    if (pool->bits == NULL || pool->reduced_cost == NULL || pool->set == NULL ||
        pool->item == NULL || pool->length == NULL || pool->first == NULL) {
        duet_proof_pool_free(pool);
        return NULL;
    }
    pool->bytes = sizeof *pool + (classes + 2) * sizeof *pool->first +
                  count * (words * 8 + sizeof *pool->reduced_cost + sizeof *pool->item +
                           sizeof *pool->length);
    return pool;
}

void duet_proof_pool_free(duet_proof_pool *pool)
{
    if (pool != NULL) {
        duet_free(pool->bits);
        duet_free(pool->reduced_cost);
        duet_free(pool->set);
        duet_free(pool->item);
        duet_free(pool->length);
        duet_free(pool->owned);
        duet_free(pool->first);
        duet_free(pool->list);
        duet_free(pool);
    }
}

static void set_scope(duet_proof_pool *pool, const duet_proof_scope *scope)
{
    memcpy(pool->bits, scope->bits, pool->words * sizeof *pool->bits);
    pool->slack = scope->slack;
}

// Lists the patterns of each class in canonical order: a counting sort.
static duet_code list_by_class(duet_proof_pool *pool, size_t classes, duet_watch *watch,
                               duet_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < pool->count; i++) {
        if (duet_watch_spend(watch, pool->length[i])) {
            return duet_check_stopped(watch, error);
        }
        for (uint32_t j = 0; j < pool->length[i]; j++) {
            pool->first[pool->item[i][j].class + 2]++;
        }
        total += pool->length[i];
    }
    for (size_t c = 2; c < classes + 2; c++) {
        pool->first[c] += pool->first[c - 1];
    }
    pool->list = duet_alloc(total, sizeof *pool->list, error);
    DUET_NEED(pool->list);
    pool->bytes += total * sizeof *pool->list;
    (void)duet_watch_spend(watch, (int64_t)(total + classes));
    // On the way first[c + 1] moves from the beginning of the list of c to its end.
    for (size_t i = 0; i < pool->count; i++) {
        for (uint32_t j = 0; j < pool->length[i]; j++) {
            pool->list[pool->first[pool->item[i][j].class + 1]++] = (uint32_t)i;
        }
    }
    return DUET_OK;
}

duet_code duet_proof_pool_create(duet_proof_pool **out, const duet_proof_patterns *list,
                                 const duet_proof_bitmap *bitmap, size_t classes,
                                 const duet_proof_scope *scope, duet_watch *watch,
                                 duet_error *error)
{
    DUET_ASSERT(!list->cut && bitmap->words > 0);
    *out = NULL;
    duet_proof_pool *pool = allocate(list->count, bitmap->words, classes, error);
    DUET_NEED(pool);
    set_scope(pool, scope);
    pool->owned = duet_alloc(list->items, sizeof *pool->owned, error);
    if (pool->owned == NULL) {
        duet_proof_pool_free(pool);
        return DUET_E_MEMORY;
    }
    duet_proof_item *at = pool->owned;
    for (size_t i = 0; i < list->count && !duet_watch_spend(watch, (int64_t)pool->words); i++) {
        const duet_proof_pattern *pattern = &list->pattern[i];
        pool->reduced_cost[i] = pattern->reduced_cost;
        pool->item[i] = at;
        pool->length[i] = (uint32_t)pattern->length;
        for (size_t j = 0; j < pattern->length; j++) {
            *at++ = pattern->item[j];
            duet_proof_mark(bitmap, pool->set + i * pool->words, pattern->item[j].class,
                            pattern->item[j].count);
        }
    }
    pool->bytes += list->items * sizeof *pool->owned;
    duet_code code = list_by_class(pool, classes, watch, error);
    if (code != DUET_OK) {
        duet_proof_pool_free(pool);
        return code;
    }
    *out = pool;
    return DUET_OK;
}

// Whether all bits of `set` are in `bits`.
static inline bool is_within(const uint64_t *set, const uint64_t *bits, size_t words)
{
    uint64_t outside = 0;
    for (size_t w = 0; w < words; w++) {
        outside |= set[w] & ~bits[w];
    }
    return outside == 0;
}

bool duet_proof_pool_covers(const duet_proof_pool *pool, const duet_proof_scope *scope)
{
    return scope->slack <= pool->slack && is_within(scope->bits, pool->bits, pool->words);
}

static inline bool is_left(const duet_proof_pool *pool, size_t pattern,
                           const duet_proof_scope *scope)
{
    return is_within(pool->set + pattern * pool->words, scope->bits, pool->words);
}

duet_code duet_proof_pool_narrow(duet_proof_pool **out, duet_proof_pool *parent, size_t classes,
                                 const duet_proof_scope *scope, duet_watch *watch,
                                 duet_error *error)
{
    DUET_ASSERT(duet_proof_pool_covers(parent, scope));
    *out = NULL;
    size_t within = 0; // those within the slack come first
    size_t count = 0;
    for (; within < parent->count && parent->reduced_cost[within] <= scope->slack; within++) {
        if (duet_watch_spend(watch, 2 * (int64_t)parent->words)) {
            return duet_check_stopped(watch, error);
        }
        count += is_left(parent, within, scope) ? 1 : 0;
    }
    if (count > parent->count - parent->count / 4) {
        return DUET_OK;
    }
    duet_proof_pool *pool = allocate(count, parent->words, classes, error);
    DUET_NEED(pool);
    pool->parent = parent;
    set_scope(pool, scope);
    size_t at = 0;
    for (size_t i = 0; i < within; i++) {
        if (is_left(parent, i, scope)) {
            pool->reduced_cost[at] = parent->reduced_cost[i];
            pool->item[at] = parent->item[i];
            pool->length[at] = parent->length[i];
            memcpy(pool->set + at * pool->words, parent->set + i * pool->words,
                   pool->words * sizeof *pool->set);
            at++;
        }
    }
    duet_code code = list_by_class(pool, classes, watch, error);
    if (code != DUET_OK) {
        duet_proof_pool_free(pool);
        return code;
    }
    *out = pool;
    return DUET_OK;
}

// A number of words known at compile time is unrolled; one and two are the most frequent.
static inline size_t pick(const duet_proof_pool *pool, size_t class, const duet_proof_scope *scope,
                          size_t words, uint32_t *found, uint64_t *steps)
{
    const uint32_t *at = pool->list + pool->first[class];
    const uint32_t *end = pool->list + pool->first[class + 1];
    const uint32_t *begin = at;
    size_t count = 0;
    for (; at < end && pool->reduced_cost[*at] <= scope->slack; at++) {
        found[count] = *at;
        count += is_within(pool->set + *at * words, scope->bits, words) ? 1 : 0;
    }
    *steps += (uint64_t)(at - begin);
    return count;
}

size_t duet_proof_pool_pick(const duet_proof_pool *pool, size_t class,
                            const duet_proof_scope *scope, uint32_t *found, uint64_t *steps)
{
    DUET_ASSERT(duet_proof_pool_covers(pool, scope));
    switch (pool->words) {
    case 1:
        return pick(pool, class, scope, 1, found, steps);
    case 2:
        return pick(pool, class, scope, 2, found, steps);
    default:
        return pick(pool, class, scope, pool->words, found, steps);
    }
}
