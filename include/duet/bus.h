// SPDX-License-Identifier: Apache-2.0
/// @file
/// A machine with a bus: memory nodes that hold copies of data, and links that carry one transfer
/// at a time.
///
/// In an instance links carry any number of transfers at once. Here a transfer occupies all links
/// of its route, in the order in which the tasks of a plan need data, and what comes later fills
/// gaps. A copy stays where it is until a task writes the data, or until the memory of its node is
/// full: then the copy that was used longest ago goes, and is written back to node 0 first where it
/// is the last one.
#ifndef DUET_BUS_H
#define DUET_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most links of a machine, which routes name as bits.
#define DUET_MAX_LINKS 64

/// A link. A transfer takes the sum of the latencies of its links, and on the slowest of them
/// size * ticks / bytes, rounded up.
typedef struct duet_bus_link {
    int64_t latency; ///< ticks, >= 0
    int64_t bytes;   ///< that it carries in `ticks` ticks; 0: as long as the edge of the instance
    int64_t ticks;   ///< > 0 where bytes > 0
} duet_bus_link;

/// A piece of data.
typedef struct duet_bus_datum {
    int64_t size; ///< bytes, >= 0
    int32_t home; ///< the node that has it at first; -1: it is made by the first that writes it
} duet_bus_datum;

/// What a task does with a piece of data.
enum duet_bus_mode { DUET_BUS_READS = 1, DUET_BUS_WRITES = 2 };

/// A task's access to a piece of data.
typedef struct duet_bus_access {
    int64_t task;  ///< of the instance
    int32_t datum; ///< index
    unsigned mode; ///< OR of ::duet_bus_mode, not 0
} duet_bus_access;

/// What duet_bus_create() copies a machine from. Start from `{.struct_size =
/// sizeof(duet_bus_desc)}`.
typedef struct duet_bus_desc {
    size_t struct_size;            ///< sizeof(duet_bus_desc), so that it can grow
    size_t nodes;                  ///< >= 1; node 0 is main memory
    const int64_t *capacity;       ///< bytes of each node, 0: as many as there are; NULL: all 0
    const int32_t *node_of;        ///< of each processor, those of the first type first
    size_t links;                  ///< 0 .. DUET_MAX_LINKS
    const duet_bus_link *link;     ///< `links` entries
    const uint64_t *routes;        ///< nodes x nodes: bits of links; NULL: all links, one at a time
    size_t data;                   ///< 0: of each task that has edges with costs, what these carry
    const duet_bus_datum *datum;   ///< `data` entries
    size_t accesses;               ///< 0 where data is 0
    const duet_bus_access *access; ///< `accesses` entries, in any order
    /// `data` entries: bits of the nodes that have a copy at first, beside the home. At most 64
    /// nodes then. NULL: none.
    const uint64_t *copies;
} duet_bus_desc;

/// A machine for the tasks of one instance. Immutable.
typedef struct duet_bus duet_bus;

/// Copies and checks a machine. `instance` has a platform and sequential tasks, and may go before
/// the machine does. On success `*out` is the caller's (duet_bus_free()). Errors: DUET_E_USAGE,
/// DUET_E_UNSUPPORTED (`struct_size`, moldable tasks), DUET_E_INPUT (what of it cannot be),
/// DUET_E_MEMORY. O(tasks + edges + accesses).
DUET_API duet_code duet_bus_create(const duet_instance *instance, const duet_bus_desc *desc,
                                   duet_bus **out, duet_error *error);
/// NULL is allowed.
DUET_API void duet_bus_free(duet_bus *bus);

/// Reads a machine from a JSON file (docs/formats.md), or from StarPU's records, of which the
/// instance is, too. Errors: those of duet_bus_create() and DUET_E_INPUT with the place.
DUET_API duet_code duet_bus_read(const char *path, const duet_instance *instance, duet_bus **out,
                                 duet_error *error);

/// What is kept of a plan on a machine with a bus.
typedef enum duet_bus_keep {
    DUET_BUS_PLACES, ///< its processors and the order on them
    /// Its types and the order of starts: each task goes to the processor of its type where it ends
    /// first, its transfers included.
    DUET_BUS_TYPES,
    /// Its types, and the order of starts as priorities, which is what a runtime is told: a task
    /// that is ready goes to the queue of the processor of its type where it is expected to end
    /// first, its data set out, and a processor that is free takes the first of its queue.
    DUET_BUS_PRIORITIES,
    /// The same, but the processor is one that has the memory node of the planned one.
    DUET_BUS_NODES
} duet_bus_keep;

/// What came of it.
typedef struct duet_bus_run {
    int64_t makespan;    ///< ticks
    int64_t waiting;     ///< ticks that processors waited for data alone, in sum
    int64_t moved;       ///< bytes, 0 where the sizes are not known
    int64_t transfers;   ///< how many
    int64_t evictions;   ///< copies that went for want of memory
    int64_t reserved[3]; ///< room to grow
} duet_bus_run;

/// Carries out `plan`, a valid schedule of the instance that `bus` was made for. `*out`, unless
/// `out` is NULL, receives the schedule with the starts and processors that came of it, and is the
/// caller's. Its tasks start no earlier than the copies of their data are there, which need not be
/// when the instance says that the transfer along an edge ends. Errors: DUET_E_USAGE (`plan` is of
/// other tasks), DUET_E_INPUT (`plan` leaves out tasks, or runs them before others that they wait
/// for), DUET_E_INFEASIBLE (no node has the memory for a task), DUET_E_MEMORY.
/// O(tasks log tasks + (edges + accesses) x nodes x transfers in the worst case).
DUET_API duet_code duet_bus_carry_out(const duet_bus *bus, const duet_instance *instance,
                                      const duet_solution *plan, duet_bus_keep keep,
                                      duet_solution **out, duet_bus_run *run, duet_error *error);

/// The schedule that has the processors of `carried`, a schedule of duet_bus_carry_out(), and its
/// order, in the terms of the instance: links carry any number of transfers at once. It is valid,
/// and `*out` is the caller's. DUET_E_MEMORY. O(tasks log tasks + edges).
DUET_API duet_code duet_bus_settle(const duet_instance *instance, const duet_solution *carried,
                                   duet_solution **out, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
