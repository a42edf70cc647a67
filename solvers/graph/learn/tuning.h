// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the learning search. They change how long it takes and what it leaves
// open, never the optimum.
#ifndef DUET_SOLVERS_GRAPH_LEARN_TUNING_H
#define DUET_SOLVERS_GRAPH_LEARN_TUNING_H

enum {
    DUET_LEARN_RESTART = 100,   // Conflicts of the first restart; Luby's sequence times this.
    DUET_LEARN_KEPT = 4000,     // Nogoods that are kept before the first half of them goes.
    DUET_LEARN_KEPT_MORE = 500, // Each time that many more are kept.
    DUET_LEARN_KEPT_LITERALS = 1 << 22, // Their literals, at most: 64 MiB.
    DUET_LEARN_GOOD = 2,                // A nogood of literals of so few levels always stays.
    DUET_LEARN_LITERALS = 1 << 22,      // Literals of the clauses of the model, at most.
    DUET_LEARN_TRIPLES = 1 << 15,       // Triples of tasks for which capacity is stated beforehand.
    DUET_LEARN_LOGGED = 1 << 20,        // Steps of a proof, and tasks of its sets, that are kept.
    DUET_LEARN_GLANCE = 1 << 16,        // Operations between two looks at the clock.
    DUET_LEARN_RAISES = 1000,           // Raises by arcs after which their cycles are looked for.
    DUET_LEARN_ROUNDS = 32,  // Intervals are weighed at most this often between two decisions.
    DUET_LEARN_PRICE = 1000, // Prices of types are integers of at most this.
};

// Activities are integers that are halved together before they overflow.
enum {
    DUET_LEARN_BUMP_FIRST = 1 << 16, // What a variable of the first conflict gains.
    DUET_LEARN_BUMP_GROWTH = 20,     // A conflict's gain grows by 1/20 with each conflict.
    DUET_LEARN_BUMP_BITS = 48,       // Bits of an activity at which all are shifted down.
    DUET_LEARN_BUMP_SHIFT = 30,      // Bits by which activities are shifted down.
};

#endif
