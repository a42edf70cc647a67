// SPDX-License-Identifier: Apache-2.0
// A part of an instance.
#ifndef DUET_CORE_INSTANCE_PART_H
#define DUET_CORE_INSTANCE_PART_H

#include "core/instance/instance.h"

// Some tasks of an instance by themselves, on the same platform, with the edges between them and
// what these cost. `task` has `count` of them, rising; task i of the part is task[i] of the
// instance. Tasks are sequential. The caller frees `*out`. DUET_E_LIMIT, DUET_E_MEMORY.
// O(tasks of the instance + edges of these + count x types) expected time.
duet_code duet_instance_part(const duet_instance *instance, const int32_t *task, int64_t count,
                             duet_instance **out, duet_error *error);

// The same instance with edges that cost nothing, of sequential tasks: whatever is a bound of it is
// one of the instance, of which every schedule is one of it. Both structs are the caller's, and
// borrow all they have from the instance.
static inline void duet_instance_without_costs(const duet_instance *instance,
                                               duet_instance *without, duet_graph *graph)
{
    *without = *instance;
    *graph = *instance->graph;
    graph->transfer = NULL;
    graph->tables = 0;
    graph->cost = NULL;
    graph->amount = NULL;
    graph->rate = NULL;
    without->graph = graph;
}

#endif
