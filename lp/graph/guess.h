// SPDX-License-Identifier: Apache-2.0
// What a bound of task graphs at a guess begins with.
#ifndef DUET_LP_GRAPH_GUESS_H
#define DUET_LP_GRAPH_GUESS_H

#include <stdbool.h>

#include "lp/graph/network.h"

// What is known of every schedule whose makespan is at most `guess`. Borrowed.
typedef struct duet_interval_guess {
    int64_t guess;         // C, in ticks
    const int64_t *head;   // h_j >= 0 per task: it starts no earlier
    const int64_t *tail;   // t_j >= 0 per task: so long before C it has ended
    const uint64_t *modes; // M_j per task: bit t is set where it may still run on type t; at least
                           // one, and only types where its kind is allowed
} duet_interval_guess;

// Whether a task may still run on a type, and fits into its window there.
static inline bool duet_interval_may_run(const duet_network *net, const duet_interval_guess *guess,
                                         int64_t task, size_t type)
{
    return (guess->modes[task] >> type & 1U) != 0 &&
           duet_time(net->instance, (size_t)net->kind[task], type) <=
               guess->guess - guess->head[task] - guess->tail[task];
}

#endif
