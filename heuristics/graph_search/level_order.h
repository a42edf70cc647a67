// SPDX-License-Identifier: Apache-2.0
// The tasks of a graph by their bottom levels, kept from one evaluation of an allocation to the
// next.
//
// Method:    where an allocation changes little, few levels change, and those of tasks behind one
//            another by the same amount. Tasks whose levels changed are taken out in the order in
//            which they were, which is a few sorted runs; these are merged with one another, and
//            then with the tasks that stayed.
// Guarantee: the order is that of a sort: longest levels first, and tasks of one level by number.
// Cost:      O(n + c log r) for c changed levels in r runs.
// Memory:    O(n).
// Reference: Knuth, The Art of Computer Programming 3, section 5.2.4, natural merge sort.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_LEVEL_ORDER_H
#define DUET_HEURISTICS_GRAPH_SEARCH_LEVEL_ORDER_H

#include <stdint.h>

#include "core/system/arena.h"

typedef struct duet_graph_level_order {
    int32_t tasks;  // The number of tasks.
    int64_t *level; // Per task, the level by which it has its rank.
    int32_t *task;  // Per rank, the task that has it.
    int32_t *rank;  // Per task, its rank from 0 on.
    int32_t *moved; // Workspace: the tasks whose levels changed.
    int32_t *spare; // Workspace: these as they are merged.
    duet_arena arena;
} duet_graph_level_order;

// Makes the order of tasks whose levels are all 0. Free with duet_graph_level_order_free(), also
// after an error. DUET_E_MEMORY.
duet_code duet_graph_level_order_create(int32_t tasks, duet_graph_level_order *order,
                                        duet_error *error);
void duet_graph_level_order_free(duet_graph_level_order *order);

// Sorts the tasks by these levels, one per task, which are copied.
void duet_graph_level_order_update(duet_graph_level_order *order, const int64_t *level);

#endif
