// SPDX-License-Identifier: Apache-2.0
// The ready queue: tasks that may start, by the priority of a rule.
#ifndef DUET_HEURISTICS_ENGINE_READY_H
#define DUET_HEURISTICS_ENGINE_READY_H

#include "core/instance/order.h"

typedef struct duet_ready_task {
    size_t rank; // 0 comes first
    int64_t task;
} duet_ready_task;

// Zero is an empty queue in which all tasks have the same rank. Free with duet_ready_free().
typedef struct duet_ready {
    duet_ready_task *heap; // by rank, then by index
    size_t count;
    const int32_t *place; // the rank of a task, borrowed; NULL: that of its kind
    size_t *rank;         // of a kind; NULL: all have rank 0
} duet_ready;

// Where tasks come from, in place of the edges of an instance. `reveal` tells the engine which
// tasks have become ready, with duet_ready_add(): before anything has run (`count` is 0) those that
// are ready at time 0, then those that wait no longer once these tasks have completed at `now`.
typedef struct duet_task_source {
    duet_code (*reveal)(void *user, const int32_t *completed, size_t count, int64_t now,
                        duet_ready *ready, duet_error *error);
    void *user;
    // What rules that know more than revealed tasks are told of every task, as information.h says;
    // NULL: nothing, and they see 0.
    const int64_t *bottom;
    const int64_t *descendants;
} duet_task_source;

static inline bool duet_ready_before(duet_ready_task a, duet_ready_task b)
{
    return a.rank != b.rank ? a.rank < b.rank : a.task < b.task;
}

// Ranks the kinds by falling value; where values are equal, by index. O(kinds log kinds).
duet_code duet_ready_rank(duet_ready *ready, const duet_instance *instance, duet_kind_value *value,
                          duet_error *error);
void duet_ready_free(duet_ready *ready);

// A task of a kind becomes ready. O(log ready).
duet_code duet_ready_add(duet_ready *ready, int64_t task, size_t kind, duet_error *error);
// The same for a task whose rank is known.
duet_code duet_ready_put(duet_ready *ready, duet_ready_task task, duet_error *error);
// Takes the first task of a queue that is not empty. O(log ready).
int64_t duet_ready_take(duet_ready *ready);

#endif
