// SPDX-License-Identifier: Apache-2.0
// An allocation's schedule, type by type, and what is known of the sets of tasks that it gives to
// the types (types/sets.h).
//
// Method:    the leading type first; a set that was searched with the same effort is as it was
//            found then, another one is scheduled by types/one_type.h.
// Guarantee: that of types/one_type.h.
// Cost:      that of types/one_type.h for each set that is new.
// Memory:    the sets, with their schedules.
#ifndef DUET_SOLVERS_EXACT_TYPES_BY_TYPE_H
#define DUET_SOLVERS_EXACT_TYPES_BY_TYPE_H

#include "solvers/exact/types/types_state.h"

// What is known of an allocation, class c on type t having tasks[c * types + t].
typedef struct duet_types_known {
    bool hopeful; // a schedule shorter than the best may be found with the effort
    bool leader;  // the leading type has none
} duet_types_known;

// `*least` rises to what the sets are known to take at least.
duet_types_known duet_types_know(duet_types *s, const int64_t *tasks,
                                 const duet_exact_effort *effort, int64_t *least);

// Schedules an allocation in no more than `*least`, where that is found, and offers a schedule
// shorter than the best. *least rises to what it takes at least.
duet_code duet_types_schedule_by_type(duet_types *s, const int64_t *tasks,
                                      const duet_exact_effort *effort, int64_t *least,
                                      duet_error *error);

// The leaf of an allocation of which some set has no schedule within the guess of `log` (NULL:
// none), as far as is known; where no set has a proof of that, the log is lost.
void duet_types_log_allocation(duet_types *s, const int64_t *tasks, duet_log *log);
// The same of one type: false where it has none.
bool duet_types_log_type(duet_types *s, const int64_t *tasks, size_t type, duet_log *log);

#endif
