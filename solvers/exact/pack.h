// SPDX-License-Identifier: Apache-2.0
// The loads of a schedule's processors, and the packing of what one type still gets: identical
// processors, without patterns or prices.
//
// Method:    levelling towards a target (heuristics/packing/packing.h), longest tasks first; where
// that
//            misses the target, processors are filled one after another
//            (heuristics/packing/fill.h).
// Guarantee: none: what is found fits, but what is not found may still exist. The search
//            (solvers/exact/cover.h) goes on then.
// Cost:      O(n log n) for n tasks, and what the effort allows.
// Memory:    O(n).
// Reference: see heuristics/packing/packing.h and heuristics/packing/fill.h.
#ifndef DUET_SOLVERS_EXACT_PACK_H
#define DUET_SOLVERS_EXACT_PACK_H

#include "core/context.h"
#include "core/prices.h"
#include "core/random.h"
#include "solvers/exact/enumerate.h"

// The load of one processor of a schedule.
typedef struct duet_load {
    size_t type;
    size_t begin; // parts[begin .. begin + parts)
    size_t parts;
} duet_load;

// The loads of a schedule's processors, and room to build them.
typedef struct duet_loads {
    duet_load *load;
    size_t loads, load_room;
    duet_pattern_part *part;
    size_t parts, part_room;
} duet_loads;

void duet_loads_free(duet_loads *loads);

// Adds the load of one processor.
duet_code duet_loads_push(duet_loads *loads, size_t type, const duet_pattern_part *part,
                          size_t parts, duet_error *error);
// Adds a task to the last of them.
duet_code duet_loads_add(duet_loads *loads, uint32_t class, duet_error *error);

// Tries to pack what a type may still get on its processors, by levelling and filling; on success
// the loads grow by them.
duet_code duet_cover_pack(const duet_classes *classes, const duet_residual *state, size_t type,
                          int64_t effort, duet_random *random, const duet_context *context,
                          duet_loads *loads, bool *fits, duet_error *error);

// The same, whether it reaches the target or not.
duet_code duet_cover_level(const duet_classes *classes, const duet_residual *state, size_t type,
                           int64_t target, int64_t effort, duet_random *random,
                           const duet_context *context, duet_loads *loads, duet_error *error);

#endif
