// SPDX-License-Identifier: Apache-2.0
// Windows of the tasks of a graph under a guess: what is known of every task if some schedule is no
// longer than the guess, with the lines of a proof that say why, and with everything undone when a
// supposition ends.
//
// All numbers are ticks, and what is concluded is concluded in integers. Each conclusion is one
// that check/proof/graph/state.c draws from the same line; that file shares nothing with this one.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H

#include "core/system/arena.h"
#include "core/system/context.h"
#include "lp/graph/network.h"
#include "lp/graph/window.h"
#include "solvers/proof_text.h"

// A statement about one task. The negation of a claim is the claim with its lowest bit changed.
typedef enum duet_claim_kind {
    DUET_CLAIM_ON,          // it runs on the type `value`
    DUET_CLAIM_OFF,         // it runs on another one
    DUET_CLAIM_START_BY,    // it starts at `value` or before
    DUET_CLAIM_START_AFTER, // it starts after `value`
    DUET_CLAIM_END_BY,      // it ends at `value` or before
    DUET_CLAIM_END_AFTER,   // it ends after `value`
    DUET_CLAIM_KINDS
} duet_claim_kind;

static inline duet_claim_kind duet_claim_not(duet_claim_kind kind)
{
    return (duet_claim_kind)(kind ^ 1U);
}

typedef struct duet_task_statement {
    duet_claim_kind kind;
    int32_t task;
    int64_t value;
} duet_task_statement;

// A window that vanishes adds this to `narrowed`, one that becomes smaller a part of it.
enum { DUET_NARROWED = 1 << 10 };

// A supposition that is open, with what there was before it.
typedef struct duet_window_level {
    duet_task_statement what;
    size_t undo;     // The number of changes.
    size_t drawn[2]; // windows.drawn
    int64_t state;   // windows.state
    size_t length;   // The length of the proof.
} duet_window_level;

// What is given of the tasks beside their times.
typedef struct duet_given {
    const int64_t *start; // Per task: it starts no earlier. NULL: nothing is given.
    const int64_t *tail;  // Per task: from its end to the guess it is at least this long; or NULL.
    bool released;        // The problem gives this, not a proof: a task may start when it is
                          // released for no other reason.
} duet_given;

typedef struct duet_windows {
    // The problem; borrowed.
    const duet_network *network;
    const duet_instance *instance;
    duet_given given;
    int64_t tasks;
    size_t types;
    bool of_all; // No dominance rules: only what holds of every schedule within the guess.

    // Arrays per task, of one arena.
    duet_arena arena;
    int32_t *place;        // Its place in the network's order.
    int32_t *twin_before;  // A task like it that may be taken to start no later; -1: none.
    int32_t *twin_after;   // A task like it that may be taken to start no earlier; -1: none.
    duet_window *window;   // What is known of it.
    uint64_t *late_starts; // A bit per place: its start may follow from its neighbours'.
    uint64_t *late_tails;  // A bit per place: its tail may follow from its neighbours'.
    int32_t *raised;       // The line under way: tasks whose start or tail was raised, in order.

    // The guess.
    int64_t guess;
    bool refuted;   // The windows contradict each other: no schedule is within the guess.
    duet_code code; // The first error. After one, nothing more is concluded.

    // Suppositions that are open, and the windows that they have changed.
    duet_window_of_task *undo;
    size_t undos;
    duet_window_level *level;
    size_t depth;

    // The state: the same number is the same state.
    int64_t state;
    int64_t states; // States so far.
    // How far duet_energy_delay() has drawn what follows from the changes, for starts and for
    // tails. Without a supposition no change is noted, and it draws all or has nothing to draw.
    size_t drawn[2];
    bool all_drawn; // It has drawn all that followed before the first supposition.

    // The proof, and what it took.
    duet_proof_writer proof;
    int64_t narrowed; // By how much windows have become smaller, in parts of DUET_NARROWED each.
    int64_t work;     // About the operations so far: the same on every machine.
} duet_windows;

// `network` is borrowed. DUET_E_LIMIT (memory), DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_windows_create(duet_windows *windows, const duet_network *network,
                              const duet_context *context, duet_error *error);
void duet_windows_free(duet_windows *windows);

// Gives heads and tails from the next reset on, in borrowed arrays. If the problem gives them no
// tasks are taken for twins.
void duet_windows_give(duet_windows *windows, const duet_given *given);

// Disables dominance rules (left shift, twin order) from the next reset on: they keep one optimal
// schedule, not all.
void duet_windows_hold_of_all(duet_windows *windows);

// Forgets everything but the times and what is given, under a new guess, and propagates.
// O(tasks + edges).
void duet_windows_reset(duet_windows *windows, int64_t guess);

// Raises a start or a tail to what a line of the proof, which the caller has written, concludes.
void duet_windows_raise_start(duet_windows *windows, int32_t task, int64_t start);
void duet_windows_raise_tail(duet_windows *windows, int32_t task, int64_t tail);
// Intersects the task's types with `types`, likewise.
void duet_windows_restrict_types(duet_windows *windows, int32_t task, uint64_t types);

// Propagates along the edges until nothing changes or the guess is refuted, and writes the lines
// `heads` and `tails`.
void duet_windows_propagate(duet_windows *windows);

// Left shift: raises each start to the next time at which a task may start that could not start
// earlier, and writes the line `shift`. Whether any was raised. O(tasks^2).
bool duet_windows_shift(duet_windows *windows);

// Opens a supposition, without propagating it. Whether there was memory for it.
bool duet_windows_suppose(duet_windows *windows, duet_task_statement what);
// Closes the last supposition, which is refuted: its negation holds from there on.
void duet_windows_conclude(duet_windows *windows);
// Gives the last supposition up: all is as before, also the proof.
void duet_windows_give_up(duet_windows *windows);

static inline bool duet_windows_has(const duet_windows *windows, int32_t task, size_t type)
{
    return (windows->window[task].types >> type & 1U) != 0;
}

static inline int64_t duet_windows_time(const duet_windows *windows, int32_t task, size_t type)
{
    return windows->instance->times[(size_t)windows->network->kind[task] * windows->types + type];
}

// An interval with prices of processors, for a line of the proof.
typedef struct duet_area_line {
    int64_t from;         // It begins here.
    int64_t back;         // It ends this much before the guess.
    const int64_t *price; // Per type.
} duet_area_line;

// Lines of the proof: `energy`, `ancestors` and `descendants`.
void duet_windows_write_energy(duet_windows *windows, const duet_area_line *line);
void duet_windows_write_delay(duet_windows *windows, int32_t task, const duet_area_line *line,
                              bool before);

#endif
