// SPDX-License-Identifier: Apache-2.0
/// @file
/// Moldable tasks: tasks that run on several processors at once. docs/problem.md defines them.
///
/// A moldable task takes p processors of *one* type for t(p) ticks. On each type it has a table
/// t(1), t(2), ..., or is forbidden; a table of length 1 is a sequential task. Sizes may be left
/// out
/// (*rigid* tasks have one), and a task of one size may take 0 ticks. A table is given, or
/// follows Amdahl's law: on p processors of speed s a task of `work` w, of which the part `alpha`
/// is sequential, takes (alpha + (1 - alpha)/p) w/s. In ticks that is the least table at or above
/// the law that never increases and whose area p t(p) never decreases.
///
/// With *mixed sets*, a feature of the instance, its processors may be of several types on which it
/// may run. Every task then follows one law on all of these. Shares are equal, so that a set takes
/// what the law says of as many processors of its slowest speed.
///
/// Edges carry bytes. Moving D bytes from p processors of type i to q of type j takes no time where
/// the two sets are equal; else the latency and ceil(max(D/(p b_i), D/(q b_j))) for links of
/// bandwidth b. Between types the latency is another one, and the bytes also take D/b_inter.
/// Without a network, edges may cost ticks by the types of the sets instead
/// (duet_instance_desc.costs).
///
/// An instance in which some time is given as a table, also one of length 1, some task follows the
/// law, or which has a network, has the feature DUET_FEATURE_MOLDABLE (duet_instance_features());
/// one in which a size is left out or a task takes 0 ticks also has DUET_FEATURE_RIGID.
/// duet_instance_time() is the time on the fewest processors that are allowed, mostly t(1).
#ifndef DUET_MOLDABLE_H
#define DUET_MOLDABLE_H

#include <stddef.h>
#include <stdint.h>

#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An exact decimal: mantissa * 10^-places, with at most DUET_MAX_DECIMALS places.
typedef struct duet_number {
    int64_t mantissa; ///< 0 .. DUET_MAX_WORK
    int places;       ///< 0 .. DUET_MAX_DECIMALS
} duet_number;

/// The times of a kind on a type: a table, or Amdahl's law, or forbidden where there is neither.
typedef struct duet_moldable_times {
    /// t(1) .. t(length) in ticks, each above 0, or DUET_FORBIDDEN where the size is not allowed;
    /// of a single size also 0. NULL where length is 0.
    const int64_t *table;
    size_t length;     ///< at most the processors of the type, unless a size is left out
    duet_number work;  ///< above 0: the law, where there is no table
    duet_number alpha; ///< the sequential part of the work, 0 .. 1
} duet_moldable_times;

/// What moldable tasks add to a duet_instance_desc, which is where `decimals` says what a tick is.
/// Start from `{.struct_size = sizeof(duet_moldable_desc)}`.
typedef struct duet_moldable_desc {
    size_t struct_size;               ///< sizeof(duet_moldable_desc), so that it can grow
    const duet_moldable_times *times; ///< kinds x types, row-major, in place of the times beside it
    const duet_number *speed;         ///< of each type, work per unit of time; NULL: 1
    const duet_number *bandwidth; ///< of each type, bytes per unit of time, 0: no limit. NULL: 0
    const duet_number *data;      ///< bytes of each edge, below 0: none. NULL: none
    bool has_network;             ///< else data take no time
    duet_number latency;          ///< within a type, in units of time; rounded up to ticks
    duet_number inter_latency;    ///< between types
    duet_number inter_bandwidth;  ///< between types, 0: no limit
    bool mixed_sets; ///< a task may use several types at once: DUET_E_INPUT where some task has a
                     ///< table
} duet_moldable_desc;

/// Processors `first` to `last` of a type.
typedef struct duet_processor_range {
    int32_t type;  ///< index of the type
    int32_t first; ///< from 0 within its type
    int32_t last;  ///< at least `first`; it belongs to the range
} duet_processor_range;

/// On how many processors of a type a kind may run: from 1 to this, the shorter of its table and
/// the number of processors; 0 where it cannot run. 1 on every type for tasks that are not
/// moldable. O(1).
DUET_API int64_t duet_instance_sizes(const duet_instance *instance, size_t kind, size_t type);
/// Ticks of a kind on `size` processors of a type, or DUET_FORBIDDEN where it cannot run on so
/// many. O(1).
DUET_API int64_t duet_instance_moldable_time(const duet_instance *instance, size_t kind,
                                             size_t type, int64_t size);
/// Whether the times of a kind on a type follow Amdahl's law: then its numbers are written to
/// `*work` and `*alpha`. O(1).
DUET_API bool duet_instance_law(const duet_instance *instance, size_t kind, size_t type,
                                duet_number *work, duet_number *alpha);
/// Speed of a type: 1 where none was given. O(1).
DUET_API duet_number duet_instance_speed(const duet_instance *instance, size_t type);
/// Ticks to move the data of an edge from `p` processors of type `i` to other `q` of type `j`; 0
/// where tasks are not moldable. O(1).
DUET_API int64_t duet_instance_redistribution(const duet_instance *instance, int64_t edge, size_t i,
                                              int64_t p, size_t j, int64_t q);

/// The processors of a task: ranges in ascending order, which neither overlap nor touch. Of more
/// than one type only where the instance has mixed sets. `*count` receives how many ranges. NULL
/// and 0 in a schedule of tasks on one processor each, where duet_solution_placements() says all.
/// Valid until the solution is freed. O(1).
DUET_API const duet_processor_range *duet_solution_processors(const duet_solution *solution,
                                                              int64_t task, size_t *count);

/// When a task ends: its start and what it takes on its processors, of whatever instance the
/// solution is. The task is placed, where it can run. O(1), O(processors) on several types.
DUET_API int64_t duet_solution_end(const duet_solution *solution, const duet_instance *instance,
                                   int64_t task);

#ifdef __cplusplus
}
#endif

#endif
