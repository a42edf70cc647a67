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

// What nodes do besides propagation.
typedef enum duet_strategy {
    // Nodes solve the linear program unless tasks are few. The branching task is the one with the
    // least room in its window.
    DUET_STRATEGY_PLAIN,
    // Nodes solve the linear program, whose solution chooses the branching task.
    DUET_STRATEGY_PROGRAM,
    // Nodes improve time-indexed prices, which choose the branching task.
    DUET_STRATEGY_TIME_INDEXED,
    // Nodes are shaved and solve the linear program. The branching task is the one with the least
    // room in its window.
    DUET_STRATEGY_SHAVING,
    DUET_STRATEGIES // The number of strategies.
} duet_strategy;

typedef struct duet_strategy_choice {
    int64_t tasks;
    bool alike;       // There are at least four tasks a kind on average.
    bool plain_first; // The graph has 65 to 160 tasks that are not alike: PLAIN is tried first.
    bool full; // If plain_first: the last refutation took more than half of the nodes it had.
    duet_strategy current;      // The strategy of the phase.
    int times[DUET_STRATEGIES]; // Per strategy, the phases that it has had.
    // Per strategy, its work on guesses that it did not refute. A refutation halves it, or sets it
    // to 0 if plain_first. It is not counted if tasks are few.
    int64_t vain[DUET_STRATEGIES];
} duet_strategy_choice;

// Returns whether there are at least four tasks a kind on average: then a case about one task says
// little.
bool duet_strategy_are_alike(int64_t tasks, int64_t kinds);

// Sets the initial strategy of an instance.
void duet_strategy_begin(duet_strategy_choice *choice, int64_t tasks, int64_t kinds);

// Returns the node limit of a guess in this phase; 0 if that is less than one node.
int64_t duet_strategy_nodes(const duet_strategy_choice *choice);
// Notes the work and the nodes that a guess took.
void duet_strategy_note(duet_strategy_choice *choice, int64_t work, int64_t nodes, bool refuted);
// Chooses the strategy of the next phase. `left_out`: the present phase was skipped.
void duet_strategy_next(duet_strategy_choice *choice, bool left_out);

#endif
