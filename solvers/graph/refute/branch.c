// SPDX-License-Identifier: Apache-2.0
// Branching: a state that nothing refutes is divided into a supposition (choose.c) and its
// negation.
#include <string.h>

#include "solvers/graph/refute/refute.h"

enum {
    ROUNDS = 2,          // of delays at a node, at most
    POINTS = 8,          // beginnings of intervals there
    TRIED_PROGRAMS = 32, // the program is asked at so many nodes, and then at all
    WORTH_PROGRAM = 16,  // while it refutes one in so many,
    SELDOM = 4           // else at one in so many
};

// Whether the linear program is worth its time at the node.
static bool asks_program(const duet_refuter *refuter)
{
    bool refutes =
        refuter->asked < TRIED_PROGRAMS || refuter->answered >= refuter->asked / WORTH_PROGRAM;
    return refutes || refuter->nodes % SELDOM == 0;
}

// Narrows the state under way, as dear as the effort allows. What propagation alone refutes says
// little by its negation: prices over time are asked again with the next case.
static duet_code narrow(duet_refuter *refuter, duet_error *error)
{
    const duet_refute_effort *effort = &refuter->effort;
    duet_code code = DUET_OK;
    bool says_little = refuter->plainly;
    duet_refute_reason(refuter, ROUNDS, POINTS);
    refuter->plainly = refuter->supposed && refuter->windows.refuted;
    if (effort->shave_more && !refuter->windows.refuted) {
        duet_refute_shave(refuter, 1);
    }
    if (effort->programs && !says_little && !refuter->windows.refuted && asks_program(refuter)) {
        code = duet_refute_program(refuter, DUET_INTERVAL_COARSE, error);
        refuter->asked++;
        refuter->answered += refuter->windows.refuted ? 1 : 0;
    }
    if (code == DUET_OK && effort->more_timed > 0 && !says_little && !refuter->windows.refuted) {
        code = duet_refute_timed(refuter, effort->more_timed, false, error);
    }
    return code;
}

duet_code duet_refute_branch(duet_refuter *refuter, duet_error *error)
{
    duet_windows *windows = &refuter->windows;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !(windows->refuted && windows->depth == 0)) {
        duet_task_statement what;
        int64_t narrowed = windows->narrowed;
        if (windows->work >= refuter->work_end && !duet_refute_stop(refuter)) {
            refuter->paused = true;
            return code;
        }
        if (windows->refuted) {
            what = windows->level[windows->depth - 1].what;
            what.kind = duet_claim_not(what.kind);
            refuter->supposed = false;
            duet_windows_conclude(windows);
        } else if (refuter->nodes >= refuter->node_end || duet_refute_stop(refuter)) {
            break;
        } else if (duet_refute_choose(refuter, &what)) {
            if (!duet_windows_suppose(windows, what)) {
                break;
            }
            refuter->nodes++;
            refuter->supposed = true;
        } else {
            duet_energy_overload(&refuter->energy, (size_t)windows->tasks);
            if (!windows->refuted && !duet_refute_stop(refuter)) {
                refuter->irrefutable = true;
                memcpy(refuter->leaf, windows->window,
                       (size_t)windows->tasks * sizeof *refuter->leaf);
                break;
            }
            continue;
        }
        code = narrow(refuter, error);
        duet_pseudocosts_learn(&refuter->pseudocosts, windows, &what, narrowed);
    }
    while (windows->depth > 0) {
        duet_windows_give_up(windows);
    }
    return code;
}
