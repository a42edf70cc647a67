// SPDX-License-Identifier: Apache-2.0
// The sets of tasks that a type was given so far, and what is known of them: many allocations
// differ on other types alone.
#ifndef DUET_SOLVERS_EXACT_TYPES_SETS_H
#define DUET_SOLVERS_EXACT_TYPES_SETS_H

#include "core/classes.h"

typedef struct duet_types_set {
    size_t type;
    size_t begin, parts; // in the list of parts
    uint64_t hash;
    int64_t least; // no schedule of the type is shorter
    int64_t found; // the shortest that was found
} duet_types_set;

// Tasks of a class.
typedef struct duet_types_part {
    size_t class;
    int64_t tasks;
} duet_types_part;

typedef struct duet_types_sets {
    duet_types_set *set;
    size_t count, room;
    duet_types_part *part;
    size_t parts, part_room;
    size_t *slot; // hash table of sets, index + 1
    size_t slots;
} duet_types_sets;

void duet_types_sets_free(duet_types_sets *sets);

// The set that a type has in an allocation (of class c on type t at [c * types + t]): as it is
// known, or a new one with `least` 0 and `found` INT64_MAX. NULL: there is no memory. Valid until
// the next.
duet_types_set *duet_types_sets_find(duet_types_sets *sets, const duet_classes *classes,
                                     const int64_t *tasks, size_t type);

#endif
