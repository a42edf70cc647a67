// SPDX-License-Identifier: Apache-2.0
// The loads of a schedule's processors: which tasks of which classes each of them runs.
#ifndef DUET_SOLVERS_EXACT_LOADS_H
#define DUET_SOLVERS_EXACT_LOADS_H

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
    size_t loads;
    duet_pattern_part *part;
    size_t parts;
} duet_loads;

void duet_loads_free(duet_loads *loads);

// Adds the load of one processor.
duet_code duet_loads_push(duet_loads *loads, size_t type, const duet_pattern_part *part,
                          size_t parts, duet_error *error);
// Adds a task to the last of them.
duet_code duet_loads_add(duet_loads *loads, uint32_t class, duet_error *error);

static inline void duet_loads_clear(duet_loads *loads)
{
    loads->loads = loads->parts = 0;
}

// How many there are, to return to.
typedef struct duet_loads_mark {
    size_t loads, parts;
} duet_loads_mark;

static inline duet_loads_mark duet_loads_here(const duet_loads *loads)
{
    return (duet_loads_mark){loads->loads, loads->parts};
}

static inline void duet_loads_rewind(duet_loads *loads, duet_loads_mark mark)
{
    loads->loads = mark.loads;
    loads->parts = mark.parts;
}

// When a load ends that starts at 0.
duet_int128 duet_load_end(const duet_classes *classes, const duet_loads *loads, size_t index);

#endif
