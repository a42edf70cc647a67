// SPDX-License-Identifier: Apache-2.0
// The tasks that an allocation gives to one type, on its processors: a problem of identical
// processors.
//
// Method:    they are levelled; where that misses the guess, the searches of two types
//            (solvers/exact/decide.h) are asked about guesses between it and what levelling came
//            to, the other type having no processors.
// Guarantee: what is refuted has no schedule.
// Cost:      that of the searches within the effort.
// Memory:    O(tasks), and that of the searches.
#ifndef DUET_SOLVERS_EXACT_TYPES_ONE_TYPE_H
#define DUET_SOLVERS_EXACT_TYPES_ONE_TYPE_H

#include "solvers/exact/types/types_state.h"

// What is known of the makespan of a type.
typedef struct duet_one_type {
    int64_t least;   // no schedule is shorter
    int64_t found;   // there is one as long, whose loads s->loads have grown by; INT64_MAX: useless
    int64_t refuted; // a search found none within this: s->alone is its proof; -1: no search did
} duet_one_type;

// No schedule of what s->state, of which everything is decided, has on a type, which has a
// processor left, is shorter: the work divided, or the longest task.
int64_t duet_types_divided(const duet_types *s, size_t type);
// The longest of s->loads from number `mark` on; 0: none follows.
int64_t duet_types_longest_from(const duet_types *s, size_t mark);

// Writes the nodes that prove that some tasks (times[i] ticks and tasks[i] of them, no two of equal
// time) have no schedule within a guess on some number of processors, by their work or the sums of
// their times. Returns whether these prove it.
typedef struct duet_types_sizes {
    size_t count;
    int64_t *time, *tasks;
} duet_types_sizes;
bool duet_types_log_sums(const duet_types_sizes *sizes, int64_t processors, int64_t guess,
                         duet_proof_writer *out);

// Schedules what s->state, of which everything is decided, has on a type, no longer than `wanted`
// where that is found. A schedule of `useless` or more is as good as none.
duet_code duet_types_schedule_one(duet_types *s, size_t type, int64_t wanted, int64_t useless,
                                  const duet_exact_effort *effort, duet_one_type *out,
                                  duet_error *error);

#endif
