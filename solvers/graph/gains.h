// SPDX-License-Identifier: Apache-2.0
// How `exact` divides its time on a task graph between the search of a schedule and the search that
// learns, by what each has gained.
//
// Method:    a bandit of two arms. What an arm gained is the share of the gap between the bound and
//            the schedule by which it made that smaller, and its rate is that by time. What was
//            long ago counts less: when as much time as half of all has been added, gain and time
//            are halved. The search begins with what a first round is expected to gain. The
//            learning search seldom gains a little: it closes the gap, or does not, so that its
//            rate is never below what graphs of that number of tasks let expect. It has its usual
//            share, in the proportion of its rate to both rates.
// Guarantee: the learning search has at least a sixteenth of its usual share, and all of it where
//            the search has gained nothing for long.
// Cost:      O(1).
// Memory:    none.
// Reference: ours.
#ifndef DUET_SOLVERS_GRAPH_GAINS_H
#define DUET_SOLVERS_GRAPH_GAINS_H

#include <stdbool.h>
#include <stdint.h>

// What an arm gained lately.
typedef struct duet_graph_gain {
    double gained;  // The sum of the shares of the gap by which it became smaller.
    double seconds; // The time that this took.
    double all;     // The time of all that the arm did.
} duet_graph_gain;

// Returns the time that placing `placed` tasks takes on a machine of the usual speed.
double duet_graph_gain_seconds(int64_t placed);

// Returns the gain of an arm that has done nothing: half of the gap in that time.
duet_graph_gain duet_graph_gain_begin(double seconds);

// Notes that the arm took the gap from one value to another.
void duet_graph_gain_note(duet_graph_gain *gain, double seconds, int64_t gap_before,
                          int64_t gap_after);

// Returns the percentage of its usual share that the learning search has on a number of tasks.
// `costs`: data take time.
int64_t duet_graph_gain_share(const duet_graph_gain *learning, const duet_graph_gain *search,
                              int64_t tasks, bool costs);

#endif
