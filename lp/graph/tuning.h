// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the bounds of task graphs. They change how much a bound proves after some
// work, never whether it holds. Units of counted work and bytes of memory stand beside the code
// that counts them; lp/graph/timed/tuning.h has those of the time-indexed Lagrangian.
//
// docs/tuning.csv has what half and twice of each give on the sets plain, costs and moldable of
// scripts/tuning.py, seeds 1 to 4, by the bounds interval, graph and head-tail, and on plain by
// exact. The brackets behind the comments are its verdicts; a constant without one is not measured
// yet.
#ifndef DUET_LP_GRAPH_TUNING_H
#define DUET_LP_GRAPH_TUNING_H

#include <stdint.h>

// Rows of the linear program at a guess.
enum {
    // A row that had no dual in eight calls of duet_interval_refute() is left out. [kept, nothing,
    // nothing]
    DUET_INTERVAL_MOST_IDLE = 8,
    // A mixing row is left out after one such call: there are many, and they are soon found again.
    // [nothing]
    DUET_INTERVAL_MOST_IDLE_MIXED = 1,
    // A call has at most 40 rounds of solving the program and adding the rows that are violated.
    // [nothing]
    DUET_INTERVAL_MOST_ROUNDS = 40,
    // A round adds at most 24 rows of intervals. [kept, nothing, nothing]
    DUET_INTERVAL_ROWS_A_ROUND = 24,
    // A round adds at most 50 paths. [kept, nothing, nothing]
    DUET_INTERVAL_PATHS = 50,
    // A graph of more than 1,000 tasks has no mixing rows, which need paths between all pairs.
    // [nothing]
    DUET_INTERVAL_MOST_MIXED_TASKS = 1000,
    // The first rounds look at intervals between 14 beginnings and 14 ends. [kept, nothing,
    // nothing]
    DUET_INTERVAL_COARSE_POINTS = 14,
    // The last rounds look at 40 of each. [nothing]
    DUET_INTERVAL_FINE_POINTS = 40,
    // The last rounds of small graphs look at 64 of each. [kept, nothing, nothing]
    DUET_INTERVAL_FINEST_POINTS = 64,
    // A graph of fewer than 1,000 tasks is small. [nothing]
    DUET_INTERVAL_MOST_FINEST_TASKS = 1000,
};
// A row is added where it is violated by more than this share of the guess. [nothing]
#define DUET_INTERVAL_TOLERANCE 1e-7
// A solve ends above this objective, where rounded duals refute. [nothing]
#define DUET_INTERVAL_ENOUGH 1e-6
// Duals, between 0 and about 1, are multiplied by this number before they are rounded. [nothing]
#define DUET_INTERVAL_DUAL_UNIT 0x1p30

// Mixing rows.
enum {
    // A round adds at most two rows that begin with a task, and two that end with it. [nothing]
    DUET_MIXING_ROWS_OF_EACH = 2,
    // A round adds at most one row for every two tasks. [nothing]
    DUET_MIXING_TASKS_A_ROW = 2,
    // A graph of at most 60 tasks is searched for rows between all pairs. [nothing]
    DUET_MIXING_FEW_TASKS = 60,
};
// A task with a larger share on a type is an item of a row. [nothing]
#define DUET_MIXING_LEAST_SHARE 0.01
// A row that is added is violated by more than this share of the guess. [nothing]
#define DUET_MIXING_LEAST_VIOLATION 1e-4
// The tasks of a pair are at most this share of the guess apart. [nothing]
#define DUET_MIXING_FARTHEST 0.25

// First-order steps in place of a solver.
enum {
    // A call takes at most 2,000 steps. [nothing]
    DUET_DESCENT_STEPS = 2000,
    // The line is evaluated every 250 steps. [nothing]
    DUET_DESCENT_LOOK = 250,
};
// The multiplier of a path's row, of two starts and a time mostly far below 1, takes this step.
// [nothing]
#define DUET_DESCENT_PATH_STEP 0.4

// The linear program of the whole graph.
enum {
    // No larger program, in rows and columns, is set up. [nothing]
    DUET_PROGRAM_MOST_MEMBERS = 16000,
    // No larger one is set up where the bound must be quick. [nothing]
    DUET_PROGRAM_MOST_QUICK_MEMBERS = 3000,
    // The solver takes 2,000 bytes for each row and column. [nothing]
    DUET_PROGRAM_BYTES_PER_MEMBER = 2000,
};
// Duals, between 0 and 1, are multiplied by this number before they are rounded. [nothing]
#define DUET_PROGRAM_DUAL_UNIT 1e9
// The solver is given up after 30 seconds. [nothing]
#define DUET_PROGRAM_PATIENCE_NS INT64_C(30000000000)

// Ratios of the weights of two types.
enum {
    // At most 100 ratios are tried. [nothing]
    DUET_RATIO_ROUNDS = 100,
};
// The search ends where the bound is this close to an upper bound. [nothing]
#define DUET_RATIO_CLOSE_ENOUGH 1e-11

// Mixtures of allotments.
enum {
    // A mixture has at most 20,000 rounds. [nothing, nothing, kept]
    DUET_ALLOTMENT_MOST_ROUNDS = 20000,
    // It has at most 2,000 where the bound must be quick. [nothing]
    DUET_ALLOTMENT_MOST_QUICK_ROUNDS = 2000,
};
// The mixture ends where the largest value is at most this factor of the best one. [nothing,
// nothing, kept]
#define DUET_ALLOTMENT_ENOUGH 1.000001
// Prices and flow are multiplied by this number before they are rounded. [nothing]
#define DUET_ALLOTMENT_UNIT 0x1p50

// Head, area and tail.
enum {
    // A start climbs at most eight times. [nothing]
    DUET_HEAD_TAIL_TURNS = 8,
};
// All turns together look at this number of tasks. [nothing]
#define DUET_HEAD_TAIL_LOOKS INT64_C(6000000)

#endif
