// SPDX-License-Identifier: Apache-2.0
// Inside of a refutation: what is done at one node, on the state under way. Each step may refute it
// (refuter->windows.refuted) or note an error (refuter->code). A file calls only those before it in
// this order:
//   node      propagators, and when each of them is called
//   program   the linear program of intervals
//   timed     time-indexed prices
//   shave     suppositions about one task that propagation refutes
//   choose    what to suppose next
//   branch    the tree of cases
//   refute    one guess, from the root on
#ifndef DUET_SOLVERS_GRAPH_REFUTE_NODE_H
#define DUET_SOLVERS_GRAPH_REFUTE_NODE_H

#include "solvers/graph/refute/refute.h"

// --- node.c --------------------------------------------------------------------------------------

// When propagators are called at a node.
typedef enum duet_propagator_timing {
    DUET_BEFORE_ROUNDS, // They are called once, first of all.
    DUET_IN_ROUNDS,     // They are called once a round, as long as any of them narrows a window.
    DUET_AFTER_ROUNDS   // They are called once, last, if the node looks at intervals.
} duet_propagator_timing;

// A propagator, as it describes itself.
typedef struct duet_propagator {
    const char *name;
    const char *cost;            // The cost of one call, in words.
    duet_propagator_timing when; // When it is called at a node.
    // The table is written by falling priority, which a test checks; nothing sorts by it.
    int priority;
    int64_t first_tasks; // Graphs of up to this many tasks call it in the first round.
    int64_t tasks;       // Graphs of up to this many tasks call it in the later rounds.
    // Narrows windows and propagates that. Returns whether a window was narrowed.
    bool (*narrow)(duet_refuter *refuter);
} duet_propagator;

// All propagators in the order of their calls.
enum { DUET_PROPAGATORS = 6 };
extern const duet_propagator duet_propagators[DUET_PROPAGATORS];

// Calls the propagators, for at most this many rounds. Intervals between `points` times are looked
// at behind them; 0: none are.
void duet_refute_propagate(duet_refuter *refuter, int rounds, size_t points);

// Whether the call must end: after an error, without memory, or if the context stops.
bool duet_refute_stop(const duet_refuter *refuter);

// --- program.c -----------------------------------------------------------------------------------

// Makes the linear program unless it is there, or does not fit into the memory.
void duet_refute_make_program(duet_refuter *refuter);
// Solves the linear program.
void duet_refute_program(duet_refuter *refuter, duet_interval_effort effort);
// Returns an upper bound on how many numbers `rows` mixing rows take in a line of the proof.
size_t duet_refute_mixing_numbers(size_t rows);
// Writes the mixing rows that have a price, behind the rest of a line.
void duet_refute_put_mixing(duet_refuter *refuter, const duet_mixing_row *rows,
                            const int64_t *price, size_t count);

// --- timed.c -------------------------------------------------------------------------------------

// Takes at most this many steps of prices in each of a few turns, and propagates what they narrow.
// With `pauses` the call pauses where the work is used up, and goes on with the next one.
void duet_refute_timed(duet_refuter *refuter, int steps, bool pauses);

// --- shave.c -------------------------------------------------------------------------------------

// Shaves all windows, for at most this many rounds.
void duet_refute_shave(duet_refuter *refuter, int rounds);

// --- choose.c ------------------------------------------------------------------------------------

// Chooses what to suppose next, and undoes what it tries. Returns whether there is anything left to
// suppose.
bool duet_refute_choose(duet_refuter *refuter, duet_task_statement *what);

// --- branch.c ------------------------------------------------------------------------------------

// Branches from the state on, or goes on where it paused.
void duet_refute_branch(duet_refuter *refuter);

#endif
