// SPDX-License-Identifier: Apache-2.0
// Refuting a guess for a task graph: a proof, line by line, that no schedule is within it. From the
// cheapest means to the dearest: propagation, the linear program of intervals, time-indexed prices,
// shaving, branching.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_REFUTE_H
#define DUET_SOLVERS_GRAPH_REFUTE_REFUTE_H

#include "lp/graph/interval.h"
#include "lp/graph/timed/timed.h"
#include "solvers/graph/propagate/colocation.h"
#include "solvers/graph/propagate/energy.h"
#include "solvers/graph/propagate/one_machine.h"
#include "solvers/graph/refute/pseudocosts.h"

// Where in the tree of cases something is done.
typedef enum duet_refute_where {
    DUET_NOWHERE, // It is not done.
    DUET_AT_ROOT, // It is done at the root alone.
    DUET_AT_NODES // It is done at the root and at every other node.
} duet_refute_where;

// Which task the next case about types is of.
typedef enum duet_type_branching {
    DUET_TYPES_BY_ROOM,      // It is one whose longest type has the least room in its window.
    DUET_TYPES_BY_RELAXATION // It is one that matters most to the program or the prices.
} duet_type_branching;

// Which case about starts comes next where all types are fixed.
typedef enum duet_start_branching {
    DUET_STARTS_FIRST, // The task that may start first does so.
    DUET_STARTS_HALVED // The task of the least pseudocosts starts in one half of its window.
} duet_start_branching;

// By what means a guess is refuted.
typedef struct duet_refute_strategy {
    duet_refute_where program; // The linear program of intervals is solved here.
    bool mixed;                // The program of the root has mixing rows.
    // The subgradient steps of a turn of the time-indexed Lagrangian at the root; there are up to
    // five turns; 0: it is not used.
    int root_steps;
    int node_steps;              // The same at every other node.
    duet_refute_where shaving;   // Windows are shaved here.
    duet_type_branching types;   // How the branching on types chooses its task.
    duet_start_branching starts; // How the branching on starts chooses its case.
} duet_refute_strategy;

// How far one call goes.
typedef struct duet_refute_effort {
    int64_t nodes; // The tree of cases has at most this many nodes; 0: there is none.
    int64_t work;  // The call pauses after this many operations of about 1 ns; 0: never.
    duet_refute_strategy strategy;
} duet_refute_effort;

// Whether a relaxation is there. It is made at its first use.
typedef enum duet_relaxation_state {
    DUET_RELAXATION_NOT_MADE, // It has not been used yet.
    DUET_RELAXATION_MADE,     // It is there.
    DUET_RELAXATION_TOO_LARGE // It does not fit into the memory.
} duet_relaxation_state;

// How the call under way stands.
typedef enum duet_refute_status {
    DUET_REFUTE_RUNS,           // It is at work, or has ended without any of the following.
    DUET_REFUTE_PAUSED_AT_ROOT, // It paused among steps of time-indexed prices.
    DUET_REFUTE_PAUSED_IN_TREE, // It paused between two nodes.
    DUET_REFUTE_AT_LEAF         // A case has nothing left to suppose.
} duet_refute_status;

typedef struct duet_refuter {
    // State that propagators narrow, and the propagators.
    const duet_context *context; // borrowed
    duet_network network;
    duet_windows windows;
    duet_energy energy;
    duet_one_machine machine;
    duet_colocation colocation;
    duet_pseudocosts pseudocosts;

    // The linear program of intervals.
    duet_interval_program *program;      // The program; NULL: it is not there.
    duet_relaxation_state program_state; // Whether it is there, and why not.
    int64_t programs;                    // The programs that were solved.
    int64_t programs_at_nodes;        // The nodes within the tree at which the program was asked.
    int64_t nodes_refuted_by_program; // The nodes within the tree that the program refuted.

    // Time-indexed prices.
    duet_timed *timed;                 // The prices; NULL: they are not there.
    duet_relaxation_state timed_state; // Whether they are there, and why not.

    // The call under way.
    duet_refute_effort effort;
    duet_refute_status status;
    duet_code code;      // The first error: after it the call only ends.
    duet_error *error;   // Where that is told; borrowed.
    size_t points;       // Intervals between this many times are looked at behind the rounds.
    bool by_propagation; // Propagation alone refuted the last supposition.
    int64_t work_end;    // The call pauses when windows.work reaches this.
    int64_t node_end;    // The call gives up when `nodes` reaches this.
    int64_t nodes;       // The branching suppositions of all calls so far, without negations.
    duet_window *leaf;   // The windows of the leaf: a single start and type for each task.
} duet_refuter;

// DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_refuter_create(duet_refuter *refuter, const duet_instance *instance,
                              const duet_context *context, duet_error *error);
void duet_refuter_free(duet_refuter *refuter);

// What is known of a guess.
typedef enum duet_refutation {
    DUET_NOT_REFUTED, // This effort does not refute it.
    // No effort refutes it: branching reached a leaf, at which every start and type is fixed, that
    // nothing refutes. If data take no time the leaf is a schedule.
    DUET_IRREFUTABLE,
    DUET_REFUTED, // No schedule has a makespan of that many ticks or fewer.
    DUET_PAUSED   // The work is used up: duet_refute_on() goes on.
} duet_refutation;

// Tries to refute a guess. After DUET_REFUTED refuter->windows.proof.text has the lines of a proof.
// The same for the same calls, whatever the machine, unless the context stops, which is
// DUET_NOT_REFUTED. DUET_E_MEMORY.
duet_code duet_refute(duet_refuter *refuter, int64_t guess, const duet_refute_effort *effort,
                      duet_refutation *result, duet_error *error);
// Goes on where it paused, for this much more work.
duet_code duet_refute_on(duet_refuter *refuter, int64_t work, duet_refutation *result,
                         duet_error *error);

#endif
