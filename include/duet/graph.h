// SPDX-License-Identifier: Apache-2.0
/// @file
/// Task graphs: the edges of an instance.
///
/// An edge (u, v) says that task v starts no earlier than task u ends and its data have arrived.
/// That takes 0 ticks where both run on the same processor, else c[a][b] ticks for u on type a and
/// v on type b. Links carry any number of transfers at once. Many edges cost the same, so costs are
/// tables of Q x Q ticks that edges name by number; without tables an edge is plain precedence.
///
/// Edges keep the order in which they were given: certificates name them by that index.
#ifndef DUET_GRAPH_H
#define DUET_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include <duet/export.h>
#include <duet/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Number of edges; 0 where tasks are independent. O(1).
DUET_API int64_t duet_instance_edges(const duet_instance *instance);
/// Edge `edge`, 0 <= edge < edges: the two tasks, and in `cost` the number of the table of its
/// costs. Edges of the same number cost the same, and duet_instance_transfer() says what. O(1).
DUET_API duet_edge duet_instance_edge(const duet_instance *instance, int64_t edge);
/// Ticks until the data of an edge are there, from a processor of type `from` to another one of
/// type `to`. O(1).
DUET_API int64_t duet_instance_transfer(const duet_instance *instance, int64_t edge, size_t from,
                                        size_t to);
/// The edges that leave a task, in their order; `*count` receives how many. NULL and 0 where the
/// instance has no edges. Belongs to the instance. O(1).
DUET_API const int32_t *duet_instance_edges_from(const duet_instance *instance, int64_t task,
                                                 size_t *count);
/// The edges that enter a task, in their order. As duet_instance_edges_from().
DUET_API const int32_t *duet_instance_edges_to(const duet_instance *instance, int64_t task,
                                               size_t *count);

#ifdef __cplusplus
}
#endif

#endif
