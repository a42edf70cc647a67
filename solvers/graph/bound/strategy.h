// SPDX-License-Identifier: Apache-2.0
// Which branching strategy the next tree uses. Some graphs take thousands of plain nodes in place
// of a few that are shaved, others the opposite, and what a node costs differs a hundredfold.
// Method:    each strategy has its turn; then the one that did the least work in vain.
// Guarantee: the same choice for the same calls.
// Cost:      O(1).
// Memory:    O(1).
#ifndef DUET_SOLVERS_GRAPH_BOUND_STRATEGY_H
#define DUET_SOLVERS_GRAPH_BOUND_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

// What nodes have besides propagation.
typedef enum duet_strategy {
    DUET_STRATEGY_PLAIN,        // the linear program, or nothing if there are few tasks
    DUET_STRATEGY_PROGRAM,      // the linear program, which chooses the cases
    DUET_STRATEGY_TIME_INDEXED, // time-indexed prices, which choose the cases
    DUET_STRATEGY_SHAVING,      // shaving, and the linear program
    DUET_STRATEGIES
} duet_strategy;

typedef struct duet_strategy_choice {
    int64_t tasks;
    bool alike;                    // Most tasks are like many others.
    bool plain_first;              // Plain nodes refute more than prices do in the same time.
    bool full;                     // With these: the last refutation took most nodes of its stage.
    duet_strategy current;         // The strategy of the stage.
    int times[DUET_STRATEGIES];    // Stages that each strategy has had.
    int64_t vain[DUET_STRATEGIES]; // Work on guesses that stood. A refutation forgives half of it,
                                   // or all if plain nodes come first.
} duet_strategy_choice;

// Whether most tasks are like many others: then one of them says little.
bool duet_strategy_are_alike(int64_t tasks, int64_t kinds);

void duet_strategy_begin(duet_strategy_choice *choice, int64_t tasks, int64_t kinds);

// The nodes that a guess of the stage may take; 0: the stage is too short for one.
int64_t duet_strategy_nodes(const duet_strategy_choice *choice);
// Notes the work and the nodes that a guess took.
void duet_strategy_note(duet_strategy_choice *choice, int64_t work, int64_t nodes, bool refuted);
// Begins the next stage. `left_out`: nothing was done in this one.
void duet_strategy_next(duet_strategy_choice *choice, bool left_out);

#endif
