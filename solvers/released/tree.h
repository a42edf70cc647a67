// SPDX-License-Identifier: Apache-2.0
// What the parts of branch and price with releases share. Calls go down this list:
//
//   decide.c      the question, and branches on the types of the tasks
//   dive.c        dives for a schedule
//   cover.c       exact cover by patterns, once all types are decided
//   relaxation.c  the relaxation of a node
#ifndef DUET_SOLVERS_RELEASED_TREE_H
#define DUET_SOLVERS_RELEASED_TREE_H

#include "lp/configuration/generation.h"
#include "solvers/released/decide.h"
#include "solvers/released/patterns.h"

enum { DUET_RELEASED_DEPTH = 500 }; // of nodes below each other, at most
#define DUET_RELEASED_WHOLE 1e-6    // a number that is so near a whole one is whole

// A side of a count that was branched on.
typedef struct duet_released_open {
    size_t count;
    bool more;
} duet_released_open;

// How much a task less or more of a count has raised the factor of the relaxation, in all.
typedef struct duet_released_gain {
    double sum[2];
    int64_t branches[2];
} duet_released_gain;

typedef struct duet_released_tree {
    const duet_released_question *question;
    const duet_context *context;
    duet_error *error;
    duet_solution *solution;
    int64_t nodes; // left

    duet_classes classes;
    duet_generation *program;
    duet_residual state; // all tasks, with the types that they may go to
    duet_residual left;  // what no pattern has taken, once all types are decided
    duet_residual whole; // the same with all tasks of a class where one may go: for the log
    duet_prices prices;
    duet_prices shown;          // the same as the log has them, with the prices of the open counts
    duet_released_open *opened; // the counts that were branched on above the node, outermost first
    size_t opens;
    int64_t *open_price;          // of each of them
    duet_released_gain *gain;     // of each count of the program
    duet_released_gain all_gains; // of all counts together
    bool *has;                    // a class is in a count
    bool covering;                // all types are decided: counts say nothing more
    double factor;                // of the last relaxation
    duet_log *log;                // NULL once something stays open
    duet_released_patterns taken; // of the cover
} duet_released_tree;

// Solves the relaxation of a node. `left`: what is left to place. *usable: it has a solution.
// *verdict: DUET_REFUTED where its prices, which leave `*slack`, say so, with the leaf in the log.
duet_code duet_released_relax(duet_released_tree *s, const duet_residual *left, duet_int128 *slack,
                              bool *usable, duet_verdict *verdict);
// *verdict: DUET_FOUND where the solution of the relaxation is a schedule.
duet_code duet_released_try(duet_released_tree *s, duet_verdict *verdict);
// All types are decided.
duet_code duet_released_cover(duet_released_tree *s, size_t depth, duet_verdict *verdict);
// Dives from the root, without a word in the log. *verdict: DUET_FOUND, or as it was.
duet_code duet_released_dive(duet_released_tree *s, duet_verdict *verdict);

#endif
