// SPDX-License-Identifier: Apache-2.0
// The allocations that balanced-estimate and balanced-makespan choose from: one sweep from all
// tasks on their faster type towards the other, least loss first, with the longest of the moved
// tasks going back. docs/theory/rules.md has the rule and what it proves.
#ifndef DUET_HEURISTICS_RULES_BALANCED_H
#define DUET_HEURISTICS_RULES_BALANCED_H

#include "core/instance/acceleration.h"
#include "heuristics/engine/longest_first.h"

// One allocation of the sweep, by what had happened until then.
typedef struct duet_balanced_state {
    duet_fraction estimate; // no schedule of this allocation is shorter
    size_t moved;           // movable kinds that moved whole, and may have gone back
    int64_t part;           // tasks of the next kind that are moved
    size_t returns;         // how often kinds have gone back
    bool undo;              // without the task that was moved last, of kind `last`
    size_t last;
} duet_balanced_state;

typedef struct duet_balanced {
    const duet_instance *instance;
    // The order in which kinds move:
    size_t from, to; // the type that is later when all tasks are on their faster one; the other
    size_t *movable; // kinds that may move, in that order
    size_t count;    // of them
    int64_t *stay_longest;    // of the movable kinds from each position on, where they are
    int64_t fixed_longest[2]; // of the tasks that never move
    // As the sweep goes:
    duet_balanced_state now;
    int64_t work[2];
    size_t *heap; // positions of the movable kinds that have moved, longest there first
    size_t heaped;
    // Kinds that went back:
    size_t *returned;     // how often others had gone back before a kind did; SIZE_MAX: it did not
    int64_t back_longest; // the longest of their tasks, where they are
    int64_t limit;        // a task that would be as long there stays
} duet_balanced;

// Called with every allocation of the sweep, in order.
typedef duet_code duet_balanced_visit(void *user, const duet_balanced_state *state,
                                      duet_error *error);

// Two types. O(kinds log kinds). Free with duet_balanced_free(), also after an error.
duet_code duet_balanced_create(const duet_instance *instance, duet_balanced *balanced,
                               duet_error *error);
void duet_balanced_free(duet_balanced *balanced);

// Runs the sweep, once: at most six allocations a kind. O(kinds log kinds).
duet_code duet_balanced_sweep(duet_balanced *balanced, duet_balanced_visit *visit, void *user,
                              duet_error *error);

// Writes down an allocation of a sweep that is over. O(kinds).
void duet_balanced_allocate(const duet_balanced *balanced, const duet_balanced_state *state,
                            duet_allocation *allocation);

// The proven ratio of the allocation with the least estimate, scheduled longest first.
bool duet_balanced_ratio(size_t types, const int64_t *counts, const duet_options *options,
                         duet_ratio *ratio);

#endif
