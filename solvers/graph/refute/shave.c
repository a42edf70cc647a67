// SPDX-License-Identifier: Apache-2.0
// Shaving: a supposition about one task that propagation refutes is false, and its negation narrows
// the task's window or drops a type.
// Reference: Martin, Shmoys, "A new approach to computing optimal schedules for the job-shop
//            scheduling problem", IPCO 1996.
#include "solvers/graph/refute/node.h"
#include "solvers/graph/refute/tuning.h"

// Whether a supposition is refuted; its negation then holds and is propagated.
static bool try_false(duet_refuter *refuter, duet_claim_kind kind, int32_t task, int64_t value)
{
    duet_windows *windows = &refuter->windows;
    duet_task_statement what = {kind, task, value};
    int64_t narrowed = windows->narrowed;
    duet_energy_prepare(&refuter->energy);
    if (!duet_windows_suppose(windows, what)) {
        return false;
    }
    duet_refute_propagate(refuter, DUET_SHAVE_TRIAL_ROUNDS, 0);
    duet_energy_overload_since(&refuter->energy);
    duet_pseudocosts_learn(&refuter->pseudocosts, windows, &what, narrowed);
    if (!windows->refuted) {
        duet_windows_give_up(windows);
        return false;
    }
    duet_windows_conclude(windows);
    duet_refute_propagate(
        refuter, windows->depth == 0 ? DUET_SHAVE_ROOT_ROUNDS : DUET_SHAVE_TRIAL_ROUNDS, 0);
    return true;
}

// Drops the types on which a task cannot run. Whether any.
static bool shave_types(duet_refuter *refuter, int32_t task)
{
    duet_windows *windows = &refuter->windows;
    bool any = false;
    for (size_t t = 0; t < windows->types && !windows->refuted; t++) {
        uint64_t types = windows->window[task].types;
        if (duet_windows_has(windows, task, t) && (types & (types - 1)) != 0) {
            any = try_false(refuter, DUET_CLAIM_ON, task, (int64_t)t) || any;
        }
    }
    return any;
}

// Narrows a window from one side: its first half is tried, then its first quarter, and so on.
// Whether it did.
static bool shave_side(duet_refuter *refuter, int32_t task, bool early)
{
    duet_windows *windows = &refuter->windows;
    const duet_window *window = &windows->window[task];
    bool any = false;
    int halving = 1;
    int cuts = 0;
    while (halving <= DUET_SHAVE_HALVINGS && cuts < DUET_SHAVE_CUTS && !windows->refuted &&
           !duet_refute_stop(refuter)) {
        int64_t part = early ? (windows->guess - window->tail - window->end) >> halving
                             : (windows->guess - window->rest - window->start) >> halving;
        if (part <= 0) {
            return any;
        }
        bool cut = early ? try_false(refuter, DUET_CLAIM_END_BY, task, window->end + part)
                         : try_false(refuter, DUET_CLAIM_START_AFTER, task,
                                     windows->guess - window->rest - part - 1);
        any = any || cut;
        cuts += cut ? 1 : 0;
        halving += cut ? 0 : 1;
    }
    return any;
}

void duet_refute_shave(duet_refuter *refuter, int rounds)
{
    duet_windows *windows = &refuter->windows;
    bool any = true;
    for (int round = 0; round < rounds && any; round++) {
        any = false;
        for (int64_t i = 0; i < windows->tasks; i++) {
            int32_t task = refuter->network.order[i];
            if (windows->refuted || duet_refute_stop(refuter)) {
                return;
            }
            any = shave_types(refuter, task) || any;
            any = (!windows->refuted && shave_side(refuter, task, true)) || any;
            any = (!windows->refuted && shave_side(refuter, task, false)) || any;
        }
        duet_refute_propagate(refuter, DUET_REFUTE_NODE_ROUNDS, DUET_REFUTE_NODE_POINTS);
    }
}
