// SPDX-License-Identifier: Apache-2.0
// Lower bound: head, area and tail; see head_tail.c.
#ifndef DUET_LP_GRAPH_HEAD_TAIL_H
#define DUET_LP_GRAPH_HEAD_TAIL_H

#include "core/algorithm.h"
#include "lp/graph/network.h"

// Receives, per task, its head: the length of the longest path that ends before the task, every
// task taking its shortest time. O(tasks + edges).
void duet_network_heads(const duet_network *network, int64_t *head);
// Receives, per task, its tail: likewise the longest path that begins after the task.
void duet_network_tails(const duet_network *network, int64_t *tail);

// The bound, by its name. DUET_E_MEMORY, DUET_E_LIMIT.
duet_code duet_head_tail_bound(const duet_instance *instance, const duet_context *context,
                               duet_bound *bound, duet_error *error);
#endif
