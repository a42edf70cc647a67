// SPDX-License-Identifier: Apache-2.0
// The tuning constants of `exact` and `graph-search` on task graphs. They change how long a search
// takes and what it leaves open, never what a proof says. A comment names the set on which a
// constant was chosen, as far as the history tells.
//
// Some that do nothing there were tried on its set longer, too.
#ifndef DUET_SOLVERS_GRAPH_TUNING_H
#define DUET_SOLVERS_GRAPH_TUNING_H

#include <stdint.h>

// Rounds of the search for schedules.
enum {
    // The bound by chains has a fifth of the time. Acts under a deadline. [nothing]
    DUET_GRAPH_CHAINS_PART = 5,
    // Rounds without a deadline. Acts where nobody asks for a number of them. [nothing]
    DUET_GRAPH_ROUNDS = 6,
    DUET_GRAPH_SEARCHES = 64, // A round has at most this many searches. [fixed]
    // Guards the deadline: up to this many tasks and edges the quick rules all run, whatever the
    // time. [nothing]
    DUET_GRAPH_QUICK_ENTRIES = 5000,
    // The bounds to begin with have a fourth of the time: their program may be slow if data take
    // time. Acts under a deadline. [nothing]
    DUET_GRAPH_BOUNDS_PART = 4,
    // A rule that takes more than O(edges log tasks) has half of the time: if it ends its schedule
    // is mostly the best to begin with. Acts under a deadline. [nothing]
    DUET_GRAPH_SLOW_RULE_PART = 2,
    // Up to this many tasks searches find more in that time than rules can tell. Acts under a
    // deadline. [nothing]
    DUET_GRAPH_LARGE_TASKS = 1000,
    // There a slow rule has a 16th: in 0.1 s schedules of 36 mixed graphs are 0.2 % shorter. One
    // that solves the program of the bounds has their part of the time. Acts under a deadline.
    // [nothing]
    DUET_GRAPH_SHORT_RULE_PART = 16,
    // Guards time: on more tasks than these heft-lookahead has none. [nothing]
    DUET_GRAPH_SLOWER_RULES_TASKS = 2000,
    // If rounds are counted the bound of a larger graph has as much work as each of the searches.
    // Smaller ones lose more by that than they gain: of Cholesky, LU and QR, 204 and 220 tasks by
    // equal work, two end with wider gaps, of four graphs of 650 to 900 none. Acts on larger
    // graphs. [nothing]
    DUET_GRAPH_STEP_TASKS = 300,
    // With as many threads the learning search has one of its own under a deadline. With fewer the
    // search waits for it. Acts where there are more than two threads. [nothing]
    DUET_GRAPH_THREE_SIDES = 4,
    DUET_GRAPH_SLICES =
        32, // `exact` divides a round of the search into this many steps. [kept, halved]
};

// The bound's share in percent during the first round of the search, which gains most. [kept]
enum { DUET_GRAPH_FIRST_SHARE = 20 };

// Times of initialisations, which nothing interrupts. Chosen as the mean of graphs of 31 to 8000
// tasks, those of the learning search on 18 mixed graphs of 31 to 196 tasks.
enum {
    // Guards the deadline: the transitive closure takes this a task and edge. [nothing]
    DUET_GRAPH_BOUND_BEGIN_NS = 8000,
    // Guards the deadline: the rules of learning take this a pair of tasks. [nothing]
    DUET_GRAPH_LEARN_BEGIN_NS = 800,
    // Guards the deadline: they take twice that if data take time. [nothing]
    DUET_GRAPH_LEARN_BEGIN_COSTS = 2,
};

// Rates by which work is shared if rounds are counted, so that a result is the same on every
// machine.
enum {
    // Operations on the bound that take as long as placing one task: a rate of machines, which
    // counted work cannot judge. [doubled]
    DUET_GRAPH_BOUND_WORK = 8,
    // Tasks that the search places in a microsecond: a rate of machines, too. [doubled]
    DUET_GRAPH_PLACED_A_MICROSECOND = 30,
    // Operations of the learning search that take as long as placing one task: a rate of machines,
    // too. [doubled, halved]
    DUET_GRAPH_PLACING_WORK = 3,
};

// A rate is known after a millisecond of work. Acts under a deadline. [nothing]
#define DUET_GRAPH_PACE_NS 1e6
// After each half second what was measured counts half. Acts under a deadline. [nothing]
#define DUET_GRAPH_PACE_MEMORY_NS 5e8

// The learning search. Judged on 72 small public graphs whose data take time, in two seconds each.
enum {
    DUET_GRAPH_LEARN_WORK = 2000000, // A turn takes at least this many operations. [kept]
    // Of a short time limit it takes a 32nd, so that the search for schedules has its part of it.
    // On 40 mixed graphs in 0.02 s, 8 to 64 do as well. Acts under a deadline. [nothing]
    DUET_GRAPH_LEARN_TURNS = 32,
    DUET_GRAPH_SMALL_TASKS =
        64, // Up to this many tasks it has the first turn, and more share. [nothing, doubled]
    // Up to this many tasks it has that share, but no turn before. Acts in larger graphs. [nothing]
    DUET_GRAPH_MIDDLE_TASKS = 128,
    // That share is 400 % of the time of the search for schedules. Otherwise it has 100 %. What
    // both gain makes it less. [either, nothing]
    DUET_GRAPH_LEARN_SHARE = 400,
    // The search over ideals has as much work, and a 16th if the graph has proved wide. Chosen on
    // eight random graphs of 30 to 60 tasks. Guards time: that search will hardly end. [nothing]
    DUET_GRAPH_WIDE_PART = 16,
    // Lower guesses are refuted beside the search after this many operations of it. Chosen, as all
    // of these, on random graphs of 100 tasks. Acts in longer runs, as they do. [nothing, halved]
    DUET_GRAPH_LIFT_FROM = 20000000,
    // A guess is first allowed this many operations: those of 1000 conflicts at 100 tasks. Acts in
    // longer runs. [nothing]
    DUET_GRAPH_LIFT_FIRST = 60000000,
    // Guesses have half as many operations as the search. Acts in longer runs. [nothing, nothing,
    // either]
    DUET_GRAPH_LIFT_PART = 2,
    // A guess is a third of the gap above the bound. Acts in longer runs. [nothing, nothing, kept]
    DUET_GRAPH_LIFT_STEP = 3,
    // A ceiling is near if an eighth of the gap is below it. Acts in longer runs. [nothing]
    DUET_GRAPH_LIFT_NEAR = 8,
};

// The shares of both by what they gain.
enum {
    DUET_GRAPH_GAIN_TASKS = 40, // The hopes below are for this number of tasks. [doubled, either]
    DUET_GRAPH_GAIN_LEAST = 16, // It keeps a sixteenth of its share. [nothing, halved]
};
// The learning search closes the gap this many times a second, or that if data take time, and fewer
// times by the fourth power of the tasks. Chosen on ten mixed graphs of 84 to 128 tasks, in a
// second each; without costs 0.3 to 20 do as well. [kept, doubled]
#define DUET_GRAPH_GAIN_HOPE 5.0
#define DUET_GRAPH_GAIN_HOPE_WITH_COSTS 40.0 // [nothing, nothing, kept]
// The search halves the gap in its first round. [kept]
#define DUET_GRAPH_GAIN_FIRST 0.5

// Proofs.
enum {
    // Guards memory: a longer proof is not kept in a solution, only in a file. [nothing]
    DUET_GRAPH_PROOF_BYTES = 1 << 24,
    // Guards time: lines that nobody asked for have this time, and as much again as the optimum
    // took. [nothing]
    DUET_GRAPH_PROOF_NS = 100000000,
    // Guards time: operations for lines of what is proven already. [nothing]
    DUET_GRAPH_PROOF_WORK = 1000000000,
};

#endif
