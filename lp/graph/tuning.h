// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the bounds of task graphs. They change how much a bound proves after some
// work, never whether it holds. Units of counted work and bytes of memory stand beside the code
// that counts them; lp/graph/timed/tuning.h has those of the time-indexed Lagrangian.
//
// docs/tuning.csv has what half and twice of each give on the sets plain, costs and moldable of
// scripts/tuning.py, seeds 1 to 4, by the bounds interval, graph and head-tail, and on plain by
// exact. Some that do nothing there were tried on its sets trees and large, too. The brackets
// behind the comments are its verdicts; a constant without one is not measured yet.
#ifndef DUET_LP_GRAPH_TUNING_H
#define DUET_LP_GRAPH_TUNING_H

#include <stdint.h>

// Guards the time and memory of transitive closures, which are quadratic.
enum {
    // Guards time and memory: in larger graphs nobody looks for paths between all pairs, be it for
    // prices of the edges that no path implies, for twins, or for what must run before or after an
    // interval. [nothing]
    DUET_GRAPH_CLOSURE_TASKS = 8000,
};

// Rows of the linear program at a guess.
enum {
    // A row that had no dual in eight calls of duet_interval_refute() is left out. [kept, nothing,
    // nothing]
    DUET_INTERVAL_MOST_IDLE = 8,
    // A mixing row is left out after one such call: there are many, and they are soon found again.
    // Acts where DUET_BOUND_ROWS_WORTH keeps such rows. [nothing]
    DUET_INTERVAL_MOST_IDLE_MIXED = 1,
    // Guards time: a call has at most 40 rounds of solving the program and adding the rows that are
    // violated; 20 do on all sets. [nothing]
    DUET_INTERVAL_MOST_ROUNDS = 40,
    // A round adds at most 24 rows of intervals. [kept, nothing, nothing]
    DUET_INTERVAL_ROWS_A_ROUND = 24,
    // A round adds at most 50 paths. [kept, nothing, nothing]
    DUET_INTERVAL_PATHS = 50,
    // The first rounds look at intervals between 14 beginnings and 14 ends. [kept, nothing,
    // nothing]
    DUET_INTERVAL_COARSE_POINTS = 14,
    // The last rounds look at 40 of each. Acts in graphs that are not small. [nothing]
    DUET_INTERVAL_FINE_POINTS = 40,
    // The last rounds of small graphs look at 64 of each. [kept, nothing, nothing]
    DUET_INTERVAL_FINEST_POINTS = 64,
    // Guards time: a graph of at most 1,000 tasks is small. Larger ones have no mixing rows either,
    // which need paths between all pairs. [nothing]
    DUET_INTERVAL_SMALL_TASKS = 1000,
};
// Guards against rounding: a row is added where it is violated by more than this share of the
// guess. [nothing]
#define DUET_INTERVAL_TOLERANCE 1e-7
// Guards against rounding: a solve ends above this objective, where rounded duals refute. [nothing]
#define DUET_INTERVAL_ENOUGH 1e-6
// Guards the size of numbers: duals, between 0 and about 1, are multiplied by this number before
// they are rounded. [nothing]
#define DUET_INTERVAL_DUAL_UNIT 0x1p30

// Mixing rows.
enum {
    // A round adds at most two rows that begin with a task, and two that end with it. Acts where
    // DUET_BOUND_ROWS_WORTH keeps such rows, as all of these. [nothing]
    DUET_MIXING_ROWS_OF_EACH = 2,
    // Guards time: a graph of at most 60 tasks is searched for rows between all pairs. [nothing]
    DUET_MIXING_FEW_TASKS = 60,
};
// Guards time: a task with a larger share on a type is an item of a row. [nothing]
#define DUET_MIXING_LEAST_SHARE 0.01
// Guards against rounding: a row that is added is violated by more than this share of the guess.
// [nothing]
#define DUET_MIXING_LEAST_VIOLATION 1e-4
// Guards time: the tasks of a pair are at most this share of the guess apart in larger graphs.
// [nothing]
#define DUET_MIXING_FARTHEST 0.25

// First-order steps in place of a solver.
enum {
    // A call takes at most 2,000 steps. Acts where there is no solver, or it is stuck, as all of
    // these. [nothing]
    DUET_DESCENT_STEPS = 2000,
    // The line is evaluated every 250 steps. Acts without a solver. [nothing]
    DUET_DESCENT_LOOK = 250,
};
// The multiplier of a path's row, of two starts and a time mostly far below 1, takes this step.
// Acts without a solver. [nothing]
#define DUET_DESCENT_PATH_STEP 0.4

// The linear program of the whole graph.
enum {
    // Guards time: no larger program, in rows and columns, is set up. [nothing]
    DUET_PROGRAM_MOST_MEMBERS = 16000,
    // Guards time: no larger one is set up where the bound must be quick. [nothing]
    DUET_PROGRAM_MOST_QUICK_MEMBERS = 3000,
};
// Guards the size of numbers: duals, between 0 and 1, are multiplied by this number before they are
// rounded. [nothing]
#define DUET_PROGRAM_DUAL_UNIT 1e9
// Guards time: the solver is given up after 30 seconds. [nothing]
#define DUET_PROGRAM_PATIENCE_NS INT64_C(30000000000)

// Ratios of the weights of two types.
enum {
    // Guards time: at most 100 ratios are tried, of which 50 do on all sets. [nothing]
    DUET_RATIO_ROUNDS = 100,
};
// Guards against rounding: the search ends where the bound is this close to an upper bound.
// [nothing]
#define DUET_RATIO_CLOSE_ENOUGH 1e-11

// Mixtures of allotments.
enum {
    // A mixture has at most 20,000 rounds. [nothing, nothing, kept]
    DUET_ALLOTMENT_MOST_ROUNDS = 20000,
};
// The mixture ends where the largest value is at most this factor of the best one. [nothing,
// nothing, kept]
#define DUET_ALLOTMENT_ENOUGH 1.000001
// Guards the size of numbers: prices and flow are multiplied by this number before they are
// rounded. [nothing]
#define DUET_ALLOTMENT_UNIT 0x1p50

// Head, area and tail. Guards time: all climbs together look at this number of tasks. [nothing]
#define DUET_HEAD_TAIL_LOOKS INT64_C(6000000)

#endif
