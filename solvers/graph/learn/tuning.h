// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the learning search. They change how long it takes and what it leaves
// open, never the optimum.
//
// docs/tuning.csv has what half and twice of each give on the sets small and layers of
// scripts/tuning.py, seeds 1 to 4, by two rounds of exact. The brackets behind the comments are its
// verdicts; a constant without one is not measured yet.
#ifndef DUET_SOLVERS_GRAPH_LEARN_TUNING_H
#define DUET_SOLVERS_GRAPH_LEARN_TUNING_H

enum {
    DUET_LEARN_RESTART =
        100, // Restarts are apart by Luby's sequence times this many conflicts. [kept, nothing]
    // Guards memory and time: some clauses are forgotten once more than this many are learned.
    // [nothing]
    DUET_LEARN_KEPT = 4000,
    // Guards memory and time: each time, this many more are learned before the next one. [nothing]
    DUET_LEARN_KEPT_MORE = 500,
    // Acts once clauses are forgotten: one of at most this many levels (LBD) never is. [nothing]
    DUET_LEARN_GOOD = 2,
    // Guards memory: the clauses of the model have at most this many literals, 64 MiB, and so have
    // those that are learned. [nothing]
    DUET_LEARN_LITERALS = 1 << 22,
    // Guards memory: clauses of capacity for triples of tasks are stated beforehand if a type has
    // at most this many. [nothing]
    DUET_LEARN_TRIPLES = 1 << 15,
    // Guards memory: a proof keeps at most this many steps, and as many tasks of crowds. [nothing]
    DUET_LEARN_LOGGED = 1 << 20,
    // Guards the deadline: operations between two looks at the clock. [nothing]
    DUET_LEARN_GLANCE = 1 << 16,
    DUET_LEARN_RAISES = 1000, // A propagation looks for positive cycles of arcs after these
                              // raises. [kept]
    DUET_LEARN_ROUNDS =
        32, // Intervals are weighed at most this often between two decisions. [kept, nothing]
    DUET_LEARN_PRICE = 1000, // Prices of types are integers of at most this. [kept]
};

// Activities are integers that are shifted down together before they overflow.
enum {
    // Guards the size of numbers: a variable of the first conflict gains this activity. [nothing]
    DUET_LEARN_BUMP_FIRST = 1 << 16,
    DUET_LEARN_BUMP_GROWTH = 20, // The gain grows by 1/20 with each conflict. [kept]
    DUET_LEARN_BUMP_BITS = 48, // Bits of an activity at which all are shifted down. [kept, nothing]
    DUET_LEARN_BUMP_SHIFT = 30, // Bits by which activities are shifted down. [kept, nothing]
};

#endif
