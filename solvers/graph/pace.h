// SPDX-License-Identifier: Apache-2.0
// How fast the sides of `exact` on a graph have been lately, each in its own unit of work.
#ifndef DUET_SOLVERS_GRAPH_PACE_H
#define DUET_SOLVERS_GRAPH_PACE_H

#include <stdbool.h>
#include <stdint.h>

// What a side did lately.
typedef struct duet_graph_pace {
    double work; // In its own unit.
    double ns;   // The time that it took.
} duet_graph_pace;

// Notes what a side did. What was long ago counts less: programs become larger, rounds longer.
void duet_graph_pace_note(duet_graph_pace *of, int64_t work, int64_t ns);

// Returns the work on the bound that takes as long as the search takes to place a task, or what it
// usually is before both are known. A task of many predecessors is placed three times as slowly as
// one of few.
double duet_graph_pace_ratio(const duet_graph_pace *bound, const duet_graph_pace *search);

#endif
