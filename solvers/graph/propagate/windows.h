// SPDX-License-Identifier: Apache-2.0
// Windows of the tasks of a graph under a guess: what is known of every task if some schedule is no
// longer than the guess, with the lines of a proof that say why, and with everything undone when a
// supposition ends.
//
// All numbers are ticks, and what is concluded is concluded in integers. Each conclusion is one
// that check/proof/graph/graph_state.c draws from the same line; that file shares nothing with this
// one.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H

#include <stdatomic.h>

#include "core/system/arena.h"
#include "core/system/context.h"
#include "lp/graph/network.h"
#include "lp/graph/window.h"
#include "solvers/proof_text.h"

// A statement about one task. The negation of a claim is the claim with its lowest bit changed.
typedef enum duet_claim_kind {
    DUET_CLAIM_ON,          // The task runs on the type `value`.
    DUET_CLAIM_OFF,         // The task runs on another type.
    DUET_CLAIM_START_BY,    // The task starts at `value` or before.
    DUET_CLAIM_START_AFTER, // The task starts after `value`.
    DUET_CLAIM_END_BY,      // The task ends at `value` or before.
    DUET_CLAIM_END_AFTER,   // The task ends after `value`.
    DUET_CLAIM_KINDS        // The number of kinds of claims.
} duet_claim_kind;

static inline duet_claim_kind duet_claim_not(duet_claim_kind kind)
{
    return (duet_claim_kind)(kind ^ 1U);
}

typedef struct duet_task_statement {
    duet_claim_kind kind; // What is said of it.
    int32_t task;
    int64_t value; // The type or the time that `kind` speaks of.
} duet_task_statement;

// A task that loses a type adds this to `narrowed`, and one whose range of starts shrinks adds the
// corresponding part of it. What is undone later is not subtracted.
enum { DUET_NARROWED = 1 << 10 };

// A supposition (a branching decision or a probe) that is open, with what there was before it.
typedef struct duet_window_level {
    duet_task_statement what; // The supposition.
    size_t undo;              // The length of windows.undo when it was opened.
    size_t drawn[2];          // windows.drawn at that time.
    int64_t state;            // windows.state at that time.
    size_t length;            // The length of the proof at that time.
} duet_window_level;

// What is given of the tasks beside their times.
typedef struct duet_given {
    const int64_t *start; // Per task, its earliest start. NULL: nothing is given.
    const int64_t *tail;  // Per task, the least time from its end to the guess. NULL: nothing.
    // `start` and `tail` are release dates and delivery times of the problem itself, not proven
    // bounds: schedules may start a task at its release date, and tasks are not interchangeable.
    bool released;
} duet_given;

typedef struct duet_windows {
    // The problem; borrowed.
    const duet_network *network;
    const duet_instance *instance;
    duet_given given;
    int64_t tasks;
    size_t types;
    // Only conclusions that hold of every schedule within the guess are drawn: no dominance rules.
    bool without_dominance;

    // Arrays per task, of one arena.
    duet_arena arena;
    int32_t *place;          // Its place in the network's order.
    int32_t *twin_before;    // An interchangeable task taken to start no later; -1: none.
    int32_t *twin_after;     // An interchangeable task taken to start no earlier; -1: none.
    duet_window *window;     // What is known of it.
    uint64_t *queued_starts; // A bit per place: the start must be recomputed from its neighbours.
    uint64_t *queued_tails;  // A bit per place: the tail must be recomputed from its neighbours.
    int32_t *raised;         // The tasks of the proof line that is being collected, in its order.

    // The guess.
    int64_t guess;
    bool refuted;   // The windows contradict each other: no schedule is within the guess.
    duet_code code; // The first error. After one, nothing more is concluded.

    // Suppositions that are open, and the windows that they have changed.
    duet_window_of_task *undo; // The windows before each change under an open supposition.
    size_t undos;              // Their number.
    duet_window_level *level;  // The open suppositions.
    size_t depth;              // Their number.

    int64_t state; // The number of the present state; a state that comes back has its number again.
    int64_t states; // The number of states that have been numbered.
    // The numbers of entries of `undo` whose effect duet_energy_delay() has propagated: drawn[0] of
    // that on tails, drawn[1] of that on starts.
    size_t drawn[2];
    // duet_energy_delay() has propagated all changes made outside of suppositions, which have no
    // entries. Until it has, it looks at all tasks.
    bool all_drawn;

    // The proof, and what it took.
    duet_proof_writer proof;
    int64_t narrowed;   // By how much windows have been narrowed so far; see DUET_NARROWED.
    int64_t work;       // About the operations so far, of about a nanosecond: the same everywhere.
    int64_t beside;     // Of that, what others can do at the same time as the longest chain.
    atomic_llong *told; // Other threads are told here what `work` has reached; NULL: nobody is.
} duet_windows;

// `network` is borrowed. DUET_E_LIMIT (memory), DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_windows_create(duet_windows *windows, const duet_network *network,
                              const duet_context *context, duet_error *error);
void duet_windows_free(duet_windows *windows);

// Gives heads and tails from the next reset on, in borrowed arrays. If they are those of the
// problem itself (`released`) no tasks are taken for interchangeable from then on.
void duet_windows_give(duet_windows *windows, const duet_given *given);

// Disables dominance rules (left shift, order of interchangeable tasks) from the next reset on.
// These rules keep one optimal schedule, not all.
void duet_windows_disable_dominance(duet_windows *windows);

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
// earlier, and writes the line `shift`. Returns whether any was raised. O(tasks^2).
bool duet_windows_shift(duet_windows *windows);

// Opens a supposition, without propagating it. Returns whether there was memory for it.
bool duet_windows_suppose(duet_windows *windows, duet_task_statement what);
// Closes the last supposition, which is refuted: backtracks and posts its negation.
void duet_windows_conclude(duet_windows *windows);
// Gives the last supposition up: backtracks, with the proof, and posts nothing.
void duet_windows_give_up(duet_windows *windows);

// Tells other threads how much was done.
static inline void duet_windows_tell(const duet_windows *windows)
{
    if (windows->told != NULL) {
        atomic_store(windows->told, windows->work);
    }
}

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
    const int64_t *price; // Per type, the price of a tick of one of its processors.
} duet_area_line;

// Writes the line `energy` of the proof.
void duet_windows_write_energy(duet_windows *windows, const duet_area_line *line);
// Writes the line `ancestors` (`before`) or `descendants` of the proof for a task.
void duet_windows_write_delay(duet_windows *windows, int32_t task, const duet_area_line *line,
                              bool before);

#endif
