// SPDX-License-Identifier: Apache-2.0
// Inside of the search over ideals: what it knows of a graph, and a state with all its times.
//   state     a state, and how a task is appended to it
//   ideals    the states of one size after another
#ifndef DUET_SOLVERS_GRAPH_IDEALS_STATE_H
#define DUET_SOLVERS_GRAPH_IDEALS_STATE_H

#include "core/system/arena.h"
#include "core/system/context.h"
#include "lp/graph/network.h"

enum {
    DUET_IDEALS_TASKS = 256, // The search takes graphs of at most this many tasks.
    DUET_IDEALS_SLOTS = 64,  // It takes platforms of at most this many processors.
    DUET_IDEALS_WORDS = 4,   // The number of words of a set of tasks.
    // States of two sizes, and the steps to all, take at most this many bytes.
    DUET_IDEALS_BYTES = 96 << 20,
};

// A set of tasks.
typedef struct duet_ideal {
    uint64_t word[DUET_IDEALS_WORDS];
} duet_ideal;

// What the search knows of a graph. A slot is a processor; those of one type follow each other. A
// column is a place where data may be read: all processors, if data take no time; else a type, or a
// processor if data take time between two of its type.
typedef struct duet_ideals_graph {
    const duet_instance *instance;
    duet_network network;
    int32_t tasks;
    int32_t types;
    int32_t slots;                        // The number of slots.
    int32_t columns;                      // The number of columns.
    int32_t begin[DUET_MAX_TYPES + 1];    // Slots of type t: begin[t] .. begin[t + 1] - 1.
    int32_t type_of[DUET_IDEALS_SLOTS];   // Per slot, its type.
    int32_t column_of[DUET_IDEALS_SLOTS]; // Per slot, its column.
    int32_t type_at[DUET_IDEALS_SLOTS];   // Per column, its type; -1: all types.
    bool placed[DUET_MAX_TYPES];          // Per type, whether its slots have columns of their own.
    int64_t price[DUET_MAX_TYPES];        // Per type, the price of a tick of work, as area bounds.
    duet_arena arena;                     // It holds the arrays.
    duet_ideal *enters;                   // Per task, its predecessors.
    duet_ideal *before; // Per task, what must be appended before it: these, and its twin.
    int64_t *tail;      // Per task and type, the least time from its start to the end.
    int64_t *least;     // Per task, the least product of its time and the price of a type.
    int64_t *behind;    // Per task, the least time from its end to the end of all.
    int32_t *urgent;    // The tasks by falling `behind`.
    int64_t *sent;      // Per task and type, the most time that its data may take.
} duet_ideals_graph;

// A state: tasks that were appended, in the order of their starts. Times before the last start
// count as that. Slots of a type are sorted by the times.
typedef struct duet_ideals_state {
    duet_ideal done;                 // The tasks that were appended.
    int64_t idle[DUET_IDEALS_SLOTS]; // Per slot, from when on it is idle.
    int32_t waits; // The number of tasks that are not done but have predecessors that are.
    int32_t *wait; // The numbers of these tasks, rising.
    // Per such task and column, the earliest time at which the data of all its predecessors that
    // are done can be read there.
    int64_t *ready;
} duet_ideals_state;

// A way to append a task.
typedef struct duet_ideals_step {
    int32_t task;  // The task that comes next.
    int32_t slot;  // The processor that it gets.
    int64_t start; // When it starts there.
} duet_ideals_step;

static inline bool duet_ideal_has(const duet_ideal *set, int32_t task)
{
    return (set->word[task / 64] >> (task % 64) & 1U) != 0;
}

static inline bool duet_ideal_is_subset(const duet_ideal *a, const duet_ideal *b)
{
    uint64_t out = 0;
    for (int32_t i = 0; i < DUET_IDEALS_WORDS; i++) {
        out |= a->word[i] & ~b->word[i];
    }
    return out == 0;
}

static inline bool duet_ideals_meet(const duet_ideal *a, const duet_ideal *b)
{
    uint64_t both = 0;
    for (int32_t i = 0; i < DUET_IDEALS_WORDS; i++) {
        both |= a->word[i] & b->word[i];
    }
    return both != 0;
}

static inline int64_t duet_ideals_time(const duet_ideals_graph *g, int32_t task, int32_t type)
{
    return duet_time(g->instance, (size_t)g->network.kind[task], (size_t)type);
}

static inline bool duet_ideals_allows(const duet_ideals_graph *g, int32_t task, int32_t type)
{
    return g->begin[type] < g->begin[type + 1] &&
           duet_allowed(g->instance, (size_t)g->network.kind[task], (size_t)type);
}

// Sets `*fits` to whether the graph is small enough; if it is not, the rest is not there. Free it
// whatever comes back. No guess will be above `most`. DUET_E_MEMORY.
duet_code duet_ideals_graph_create(const duet_instance *instance, const duet_context *context,
                                   int64_t most, duet_ideals_graph *g, bool *fits,
                                   duet_error *error);
void duet_ideals_graph_free(duet_ideals_graph *g);

// The state before the first task. The two arrays have room for all tasks, and columns.
void duet_ideals_begin(duet_ideals_state *state);
// Lists the tasks that wait, which are known by those that are done.
void duet_ideals_list_waiting(const duet_ideals_graph *g, duet_ideals_state *state);
// Lists how a task may come next, and returns the number of ways, at most tasks * slots.
int32_t duet_ideals_list_steps(const duet_ideals_graph *g, const duet_ideals_state *state,
                               duet_ideals_step *step);
// Makes the state after a step. `from` gets, per slot, which slot it was before the slots were
// sorted. Returns false if no schedule of at most the guess begins so; `to` is undefined then.
bool duet_ideals_append(const duet_ideals_graph *g, const duet_ideals_state *state,
                        const duet_ideals_step *step, int64_t guess, duet_ideals_state *to,
                        int32_t *from);

#endif
