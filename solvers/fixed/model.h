// SPDX-License-Identifier: Apache-2.0
// An instance of which something is given, as the searches of this folder see it: the tasks that
// are left, and the processors that can be of use to them. Times are ticks of the whole.
#ifndef DUET_SOLVERS_FIXED_MODEL_H
#define DUET_SOLVERS_FIXED_MODEL_H

#include "core/instance/graph.h"
#include "core/instance/rest.h"
#include "core/system/arena.h"

// When a processor works on a given task.
typedef struct duet_fixed_span {
    int64_t start, end;
} duet_fixed_span;

// A processor that is not lost.
typedef struct duet_fixed_processor {
    int64_t from; // it is busy until then, also with given tasks that start before the origin
    int32_t type;
    int32_t number; // of the whole
    size_t span_at; // its spans begin there, rising
    size_t spans;   // of given tasks that start at the origin or later
    bool special;   // it has spans, or is given to a task of the rest
} duet_fixed_processor;

typedef struct duet_fixed_model {
    duet_arena arena;
    const duet_instance *whole;
    const duet_rest *rest;
    const duet_graph *graph;         // of the whole; NULL: tasks are independent
    bool costs;                      // data take time
    int64_t tasks;                   // of the rest
    int32_t *kind;                   // of the whole, of a task of the rest
    int64_t *release;                // of a task of the rest
    int64_t *shortest;               // its least time
    int64_t *tail;                   // what must come behind it, without its own time
    int32_t *order;                  // a topological one of the tasks of the rest
    int64_t *number;                 // in the rest, of a task of the whole; -1: it is given
    duet_fixed_processor *processor; // those of a type together, by number
    size_t first[DUET_MAX_TYPES + 1];
    size_t processors;
    duet_fixed_span *span;
} duet_fixed_model;

// Borrows both. Free it whatever comes back. DUET_E_MEMORY.
duet_code duet_fixed_model_create(const duet_instance *whole, const duet_rest *rest,
                                  duet_fixed_model *model, duet_error *error);
void duet_fixed_model_free(duet_fixed_model *model);

// The first instant from `from` on at which a processor has `time` ticks between its given tasks.
int64_t duet_fixed_fit(const duet_fixed_model *model, size_t processor, int64_t from, int64_t time);
// A processor of the model by its type and its number in the whole; SIZE_MAX: it is not there.
size_t duet_fixed_find(const duet_fixed_model *model, size_t type, int64_t number);

#endif
