// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the time-indexed Lagrangian. They change how much it refutes after some
// steps, never whether a line proves anything. Units of counted work stand beside the code that
// counts them.
//
// docs/tuning.csv has what half and twice of each give on the sets plain and costs of
// scripts/tuning.py, seeds 1 to 4, by the bound timed. The brackets behind the comments are its
// verdicts; a constant without one is not measured yet.
#ifndef DUET_LP_GRAPH_TIMED_TUNING_H
#define DUET_LP_GRAPH_TIMED_TUNING_H

// The grid.
enum {
    // No grid has more cells. [kept, doubled]
    DUET_TIMED_MOST_CELLS = 160,
    // The first grid has at least 20 cells, if the last one has as many. [kept, either]
    DUET_TIMED_FIRST_CELLS = 20,
    // The last grid has at least 48 cells, unless tasks are few. Acts in graphs of more than 10,000
    // edges. [nothing]
    DUET_TIMED_LEAST_CELLS = 48,
    // No grid has more than four cells for each task, and one more. [kept]
    DUET_TIMED_CELLS_A_TASK = 4,
    // Guards memory: the last grid has about this number of prices of edges, of which graphs of
    // more than 3,000 edges would have more. [nothing]
    DUET_TIMED_PRICES = 1 << 19,
};

// Steps.
enum {
    // Steps become shorter after 20 steps without a gain. [kept]
    DUET_TIMED_PATIENCE = 20,
    // Every 100 steps it is decided whether to go on. [kept, doubled]
    DUET_TIMED_LOOK = 100,
    // Steps on the last grid end where 15 times the gain since the last look leaves a gap. [kept,
    // halved]
    DUET_TIMED_HORIZON = 15,
    // Steps on the other grids end where 4 times that gain leaves a gap. [kept, nothing]
    DUET_TIMED_FINER_HORIZON = 4,
};
// The last step has this weight in a running mean, and the length of a step is proportional to it.
// [kept, halved]
#define DUET_TIMED_RECENT 0.1
// The length of steps is multiplied by this factor where they gain nothing. [kept]
#define DUET_TIMED_SHORTER 0.7
// The length of steps is multiplied by this factor where they gain. [kept]
#define DUET_TIMED_LONGER 1.2
// A smaller increase of the value is no gain. [kept, doubled]
#define DUET_TIMED_LEAST_GAIN 1e-5
// Steps aim at a value this much above the right side, which is 1. [kept, doubled]
#define DUET_TIMED_GOAL_MARGIN 0.003
// Prices of mixing rows move by this factor beside those of edges. Acts where DUET_BOUND_ROWS_WORTH
// keeps such rows. [nothing]
#define DUET_TIMED_ROW_SCALE 0.3
// The length of steps begins with this factor of Polyak's rule. [kept, doubled]
#define DUET_TIMED_FIRST_STEP 2.0
// The factor never exceeds this one. [kept, halved]
#define DUET_TIMED_LONGEST_STEP 5.0

// Guards the size of numbers: the prices of a line are scaled to a sum below this before they are
// rounded, which leaves room for rounding up to the limit of duet_timed_line. [nothing]
#define DUET_TIMED_MOST_PRICE 0x1p58

#endif
