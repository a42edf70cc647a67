// SPDX-License-Identifier: Apache-2.0
// A copy of an instance, or of some of its tasks, in which kinds may be divided.
#ifndef DUET_CORE_INSTANCE_PICK_H
#define DUET_CORE_INSTANCE_PICK_H

#include "core/instance/graph.h"
#include "core/instance/instance.h"

// Some tasks of one kind, one after another, which become a kind. Its id is that of the kind where
// these are all of it, else that of the first of them.
typedef struct duet_pick {
    int64_t first; // task
    int64_t count;
} duet_pick;

// An instance of these tasks, in rising order, with the edges between them, on the same platform.
// Nothing is given of them, and no processor is lost. What is said of all tasks together, a claim
// and the notice, is left out. On success `*out` is the caller's. DUET_E_MEMORY.
duet_code duet_instance_pick(const duet_instance *instance, const duet_pick *pick, size_t count,
                             duet_instance **out, duet_error *error);
// What an instance with the same tasks and types takes over: what a runtime said of them, watts,
// and the amounts of data of which the same tables of costs are made. DUET_E_MEMORY.
duet_code duet_copy_origin(const duet_instance *instance, duet_instance *copy, duet_error *error);
void duet_copy_watts(const duet_instance *from, duet_instance *to);
duet_code duet_copy_amounts(const duet_graph *from, duet_graph *to, duet_error *error);

#endif
