// SPDX-License-Identifier: Apache-2.0
// The tuning constants of a refutation. They change how long it takes and what it leaves open,
// never what a proof says. A comment names the set on which a constant was chosen, as far as the
// history tells.
//
// docs/tuning.csv has what half and twice of each give on the sets small and layers of
// scripts/tuning.py, seeds 1 to 4, by two rounds of exact and, on layers, by the bound branching.
// The brackets behind the comments are its verdicts; a constant without one is not measured yet.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_TUNING_H
#define DUET_SOLVERS_GRAPH_REFUTE_TUNING_H

// Propagators: the rounds of a node, and the graphs that take part in them.
enum {
    // Guards time, as windows may creep: the root, and what precedes subproblems, has at most this
    // many rounds of propagators. [nothing]
    DUET_REFUTE_ROOT_ROUNDS = 20,
    // Every other node has at most this many, and so has the root behind shaving and prices. Acts
    // in longer runs. [nothing]
    DUET_REFUTE_NODE_ROUNDS = 2,
    DUET_REFUTE_SHIFTED_TASKS =
        300, // Larger graphs have no left shifts, which are quadratic. [fixed]
    DUET_REFUTE_COLOCATED_TASKS =
        5000, // Larger graphs have co-location in the first round alone. [fixed]
    DUET_REFUTE_ROOT_POINTS =
        24, // The root looks at intervals between as many times. [nothing, halved]
    // Guards time: it looks at no more pairs of an interval and a task. [nothing]
    DUET_REFUTE_ROOT_INTERVALS = 4000000,
    DUET_REFUTE_NODE_POINTS = 8, // A node looks at intervals between as many times. [nothing, kept]
};

// Shaving.
enum {
    DUET_SHAVE_HALVINGS =
        4, // The smallest part of a window that is tried is its sixteenth. [nothing, kept]
    DUET_SHAVE_CUTS =
        4, // A side of a window loses at most this many parts in a round. [nothing, kept]
    DUET_SHAVE_TRIAL_ROUNDS = 1, // Behind a supposition, or a conclusion in the tree, there are
                                 // this many rounds. [nothing, kept]
    DUET_SHAVE_ROOT_ROUNDS = 4,  // Behind a conclusion at the root, which holds in the whole tree,
                                 // there are 4. [nothing, kept]
};

// Time-indexed prices.
enum {
    // Guards time: a turn of prices and propagation that narrows less than eight whole windows is
    // the last. [nothing]
    DUET_REFUTE_TIMED_WORTH = 8,
};

// The linear program at the nodes of the tree.
enum {
    // The program is solved at all nodes as long as it refutes one in as many. Acts in trees, which
    // change no bound of the sets within their work. [nothing]
    DUET_BRANCH_PROGRAM_WORTH = 16,
    // Otherwise it is solved at one node in as many. Acts in trees, which change no bound of the
    // sets within their work. [nothing]
    DUET_BRANCH_PROGRAM_SELDOM = 4,
};

// The choice of a case.
enum {
    // This many tasks are tried on their longest type. Chosen on layered graphs of 100 to 160 tasks
    // on 7 CPUs and 1 GPU. [fixed]
    DUET_CHOOSE_CANDIDATES = 12,
    DUET_PSEUDOCOST_DEPTHS =
        256, // This many depths have a mean; deeper cases share the last. [fixed]
    // A pseudocost is a running mean of about this many cases, as the mean of a depth is. A
    // pseudocost is a running mean of about this many cases, as the mean of a depth is. Acts in
    // trees, which change no bound of the sets within their work. [nothing]
    DUET_PSEUDOCOST_MEMORY = 16,
};

#endif
