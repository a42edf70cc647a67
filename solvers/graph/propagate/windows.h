// SPDX-License-Identifier: Apache-2.0
// Windows of the tasks of a graph under a guess: what is known of every task if some schedule is no
// longer than the guess, with the lines of a proof that say why, and with everything undone when a
// supposition ends.
//
// All numbers are ticks, and what is concluded is concluded in integers. Each conclusion is one
// that check/proof/graph/state.c draws from the same line; that file shares nothing with this one.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_H

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

// What a window that becomes smaller adds to `narrowed` is counted in this part of its size.
enum { DUET_NARROWED = 1 << 10 };

// A supposition that is open.
typedef struct duet_window_level {
    duet_task_statement what;
    size_t undo;     // changes before it
    size_t drawn[2]; // of windows.drawn before it
    int64_t state;   // of windows.state before it
    size_t length;   // of the proof before it
} duet_window_level;

// What is given of the tasks beside their times: numbers per task, or NULL.
typedef struct duet_given {
    const int64_t *start; // none starts earlier
    const int64_t *tail;  // and each has so much behind it
    bool released; // by the problem, not by a proof: a task may start there for no other reason
} duet_given;

typedef struct duet_windows {
    // The problem; borrowed:
    const duet_network *network;
    const duet_instance *instance;
    duet_given given;
    bool of_all; // only what holds of every schedule within the guess is concluded
    int64_t tasks;
    size_t types;
    int32_t *place;       // of each task in the network's order; owned
    int32_t *twin_before; // of each task: one like it that may be taken to start no later, or -1
    int32_t *twin_after;  // and one that starts no earlier
    // The guess, and what is known:
    int64_t guess;
    duet_window *window;
    bool refuted; // the windows contradict each other: no schedule is within the guess
    // Suppositions:
    duet_window_of_task *undo;
    size_t undos;
    size_t undo_room;
    duet_window_level *level;
    size_t depth;
    size_t level_room;
    // The same number is the same state; how many there were:
    int64_t state;
    int64_t states;
    // Changes from which duet_energy_delay() has drawn what follows for starts, and for tails.
    // Where no supposition is open nothing is noted, and it draws all or has nothing to draw.
    size_t drawn[2];
    bool all_drawn; // of those before the first supposition
    // Tasks whose start or tail may follow from their neighbours', by place in the order, a bit
    // each:
    uint64_t *late_starts;
    uint64_t *late_tails;
    // A line under way: tasks whose start or tail was raised, in this order.
    int32_t *raised;
    // The proof, and what it took:
    duet_proof_writer proof;
    int64_t narrowed; // by how much windows have become smaller, in parts of DUET_NARROWED each
    int64_t work;     // about the operations so far: the same on every machine
    bool no_memory;   // an allocation failed: nothing more is concluded
} duet_windows;

// `network` is borrowed. DUET_E_LIMIT (memory), DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_windows_create(duet_windows *windows, const duet_network *network,
                              const duet_context *context, duet_error *error);
void duet_windows_free(duet_windows *windows);

// From the next reset on so much is given, in arrays that are borrowed. Tasks that are alike but
// for what the problem gives are not taken for twins.
void duet_windows_give(duet_windows *windows, const duet_given *given);

// From the next reset on only what holds of every schedule within the guess is concluded: neither
// shifts nor the order of twins, which hold of one of the schedules that are as good.
void duet_windows_hold_of_all(duet_windows *windows);

// Forgets everything but the times and what is given, under a new guess, and propagates.
// O(tasks + edges).
void duet_windows_reset(duet_windows *windows, int64_t guess);

// Raises a start or a tail to what a line of the proof, which the caller has written, concludes.
void duet_windows_raise_start(duet_windows *windows, int32_t task, int64_t start);
void duet_windows_raise_tail(duet_windows *windows, int32_t task, int64_t tail);
// Leaves of a task's types those among `types`, likewise.
void duet_windows_restrict_types(duet_windows *windows, int32_t task, uint64_t types);

// Propagates along the edges until nothing changes or the guess is refuted, and writes the lines
// `heads` and `tails`.
void duet_windows_propagate(duet_windows *windows);

// Raises each start to the next time at which a task may start that could not start earlier, and
// writes the line `shift`. Whether any was raised. O(tasks^2).
bool duet_windows_shift(duet_windows *windows);

// Opens a supposition, without propagating it. Whether there was memory for it. Closes the last
// one, which is refuted: its negation holds from there on. Gives it up: all is as before, also the
// proof.
bool duet_windows_suppose(duet_windows *windows, duet_task_statement what);
void duet_windows_conclude(duet_windows *windows);
void duet_windows_give_up(duet_windows *windows);

static inline bool duet_windows_has(const duet_windows *windows, int32_t task, size_t type)
{
    return (windows->window[task].types >> type & 1U) != 0;
}

static inline int64_t duet_windows_time(const duet_windows *windows, int32_t task, size_t type)
{
    return windows->instance->times[(size_t)windows->network->kind[task] * windows->types + type];
}

// What an interval from `from` to the guess less `back` is worth with a price per type.
typedef struct duet_area_line {
    int64_t from, back;
    const int64_t *price;
} duet_area_line;

// Lines of the proof: `energy`, `ancestors` and `descendants`.
void duet_windows_write_energy(duet_windows *windows, const duet_area_line *line);
void duet_windows_write_delay(duet_windows *windows, int32_t task, const duet_area_line *line,
                              bool before);

#endif
