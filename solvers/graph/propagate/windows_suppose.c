// SPDX-License-Identifier: Apache-2.0
// Suppositions about one task, and what is undone when they end; see windows.h.
// Suppositions on windows: taking a statement for true, and what follows where that is refuted.
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/propagate/windows_state.h"

// Takes a statement for true.
static void take(duet_windows *windows, const duet_task_statement *what)
{
    if (duet_windows_is_over(windows)) {
        return;
    }
    duet_window changed = windows->window[what->task];
    int64_t after = what->value >= windows->guess ? windows->guess + 1 : what->value + 1;
    int64_t before = what->value >= windows->guess ? 0 : windows->guess - what->value;
    switch (what->kind) {
    case DUET_CLAIM_ON:
        changed.types &= UINT64_C(1) << what->value;
        break;
    case DUET_CLAIM_OFF:
        changed.types &= ~(UINT64_C(1) << what->value);
        break;
    case DUET_CLAIM_START_BY:
        changed.rest = duet_max(changed.rest, before);
        break;
    case DUET_CLAIM_START_AFTER:
        changed.start = duet_max(changed.start, after);
        break;
    case DUET_CLAIM_END_BY:
        changed.tail = duet_max(changed.tail, before);
        break;
    default: // it ends after the value
        changed.end = duet_max(changed.end, after);
    }
    duet_windows_change(windows, what->task, &changed);
}

bool duet_windows_suppose(duet_windows *windows, duet_task_statement what)
{
    DUET_ASSERT(!windows->refuted);
    if (duet_grow(&windows->level, windows->depth, &windows->level_room, sizeof *windows->level,
                  NULL) != DUET_OK) {
        windows->no_memory = true;
        return false;
    }
    windows->level[windows->depth++] =
        (duet_window_level){.what = what,
                            .undo = windows->undos,
                            .drawn = {windows->drawn[0], windows->drawn[1]},
                            .state = windows->state,
                            .length = windows->proof.length};
    duet_windows_write_supposition(windows, &what);
    take(windows, &what);
    return true;
}

// Everything as it was before the last supposition.
static duet_window_level undo(duet_windows *windows)
{
    DUET_ASSERT(windows->depth > 0);
    duet_window_level last = windows->level[--windows->depth];
    while (windows->undos > last.undo) {
        const duet_window_of_task *before = &windows->undo[--windows->undos];
        windows->window[before->task] = before->window;
    }
    windows->drawn[0] = last.drawn[0];
    windows->drawn[1] = last.drawn[1];
    windows->state = last.state;
    windows->refuted = false;
    duet_windows_empty_queues(windows);
    return last;
}

void duet_windows_conclude(duet_windows *windows)
{
    DUET_ASSERT(windows->refuted);
    duet_window_level last = undo(windows);
    duet_windows_write_end(windows);
    last.what.kind = duet_claim_not(last.what.kind);
    take(windows, &last.what);
}

void duet_windows_give_up(duet_windows *windows)
{
    duet_window_level last = undo(windows);
    duet_proof_rewind(&windows->proof, last.length);
}
