// SPDX-License-Identifier: Apache-2.0
// A guess and the windows of the tasks under it, which the bounds of task graphs at a guess read.
#ifndef DUET_LP_GRAPH_GUESS_H
#define DUET_LP_GRAPH_GUESS_H

#include <stdbool.h>

#include "lp/graph/network.h"
#include "lp/graph/window.h"

// What is known of every schedule whose makespan is at most `guess`.
typedef struct duet_interval_guess {
    int64_t guess; // The makespan C that is asked for, in ticks.
    // Per task, what every schedule within the guess satisfies; borrowed. Its start is h_j >= 0,
    // its tail t_j >= 0, and its types M_j are at least one, and only such on which its kind is
    // allowed.
    const duet_window *window;
} duet_interval_guess;

// Whether a task may still run on a type, and fits into its window there.
static inline bool duet_interval_may_run(const duet_network *net, const duet_interval_guess *guess,
                                         int64_t task, size_t type)
{
    return (guess->window[task].types >> type & 1U) != 0 &&
           duet_time(net->instance, (size_t)net->kind[task], type) <=
               guess->guess - guess->window[task].start - guess->window[task].tail;
}

#endif
