// SPDX-License-Identifier: Apache-2.0
// Mixing inequalities of a task graph at a guess C.
//
// Between the end of task u and the start of a descendant v there is at least the longest path of
// tasks between them. Let L be its length where each task has its shortest type, and of some tasks
// j_1, j_2, ... between them let h_k be the length of the longest path through j_k where that one
// is on a type on which it takes at least p_k, and all others on their shortest. With y_k = 1 where
// j_k takes at least p_k and 0 elsewhere, and L <= h_1 <= h_2 <= ...,
//
//     s_v - e_u >= L + (h_1 - L) y_1 + (h_2 - h_1) y_2 + ...
//
// since the right side is at most h_k where k is the last with y_k = 1. A linear program in which
// tasks are divided between types has only s_v - e_u >= L + (h_k - L) y_k, for each k by itself,
// whose maximum is weaker than the sum above.
//
// u may be the beginning, and v the guess.
#ifndef DUET_LP_GRAPH_MIXING_H
#define DUET_LP_GRAPH_MIXING_H

#include "core/system/context.h"
#include "lp/graph/guess.h"
#include "lp/graph/network.h"

enum {
    DUET_MIXING_MOST = 16,    // A row has at most this many items.
    DUET_MIXING_OUTSIDE = -1, // In place of a task, the beginning or the guess.
};

// The condition y_k: a task runs on a type on which it takes at least as long as on `type`.
typedef struct duet_mixing_item {
    int32_t task;  // The task j_k.
    uint32_t type; // The type whose time is the threshold p_k.
    // What y_k = 1 adds to the length: h_k less the larger of L and all lengths before it, or 0.
    int64_t more;
} duet_mixing_item;

typedef struct duet_mixing_row {
    int32_t from;                            // u, or DUET_MIXING_OUTSIDE: the beginning.
    int32_t to;                              // v, or DUET_MIXING_OUTSIDE: the guess.
    int32_t items;                           // The number of items.
    duet_mixing_item item[DUET_MIXING_MOST]; // The items, of different tasks, by rising h_k.
    int64_t length; // L, the longest path from u to v with the shortest times.
} duet_mixing_row;

// Longest paths between all pairs of tasks.
typedef struct duet_mixing duet_mixing;

// The network is borrowed. O(tasks). DUET_E_LIMIT (the square of the tasks is more than fits into
// the memory), DUET_E_MEMORY.
duet_code duet_mixing_create(const duet_network *network, const duet_context *context,
                             duet_mixing **out, duet_error *error);
void duet_mixing_free(duet_mixing *mixing); // NULL is allowed

// Computes the longest paths between all pairs of tasks for the windows of a guess, and borrows
// these as long as rows are measured by them. O(tasks x edges). Returns about the operations it
// took.
int64_t duet_mixing_update(duet_mixing *mixing, const duet_interval_guess *guess);

// Recomputes L, the order of the items and what each adds, for the windows of the last update. An
// item whose task can no longer take that long adds 0. Returns false if no path leads from `from`
// to `to`, or an item is not between them.
bool duet_mixing_measure(const duet_mixing *mixing, duet_mixing_row *row);

// Returns before + time + behind, or guess + 1 if that is less.
int64_t duet_mixing_sum(const duet_mixing *mixing, int64_t before, int64_t time, int64_t behind);

// Returns the longest path from the end of a task, or from the beginning, to the start of another
// one, or to the guess; negative: there is none.
int64_t duet_mixing_between(const duet_mixing *mixing, int32_t from, int32_t to);

#endif
