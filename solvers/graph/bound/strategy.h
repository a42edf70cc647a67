// SPDX-License-Identifier: Apache-2.0
// How a stage of branching branches, and which way comes next: some graphs take thousands of plain
// nodes in place of a few that are shaved, others the opposite, and what a node costs differs a
// hundredfold. The next stage is in the way that did least work in vain.
#ifndef DUET_SOLVERS_GRAPH_BOUND_STRATEGY_H
#define DUET_SOLVERS_GRAPH_BOUND_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

// What nodes have besides propagation.
typedef enum duet_strategy {
    DUET_STRATEGY_PLAIN,        // nothing; beyond few tasks, the linear program
    DUET_STRATEGY_PROGRAM,      // the linear program, which chooses the cases
    DUET_STRATEGY_TIME_INDEXED, // prices over time, which choose
    DUET_STRATEGY_SHAVING,      // shaving, and the linear program
    DUET_STRATEGIES
} duet_strategy;

enum { DUET_STRATEGY_FEW_TASKS = 64 }; // up to so many tasks cases are cheaper than linear programs

typedef struct duet_strategy_choice {
    int64_t tasks;
    bool alike;                 // most tasks are like many others
    bool plain_first;           // plain nodes refute more than prices at the root in the same time
    bool full;                  // then: the last refutation took most of the nodes of its stage
    duet_strategy current;      // of the stage
    int times[DUET_STRATEGIES]; // stages so far
    int64_t vain[DUET_STRATEGIES]; // work on guesses that were not refuted; half is forgiven for
                                   // each that is, or all where plain nodes come first
} duet_strategy_choice;

// Whether most tasks are like many others: then one of them says little.
bool duet_strategy_are_alike(int64_t tasks, int64_t kinds);

void duet_strategy_begin(duet_strategy_choice *choice, int64_t tasks, int64_t kinds);

// The nodes that a guess of the stage may take; 0: the stage is too short for one.
int64_t duet_strategy_nodes(const duet_strategy_choice *choice);
// After a guess that took so much work and so many nodes.
void duet_strategy_note(duet_strategy_choice *choice, int64_t work, int64_t nodes, bool refuted);
// The next stage. `left_out`: nothing was done in this one.
void duet_strategy_next(duet_strategy_choice *choice, bool left_out);

#endif
