// SPDX-License-Identifier: Apache-2.0
// Values by index as a tournament: the lowest index whose value is at most a limit, in O(log count)
// for any limit.
//
// List schedulers keep the instants from which processors are free in it. A heap by load and index
// knows the processor that is free first; where several are free at the instant that matters, the
// lowest of them is one question here, and none of them has to be lifted to that instant first.
#ifndef DUET_HEURISTICS_ENGINE_TOURNAMENT_H
#define DUET_HEURISTICS_ENGINE_TOURNAMENT_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"

typedef struct duet_tournament {
    int64_t *node; // the least value below; the root is node[1], the leaves are those from `leaves`
    size_t leaves; // a power of two
    size_t count;  // leaves in use; the others hold INT64_MAX
} duet_tournament;

// All values are 0. Free with duet_tournament_free(). DUET_E_MEMORY.
duet_code duet_tournament_create(size_t count, duet_tournament *tournament, duet_error *error);
void duet_tournament_free(duet_tournament *tournament);
// `to`, of as many values, takes those of `from`. O(count).
void duet_tournament_copy(duet_tournament *to, const duet_tournament *from);

// The least of the values; INT64_MAX without any.
static inline int64_t duet_tournament_least(const duet_tournament *tournament)
{
    return tournament->node[1];
}

static inline int64_t duet_tournament_at(const duet_tournament *tournament, size_t index)
{
    DUET_ASSERT(index < tournament->count);
    return tournament->node[tournament->leaves + index];
}

// The lowest index whose value is at most `limit`; there must be one. O(log count).
static inline size_t duet_tournament_first(const duet_tournament *tournament, int64_t limit)
{
    DUET_ASSERT(duet_tournament_least(tournament) <= limit);
    size_t at = 1;
    while (at < tournament->leaves) {
        at = 2 * at + (tournament->node[2 * at] > limit);
    }
    return at - tournament->leaves;
}

// O(log count).
static inline void duet_tournament_set(duet_tournament *tournament, size_t index, int64_t value)
{
    DUET_ASSERT(index < tournament->count);
    size_t at = tournament->leaves + index;
    tournament->node[at] = value;
    while (at > 1) {
        at /= 2;
        int64_t left = tournament->node[2 * at];
        int64_t right = tournament->node[2 * at + 1];
        tournament->node[at] = duet_min(left, right);
    }
}

#endif
