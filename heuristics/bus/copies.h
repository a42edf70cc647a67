// SPDX-License-Identifier: Apache-2.0
// Where the copies of data are on a machine with a bus, and the transfers that make them.
//
// Method: a task's data are brought to its node in the order of its accesses, each from the node
//         where a copy can be had first, over the links of that route (links.h). A node that is
//         full gives up the copy that was used longest ago, after its last use; the last copy there
//         is goes back to node 0 first.
// Cost:   O(nodes) an access beside the links; O(data) where memory is short.
// Memory: O(data x nodes + transfers).
#ifndef DUET_HEURISTICS_BUS_COPIES_H
#define DUET_HEURISTICS_BUS_COPIES_H

#include "core/instance/bus.h"
#include "heuristics/bus/links.h"

typedef struct duet_copies {
    // Inputs.
    const duet_bus *bus;
    const duet_instance *instance;
    int64_t now; // no transfer begins earlier
    // State.
    duet_arena arena;
    duet_link links[DUET_MAX_LINKS];
    int64_t *there; // data x nodes: from when on a copy is there; DUET_FORBIDDEN: there is none
    int64_t *used;  // data x nodes: the end of its last use
    int64_t *bytes; // of each node, that copies take
    // Counters.
    int64_t moved;
    int64_t transfers;
    int64_t evictions;
} duet_copies;

duet_code duet_copies_create(duet_copies *copies, const duet_bus *bus,
                             const duet_instance *instance, duet_error *error);
void duet_copies_free(duet_copies *copies);

// When a task's data would be on a node, and for how many ticks links would carry them.
typedef struct duet_copies_arrival {
    int64_t at;
    int64_t carried;
} duet_copies_arrival;
duet_copies_arrival duet_copies_look(const duet_copies *copies, int64_t task, size_t node);
// Brings them; `*at` as above. DUET_E_INFEASIBLE: the task alone needs more memory than the node
// has.
duet_code duet_copies_bring(duet_copies *copies, int64_t task, size_t node, int64_t *at,
                            duet_error *error);
// The task ends at `end` on that node: what it wrote is there and nowhere else.
void duet_copies_end(duet_copies *copies, int64_t task, size_t node, int64_t end);
// Whether a node has the memory for a task.
bool duet_copies_fit(const duet_copies *copies, int64_t task, size_t node);

#endif
