// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the bound by chains. They change how much it proves after some work,
// never whether it holds.
//
// docs/tuning.csv has what half and twice of each give on the sets dominated and measured of
// scripts/tuning.py, seeds 5 and 6, by the bound chains. The brackets behind the comments are its
// verdicts; a constant without one is not measured yet.
#ifndef DUET_LP_GRAPH_CHAINS_TUNING_H
#define DUET_LP_GRAPH_CHAINS_TUNING_H

enum {
    // Guards time: a larger graph has no such bound. [nothing]
    DUET_CHAINS_TASKS = 20000,
    DUET_CHAINS_SPINE = 48, // The most tasks that are kept of the path. [fixed]
    // Guards time: the most tasks with a variable of their own. [nothing]
    DUET_CHAINS_MODELLED = 1000,
    // Guards time: rounds of rows that are added at the root. [nothing]
    DUET_CHAINS_ROOT_ROUNDS = 100,
    // Guards time: rounds of rows at any other node. [nothing]
    DUET_CHAINS_NODE_ROUNDS = 12,
    // Guards time: rows of work that a round adds for each vector of prices. [nothing]
    DUET_CHAINS_ROWS = 20,
    // Guards time and memory: a program with this number of rows gets no more. [nothing]
    DUET_CHAINS_MOST_ROWS = 3000,
    // Guards time: rows without a multiplier are left out after this many more. [nothing]
    DUET_CHAINS_GROWTH = 800,
    // Branchings that a node tries (strong branching). Acts where the bound branches. [nothing]
    DUET_CHAINS_TRIALS = 6,
    // A branching with this many pseudocosts is not tried. Acts where the bound branches. [nothing]
    DUET_CHAINS_TRUSTED = 2,
    // Steps of the dual simplex method for each trial. Acts where the bound branches. [nothing]
    DUET_CHAINS_TRIAL_STEPS = 40,
    // Guards time: steps of the bound without a deadline. [nothing]
    DUET_CHAINS_STEPS = 20000,
    // Guards time: steps of the bound before a search. [nothing]
    DUET_CHAINS_CHEAP = 2000,
    // That bound does not branch if the root is 1/100 below it. Acts before a search. [nothing]
    DUET_CHAINS_NEAR = 100,
    // A type is dominated if all tasks take 100 times as long there. Acts before a search.
    // [nothing]
    DUET_CHAINS_DOMINATED = 100,
    DUET_CHAINS_BITS = 56 // Multipliers are integers below 2^56 in sum. [kept]
};
// A case's program is left when its objective is by this share above the bound. Acts where the
// bound branches. [nothing]
#define DUET_CHAINS_MARGIN 0.004
// Guards against rounding: a row is added where it is violated by more than this share of the
// bound. [nothing]
#define DUET_CHAINS_TOLERANCE 1e-6
// Guards against rounding: a value counts as an integer if it is this close to one. [nothing]
#define DUET_CHAINS_WHOLE 1e-6

#endif
