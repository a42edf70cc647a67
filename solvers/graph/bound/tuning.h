// SPDX-License-Identifier: Apache-2.0
// The tuning constants of lower bounds of task graphs. They change how long a bound takes and what
// it leaves open, never what a proof says. A comment names the set on which a constant was chosen,
// as far as docs/benchmarks.md and the history tell.
//
// docs/tuning.csv has what half and twice of each give on the sets small and layers of
// scripts/tuning.py, seeds 1 to 4, by two rounds of exact. Some that do nothing there were
// tried on its sets trees and large, too. The brackets behind the comments are its verdicts; a
// constant without one is not measured yet.
#ifndef DUET_SOLVERS_GRAPH_BOUND_TUNING_H
#define DUET_SOLVERS_GRAPH_BOUND_TUNING_H

#include <stdint.h>

// Phases of a destructive bound (destructive.c).
enum {
    // The next tree of a strategy has four times as many nodes, and the next pass over subproblems
    // four times the work. Acts in longer runs. [nothing]
    DUET_BOUND_GROWTH = 4,
    // Guards against an endless loop: there are at most this many phases of branching. [nothing]
    DUET_BOUND_TREES = 80,
    DUET_BOUND_PROGRAM_TASKS = 16384, // Larger graphs have no linear program at the root. [fixed]
    DUET_BOUND_TIMED_TASKS =
        16384,                     // Larger graphs have no time-indexed prices at the root. [fixed]
    DUET_BOUND_SHAVED_TASKS = 300, // Larger graphs are not shaved at the root. [fixed]
    DUET_BOUND_ROOT_STEPS =
        4000, // A turn of time-indexed prices at a root has at most this many steps. [fixed]
    DUET_BOUND_NODE_STEPS = 150, // A turn in a tree has at most this many steps. [fixed]
    // Mixing rows stay if the program refutes a guess higher by 1/100 with them. Chosen on tiled
    // Cholesky, where rows that raise it by 0.3 % cost up to 1.5 % of the bound after 10 s.
    // [nothing, kept]
    DUET_BOUND_ROWS_WORTH = 100,
};

// Guesses of a phase. The range is the least guess that it did not refute less the bound, and the
// gap is the makespan of the best schedule less the bound. Shaving and branching are expensive
// phases, and the others are cheap.
enum {
    // A cheap phase ends when the range is at most both bound/4000 and gap/8. [kept]
    DUET_GUESS_END_RANGE = 4000,
    // The gap is divided by this for that end. Acts where the gap is below 1/500, whose guesses
    // would end at once. [nothing]
    DUET_GUESS_END_GAP = 8,
    DUET_GUESS_FIRST_STEP = 24, // The first step of an expensive phase is gap/24. [nothing, kept]
    // An expensive phase ends when the range is at most gap/48, or at most the end of a cheap one
    // if that is larger. Acts in longer runs. [nothing]
    DUET_GUESS_END_STEP = 48,
    // If plain nodes come first, branching ends at gap/12 instead. Chosen on layered graphs of 100
    // and 150 tasks on 7 CPUs and 1 GPU. [nothing, doubled]
    DUET_GUESS_PLAIN_END_STEP = 12,
    // If the gap is at most 1/200 of the best makespan, or tasks are few, the guess just below that
    // makespan is tried first. Chosen on Cholesky of 10 tiles on an H200, where 1/50 took up to
    // half of the work of trees, in vain. Acts where the gap is small at more than 64 tasks.
    // [nothing]
    DUET_GUESS_SMALL_GAP = 200,
    DUET_GUESS_STEP_KEPT =
        2, // A guess that is not refuted divides the step by this. [nothing, kept]
    DUET_GUESS_NODE_GROWTH =
        3, // The next guess should take this many times the last one's nodes. [nothing, halved]
    // If plain nodes come first, a guess may take eight times the nodes of the last refutation even
    // if its phase allows fewer. Acts in longer runs. [nothing]
    DUET_GUESS_MOST_GROWTH = 8,
};

// Branching strategies (strategy.c).
enum {
    DUET_STRATEGY_FEW_TASKS =
        64, // Up to this many tasks cases cost less than linear programs. [nothing, kept]
    // Up to this many tasks a strategy shaves its nodes, and plain nodes come first if tasks are
    // unlike. Chosen on the Standard Task Graph Set: with 300 the bound after 10 s is 2 % lower.
    // Acts in longer runs. [nothing]
    DUET_STRATEGY_SHAVED_TASKS = 160,
    // Up to this many tasks the program comes before prices. Acts in larger graphs. [nothing]
    DUET_STRATEGY_SOME_TASKS = 300,
    // Graphs of up to this many tasks begin with DUET_STRATEGY_FIRST_NODES nodes, and larger ones
    // with proportionally fewer. Acts in larger graphs. [nothing]
    DUET_STRATEGY_USUAL_TASKS = 100,
    // The node limit of the first tree. Acts in longer runs. [nothing]
    DUET_STRATEGY_FIRST_NODES = 100,
    // A node with prices counts four, unless tasks are alike. Acts in longer runs. [nothing]
    DUET_STRATEGY_TIMED_NODE = 4,
    // Tasks are alike if there are four a kind on average. Acts in longer runs. [nothing]
    DUET_STRATEGY_ALIKE = 4,
    // If tasks are alike, work in vain counts eightfold, unless nodes have prices. Acts in longer
    // runs. [nothing]
    DUET_STRATEGY_ALIKE_WEIGHT = 8,
};

// Shares of the bound and the search of `exact` (share.c), in percent.
enum {
    // The bound's share at first, and its usual one. Chosen on 14 random graphs of 280 to 819
    // tasks. [doubled]
    DUET_SHARE_FIRST = 50,
    DUET_SHARE_MOST = 75, // The bound's share is never above this. [nothing, doubled]
    DUET_SHARE_STEP = 5,  // It changes by this if one side has gained more. [nothing, doubled]
    DUET_SHARE_FALL = 5,  // It falls by at most 1/5 of the usual share. [nothing, kept]
    // Branching on more tasks seldom raises the bound. Acts in larger graphs. [nothing]
    DUET_SHARE_MANY_TASKS = 300,
    // The usual share once it has come to such branching. Acts in larger graphs. [nothing]
    DUET_SHARE_BRANCHING = 25,
    // The usual share of a graph of more than 1,000 tasks is 15. Chosen on 13 graphs of 1,200 to
    // 11,480 tasks: factorisations, layers, forks and joins, with and without costs. Acts in larger
    // graphs. [nothing]
    DUET_SHARE_LARGE_TASKS = 1000,
    // That share. Acts in larger graphs. [nothing]
    DUET_SHARE_OF_LARGE = 15,
    DUET_SHARE_WORTH = 256, // A gain of at most 1/256 of the gap is none. [nothing, kept]
};

// Subproblems (subproblems.c).
enum {
    DUET_SUBPROBLEM_LEAST_GRAPH = 65, // Smaller graphs have none unless they have stages. [fixed]
    DUET_SUBPROBLEM_LARGEST_GRAPH = 2000, // Larger graphs have none. [fixed]
    DUET_SUBPROBLEM_LEAST_TASKS = 4, // One that is no stage has at least this many tasks. [fixed]
    // In the first pass a subproblem has at most this many tasks. Chosen on one graph of 200 tasks,
    // as the next constant. [fixed]
    DUET_SUBPROBLEM_TASKS = 32,
    DUET_SUBPROBLEM_WORK = 200000, // A subproblem of the first pass takes these operations. [fixed]
    // Guards time: the size grows by half with each pass up to this. [nothing]
    DUET_SUBPROBLEM_MOST_TASKS = 128,
    // Graphs of up to this many tasks try the program first. Acts in larger graphs. [nothing]
    DUET_SUBPROBLEM_PROGRAM_TASKS = 600,
    // Passes that look at nothing but stages. Acts in longer runs. [nothing]
    DUET_SUBPROBLEM_STAGE_PASSES = 3,
    // Guards time: those passes end after this many operations. [nothing]
    DUET_SUBPROBLEM_STAGE_WORK = 200000000,
    // The first pass is judged when it has reached 1/4 of the length of the longest path. Acts in
    // longer runs. [nothing]
    DUET_SUBPROBLEM_PROBED = 4,
    // Poor subproblems have 1/4 of the work on the whole graph. Acts in longer runs. [nothing]
    DUET_SUBPROBLEM_DOUBTED = 4,
    DUET_SUBPROBLEM_LISTS =
        32, // 32 list schedules bound a subproblem from above. [nothing, doubled]
    DUET_SUBPROBLEM_NOISE = 64, // Their priorities change by multiples of 1/64. [kept, nothing]
};

// Guards time: operations of branching without a deadline. [nothing]
#define DUET_BOUND_WORK INT64_C(4000000000)
// Guards the deadline: operations between two looks at the clock. [nothing]
#define DUET_BOUND_SLICE INT64_C(50000000)

// Guards the deadline: the least number of seconds that the checker has for a proof of the graph
// without costs. [nothing]
#define DUET_BOUND_CHECK_SECONDS 0.05

#endif
