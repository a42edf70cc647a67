// SPDX-License-Identifier: Apache-2.0
// Which tasks of a graph become ready when others end: for each task the number of predecessors
// that have not ended.
#ifndef DUET_HEURISTICS_ENGINE_WAITS_H
#define DUET_HEURISTICS_ENGINE_WAITS_H

#include <stdbool.h>

#include "core/instance/graph.h"
#include "core/system/assert.h"

enum { DUET_WAITS_EXPECTED = 4 };

typedef struct duet_waits {
    const duet_graph *graph;
    int32_t *left; // predecessors of a task that have not ended
    // The tasks of the last calls of duet_waits_expect(), the latest first.
    int64_t expected[DUET_WAITS_EXPECTED];
} duet_waits;

// Nothing has ended. O(tasks). Free with duet_waits_free(). DUET_E_MEMORY.
duet_code duet_waits_create(const duet_graph *graph, duet_waits *waits, duet_error *error);
void duet_waits_free(duet_waits *waits);

// The edges that leave a task that has ended, as a walk over the tasks that only waited for it:
//     for (int64_t at = graph->leave_at[task]; (j = duet_waits_next(&waits, task, &at)) >= 0;)
// To be walked to its end, once per task. -1: there are no more.
static inline int64_t duet_waits_next(duet_waits *waits, int64_t task, int64_t *at)
{
    const duet_graph *graph = waits->graph;
    while (*at < graph->leave_at[task + 1]) {
        int32_t head = graph->head[graph->leaving[(*at)++]];
        DUET_ASSERT(waits->left[head] > 0);
        if (--waits->left[head] == 0) {
            return head;
        }
    }
    return -1;
}

// Says that a task has started. The rows that its end will ask for are anywhere in memory, each
// found through the one before; so one of them is fetched into the cache with each call, for the
// last tasks that started. On a Cholesky factorisation of a million tasks that halves the time of
// heteroprio.
static inline void duet_waits_expect(duet_waits *waits, int64_t task)
{
    const duet_graph *graph = waits->graph;
    int64_t *expected = waits->expected;
    for (int i = DUET_WAITS_EXPECTED - 1; i > 0; i--) {
        expected[i] = expected[i - 1];
    }
    expected[0] = task;
    __builtin_prefetch(&graph->leave_at[expected[0]]);
    __builtin_prefetch(&graph->leaving[graph->leave_at[expected[1]]]);
    for (int64_t at = graph->leave_at[expected[2]]; at < graph->leave_at[expected[2] + 1]; at++) {
        __builtin_prefetch(&graph->head[graph->leaving[at]]);
    }
    for (int64_t at = graph->leave_at[expected[3]]; at < graph->leave_at[expected[3] + 1]; at++) {
        __builtin_prefetch(&waits->left[graph->head[graph->leaving[at]]]);
    }
}

#endif
