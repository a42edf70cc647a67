// SPDX-License-Identifier: Apache-2.0
// How a stage of branching branches, and which way comes next: some graphs take thousands of plain
// nodes in place of a few that are shaved, others the opposite, and what a node costs differs a
// hundredfold. The next stage is in the way that did least work in vain.
#ifndef DUET_SOLVERS_GRAPH_BOUND_WAYS_H
#define DUET_SOLVERS_GRAPH_BOUND_WAYS_H

#include <stdbool.h>
#include <stdint.h>

// What nodes have besides propagation.
typedef enum duet_way {
    DUET_WAY_PLAIN,   // nothing; beyond few tasks, the linear program
    DUET_WAY_RELAXED, // the linear program, which chooses the cases
    DUET_WAY_TIMED,   // prices over time, which choose
    DUET_WAY_SHAVED,  // shaving, and the linear program
    DUET_WAYS
} duet_way;

enum { DUET_WAYS_FEW_TASKS = 64 }; // up to so many tasks cases are cheaper than linear programs

typedef struct duet_ways {
    int64_t tasks;
    bool alike;              // most tasks are like many others
    bool plain_first;        // plain nodes refute more than prices at the root in the same time
    bool full;               // then: the last refutation took most of the nodes of its stage
    duet_way way;            // of the stage
    int times[DUET_WAYS];    // stages so far
    int64_t vain[DUET_WAYS]; // work on guesses that were not refuted; half is forgiven for each
                             // that is, or all where plain nodes come first
} duet_ways;

// Whether most tasks are like many others: then one of them says little.
bool duet_ways_are_alike(int64_t tasks, int64_t kinds);

void duet_ways_begin(duet_ways *ways, int64_t tasks, int64_t kinds);

// The nodes that a guess of the stage may take; 0: the stage is too short for one.
int64_t duet_ways_nodes(const duet_ways *ways);
// After a guess that took so much work and so many nodes.
void duet_ways_note(duet_ways *ways, int64_t work, int64_t nodes, bool refuted);
// The next stage. `left_out`: nothing was done in this one.
void duet_ways_next(duet_ways *ways, bool left_out);

#endif
