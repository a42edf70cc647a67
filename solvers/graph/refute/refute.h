// SPDX-License-Identifier: Apache-2.0
// Refuting a guess for a task graph: a proof, line by line, that no schedule is within it. From the
// cheapest means to the dearest: propagation, the linear program of intervals, prices over time,
// shaving, branching.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_REFUTE_H
#define DUET_SOLVERS_GRAPH_REFUTE_REFUTE_H

#include "lp/graph/interval.h"
#include "lp/graph/timed/timed.h"
#include "solvers/graph/propagate/colocation.h"
#include "solvers/graph/propagate/energy.h"
#include "solvers/graph/propagate/one_machine.h"
#include "solvers/graph/refute/pseudocosts.h"

// How far one call goes.
typedef struct duet_refute_effort {
    int64_t nodes;   // of branching; 0: none
    int64_t work;    // operations, about one per nanosecond; 0: no limit
    bool program;    // solve the linear program at the root
    bool programs;   // and at every node
    bool mixed;      // that of the root has mixing rows
    int timed;       // steps of prices over time at the root; 0: none
    int more_timed;  // and at every node
    bool shave;      // shave the root
    bool shave_more; // shave every node
    bool relaxed; // cases of types are of the task that matters most to the program or the prices
    bool halve;   // cases of starts halve the windows of the best rated tasks
} duet_refute_effort;

typedef struct duet_refuter {
    duet_network network;
    duet_windows windows;
    duet_energy energy;
    duet_one_machine machine;
    duet_colocation colocation;
    duet_pseudocosts pseudocosts;
    const duet_context *context; // borrowed
    // The linear program, made at its first use, and what it reads:
    duet_interval_program *program;
    bool no_program; // it does not fit into the memory
    int64_t *head, *tail;
    uint64_t *modes;
    // Prices over time, made at their first use, and what they read:
    duet_timed *timed;
    bool no_timed; // they do not fit into the memory
    duet_timed_window *timed_window;
    bool timed_paused; // the call under way paused among their steps,
    int timed_round;   // in this round of what they narrow
    // The call under way:
    duet_refute_effort effort;
    int64_t work_end; // windows.work at which it pauses
    int64_t node_end; // nodes at which it gives up
    bool paused;
    bool supposed;     // the last statement of the branching was a supposition,
    bool plainly;      // which propagation alone refuted
    bool irrefutable;  // a case has nothing left to suppose:
    duet_window *leaf; // the windows of it, a single start and type each
    // Counters:
    int64_t nodes;
    int64_t programs;
    int64_t asked, answered; // nodes with the program, and those that it refuted
} duet_refuter;

// DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_refuter_create(duet_refuter *refuter, const duet_instance *instance,
                              const duet_context *context, duet_error *error);
void duet_refuter_free(duet_refuter *refuter);

// What is known of a guess.
typedef enum duet_refutation {
    DUET_NOT_REFUTED, // nor will it be with this effort
    DUET_IRREFUTABLE, // nor with any: a case with every start and type fixed stands; where data
                      // take no time, it is a schedule
    DUET_REFUTED,     // no schedule has a makespan of that many ticks or fewer
    DUET_PAUSED       // the work is used up: duet_refute_on() goes on
} duet_refutation;

// Tries to refute a guess. After DUET_REFUTED refuter->windows.proof.text has the lines of a proof.
// The same for the same calls, whatever the machine, unless the context stops, which is
// DUET_NOT_REFUTED. DUET_E_MEMORY.
duet_code duet_refute(duet_refuter *refuter, int64_t guess, const duet_refute_effort *effort,
                      duet_refutation *result, duet_error *error);
// Goes on where it paused, for so much more work.
duet_code duet_refute_on(duet_refuter *refuter, int64_t work, duet_refutation *result,
                         duet_error *error);

// The steps of it, on the state under way. Each may refute it (refuter->windows.refuted).
void duet_refute_reason(duet_refuter *refuter, int rounds, size_t points);
duet_code duet_refute_program(duet_refuter *refuter, duet_interval_effort effort,
                              duet_error *error);
// By at most so many steps of the prices in each of a few rounds: what they narrow is propagated.
// With `pauses` the call pauses where the work is used up, and goes on with the next one.
duet_code duet_refute_timed(duet_refuter *refuter, int steps, bool pauses, duet_error *error);
void duet_refute_shave(duet_refuter *refuter, int rounds);
// Makes the linear program where there is none yet and it fits into the memory.
duet_code duet_refute_make_program(duet_refuter *refuter, duet_error *error);
// The windows as the program takes them, after that; valid until the next call.
duet_interval_guess duet_refute_windows(duet_refuter *refuter);
// The numbers of so many mixing rows in a line, at most.
size_t duet_refute_mixing_numbers(size_t rows);
// Writes those of the mixing rows that have a price, behind the rest of a line.
void duet_refute_put_mixing(duet_refuter *refuter, const duet_mixing_row *rows,
                            const int64_t *price, size_t count);
// What to suppose next. Whether there is anything left to suppose. What it looks at is undone.
bool duet_refute_choose(duet_refuter *refuter, duet_task_statement *what);
// Branches from the state on, or goes on where it paused.
duet_code duet_refute_branch(duet_refuter *refuter, duet_error *error);

// Whether the call must end: memory ran out, or the context stops.
bool duet_refute_stop(const duet_refuter *refuter);

#endif
