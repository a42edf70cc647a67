// SPDX-License-Identifier: Apache-2.0
// Branching: a state that nothing refutes is divided into a supposition (choose.c) and its
// negation.
// Method:    depth first. A case that is refuted is concluded, which leaves its negation.
// Guarantee: the lines of a case are those of a supposition, which the checker ends as they do.
// Cost:      that of a node times their number.
// Memory:    the changes of the cases that are open.
#include <string.h>

#include "solvers/graph/refute/node.h"
#include "solvers/graph/refute/tuning.h"

// Whether the linear program is worth its time at the node.
static bool asks_program(const duet_refuter *refuter)
{
    bool refutes =
        refuter->nodes_refuted_by_program >= refuter->programs_at_nodes / DUET_BRANCH_PROGRAM_WORTH;
    return refutes || refuter->nodes % DUET_BRANCH_PROGRAM_SELDOM == 0;
}

// Narrows the state under way by the means of the strategy. What propagation alone refutes says
// little by its negation: relaxations are asked again with the next case.
static void narrow(duet_refuter *refuter, bool supposed)
{
    const duet_refute_strategy *strategy = &refuter->effort.strategy;
    duet_windows *windows = &refuter->windows;
    bool says_much = !refuter->by_propagation;
    duet_refute_propagate(refuter, DUET_REFUTE_NODE_ROUNDS, DUET_REFUTE_NODE_POINTS);
    refuter->by_propagation = supposed && windows->refuted;
    if (strategy->shaving == DUET_AT_NODES && !windows->refuted) {
        duet_refute_shave(refuter, 1);
    }
    if (strategy->program == DUET_AT_NODES && says_much && !windows->refuted &&
        asks_program(refuter)) {
        duet_refute_program(refuter, DUET_INTERVAL_COARSE);
        refuter->programs_at_nodes++;
        refuter->nodes_refuted_by_program += windows->refuted ? 1 : 0;
    }
    if (strategy->node_steps > 0 && says_much && !windows->refuted) {
        duet_refute_timed(refuter, strategy->node_steps, false);
    }
}

// Supposes what is to be supposed next, into `*what`. Whether there is a node to be narrowed:
// else the windows are refuted, or the call ends.
static bool suppose(duet_refuter *refuter, duet_task_statement *what)
{
    duet_windows *windows = &refuter->windows;
    if (!duet_refute_choose(refuter, what)) {
        duet_energy_overload(&refuter->energy, (size_t)windows->tasks);
        if (!windows->refuted && !duet_refute_stop(refuter)) {
            refuter->status = DUET_REFUTE_AT_LEAF;
            memcpy(refuter->leaf, windows->window, (size_t)windows->tasks * sizeof *refuter->leaf);
        }
        return false;
    }
    if (!duet_windows_suppose(windows, *what)) {
        return false;
    }
    refuter->nodes++;
    return true;
}

// Ends the last case, which is refuted: its negation.
static duet_task_statement conclude(duet_windows *windows)
{
    duet_task_statement what = windows->level[windows->depth - 1].what;
    what.kind = duet_claim_not(what.kind);
    duet_windows_conclude(windows);
    return what;
}

void duet_refute_branch(duet_refuter *refuter)
{
    duet_windows *windows = &refuter->windows;
    refuter->status = DUET_REFUTE_RUNS;
    while (refuter->code == DUET_OK && !(windows->refuted && windows->depth == 0)) {
        duet_task_statement what;
        int64_t narrowed = windows->narrowed;
        bool supposed = !windows->refuted;
        if (windows->work >= refuter->work_end && !duet_refute_stop(refuter)) {
            refuter->status = DUET_REFUTE_PAUSED_IN_TREE;
            return;
        }
        if (!supposed) {
            what = conclude(windows);
        } else if (refuter->nodes >= refuter->node_end || duet_refute_stop(refuter) ||
                   !suppose(refuter, &what)) {
            if (!windows->refuted) {
                break;
            }
            continue; // The intervals have refuted the case.
        }
        narrow(refuter, supposed);
        duet_pseudocosts_learn(&refuter->pseudocosts, windows, &what, narrowed);
    }
    while (windows->depth > 0) {
        duet_windows_give_up(windows);
    }
}
