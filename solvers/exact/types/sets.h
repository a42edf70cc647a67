// SPDX-License-Identifier: Apache-2.0
// The sets of tasks that a type was given so far, and what is known of them: many allocations
// differ on other types alone.
#ifndef DUET_SOLVERS_EXACT_TYPES_SETS_H
#define DUET_SOLVERS_EXACT_TYPES_SETS_H

#include "core/instance/classes.h"
#include "core/seen.h"
#include "solvers/exact/loads.h"
#include "solvers/proof_text.h"

typedef struct duet_types_set {
    size_t type;
    int64_t least; // no schedule of the type is shorter
    // The nodes that prove that none is within `refuted`, about these tasks alone:
    int64_t refuted;            // -1: there are none
    size_t proof, proof_length; // among the texts
    int64_t found; // the shortest that was found, which has these loads among those found
    duet_loads_mark loads, loads_end;
    // The last search that failed, of those with the most nodes:
    int64_t searched; // how many nodes it had
    int64_t wanted;   // the makespan that it looked for
} duet_types_set;

typedef struct duet_types_sets {
    duet_seen known;     // a type, and classes with their tasks
    duet_types_set *set; // of each
    int64_t *key;
    duet_loads found;       // the schedules of all sets
    duet_proof_writer text; // the proofs of all sets
} duet_types_sets;

void duet_types_sets_free(duet_types_sets *sets);

// The set that a type has in an allocation (of class c on type t at [c * types + t]): as it is
// known, or a new one with `least` 0 and `found` INT64_MAX. NULL: there is no memory. Valid until
// the next.
duet_types_set *duet_types_sets_find(duet_types_sets *sets, const duet_classes *classes,
                                     const int64_t *tasks, size_t type);

// A set's schedule, of `found`: the loads from a mark on. Where there is no memory for it, it stays
// the one that was.
void duet_types_sets_keep(duet_types_sets *sets, duet_types_set *set, const duet_loads *loads,
                          duet_loads_mark from, int64_t found);
// The nodes that prove that a set has no schedule within `refuted`. Where there is no memory for
// them, those that were stay.
void duet_types_sets_keep_proof(duet_types_sets *sets, duet_types_set *set, int64_t refuted,
                                const char *text, size_t length);
// Adds the loads of a set's schedule.
duet_code duet_types_sets_load(const duet_types_sets *sets, const duet_types_set *set,
                               duet_loads *loads, duet_error *error);

#endif
