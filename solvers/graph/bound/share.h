// SPDX-License-Identifier: Apache-2.0
// How `exact` divides its time on a task graph between the bound and the search of a schedule.
//
// Method:    the side that has gained more gets more of the next steps. If neither has gained
//            enough, both come back to their usual shares, halves at first. The bound never has
//            much less: what raises it most may follow programs that raise nothing for seconds,
//            while a search nearly always gains a little.
// Guarantee: the bound has at least four fifths of its usual share.
// Cost:      O(1).
// Memory:    none.
#ifndef DUET_SOLVERS_GRAPH_BOUND_SHARE_H
#define DUET_SOLVERS_GRAPH_BOUND_SHARE_H

#include <stdbool.h>
#include <stdint.h>

// What a step gave, in ticks.
typedef struct duet_bound_step {
    int64_t shortened; // The schedule became shorter by this.
    int64_t raised;    // The bound rose by this.
    int64_t gap;       // The difference between them after the step.
} duet_bound_step;

// Returns the usual share of the bound in percent: 50, or 25 if it has come to branching on more
// than 300 tasks, or 15 of more than 1,000, whose schedules are the loose side.
int64_t duet_bound_usual_share(int64_t tasks, bool branches);

// Returns the bound's share after a step in which it had `share`.
int64_t duet_bound_share(int64_t share, int64_t usual, const duet_bound_step *step);

#endif
