// SPDX-License-Identifier: Apache-2.0
// Inside of the dynamic program over ideals that a proof refutes the guess by: a graph, its states,
// and how a task is added to one. docs/theory/graphs.md has the argument.
#ifndef DUET_CHECK_PROOF_GRAPH_IDEALS_H
#define DUET_CHECK_PROOF_GRAPH_IDEALS_H

#include "check/proof/graph/graph.h"

enum {
    DUET_PROOF_IDEAL_TASKS = 256, // A graph has at most this many tasks.
    // Processors of all types, of each no more than there are tasks.
    DUET_PROOF_IDEAL_SLOTS = 64,
    DUET_PROOF_IDEAL_WORDS = DUET_PROOF_IDEAL_TASKS / 64 // Words of a set of tasks.
};

typedef struct duet_proof_ideal {
    uint64_t word[DUET_PROOF_IDEAL_WORDS];
} duet_proof_ideal;

// A state that is looked at. A task waits if a predecessor is done, but not it. A column is a place
// where data may be read.
typedef struct duet_proof_ideals_state {
    duet_proof_ideal done;
    int32_t waits;
    int32_t wait[DUET_PROOF_IDEAL_TASKS]; // The tasks that wait, rising.
    int32_t at[DUET_PROOF_IDEAL_TASKS];   // Per task, its place among these; -1: it is not there.
    int64_t *time; // Per processor, when it is idle; then per task that waits and column, its data.
} duet_proof_ideals_state;

typedef struct duet_proof_ideals_step {
    int32_t task;
    int32_t slot;
    int64_t start;
} duet_proof_ideals_step;

typedef struct duet_proof_ideals {
    duet_proof_graph_state *state; // It is borrowed.
    duet_proof_graph_prices prices;
    int64_t never; // Times are cut to the guess and a tick.
    int32_t tasks;
    int32_t types;
    int32_t slots;                           // The number of processors.
    int32_t columns;                         // The number of columns.
    int32_t words;                           // The words of a set of tasks.
    int32_t begin[DUET_MAX_TYPES + 1];       // Processors of type t: begin[t] .. begin[t + 1] - 1.
    int32_t type_of[DUET_PROOF_IDEAL_SLOTS]; // Per processor, its type.
    int32_t column_of[DUET_PROOF_IDEAL_SLOTS]; // Per processor, its column.
    int32_t type_at[DUET_PROOF_IDEAL_SLOTS];   // Per column, its type; -1: all types.
    bool placed[DUET_MAX_TYPES]; // Per type, whether data take time between two of its processors.
    duet_arena arena;            // It holds the arrays.
    duet_proof_ideal *enters;    // Per task, its predecessors.
    duet_proof_ideal *needs;     // Per task, these and the twin before it.
    int64_t *tail;               // Per task and type, the least time from its start to the end.
    int64_t *sent;               // Per task and type, the longest that its data take.
    int64_t *behind;             // Per task, the least time from its end to the end of all.
    duet_int128 *least;          // Per task, the least price of its work.
    int32_t *urgent;             // The tasks by falling `behind`.
    duet_proof_ideals_step *step;
    duet_proof_ideals_state from; // The state that goes on.
    duet_proof_ideals_state to;   // The state with a task more.
} duet_proof_ideals;

// Measures the graph; duet_arena_free() of its arena frees it, whatever comes back. DUET_E_INPUT
// where it is too large, DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_proof_ideals_measure(duet_proof_ideals *p, duet_error *error);
void duet_proof_ideals_list_waiting(const duet_proof_ideals *p, duet_proof_ideals_state *of);
// The number of times of a state.
size_t duet_proof_ideals_times(const duet_proof_ideals *p, const duet_proof_ideals_state *of);
// Lists how p->from may go on, and returns the number of ways.
int32_t duet_proof_ideals_list_steps(duet_proof_ideals *p);
// Makes p->to, the state after a step, with the processors of each type sorted. Returns whether all
// may still end within the guess.
bool duet_proof_ideals_append(duet_proof_ideals *p, const duet_proof_ideals_step *now);

#endif
