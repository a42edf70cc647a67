// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the bound by chains. They change how much it proves after some work,
// never whether it holds. None was measured apart.
#ifndef DUET_LP_GRAPH_CHAINS_TUNING_H
#define DUET_LP_GRAPH_CHAINS_TUNING_H

enum {
    DUET_CHAINS_TASKS = 20000,     // A larger graph has no such bound.
    DUET_CHAINS_SPINE = 48,        // So many tasks of the path are kept at most.
    DUET_CHAINS_MODELLED = 1000,   // So many tasks have a variable of their own at most.
    DUET_CHAINS_WEIGHTS = 3,       // So many pairs of prices of work are looked at.
    DUET_CHAINS_ROOT_ROUNDS = 100, // So often rows are added at the root,
    DUET_CHAINS_NODE_ROUNDS = 12,  // and so often at another node.
    DUET_CHAINS_ROWS = 60,         // A round adds so many rows of work, and as many paths.
    DUET_CHAINS_MOST_ROWS = 3000,  // No more rows are added to a program of so many.
    DUET_CHAINS_GROWTH = 800,      // Rows that have no multiplier are left out after so many more.
    DUET_CHAINS_TRIALS = 6,        // A node tries so many case distinctions,
    DUET_CHAINS_TRUSTED = 2,       // none that has been tried so often before,
    DUET_CHAINS_TRIAL_STEPS = 40,  // each with so many steps of the dual simplex method.
    DUET_CHAINS_STEPS = 20000,     // Steps of the bound without a deadline.
    DUET_CHAINS_CHEAP = 2000,      // Steps of the bound before a search.
    DUET_CHAINS_NEAR = 100,        // There it ends where the root is by 1/100 below the bound.
    DUET_CHAINS_DOMINATED = 100,   // A type dominates that is in all so many times as fast.
    DUET_CHAINS_BITS = 56          // Multipliers are whole numbers below 2^56 in sum.
};
// A case's program is left when its objective is by this share above the bound.
#define DUET_CHAINS_BEYOND 0.004
// A row is added where it is violated by more than this share of the bound.
#define DUET_CHAINS_TOLERANCE 1e-6
// A value is whole where it is so close to a whole number.
#define DUET_CHAINS_WHOLE 1e-6

#endif
