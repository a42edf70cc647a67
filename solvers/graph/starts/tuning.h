// SPDX-License-Identifier: Apache-2.0
// The tuning constants of branching on starts. They change how long it takes and what it leaves
// open, never the optimum.
#ifndef DUET_SOLVERS_GRAPH_STARTS_TUNING_H
#define DUET_SOLVERS_GRAPH_STARTS_TUNING_H

enum {
    DUET_STARTS_SHAVINGS = 3,   // Windows are shaved for at most this many rounds.
    DUET_STARTS_THRESHOLDS = 6, // Work is summed for at most this many least tails.
    DUET_STARTS_WEIGHT = 1000,  // Weights of types are integers of at most this.
    DUET_STARTS_GLANCE = 1024,  // Nodes between two looks at the clock.
};

// What earlier nodes are remembered by.
enum {
    DUET_SEEN_ROWS_BITS = 16,    // The hash table has two to the power of this rows.
    DUET_SEEN_ENTRIES = 1 << 23, // All vectors together have at most this many numbers: 64 MiB.
    DUET_SEEN_COMPARED = 256,    // At most this many vectors of a key are compared.
};

#endif
